"""Group ``contract``: the batch's statistics, and the verdict of the contract on them.

Belongs here: asking the warehouse, handing statistics to the contract, recording results.
Does not belong here: formulas (quality/metrics), judging (quality/contract), blocking (checks.py, knowledge_base.py).
"""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import dagster as dg
import polars as pl

import sql.loader
from assets.batches import require_batch
from assets.common import holder, line_asset, result
from assets.contract_versions import pinned_contract
from assets.contract_window import windows_of
from assets.ports import LineConfig, Reader, Store, Transaction
from assets.supplied import as_supplied, explained
from quality.contract.evaluate import batch_verdict, evaluate_batch
from quality.contract.model import COUNT, ROW_COUNT, ClauseResult, Contract, Judged, Statistic, StatisticKey
from quality.errors import UsageError

WORST = 10
_RESULTS: dict[str, Any] = {
    "batch_id": pl.String,
    "contract_version": pl.String,
    "batch_fingerprint": pl.String,
    "clause": pl.String,
    "metric": pl.String,
    "metric_version": pl.String,
    "stage": pl.String,
    "statistic": pl.String,
    "operator": pl.String,
    "threshold": pl.Float64,
    "observed": pl.Float64,
    "n": pl.Int32,
    "n_absent": pl.Int32,
    "n_unknown": pl.Int32,
    "verdict": pl.String,
    "mode": pl.String,
    "severity": pl.String,
    "reason": pl.String,
    "worst_reports": pl.List(pl.String),
    "evaluated_at": pl.Datetime("us", "UTC"),
    "clear_at": pl.Float64,
    "clear_needs": pl.Int32,
    "n_window": pl.Int32,
    "note": pl.String,
}


@line_asset(
    "contract",
    deps=["shadow_audit", "rebuilt_audit", "registry_checks"],
    tables={"batch_metrics": "one row a batch, stage, metric, version and statistic"},
)
def batch_metrics(
    context: dg.AssetExecutionContext, store: dg.ResourceParam[Store]
) -> dg.MaterializeResult[None]:
    """How does the batch as a whole stand: percentiles and means, with absent and unknown reports counted apart?"""
    batch_id = context.partition_key
    with store.write(holder(context)) as tx:
        figures = tx.query(sql.loader.statement("batch_metrics"), {"batch_id": batch_id})
        tx.replace("batch_metrics", figures, where={"batch_id": batch_id})
    shown = figures.filter(pl.col("statistic").is_in(["p10", "p50", "mean"]))
    return result(
        {
            f"{stage}_{metric}_{version}_{statistic}": value
            for _, stage, metric, version, statistic, value, *_ in shown.iter_rows()
        }
    )


@line_asset(
    "contract",
    deps=["batch_metrics"],
    tables={
        "contract_results": "one row a clause whenever its result changed",
        "contract_versions": "one row a contract",
        "contract_windows": "one row a clause and earlier report that a small batch is judged together with",
        "contract_validations": "one row a contract and state of the batch: what Great Expectations said",
    },
    kinds=frozenset({"duckdb", "greatexpectations"}),
)
def contract_results(
    context: dg.AssetExecutionContext, store: dg.ResourceParam[Store], line: dg.ResourceParam[LineConfig]
) -> dg.MaterializeResult[None]:
    """Does the batch keep the contract, clause by clause?

    Records the verdict; a breach never fails this asset. A batch stays pinned to the contract of its first evaluation.
    """
    batch_id = context.partition_key
    with store.write(holder(context)) as tx:
        batch = require_batch(tx, batch_id)
        if batch["batch_fingerprint"] is None:
            raise UsageError(
                f"Batch {batch_id!r} changed since its last audit.",
                remedy="Materialise it from `shadow_audit` on.",
            )
        contract = pinned_contract(tx, batch_id, line.contract, now=datetime.now(tz=UTC))
        if contract.version != line.contract.version:
            context.log.info(f"judged under contract {contract.version}, to which this batch is pinned")
        own = statistics(tx, batch_id)
        effective = as_supplied(tx, batch_id, contract, own)
        windows = windows_of(tx, batch_id, effective, own)
        evaluation = evaluate_batch(effective, own, line.judge, windows.statistics)
        results = explained(evaluation.results, own)
        rows = _result_rows(tx, batch, contract, results)
        changed = tx.append_changed("contract_results", rows)
        tx.replace("contract_windows", windows.members, where={"batch_id": batch_id})
        _keep_validation(tx, batch, contract, evaluation.judged)
    verdict = batch_verdict(results)
    numbers = {f"{r.clause}_observed": r.observed for r in results} | {
        f"{r.clause}_threshold": r.threshold for r in results
    }
    return result(
        {**numbers, "breaches": sum(r.verdict == "breach" for r in results), "rows_appended": changed},
        {"verdict": verdict.verdict.value, "why": verdict.reason, "contract_version": contract.version},
    )


