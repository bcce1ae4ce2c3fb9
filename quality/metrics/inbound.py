"""Do citations have an entry: ``inbound_rate`` in its three versions, ``cited``, and the counts of citations.

Belongs here: metrics over the distinct citations of a report and their reconciliation.
Does not belong here: reconciling itself (``quality.citations``), and metrics over entries (``entries``).
"""

from __future__ import annotations

from quality.metrics.definition import BOTH_STAGES, Definition, Metric, Subject, Value, share
from quality.model import Reconciliation, Stage

PLACEHOLDER_FAMILY = "placeholder"


def inbound(reconciliation: Reconciliation, stage: Stage) -> Value:
    """Share of distinct citations that have an entry; 0/0 is absent (DESIGN section 7).

    As written, a citation with its own locator needs no entry and counts in neither part. After the rebuild
    it has been given one, and counts.
    """
    counted = [c for c in reconciliation.cited if stage is Stage.REBUILT or not c.self_contained]
    if not counted and reconciliation.cited:
        return share(0, 0, "every citation carries its own locator")
    return share(sum(c.entry is not None for c in counted), len(counted), "the report has no citations")


def inbound_v1(subject: Subject) -> Value:
    """Inbound rate with titles matched exactly."""
    return inbound(subject.v1, subject.stage)


def inbound_v2(subject: Subject) -> Value:
    """Inbound rate with titles matched by containment."""
    return inbound(subject.v2, subject.stage)


def inbound_v3(subject: Subject) -> Value:
    """Inbound rate with titles matched by the safe tiers."""
    return inbound(subject.v3, subject.stage)


def cited(subject: Subject) -> Value:
    """1 if at least one citation has an entry, else 0; a report without citations is 0, not absent."""
    return Value(float(any(c.entry is not None for c in subject.v3.cited)))


def citation_count(subject: Subject) -> Value:
    """Count the distinct citations."""
    return Value(len(subject.v3.cited))


def self_contained_count(subject: Subject) -> Value:
    """Count the distinct citations that carry their own locator."""
    return Value(sum(c.self_contained for c in subject.v3.cited))


def placeholder_count(subject: Subject) -> Value:
    """Count the marks that announce a citation and name none; each mark counts."""
    return Value(sum(m.family == PLACEHOLDER_FAMILY for m in subject.reading.marks))


_OWNER = "quality.metrics.inbound"
_RATE = "distinct citations with an entry / distinct citations"
_SHADOW = (
    "As written, citations with a locator of their own count in neither part; after the rebuild they count."
)
_NO_CITATION = "the report has no citations, or (as written) every citation carries its own locator"
_NO_SUPPORT = (
    "It does not say that a source supports the sentence. After the rebuild it is near 1 by construction: "
    "it then "
    "checks the rebuild."
)


def _inbound(version: str, how: str, statistics: tuple[str, ...]) -> Definition:
    return Definition(
        id="inbound_rate",
        version=version,
        title=f"Inbound rate, {how}",
        unit="share",
        formula=f"{_RATE}; labels match by equality, titles {how}. {_SHADOW}",
        stages=BOTH_STAGES,
        absent_when=_NO_CITATION,
        statistics=statistics,
        owner=_OWNER,
        says_not=_NO_SUPPORT,
    )


def _count(metric: str, title: str, formula: str, says_not: str) -> Definition:
    return Definition(
        id=metric,
        version="v1",
        title=title,
        unit="count",
        formula=formula,
        stages=BOTH_STAGES,
        absent_when="never",
        statistics=("p10", "p50", "mean", "min", "max", "sum"),
        owner=_OWNER,
        says_not=says_not,
    )


METRICS = (
    Metric(_inbound("v1", "by exact match", ("p10", "p50", "mean", "min")), inbound_v1),
    Metric(_inbound("v2", "by containment", ("p10", "p50", "mean", "min")), inbound_v2),
    Metric(_inbound("v3", "by the safe tiers of resolution", ("p10", "p50", "mean", "min")), inbound_v3),
    Metric(
        Definition(
            id="cited",
            version="v1",
            title="Report cites",
            unit="yes (1) or no (0)",
            formula="1 if at least one citation has an entry (version v3 of the matching), else 0",
            stages=BOTH_STAGES,
            absent_when="never",
            statistics=("mean", "min"),
            owner=_OWNER,
            says_not="One citation is enough: it does not say that the report is well cited.",
        ),
        cited,
    ),
    Metric(
        _count(
            "citation_count",
            "Distinct citations",
            "number of distinct citations; a citation that is repeated counts once",
            "More citations are not better evidence.",
        ),
        citation_count,
    ),
    Metric(
        _count(
            "self_contained_count",
            "Self-contained citations",
            "number of distinct citations that carry their own locator, such as an inline link",
            "It does not say that the locator leads anywhere.",
        ),
        self_contained_count,
    ),
    Metric(
        _count(
            "placeholder_count",
            "Placeholder citations",
            "number of marks that announce a citation and name none, such as [citation needed]; each mark "
            "counts",
            "Zero does not say that every claim is cited.",
        ),
        placeholder_count,
    ),
)
