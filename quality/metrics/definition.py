"""What a metric is: its catalogue entry, the function that measures it, and what that function is given.

Belongs here: the types that every metric family and every user's own metric is written with.
Does not belong here: a formula (one module per family), and the list of metrics (``catalogue``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from quality.metrics.claims import Claim
from quality.metrics.manifest import NO_MANIFEST, Manifest
from quality.metrics.texts import Texts
from quality.model import DirtyFinding, Measurement, Reading, Reconciliation, Resolution, Stage, Validity

BOTH_STAGES = (Stage.SHADOW, Stage.REBUILT)


@dataclass(frozen=True, slots=True)
class Subject:
    """One report at one stage, with everything that a metric may look at.

    The three reconciliations are of the same reading: they hold the same citations in the same order and
    differ in the entries that title citations were matched to.
    """

    stage: Stage
    reading: Reading
    v1: Reconciliation  # titles matched exactly
    v2: Reconciliation  # titles matched by containment
    v3: Reconciliation  # titles matched by the safe tiers: what gate and contract use
    resolutions: Sequence[Resolution] | None  # one per citation of ``v3``; None: no catalogue was supplied
    dirt: Sequence[DirtyFinding]  # of all entries of the reading
    body: str = ""  # what the reading was made of
    claims: Sequence[Claim] = ()  # the report's own method claims; found at stage shadow alone
    manifest: Manifest = NO_MANIFEST
    texts: Texts | None = (
        None  # stored texts of sources; None: no catalogue was supplied, or it holds no text
    )

    def __post_init__(self) -> None:
        """Check that the parts speak about the same citations.

        Raises:
            ValueError: the reconciliations or the resolutions do not line up.
        """
        counts = {len(r.cited) for r in (self.v1, self.v2, self.v3)}
        if len(counts) != 1:
            raise ValueError(f"The reconciliations hold different citations: {sorted(counts)}")
        if self.resolutions is not None and len(self.resolutions) != len(self.v3.cited):
            raise ValueError(f"{len(self.resolutions)} resolutions for {len(self.v3.cited)} citations")


@dataclass(frozen=True, slots=True)
class Definition:
    """One entry of the metric catalogue: the meaning of a number, apart from how it is computed."""

    id: str
    version: str
    title: str
    unit: str  # share, count, or yes (1) or no (0)
    formula: str
    stages: tuple[Stage, ...]
    absent_when: str  # "never" where there is always something to measure
    statistics: tuple[str, ...]  # the batch statistics that a contract may use
    owner: str  # the module that computes it
    says_not: str  # what a reader may take it for, wrongly


@dataclass(frozen=True, slots=True)
class Value:
    """What a metric function returns: a share with its parts, a plain number, or ``None`` for absent."""

    value: float | None
    numerator: float | None = None
    denominator: float | None = None
    detail: str | None = None  # why it is absent


Measure = Callable[[Subject], Value]


@dataclass(frozen=True, slots=True)
class Metric:
    """A catalogue entry with its function; ``measure`` is None where SQL computes the value."""

    definition: Definition
    measure: Measure | None


def share(numerator: int, denominator: int, empty: str) -> Value:
    """Divide, or give an absent value with the reason ``empty`` when there is nothing to divide by."""
    if denominator == 0:
        return Value(None, 0, 0, empty)
    return Value(numerator / denominator, numerator, denominator)


def to_measurement(definition: Definition, value: Value) -> Measurement:
    """Turn a metric function's result into a measurement; a number that is not finite becomes ``unknown``."""
    if value.value is None:
        return Measurement(
            definition.id,
            definition.version,
            None,
            Validity.ABSENT,
            value.numerator,
            value.denominator,
            value.detail,
        )
    parts = (value.value, value.numerator, value.denominator)
    if not all(part is None or math.isfinite(part) for part in parts):
        return unknown(definition, f"the formula gave {value.value}, which is not a finite number")
    return Measurement(
        definition.id,
        definition.version,
        float(value.value),
        Validity.MEASURED,
        value.numerator,
        value.denominator,
        value.detail,
    )


def unknown(definition: Definition, reason: str) -> Measurement:
    """Give the measurement of something that could not be measured."""
    return Measurement(definition.id, definition.version, None, Validity.UNKNOWN, detail=reason)
