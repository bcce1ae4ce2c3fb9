"""The mechanical reviewer: what Sluicegate's own rules find in a report as it was written.

Belongs here: from the audit's reading to findings with a place. Does not belong here: the rules themselves
(``quality/citations``, ``quality/metrics``), or any judgement about a batch.

It reads the corpus for itself, with the same kernel as the audit, and never the audit's rows.
"""

from __future__ import annotations

from collections.abc import Iterator

from quality.kernel import Audit, guarded
from quality.model import Entry, Report, Stage
from quality.review.model import Category, Corpus, Examination, Finding, Review, ReviewerKind, Severity
from quality.sources.index import SourceIndex

NAME = "mechanical"


class MechanicalReviewer:
    """Examines by rules alone: the same corpus always gives the same findings."""

    async def review(self, corpus: Corpus) -> Review:
        """Examine every report; see ``Reviewer``."""
        index = SourceIndex(corpus.sources) if corpus.sources is not None else None
        examinations = tuple(_examined(report, index) for report in corpus.reports)
        return Review(NAME, ReviewerKind.MECHANICAL, examinations)


def _examined(report: object, index: SourceIndex | None) -> Examination:
    audit = guarded(report, index, Stage.SHADOW)  # type: ignore[arg-type] # either kind of report
    if audit.fault is not None or not isinstance(report, Report):
        return Examination(audit.report_id, fault=audit.fault or "unreadable")
    return Examination(report.report_id, tuple(_findings(report, audit)))


def _findings(report: Report, audit: Audit) -> Iterator[Finding]:
    yield from _of_citations(report, audit)
    yield from _of_entries(report, audit)


def _of_citations(report: Report, audit: Audit) -> Iterator[Finding]:
    if audit.reading is None or audit.reconciliation is None:
        return
    if not audit.reconciliation.cited:
        yield Finding(report.report_id, Category.NO_CITATION, Severity.HIGH, "The report cites nothing.")
    spans = {
        (key, mark.scope): (mark.start, mark.end)
        for mark in reversed(audit.reading.marks)
        for key in mark.keys
    }
    for cited in audit.reconciliation.dangling:
        span = spans.get((cited.key, cited.scope))
        yield _placed(
            report,
            Category.DANGLING_CITATION,
            Severity.HIGH,
            f"{cited.key} is cited {cited.occurrences} × and has no entry.",
            span,
        )


def _of_entries(report: Report, audit: Audit) -> Iterator[Finding]:
    if audit.reading is None or audit.reconciliation is None:
        return
    entries = {entry.ordinal: entry for entry in audit.reading.entries}
    for ordinal in audit.reconciliation.uncited:
        yield _placed(
            report,
            Category.UNCITED_ENTRY,
            Severity.LOW,
            "The entry is listed and never cited.",
            _span(entries[ordinal]),
        )
    for dirt in audit.dirt:
        entry = entries[dirt.ordinal]
        span = (entry.start + dirt.start, entry.start + dirt.end) if entry.start >= 0 else None
        yield _placed(
            report, Category.DIRTY_ENTRY, Severity.MEDIUM, f"The entry has residue: {dirt.reason}.", span
        )


def _span(entry: Entry) -> tuple[int, int] | None:
    return (entry.start, entry.end) if entry.start >= 0 else None


def _placed(
    report: Report, category: Category, severity: Severity, explanation: str, span: tuple[int, int] | None
) -> Finding:
    if span is None:
        return Finding(report.report_id, category, severity, explanation)
    start, end = span
    return Finding(report.report_id, category, severity, explanation, report.body[start:end], start, end)
