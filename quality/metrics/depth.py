"""How much of what a report cites the catalogue really holds: ``deep_share``, ``shallow_share``, ``blank_share``.

Belongs here: sorting the cited sources by depth. The three shares have one denominator and sum to 1.
Does not belong here: resolving citations (``quality.sources``), what counts as content (``texts``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from enum import StrEnum

from quality.metrics.definition import BOTH_STAGES, Definition, Metric, Subject, Value, share
from quality.metrics.texts import content_chars
from quality.model import ResolutionState

DEEP = 500
"""Characters of real content from which a source is deep."""
NO_TEXTS = "not checked: the source catalogue holds no text"


class Depth(StrEnum):
    """What the catalogue holds of a cited source."""

    DEEP = "deep"
    SHALLOW = "shallow"
    BLANK = "blank"


def depths(subject: Subject) -> Counter[Depth]:
    """Count the cited sources by depth.

    Citations that resolve to one source are one cited source; each citation that resolves to none is one, and
    blank.
    """
    assert subject.texts is not None  # noqa: S101 - asked by ``_shared`` alone
    counted: Counter[Depth] = Counter()
    seen: set[str] = set()
    for resolution in subject.resolutions or ():
        if resolution.state is not ResolutionState.RESOLVED or resolution.source_id is None:
            counted[Depth.BLANK] += 1
        elif resolution.source_id not in seen:
            seen.add(resolution.source_id)
            counted[_depth(content_chars(subject.texts.get(resolution.source_id)))] += 1
    return counted


def _depth(chars: int) -> Depth:
    if chars >= DEEP:
        return Depth.DEEP
    return Depth.SHALLOW if chars else Depth.BLANK


def _shared(depth: Depth) -> Callable[[Subject], Value]:
    def measure(subject: Subject) -> Value:
        if subject.texts is None or subject.resolutions is None:
            return Value(None, detail=NO_TEXTS)
        counted = depths(subject)
        return share(counted[depth], counted.total(), "the report has no citations")

    return measure


def _metric(depth: Depth, title: str, what: str) -> Metric:
    return Metric(
        Definition(
            id=f"{depth}_share",
            version="v1",
            title=title,
            unit="share",
            formula=f"cited sources that are {depth} ({what}) / cited sources. A source is cited once however often it is "
            "named; a citation that resolves to no source counts as one that is blank. The shares of deep, shallow and "
            "blank sources sum to 1",
            stages=BOTH_STAGES,
            absent_when="the report has no citations, or the catalogue holds no text of any source (then the metric is off)",
            statistics=("p10", "p50", "mean", "min", "max"),
            owner="quality.metrics.depth",
            says_not="It says how much text the catalogue holds, not whether the report read it, nor whether it supports "
            "the report.",
        ),
        _shared(depth),
    )


METRICS = (
    _metric(Depth.DEEP, "Deep sources", f"at least {DEEP} characters of content are stored"),
    _metric(Depth.SHALLOW, "Shallow sources", f"some content is stored, fewer than {DEEP} characters"),
    _metric(Depth.BLANK, "Blank sources", "unresolved, or no content is stored"),
)
