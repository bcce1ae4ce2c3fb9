"""The path for reports with few citations: their table stays, and what can be resolved is merged in.

Belongs here: adding entries behind a table, numbering continued. Does not belong here: replacing a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from quality.model import CitedKey, EntryKind, Reading, RebuildPath, Rebuilt, RebuiltEntry, Report
from quality.references.layout import Edit, append_list, apply, heading_of, layout_of, text_end
from quality.references.numbering import number
from quality.references.works import Work

Cited = Sequence[tuple[CitedKey, Work | None]]


def merged(report: Report, reading: Reading, cited: Cited) -> Rebuilt:
    """Return the report with every work that has no entry yet added to its table; ``left`` when there is none."""
    new = [(c, _own(c, work)) for c, work in cited if work is not None and not _listed(c, reading)]
    dangling = tuple(c for c, work in cited if work is None)
    if not new:
        return Rebuilt(
            report.body, RebuildPath.LEFT, "fewer than three citations and none to merge in", (), dangling
        )
    labels = number(
        [*new, *((c, None) for c in dangling)],
        first=_last_number(reading) + 1,
        taken=_keys(reading),
        keep=True,
    )
    layout = layout_of(
        report.body, reading.entries, (), reading.marks, needs_labels=any(c.family == "label" for c, _ in new)
    )
    works = {work.identity: (c, work) for c, work in reversed(new)}
    ordered = [works[identity] for identity in labels]
    table = layout.separator.join(layout.line(labels[w.identity], w.content) for _, w in ordered)
    reason = f"fewer than three citations: {len(ordered)} merged into the table"
    entries = tuple(_entry(c, w, labels[w.identity]) for c, w in ordered)
    return Rebuilt(
        apply(report.body, _place(report, reading, table, layout.separator)),
        RebuildPath.MERGED,
        reason,
        entries,
        dangling,
    )


def _own(citation: CitedKey, work: Work) -> Work:
    """Give each label its own entry, for the marks of a table that stays are not rewritten."""
    return replace(work, identity=f"{citation.key}\n{work.identity}") if citation.family == "label" else work


def _listed(citation: CitedKey, reading: Reading) -> bool:
    """Whether the body already has the entry; one that only stands in the ``sources`` list has to be written."""
    return citation.entry is not None and reading.entries[citation.entry].origin == "body"


def _last_number(reading: Reading) -> int:
    return max(
        (int(e.key) for e in reading.entries if e.key and e.key.isdecimal() and e.origin == "body"), default=0
    )


def _keys(reading: Reading) -> set[str]:
    return {k for e in reading.entries if e.origin == "body" for k in (e.key, *e.aliases) if k is not None}


def _place(report: Report, reading: Reading, table: str, separator: str) -> list[Edit]:
    ends = [e.end for e in reading.entries if e.origin == "body"]
    if not ends:
        return append_list(report.body, heading_of(report), table)
    end = text_end(report.body, max(ends))
    return [Edit(end, end, separator + table)]


def _entry(citation: CitedKey, work: Work, label: str) -> RebuiltEntry:
    return RebuiltEntry(
        label,
        EntryKind(work.kind),
        work.content,
        work.title,
        work.url,
        work.source_id,
        work.tier,
        citation.key,
        citation.scope,
    )
