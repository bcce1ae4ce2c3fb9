"""The state of the reference table: dirty, uncited and duplicate entries.

Belongs here: metrics over the reference entries of a report. All are absent when the report has no entry.
Does not belong here: telling whether one entry is dirty (``dirt``).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence

from quality.metrics.definition import BOTH_STAGES, Definition, Measure, Metric, Subject, Value, share
from quality.model import Entry
from quality.registries.urls import url_key
from quality.text import fold

NO_ENTRIES = "the report has no reference entries"

_NAMES_A_PART = frozenset({"isbn"})
"""Identifiers that two different entries may share: the chapters of one book."""


def dirty_entries(subject: Subject) -> Value:
    """Count the entries with at least one finding of dirt."""
    return _counted(subject, _dirty)


def dirty_share(subject: Subject) -> Value:
    """Share of the entries with at least one finding of dirt."""
    return share(_dirty(subject), len(subject.reading.entries), NO_ENTRIES)


def uncited_entries(subject: Subject) -> Value:
    """Count the entries that no citation refers to."""
    return _counted(subject, lambda s: len(s.v3.uncited))


def duplicate_entries(subject: Subject) -> Value:
    """Count the entries that repeat an earlier entry of the same list."""
    return _counted(subject, lambda s: len(duplicates(s.reading.entries)))


def duplicates(entries: Sequence[Entry]) -> list[int]:
    """Find the ordinals of entries that name the same thing as an earlier entry of the same list.

    The same thing is the same identifier (an ISBN only with the same title) or the same URL; where one of
    the two has neither, it is the same folded title. Linear in the number of entries.
    """
    seen: set[Hashable] = set()
    titled: dict[Hashable, bool] = {}  # (scope, title) -> whether an entry without identity had it
    found = []
    for entry in entries:
        identity = set(_identity(entry))
        title = (entry.scope, fold(entry.title)) if entry.title else None
        repeats = bool(identity & seen)
        if title and title in titled and (not identity or titled[title]):
            repeats = True
        if repeats:
            found.append(entry.ordinal)
        seen |= identity
        if title:
            titled[title] = titled.get(title, False) or not identity
    return found


def _identity(entry: Entry) -> Iterator[Hashable]:
    addresses = {identifier.value for identifier in entry.identifiers if identifier.kind == "url"}
    if entry.url:
        addresses.add(entry.url)
    for address in addresses:
        yield entry.scope, "url", url_key(address)
    for identifier in entry.identifiers:
        if identifier.kind in _NAMES_A_PART:
            if entry.title:
                yield entry.scope, identifier.kind, identifier.value, fold(entry.title)
        elif identifier.kind != "url":
            yield entry.scope, identifier.kind, identifier.value


def _dirty(subject: Subject) -> int:
    return len({finding.ordinal for finding in subject.dirt})


def _counted(subject: Subject, count: Callable[[Subject], int]) -> Value:
    if not subject.reading.entries:
        return Value(None, detail=NO_ENTRIES)
    return Value(count(subject))


def _metric(
    metric: str, measure: Measure, title: str, formula: str, *, says_not: str, unit: str = "count"
) -> Metric:
    return Metric(
        Definition(
            id=metric,
            version="v1",
            title=title,
            unit=unit,
            formula=formula,
            stages=BOTH_STAGES,
            absent_when=NO_ENTRIES,
            statistics=("p10", "p50", "mean", "min", "max", "sum")
            if unit == "count"
            else ("p50", "mean", "max"),
            owner="quality.metrics.entries",
            says_not=says_not,
        ),
        measure,
    )


METRICS = (
    _metric(
        "dirty_entries",
        dirty_entries,
        "Dirty entries",
        "number of reference entries with residue: pipe residue, section fragment, internal marker, "
        "tool-call leak, "
        "placeholder, error-page title, empty, numbering residue, markup residue; an entry counts once",
        says_not="A clean entry may still name a work that does not exist. A long, clean title is not dirty.",
    ),
    _metric(
        "dirty_share",
        dirty_share,
        "Share of dirty entries",
        "dirty reference entries / reference entries",
        says_not="It weighs a short table like a long one.",
        unit="share",
    ),
    _metric(
        "uncited_entries",
        uncited_entries,
        "Uncited entries",
        "number of reference entries that no citation refers to",
        says_not="An uncited entry may be good further reading; many of them suggest a copied material list.",
    ),
    _metric(
        "duplicate_entries",
        duplicate_entries,
        "Duplicate entries",
        "number of reference entries that repeat an earlier entry of the same list: same identifier or "
        "URL, or same "
        "title where one of the two has neither",
        says_not="Two editions or two copies of one work under different addresses are not found.",
    ),
)
