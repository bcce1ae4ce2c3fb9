"""The rebuild: a reference table made from the citations that the body makes (DESIGN section 9).

Belongs here: the two paths, and the promise that what was written reads back. Does not belong here: the text of an entry
(``works``), labels (``numbering``), marks (``marks``), and the place of the list (``layout``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from quality.citations.labels import plain_key
from quality.citations.recent import read_recent
from quality.citations.reconcile import reconcile
from quality.model import (
    CitedKey,
    Mark,
    Reading,
    RebuildPath,
    Rebuilt,
    RebuiltEntry,
    Reconciliation,
    Report,
)
from quality.references.layout import Edit, append_list, apply, heading_of, layout_of, replace_lists
from quality.references.marks import MarkError, relabelled
from quality.references.merge import merged
from quality.references.numbering import number
from quality.references.readback import difference
from quality.references.works import IsDirty, Work, apart, work_of
from quality.registries.urls import url_key
from quality.sources.index import SourceIndex
from quality.sources.own_table import match_own_table

FEWEST_CITATIONS = 3


@dataclass(frozen=True, slots=True)
class _Plan:
    """Each distinct citation with the work it gets, and the labels of the works."""

    cited: tuple[tuple[CitedKey, Work | None], ...]
    labels: dict[str, str]


def rebuild(
    report: Report,
    reading: Reading,
    reconciliation: Reconciliation,
    index: SourceIndex,
    *,
    is_dirty: IsDirty,
    fewest: int = FEWEST_CITATIONS,
) -> Rebuilt:
    """Rebuild the reference table of one report.

    With ``fewest`` or more distinct citations the table is rebuilt from them; below, it is kept and what can be
    resolved is merged in. Text outside marks and list comes back unchanged. The result is read again: where it does
    not say the same, or a second rebuild would change it again, the report is left as it was, with the reason.
    """
    result = _once(report, reading, reconciliation, index, is_dirty=is_dirty, fewest=fewest)
    if result.path is RebuildPath.LEFT:
        return result
    after = read_recent(result.body, report.sources)
    again = _once(
        replace(report, body=result.body),
        after,
        reconcile(after, match_own_table),
        index,
        is_dirty=is_dirty,
        fewest=fewest,
    )
    if again.body != result.body:
        return _left(
            report, reconciliation.dangling, "the rebuilt table would not settle: a second rebuild changes it"
        )
    return result


def _once(
    report: Report,
    reading: Reading,
    reconciliation: Reconciliation,
    index: SourceIndex,
    *,
    is_dirty: IsDirty,
    fewest: int,
) -> Rebuilt:
    cited = apart(
        [
            (c, work_of(c, reading.entries[c.entry] if c.entry is not None else None, index, is_dirty))
            for c in reconciliation.cited
        ]
    )
    if reason := _nothing_to_do(cited, reconciliation, fewest):
        return _left(report, reconciliation.dangling, reason)
    if len(cited) < fewest:
        return _verified(report, reading, merged(report, reading, cited))
    plan = _Plan(cited, number(cited, first=_first_number(reading)))
    try:
        kept = _verified(report, reading, _rebuilt(report, reading, plan, keep_foreign=True))
        if kept.path is not RebuildPath.LEFT:
            return kept
        return _verified(report, reading, _rebuilt(report, reading, plan, keep_foreign=False))
    except MarkError as error:
        return _left(report, reconciliation.dangling, f"a mark could not be rewritten: {error}")


def _nothing_to_do(
    cited: Sequence[tuple[CitedKey, Work | None]], reconciliation: Reconciliation, fewest: int
) -> str | None:
    """Say why a report is left as it is before anything is tried, if it is."""
    if not cited:
        return "it cites nothing"
    if twice := [c.key for c in reconciliation.ambiguous if c.family == "label"]:
        named = ", ".join(twice[:5]) + (f" and {len(twice) - 5} more" if len(twice) > 5 else "")
        return f"its list gives one label to two works: {named}"
    if len(cited) >= fewest and all(work is None for _, work in cited):
        return "no citation has a clean entry or a source"
    return None


def _rebuilt(report: Report, reading: Reading, plan: _Plan, *, keep_foreign: bool) -> Rebuilt:
    works = _works(plan)
    needs_labels = any(c.family == "label" and work is not None for c, work in plan.cited)
    ordinals = _cited_entries(reading, plan)
    layout = layout_of(report.body, reading.entries, ordinals, reading.marks, needs_labels=needs_labels)
    if layout.linked:
        works = [(c, w.linked()) for c, w in works]
    table = layout.separator.join(layout.line(plan.labels[w.identity], w.content) for _, w in works)
    edits = replace_lists(report.body, reading, ordinals, table, keep_foreign=keep_foreign)
    if edits is None:
        edits = append_list(report.body, heading_of(report), table)
    marks = _mark_edits(report.body, reading.marks, plan)
    body = apply(report.body, [*edits, *marks])
    dangling = tuple(c for c, work in plan.cited if work is None)
    return Rebuilt(
        body,
        RebuildPath.REBUILT,
        _reason(works, dangling),
        _entries(works, plan),
        dangling,
        n_repeats=sum(not edit.text for edit in marks),
    )


def _first_number(reading: Reading) -> int:
    """Number from zero where the report's own list does."""
    return 0 if any(entry.key == "0" for entry in reading.entries) else 1


