"""The one catalogue of metrics: no number is written without an entry here.

Belongs here: putting the families together, looking a metric up, checking measurements against the catalogue,
and adding a user's own metric.
Does not belong here: formulas (one module per family) and prose (``document``).

A user's own metric is one function and one entry::

    def words(subject: Subject) -> Value:
        return Value(sum(...))

    catalogue = CATALOGUE.extended(Metric(Definition(id="words", version="v1", ...), words))
    measure_report(subject, catalogue)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from quality.errors import UsageError
from quality.metrics import (
    audited,
    canonical,
    depth,
    entries,
    fixed_closing,
    honesty,
    identifiers,
    inbound,
    quotes,
)
from quality.metrics.definition import Definition, Metric
from quality.model import Measurement, Stage, Validity


class Catalogue:
    """An immutable collection of metrics, one per id and version; iterating gives definitions in order."""

    __slots__ = ("_metrics",)

    def __init__(self, metrics: Iterable[Metric]) -> None:
        """Collect ``metrics``.

        Raises:
            UsageError: two entries have the same id and version, or a definition is not complete.
        """
        self._metrics: dict[tuple[str, str], Metric] = {}
        for metric in metrics:
            _check_definition(metric.definition)
            key = (metric.definition.id, metric.definition.version)
            if key in self._metrics:
                raise UsageError(
                    f"The metric {key[0]} {key[1]} is in the catalogue twice.",
                    remedy="Give the changed metric a new version.",
                )
            self._metrics[key] = metric

    def __iter__(self) -> Iterator[Definition]:
        return (metric.definition for metric in self._metrics.values())

    def __len__(self) -> int:
        return len(self._metrics)

    def __contains__(self, key: object) -> bool:
        return key in self._metrics

    def get(self, metric: str, version: str) -> Definition:
        """Look a definition up.

        Raises:
            UsageError: there is no such metric or version; the message lists the versions there are.
        """
        found = self._metrics.get((metric, version))
        if found is None:
            versions = [d.version for d in self if d.id == metric]
            known = (
                f"versions {', '.join(versions)}"
                if versions
                else f"metrics {', '.join(sorted({d.id for d in self}))}"
            )
            raise UsageError(
                f"The metric {metric!r} {version} has no catalogue entry; there are the {known}.",
                remedy="Use one of these, or add an entry with Catalogue.extended.",
            )
        return found.definition

    @property
    def computed_apart(self) -> frozenset[tuple[str, str]]:
        """Give id and version of the metrics that have no function: SQL or a look-up computes and writes them."""
        return frozenset(key for key, metric in self._metrics.items() if metric.measure is None)

    def at(self, stage: Stage) -> Iterator[Metric]:
        """Give the metrics that speak about ``stage``."""
        return (metric for metric in self._metrics.values() if stage in metric.definition.stages)

    def extended(self, *metrics: Metric) -> Catalogue:
        """Give a new catalogue with ``metrics`` added."""
        return Catalogue([*self._metrics.values(), *metrics])

    def validate(self, measurements: Iterable[Measurement]) -> None:
        """Check that every measurement may be written.

        Raises:
            UsageError: a number without an entry, a value that is not finite, or a value that contradicts its
                validity.
        """
        for m in measurements:
            self.get(m.metric, m.version)
            numbers = (m.value, m.numerator, m.denominator)
            if not all(n is None or math.isfinite(n) for n in numbers):
                raise UsageError(
                    f"{m.metric} {m.version} holds {numbers}: not all finite.", remedy="Store unknown."
                )
            if (m.value is not None) != (m.validity is Validity.MEASURED):
                raise UsageError(
                    f"{m.metric} {m.version} is {m.validity} with the value {m.value}.",
                    remedy="Give a value if and only if it was measured.",
                )


def _check_definition(definition: Definition) -> None:
    texts = ("id", "version", "title", "unit", "formula", "absent_when", "owner", "says_not")
    missing = [name for name in texts if not getattr(definition, name).strip()]
    if missing or not definition.stages:
        raise UsageError(
            f"The catalogue entry {definition.id!r} {definition.version!r} lacks "
            f"{', '.join(missing) or 'a stage'}.",
            remedy="Say it in the entry: a number is only written when its meaning is.",
        )


CATALOGUE = Catalogue(
    [
        *inbound.METRICS,
        *canonical.METRICS,
        *entries.METRICS,
        *audited.METRICS,
        *fixed_closing.METRICS,
        *honesty.METRICS,
        *depth.METRICS,
        *quotes.METRICS,
        *identifiers.METRICS,
    ]
)
"""The metrics that ship."""


def validate(measurements: Iterable[Measurement]) -> None:
    """Check measurements against the catalogue that ships; see ``Catalogue.validate``."""
    CATALOGUE.validate(measurements)