def statistics(reader: Reader, batch_id: str) -> dict[StatisticKey, Statistic]:
    """The recorded statistics of a batch, and its number of reports."""
    rows = reader.query(
        "SELECT metric, metric_version, stage, statistic, value, n, n_absent, n_unknown FROM batch_metrics WHERE batch_id = ?",
        [batch_id],
    )
    found: dict[StatisticKey, Statistic] = {row[:4]: Statistic(*row[4:]) for row in rows.iter_rows()}
    total = int(reader.query("SELECT count(*) FROM reports WHERE batch_id = ?", [batch_id]).item())
    return found | {(ROW_COUNT, None, None, COUNT): Statistic(float(total), total)}


def _keep_validation(tx: Transaction, batch: dict[str, object], contract: Contract, judged: Judged) -> None:
    """Keep what the comparison said as a whole; the last word about one state of the batch under one contract stands."""
    where = {
        "batch_id": batch["batch_id"],
        "contract_version": contract.version,
        "batch_fingerprint": batch["batch_fingerprint"],
    }
    row = {
        **where,
        "engine": judged.engine or "a comparison that keeps no record",
        "result": json.dumps(
            judged.document or {"passed": dict(judged.passed)}, ensure_ascii=False, sort_keys=True
        ),
    }
    tx.replace("contract_validations", pl.DataFrame([row]), where=where)


def _result_rows(
    reader: Reader, batch: dict[str, object], contract: Contract, results: Sequence[ClauseResult]
) -> pl.DataFrame:
    now = datetime.now(tz=UTC)
    rows = [
        (
            batch["batch_id"],
            contract.version,
            batch["batch_fingerprint"],
            r.clause,
            r.metric,
            r.version,
            r.stage.value if r.stage else None,
            r.statistic,
            r.operator.value,
            r.threshold,
            r.observed,
            r.n,
            r.n_absent,
            r.n_unknown,
            r.verdict.value,
            r.mode.value,
            r.severity.value,
            r.reason,
            _worst(reader, str(batch["batch_id"]), r),
            now,
            r.clear_at,
            r.clear_needs,
            r.n_window,
            r.note,
        )
        for r in results
    ]
    return pl.DataFrame(rows, schema=_RESULTS, orient="row")


def _worst(reader: Reader, batch_id: str, clause: ClauseResult) -> list[str]:
    """At most ten reports that pull a clause's metric the wrong way, worst first; unknown ones lead."""
    if clause.version is None or clause.stage is None:
        return []
    descending = clause.operator in ("<=", "<") or (clause.operator == "==" and clause.threshold == 0)
    wrong = "value > ?" if descending else "value < ?"
    rows = reader.query(
        "SELECT report_id FROM report_metrics WHERE batch_id = ? AND metric = ? AND metric_version = ? AND stage = ? "  # noqa: S608
        f"AND (validity = 'unknown' OR (validity = 'measured' AND {wrong})) "
        f"ORDER BY validity = 'unknown' DESC, value {'DESC' if descending else 'ASC'}, report_id LIMIT {WORST}",
        [batch_id, clause.metric, clause.version, clause.stage.value, clause.threshold],
    )
    return [str(i) for i in rows["report_id"]]