def _cited_entries(reading: Reading, plan: _Plan) -> set[int]:
    """Ordinals of the entries that are cited, the further copies of one address included."""
    cited = {c.entry for c, _ in plan.cited if c.entry is not None}
    pages = {url_key(url) for n in cited if (url := reading.entries[n].url)}
    pages |= {url_key(c.locator) for c, _ in plan.cited if c.locator}
    return cited | {e.ordinal for e in reading.entries if e.url and url_key(e.url) in pages}


def _works(plan: _Plan) -> list[tuple[CitedKey, Work]]:
    """Distinct works with the citation that names them first."""
    first: dict[str, tuple[CitedKey, Work]] = {}
    for citation, work in plan.cited:
        if work is not None:
            first.setdefault(work.identity, (citation, work))
    return list(first.values())


def _mark_edits(body: str, marks: Sequence[Mark], plan: _Plan) -> list[Edit]:
    """Write every mark under its new labels; one that only repeats its neighbour now, and did not before, goes."""
    labels = {_name(c.family, c.scope, c.key, c.locator): _label(c, work, plan) for c, work in plan.cited}
    edits: list[Edit] = []
    before: tuple[int, set[str], set[str]] = (-1, set(), set())  # end of the stack, its keys then and now
    for mark in marks:
        if mark.family != "label":
            continue
        written = body[mark.start : mark.end]
        new = [
            labels.get(_name(mark.family, mark.scope, key, mark.locator), plain_key(key)) for key in mark.keys
        ]
        old = {plain_key(key) for key in mark.keys}
        end, then, now = before if before[0] == mark.start else (-1, set(), set())
        if end >= 0 and mark.locator is None and set(new) <= now and not old <= then:
            edits.append(Edit(mark.start, mark.end, ""))
        elif (text := relabelled(mark, written, new)) != written:
            edits.append(Edit(mark.start, mark.end, text))
        before = (mark.end, then | old, now | set(new))
    return edits


def _label(citation: CitedKey, work: Work | None, plan: _Plan) -> str:
    return plain_key(citation.key) if work is None else plan.labels[work.identity]


def _name(family: str, scope: int, key: str, locator: str | None) -> tuple[str, int, str, str | None]:
    return family, scope, plain_key(key), locator


def _entries(works: Sequence[tuple[CitedKey, Work]], plan: _Plan) -> tuple[RebuiltEntry, ...]:
    return tuple(
        RebuiltEntry(
            label=plan.labels[work.identity],
            kind=work.kind,
            text=work.content,
            title=work.title,
            url=work.url,
            source_id=work.source_id,
            tier=work.tier,
            key=citation.key,
            scope=citation.scope,
        )
        for citation, work in works
    )


def _reason(works: Sequence[object], dangling: Sequence[object]) -> str:
    left = f", {len(dangling)} dangling" if dangling else ""
    return f"{len(works)} entries from the citations of the body{left}"


def _verified(report: Report, reading: Reading, result: Rebuilt) -> Rebuilt:
    if result.path is RebuildPath.LEFT:
        return result
    fault = difference(reading, result)
    return (
        result
        if fault is None
        else _left(report, result.dangling, f"the rebuilt text does not read back: {fault}")
    )


def _left(report: Report, dangling: Sequence[CitedKey], reason: str) -> Rebuilt:
    return Rebuilt(report.body, RebuildPath.LEFT, reason, (), tuple(dangling))
