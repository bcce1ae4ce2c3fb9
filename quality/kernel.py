"""One report through the audit: a pure function from a report and a read-only index to everything measured.

Belongs here: the order in which reading, reconciliation, resolution, dirt and metrics are put together, and the guard
that turns a fault in one report into unknown rows of that report.
Does not belong here: any of these steps themselves, storage, or the engine that runs it over many reports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from quality.citations.recent import read_recent
from quality.citations.reconcile import reconcile
from quality.citations.titles import match_contained, match_exact
from quality.metrics.catalogue import CATALOGUE, Catalogue
from quality.metrics.claims import Claim, own_claims
from quality.metrics.closings import Closing, find_closing
from quality.metrics.dirt import find_dirt
from quality.metrics.manifest import NO_MANIFEST, Manifest, read_manifest
from quality.metrics.measure import Subject, measure_report, unknown_measurements
from quality.metrics.texts import Texts
from quality.model import (
    CitedKey,
    DirtyFinding,
    Entry,
    Measurement,
    Reading,
    Reconciliation,
    Report,
    Resolution,
    Stage,
    UnreadableReport,
)
from quality.sources.index import SourceIndex
from quality.sources.own_table import match_own_table

LOOKED_UP_AT_ONCE = (
    100  # reports; with what a rebuild reads of each, less than the last readings that are remembered
)

AnyReport = Report | UnreadableReport


@dataclass(frozen=True, slots=True)
class Supplied:
    """What came with the batch as a whole, and the metrics that are to be measured."""

    manifests: bool = False  # whether any report of the batch has an evidence manifest
    texts: Texts | None = None  # stored texts of the catalogue's sources; None: it holds none
    catalogue: Catalogue = CATALOGUE


ALONE = Supplied()
"""A report by itself, with the metrics that ship."""


@dataclass(frozen=True, slots=True)
class Audit:
    """Everything that one audit of one report found; ``fault`` says why there is nothing, if there is nothing."""

    report_id: str
    stage: Stage
    measurements: tuple[Measurement, ...]
    reading: Reading | None = None
    reconciliation: Reconciliation | None = None
    citation_resolutions: tuple[Resolution, ...] = ()  # parallel to reconciliation.cited
    entry_resolutions: tuple[Resolution, ...] = ()  # parallel to reading.entries
    dirt: tuple[DirtyFinding, ...] = ()
    closing: Closing | None = None  # at stage shadow, where the report has prose
    claims: tuple[Claim, ...] = ()  # the report's own method claims, at stage shadow
    manifest: Manifest = NO_MANIFEST
    fault: str | None = None


@cache
def no_catalogue() -> SourceIndex:
    """An index that holds nothing, for a batch without a catalogue."""
    return SourceIndex(())


def audit_report(
    report: Report, index: SourceIndex | None, stage: Stage, supplied: Supplied = ALONE
) -> Audit:
    """Read, reconcile, resolve and measure one report at one stage; ``index`` None: no catalogue was supplied.

    Closing and claims are looked for in the report as written: the rebuild does not touch them.
    """
    catalogue = index if index is not None else no_catalogue()
    reading = read_recent(report.body, report.sources)
    v3 = reconcile(reading, match_own_table)
    entry_resolutions = tuple(catalogue.resolve_entry(entry) for entry in reading.entries)
    citation_resolutions = tuple(resolve_citation(cited, catalogue, entry_resolutions) for cited in v3.cited)
    dirt = tuple(finding for entry in reading.entries for finding in find_dirt(entry))
    shadow = stage is Stage.SHADOW
    claims = tuple(own_claims(report.body, reading)) if shadow else ()
    manifest = read_manifest(report, batch_has_manifests=supplied.manifests)
    subject = Subject(
        stage=stage,
        reading=reading,
        v1=reconcile(reading, match_exact),
        v2=reconcile(reading, match_contained),
        v3=v3,
        resolutions=citation_resolutions if index is not None else None,
        dirt=dirt,
        body=report.body,
        claims=claims,
        manifest=manifest,
        texts=supplied.texts,
    )
    return Audit(
        report_id=report.report_id,
        stage=stage,
        measurements=tuple(measure_report(subject, supplied.catalogue)),
        reading=reading,
        reconciliation=v3,
        citation_resolutions=citation_resolutions,
        entry_resolutions=entry_resolutions,
        dirt=dirt,
        closing=find_closing(report, reading) if shadow else None,
        claims=claims,
        manifest=manifest,
    )


def resolve_citation(
    cited: CitedKey, index: SourceIndex, entry_resolutions: tuple[Resolution, ...]
) -> Resolution:
    """Source of one distinct citation: through its entry, else by its own locator or title."""
    if cited.entry is not None:
        return entry_resolutions[cited.entry]
    title = cited.text or (cited.key if cited.family == "title" else None)
    return index.resolve(title, url=cited.locator)


def looked_up(
    reports: Sequence[AnyReport], index: SourceIndex | None
) -> Iterator[tuple[AnyReport, SourceIndex | None]]:
    """Each report with the index, which has looked the titles of a hundred reports up together."""
    for start in range(0, len(reports), LOOKED_UP_AT_ONCE):
        some = reports[start : start + LOOKED_UP_AT_ONCE]
        known = index.knowing(title for report in some for title in _titles(report)) if index else index
        yield from ((report, known) for report in some)


def _titles(report: AnyReport) -> Iterator[str]:
    """Titles that the audit of a report will look up. One that cannot be read has none here; the audit says why."""
    if isinstance(report, UnreadableReport):
        return
    try:
        reading = read_recent(report.body, report.sources)
    except Exception:  # met again, and recorded, where the report is audited
        return
    yield from (entry.title for entry in reading.entries if entry.title)
    for mark in reading.marks:
        if mark.family == "title":
            yield from mark.keys
        elif mark.locator and mark.text:
            yield mark.text


def guarded(
    report: AnyReport,
    index: SourceIndex | None,
    stage: Stage,
    *,
    supplied: Supplied = ALONE,
    audit: Callable[[Report, SourceIndex | None, Stage, Supplied], Audit] = audit_report,
) -> Audit:
    """The audit of one report, whatever it is: unreadable or at fault gives unknown values, never an exception."""
    if isinstance(report, UnreadableReport):
        return unknown_audit(report.report_id, stage, f"{report.reason}: {report.detail}", supplied.catalogue)
    try:
        return audit(report, index, stage, supplied)
    except Exception as error:  # one report's fault costs one report (DESIGN section 5)
        fault = f"fault in the audit: {type(error).__name__}: {error}"
        return unknown_audit(report.report_id, stage, fault, supplied.catalogue)


def unknown_audit(report_id: str, stage: Stage, fault: str, catalogue: Catalogue = CATALOGUE) -> Audit:
    """An audit that could not be made: every value of it is unknown, with the reason."""
    return Audit(
        report_id=report_id,
        stage=stage,
        measurements=tuple(unknown_measurements(stage, fault, catalogue)),
        fault=fault,
    )


def entry_dirt(audit: Audit, entry: Entry) -> tuple[DirtyFinding, ...]:
    """What is dirty about one entry of an audit."""
    return tuple(finding for finding in audit.dirt if finding.ordinal == entry.ordinal)
