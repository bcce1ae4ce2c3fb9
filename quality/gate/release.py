"""What a person's release does to a decision.

Belongs here: which reasons a release lifts, and what holds the report then. Does not belong here: recording releases,
the gate's own rules, the contract's verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from quality.gate.policy import Rule
from quality.model import GateResult, Mode, Outcome, Reason

CONTRACT: Final = "contract"
"""The rule of reasons that hold a whole batch; no release lifts them."""

LEFT_BATCH: Final = "left_batch"
"""The rule of the reason that holds a report which is no longer part of its batch."""

NEVER_LIFTED: Final = frozenset({CONTRACT, LEFT_BATCH, str(Rule.UNREADABLE)})
"""Rules that a person cannot overrule: there is nothing to ingest, or the batch as a whole is held."""


@dataclass(frozen=True, slots=True)
class Release:
    """A person's word that a report may enter although the gate holds it."""

    who: str
    why: str


@dataclass(frozen=True, slots=True)
class Settled:
    """A decision after the contract and a release were heard.

    ``reasons`` hold the report, ``lifted`` would if nobody had released it. ``release`` is None where none stands or
    where it lifts nothing.
    """

    outcome: Outcome
    reasons: tuple[Reason, ...]
    lifted: tuple[Reason, ...] = ()
    release: Release | None = None


def settle(gate: GateResult, contract: Sequence[Reason], release: Release | None) -> Settled:
    """Put the gate's reasons, the contract's and a release together."""
    lifted = tuple(r for r in gate.reasons if release is not None and r.rule not in NEVER_LIFTED)
    reasons = (*contract, *(r for r in gate.reasons if r not in lifted))
    return Settled(Outcome.HOLD if reasons else Outcome.INGEST, reasons, lifted, release if lifted else None)


def gate_part(gate_outcome: str, reasons: Sequence[Reason], lifted: Sequence[Reason]) -> GateResult:
    """Give the gate's own result back from a recorded decision, whatever held or released the report then."""
    own = tuple(r for r in (*reasons, *lifted) if r.rule != CONTRACT and r.mode is Mode.BLOCK)
    return GateResult(Outcome(gate_outcome), own, (), ())
