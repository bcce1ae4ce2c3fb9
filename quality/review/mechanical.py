"""The mechanical reviewer: what Sluicegate's own rules find in a report as it was written.

Belongs here: from the audit's reading to findings with a place. Does not belong here: the rules themselves
(``quality/citations``, ``quality/metrics``), or any judgement about a batch.

It reads the corpus for itself, with the same kernel as the audit, and never the audit's rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from quality.kernel import Audit, Supplied, guarded
from quality.metrics.manifest import Supply, is_backed, needed
from quality.model import Entry, Report, Stage, UnreadableReport
from quality.review.model import Category, Corpus, Examination, Finding, Review, ReviewerKind, Severity
from quality.sources.index import SourceIndex

NAME = "mechanical"
MIN_ALIKE = 3
"""Reports that share a closing before it counts as stock, as in the metric ``fixed_closing``; its share of the batch too."""
MIN_SHARE = 0.05


class MechanicalReviewer:
    """Examines by rules alone: the same corpus always gives the same findings."""

    async def review(self, corpus: Corpus) -> Review:
        """Examine every report; see ``Reviewer``."""
        index = SourceIndex(corpus.sources) if corpus.sources is not None else None
        supplied = Supplied(
            manifests=any(isinstance(r, Report) and r.evidence is not None for r in corpus.reports)
        )
        audits = [guarded(report, index, Stage.SHADOW, supplied=supplied) for report in corpus.reports]
        alike = _alike(audits)
        examinations = tuple(
            _examined(report, audit, alike, len(audits))
            for report, audit in zip(corpus.reports, audits, strict=True)
        )
        return Review(NAME, ReviewerKind.MECHANICAL, examinations)


def _alike(audits: Sequence[Audit]) -> Counter[str]:
    """How many reports of the corpus close with each sentence, or with each frame of one."""
    closings = [a.closing for a in audits if a.closing is not None]
    return Counter([f"key {c.key}" for c in closings] + [f"frame {c.frame}" for c in closings if c.frame])


def _examined(
    report: Report | UnreadableReport, audit: Audit, alike: Counter[str], total: int
) -> Examination:
    if audit.fault is not None or not isinstance(report, Report):
        return Examination(audit.report_id, fault=audit.fault or "unreadable")
    findings = (*_of_citations(report, audit), *_of_entries(report, audit))
    return Examination(
        report.report_id, (*findings, *_of_closing(report, audit, alike, total), *_of_methods(report, audit))
    )


def _of_closing(report: Report, audit: Audit, alike: Counter[str], total: int) -> Iterator[Finding]:
    """A closing that is on the known list, or that many reports of the corpus share (as ``fixed_closing`` counts)."""
    closing = audit.closing
    if closing is None:
        return
    n = max(alike[f"key {closing.key}"], alike[f"frame {closing.frame}"])
    recurs = n >= MIN_ALIKE and n >= MIN_SHARE * total
    if closing.kind is not None or recurs:
        why = (
            f"it is of the known kind {closing.kind}"
            if closing.kind
            else f"it closes {n} reports of the batch"
        )
        yield _placed(
            report,
            Category.STOCK_CLOSING,
            Severity.LOW,
            f"The last sentence is stock: {why}.",
            (closing.start, closing.end),
        )


def _of_methods(report: Report, audit: Audit) -> Iterator[Finding]:
    """The report's own method claims that its manifest does not back; nothing where no manifest was ever supplied."""
    if audit.manifest.supply not in (Supply.READ, Supply.MISSING):
        return
    for claim in audit.claims:
        if not is_backed(claim, audit.manifest):
            read = audit.manifest.supply is Supply.READ
            yield _placed(
                report,
                Category.UNBACKED_METHOD,
                Severity.HIGH if read else Severity.MEDIUM,
                f"The report claims a method ({claim.kind}), which needs {needed(claim)}; "
                + ("its manifest does not say so." if read else "it came without a manifest."),
                (claim.start, claim.end),
            )


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
