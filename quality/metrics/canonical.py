"""How many citations the catalogue knows: ``canonical_rate``.

Belongs here: metrics over the resolutions of a report's citations.
Does not belong here: resolving (``quality.sources``).
"""

from __future__ import annotations

from quality.metrics.definition import BOTH_STAGES, Definition, Metric, Subject, Value, share
from quality.model import ResolutionState


def canonical_rate(subject: Subject) -> Value:
    """Share of distinct citations that a safe tier resolved to one source of the catalogue."""
    if subject.resolutions is None:
        return Value(None, detail="no source catalogue was supplied")
    resolved = sum(r.state is ResolutionState.RESOLVED for r in subject.resolutions)
    return share(resolved, len(subject.resolutions), "the report has no citations")


METRICS = (
    Metric(
        Definition(
            id="canonical_rate",
            version="v1",
            title="Canonical rate",
            unit="share",
            formula="distinct citations resolved by a safe tier / distinct citations, self-contained ones "
            "included",
            stages=BOTH_STAGES,
            absent_when="the report has no citations, or no source catalogue was supplied",
            statistics=("p10", "p50", "mean", "min"),
            owner="quality.metrics.canonical",
            says_not="A citation that the catalogue does not hold is not therefore false.",
        ),
        canonical_rate,
    ),
)
