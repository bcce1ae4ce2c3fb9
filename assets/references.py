"""Group ``references``: the rebuilt reference tables, and the same audit once more on them.

Belongs here: running the rebuild over a batch and writing what came of it.
Does not belong here: how a table is rebuilt (quality/references), any judgement.
"""

import dataclasses
from collections.abc import Sequence
from typing import Any

import dagster as dg
import polars as pl

from assets import rows
from assets.common import FaultLog, holder, line_asset, result
from assets.ports import LineConfig, Store
from assets.shadow_audit import AUDIT_TABLES, PROGRESS_EVERY, audited, stage_numbers, write_audits
from assets.stored import AnyReport, load_batch, load_index, load_rebuilt, rebuilt_bulk, sha256
from assets.supplied import supplied_with
from quality.citations.recent import read_recent
from quality.citations.reconcile import reconcile
from quality.kernel import looked_up, no_catalogue, unknown_audit
from quality.metrics.dirt import find_dirt
from quality.model import EntryKind, RebuildPath, Rebuilt, Report, Stage
from quality.references.rebuild import rebuild
from quality.sources.index import SourceIndex
from quality.sources.own_table import match_own_table

_REBUILDS: dict[str, Any] = {
    "batch_id": pl.String,
    "report_id": pl.String,
    "path": pl.String,
    "reason": pl.String,
    "n_entries_before": pl.Int32,
    "n_entries_after": pl.Int32,
    "n_canonical": pl.Int32,
    "n_as_written": pl.Int32,
    "n_dangling": pl.Int32,
    "body_chars": pl.Int64,
    "body_sha256": pl.String,
    "body_file": pl.String,
}


@line_asset(
    "references",
    deps=["shadow_audit"],
    tables={
        "rebuilds": "one row a report that could be read",
        "rebuilt_entries": "one row a line of a rebuilt table",
    },
    kinds=frozenset({"duckdb", "python"}),
)
def rebuilt_references(
    context: dg.AssetExecutionContext, store: dg.ResourceParam[Store]
) -> dg.MaterializeResult[None]:
    """What would each report's reference table be, rebuilt from the citations that its body makes?

    The source of the fault is fixed, not the symptom. Nothing is invented: a citation with neither a source nor a
    clean entry of its own stays in the body, dangling. A rebuild that raises leaves the original, and says so.
    """
    batch_id = context.partition_key
    with store.read_primary() as reader:
        reports = load_batch(store, reader, batch_id)
        _, index = load_index(reader, batch_id)
    rebuilt = _rebuild_all(context, reports, index)
    bodies = [(report.report_id, r.body) for report, r, _ in rebuilt]
    file = store.write_bodies(batch_id, rebuilt_bulk(bodies)) if bodies else ""
    with store.write(holder(context)) as tx:
        tx.replace("rebuilds", _rebuild_rows(batch_id, rebuilt, file), where={"batch_id": batch_id})
        pairs = [(report.report_id, r) for report, r, _ in rebuilt]
        tx.replace("rebuilt_entries", rows.rebuilt_entries(batch_id, pairs), where={"batch_id": batch_id})
    paths = [r.path for _, r, _ in rebuilt]
    kinds = [e.kind for _, r, _ in rebuilt for e in r.entries]
    return result(
        {
            **{path.value: paths.count(path) for path in RebuildPath},
            **{kind.value: kinds.count(kind) for kind in EntryKind},
            "dangling": sum(len(r.dangling) for _, r, _ in rebuilt),
        }
    )


def _rebuild_all(
    context: dg.AssetExecutionContext, reports: Sequence[AnyReport], index: SourceIndex | None
) -> list[tuple[Report, Rebuilt, int]]:
    """Every readable report with its rebuild and its number of entries before."""
    done: list[tuple[Report, Rebuilt, int]] = []
    faults = FaultLog(context)
    for report, known in looked_up(reports, index):
        if not isinstance(report, Report):
            continue
        done.append((report, *rebuild_guarded(report, known)))
        if done[-1][1].path is RebuildPath.FAILED:
            faults.add(report.report_id, done[-1][1].reason)
        if len(done) % PROGRESS_EVERY == 0:
            context.log.info(f"rebuilt {len(done)} of {len(reports)} reports")
    faults.close()
    return done


