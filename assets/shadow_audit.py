"""Group ``shadow_audit``: every report measured as it was written, before anything is changed.

Belongs here: running the kernel over a batch and writing its rows and the shadow log.
Does not belong here: the kernel (quality/kernel.py), the rebuild, any judgement.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import dagster as dg

from assets import rows
from assets.common import FaultLog, holder, line_asset, result
from assets.files import write_if_changed
from assets.measurements import write_measurements
from assets.ports import LineConfig, Store, Transaction
from assets.stored import AnyReport, load_batch, load_index
from assets.supplied import supplied_with
from quality.intake.fingerprint import batch_fingerprint, input_fingerprint
from quality.kernel import Audit, Supplied, guarded, looked_up
from quality.metrics.catalogue import CATALOGUE, Catalogue
from quality.model import Stage
from quality.names import safe_name
from quality.sources.index import SourceIndex

PROGRESS_EVERY = 250
AUDIT_TABLES = {
    "report_metrics": "one row a report, stage, metric and version",
    "citations": "one row a mark and key",
    "cited_keys": "one row a distinct citation",
    "reference_entries": "one row a reference entry",
    "resolutions": "one row a citation or entry",
    "segments": "one row a stretch that was read as one kind",
    "closings": "one row a report that has prose",
    "method_claims": "one row a report, sentence and kind of claim",
    "metric_definitions": "one row a metric and version",
}


@line_asset(
    "shadow_audit", deps=["reports", "sources"], tables=AUDIT_TABLES, kinds=frozenset({"duckdb", "python"})
)
def shadow_audit(
    context: dg.AssetExecutionContext, store: dg.ResourceParam[Store], line: dg.ResourceParam[LineConfig]
) -> dg.MaterializeResult[None]:
    """What do the reports look like as they were written, with nothing changed?

    Reads every body, reconciles citations with entries, resolves both through the snapshot, and records the numbers.
    A report that cannot be audited gets ``unknown`` values with the reason; it never stops the others.
    """
    batch_id = context.partition_key
    with store.read_primary() as reader:
        reports = load_batch(store, reader, batch_id)
        snapshot_id, index = load_index(reader, batch_id)
        supplied = supplied_with(store, reader, batch_id, reports, line.catalogue)
    audits = list(audited(context, reports, index, Stage.SHADOW, supplied))
    with store.write(holder(context)) as tx:
        seal_inputs(tx, batch_id, reports, snapshot_id)
        write_audits(tx, batch_id, Stage.SHADOW, audits, catalogue=line.catalogue)
        measured = stage_numbers(tx, batch_id, Stage.SHADOW)
    log = write_shadow_log(store.home, batch_id, audits)
    return result({"reports": len(audits), **measured}, {"shadow_log": str(log.relative_to(store.home))})


def audited(
    context: dg.AssetExecutionContext,
    reports: Sequence[AnyReport],
    index: SourceIndex | None,
    stage: Stage,
    supplied: Supplied,
) -> Iterator[Audit]:
    """Audits of reports in order, with progress in the log."""
    faults = FaultLog(context)
    for done, (report, known) in enumerate(looked_up(reports, index), 1):
        audit = guarded(report, known, stage, supplied=supplied)
        if audit.fault:
            faults.add(report.report_id, audit.fault)
        if done % PROGRESS_EVERY == 0:
            context.log.info(f"audited {done} of {len(reports)} reports ({stage})")
        yield audit
    faults.close()


def seal_inputs(tx: Transaction, batch_id: str, reports: Sequence[AnyReport], snapshot_id: str) -> None:
    """Fix the input fingerprint of every report, now that its content and the snapshot are both known."""
    prints = [(r.report_id, input_fingerprint(r, snapshot_id)) for r in reports]
    tx.execute(
        "UPDATE reports SET input_fingerprint = sealed.fingerprint, audit_fingerprint = sealed.fingerprint FROM "
        "(SELECT unnest(?::VARCHAR[]) AS report_id, unnest(?::VARCHAR[]) AS fingerprint) AS sealed "
        "WHERE reports.batch_id = ? AND reports.report_id = sealed.report_id",
        [[i for i, _ in prints], [f for _, f in prints], batch_id],
    )
    tx.execute(
        "UPDATE batches SET batch_fingerprint = ? WHERE batch_id = ?", [batch_fingerprint(prints), batch_id]
    )


def write_audits(
    tx: Transaction,
    batch_id: str,
    stage: Stage,
    audits: Sequence[Audit],
    *,
    kinds: Mapping[tuple[str, str], str] | None = None,
    catalogue: Catalogue = CATALOGUE,
) -> None:
    """Replace the rows of one batch and stage by these audits."""
    where = {"batch_id": batch_id, "stage": stage.value}
    tx.replace("segments", rows.segments(batch_id, audits), where=where)
    tx.replace("citations", rows.citations(batch_id, audits), where=where)
    tx.replace("cited_keys", rows.cited_keys(batch_id, audits), where=where)
    tx.replace("reference_entries", rows.entries(batch_id, audits, kinds), where=where)
    tx.replace("resolutions", rows.resolutions(batch_id, audits), where=where)
    write_measurements(tx, batch_id, stage, audits, catalogue)


def stage_numbers(tx: Transaction, batch_id: str, stage: Stage) -> dict[str, float | int | None]:
    """Medians and counts of one stage for the UI's trends; what is absent is left out."""
    found = tx.query(
        "SELECT metric || '_' || metric_version AS name, median(value) AS p50, "
        "count(*) FILTER (validity = 'absent') AS n_absent, count(*) FILTER (validity = 'unknown') AS n_unknown "
        "FROM report_metrics WHERE batch_id = ? AND stage = ? GROUP BY ALL ORDER BY name",
        [batch_id, stage.value],
    )
    numbers: dict[str, float | int | None] = {}
    for name, p50, absent, unknown in found.iter_rows():
        numbers |= {f"{name}_p50": p50, f"{name}_absent": absent or None, f"{name}_unknown": unknown or None}
    return numbers


def write_shadow_log(home: Path, batch_id: str, audits: Sequence[Audit]) -> Path:
    """One JSON line a report: its measurements as they are, unknown and absent ones with their reason.

    The file is replaced as a whole, so the same input gives the same bytes.
    """
    file = home / "shadow" / f"{safe_name(batch_id)}.jsonl"
    lines = [json.dumps(_log_line(batch_id, audit), ensure_ascii=False) for audit in audits]
    write_if_changed(file, "".join(f"{line}\n" for line in lines).encode())
    return file


def _log_line(batch_id: str, audit: Audit) -> dict[str, object]:
    return {
        "batch_id": batch_id,
        "report_id": audit.report_id,
        "stage": audit.stage.value,
        "fault": audit.fault,
        "styles": dict(audit.reading.decisions) if audit.reading else {},
        "flags": list(audit.reading.flags) if audit.reading else [],
        "dangling": [c.key for c in audit.reconciliation.dangling] if audit.reconciliation else [],
        "metrics": [
            {
                "metric": m.metric,
                "version": m.version,
                "value": m.value,
                "validity": m.validity.value,
                "detail": m.detail,
            }
            for m in audit.measurements
        ],
    }