def rebuild_guarded(report: Report, index: SourceIndex | None) -> tuple[Rebuilt, int]:
    """The rebuild of one report and its number of entries before; a fault leaves the body as it is, and says so."""
    try:
        reading = read_recent(report.body, report.sources)
        reconciliation = reconcile(reading, match_own_table)
        return rebuild(
            report,
            reading,
            reconciliation,
            index or no_catalogue(),
            is_dirty=lambda entry: bool(find_dirt(entry)),
        ), len(reading.entries)
    except Exception as error:  # one report's fault costs one report (DESIGN section 5)
        reason = f"fault in the rebuild: {type(error).__name__}: {error}"
        return Rebuilt(report.body, RebuildPath.FAILED, reason, (), ()), 0


def _rebuild_rows(batch_id: str, rebuilt: Sequence[tuple[Report, Rebuilt, int]], file: str) -> pl.DataFrame:
    return pl.DataFrame(
        [
            (
                batch_id,
                report.report_id,
                r.path.value,
                r.reason,
                before,
                len(r.entries) if r.path in (RebuildPath.REBUILT, RebuildPath.MERGED) else before,
                sum(e.kind is EntryKind.CANONICAL for e in r.entries),
                sum(e.kind is EntryKind.AS_WRITTEN for e in r.entries),
                len(r.dangling),
                len(r.body),
                sha256(r.body),
                file,
            )
            for report, r, before in rebuilt
        ],
        schema=_REBUILDS,
        orient="row",
    )


@line_asset(
    "references", deps=["rebuilt_references"], tables=AUDIT_TABLES, kinds=frozenset({"duckdb", "python"})
)
def rebuilt_audit(
    context: dg.AssetExecutionContext, store: dg.ResourceParam[Store], line: dg.ResourceParam[LineConfig]
) -> dg.MaterializeResult[None]:
    """What do the reports look like after the rebuild, measured in the same way as before?

    The inbound rate is near 1 here by construction: it checks the rebuild and says nothing about support.
    """
    batch_id = context.partition_key
    with store.read_primary() as reader:
        reports = load_batch(store, reader, batch_id)
        rebuilt = load_rebuilt(store, reader, batch_id)
        _, index = load_index(reader, batch_id)
        supplied = supplied_with(store, reader, batch_id, reports, line.catalogue)
        labels = reader.query(
            "SELECT report_id, label, kind FROM rebuilt_entries WHERE batch_id = ?", [batch_id]
        )
    kinds = {(str(i), str(label)): str(kind) for i, label, kind in labels.iter_rows()}
    after, faults = rebuilt_reports(reports, rebuilt)
    audits = [*audited(context, after, index, Stage.REBUILT, supplied)]
    audits += [unknown_audit(i, Stage.REBUILT, fault, line.catalogue) for i, fault in faults.items()]
    with store.write(holder(context)) as tx:
        write_audits(tx, batch_id, Stage.REBUILT, audits, kinds=kinds, catalogue=line.catalogue)
        measured = stage_numbers(tx, batch_id, Stage.REBUILT)
    return result({"reports": len(audits), **measured})


def rebuilt_reports(
    reports: Sequence[AnyReport], rebuilt: dict[str, tuple[str, str]]
) -> tuple[list[AnyReport], dict[str, str]]:
    """The reports as they stand after the rebuild, and for those that have none why (report id -> reason)."""
    faults = {r.report_id: fault for r in reports if (fault := _no_rebuild(r, rebuilt))}
    return [_after(r, rebuilt) for r in reports if r.report_id not in faults], faults


def _no_rebuild(report: AnyReport, rebuilt: dict[str, tuple[str, str]]) -> str | None:
    """Why there is no rebuilt body to audit, if there is none."""
    if not isinstance(report, Report):
        return None
    if report.report_id not in rebuilt:
        return "this report was loaded after the last rebuild: materialise `rebuilt_references` again"
    path, _ = rebuilt[report.report_id]
    return "the rebuild of this report failed" if path == RebuildPath.FAILED else None


def _after(report: AnyReport, rebuilt: dict[str, tuple[str, str]]) -> AnyReport:
    """The report as it stands after the rebuild; its out-of-body sources count while its body has no table."""
    if not isinstance(report, Report):
        return report
    _, body = rebuilt[report.report_id]
    return dataclasses.replace(report, body=body)
