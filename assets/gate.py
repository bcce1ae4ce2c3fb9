"""Group ``gate``: one recorded decision per report.

Belongs here: handing each report's rows to the gate, joining the contract's verdict, recording what changed.
Does not belong here: the rules (quality/gate), refusing ingestion (knowledge_base.py).
"""

import dataclasses
import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import dagster as dg
import polars as pl

from assets.batches import require_batch
from assets.common import holder, line_asset, result
from assets.passages import identifier_faults_of, passages_of
from assets.ports import LineConfig, Reader, Store, Transaction
from assets.stored import AnyReport, load_batch, load_rebuilt
from assets.supplied import has_manifests
from quality.errors import UsageError
from quality.gate.decide import GateInput, decide
from quality.gate.policy import GatePolicy
from quality.gate.release import CONTRACT, LEFT_BATCH, Release, settle
from quality.model import GateResult, Measurement, Mode, Outcome, Reason, Report, UnreadableReport, Validity

NO_CATALOGUE = "source catalogue"
DECISIONS: dict[str, Any] = {
    "batch_id": pl.String,
    "report_id": pl.String,
    "input_fingerprint": pl.String,
    "contract_version": pl.String,
    "decision": pl.String,
    "gate_outcome": pl.String,
    "contract_verdict": pl.String,
    "reasons": pl.String,
    "would_hold": pl.String,
    "not_checked": pl.List(pl.String),
    "lifted": pl.String,
    "released_by": pl.String,
    "release_why": pl.String,
    "decided_at": pl.Datetime("us", "UTC"),
}


@line_asset(
    "gate",
    deps=["contract_results", "rebuilt_audit"],
    tables={"ingestion_decisions": "one row a report whenever its decision changed"},
)
def ingestion_decisions(
    context: dg.AssetExecutionContext, store: dg.ResourceParam[Store], line: dg.ResourceParam[LineConfig]
) -> dg.MaterializeResult[None]:
    """May each report enter the knowledge base, and if not, what has to be fixed?

    A decision for every report, in a breach too: a batch that breaks its contract, or whose contract is unknown, is
    held as a whole, and the gate's own result stands beside it. A person's release lifts the gate's reasons, never the
    contract's.
    """
    batch_id = context.partition_key
    with store.read_primary() as reader:
        reports = load_batch(store, reader, batch_id)
        bodies = {i: body for i, (_, body) in load_rebuilt(store, reader, batch_id).items()}
        judged = list(judge(reader, batch_id, reports, bodies, line.gate))
    with store.write(holder(context)) as tx:
        batch, verdict = _verdict(tx, batch_id)
        held_by_contract = contract_reasons(tx, batch_id) if verdict["verdict"] != "pass" else ()
        rows = _rows(tx, batch, verdict, judged, held_by_contract)
        appended = tx.append_changed("ingestion_decisions", rows)
        withdraw(tx, batch_id)
    return result(
        {
            "reports": len(judged),
            "held": rows.head(len(judged)).filter(pl.col("decision") == Outcome.HOLD.value).height,
            "held_by_gate": sum(g.outcome is Outcome.HOLD for _, g in judged),
            "released": rows["released_by"].count(),
            "rows_appended": appended,
        },
        {"contract_verdict": str(verdict["verdict"])},
    )


def withdraw(tx: Transaction, batch_id: str) -> None:
    """Take out of the knowledge base what is held now; it enters again only through ``knowledge_base`` itself."""
    tx.execute(
        "DELETE FROM kb_entries WHERE batch_id = ? AND report_id IN "
        "(SELECT report_id FROM latest_decisions WHERE batch_id = ? AND decision = 'hold')",
        [batch_id, batch_id],
    )


def _verdict(tx: Reader, batch_id: str) -> tuple[dict[str, object], dict[str, Any]]:
    """The batch and its verdict, which must speak about the batch as it stands.

    Raises:
        UsageError: it does not.
    """
    batch = require_batch(tx, batch_id)
    found = tx.query("SELECT * FROM batch_contract WHERE batch_id = ?", [batch_id])
    if found.is_empty() or found.item(0, "batch_fingerprint") != batch["batch_fingerprint"]:
        raise UsageError(
            f"Batch {batch_id!r} has no contract result for its reports as they stand.",
            remedy="Materialise `contract_results` of this batch first.",
        )
    return batch, found.row(0, named=True)


def judge(
    reader: Reader, batch_id: str, reports: Sequence[AnyReport], bodies: dict[str, str], policy: GatePolicy
) -> Iterator[tuple[str, GateResult]]:
    """The gate's own result for every report, from its numbers after the rebuild and its method claims."""
    measured = _measurements(reader, batch_id)
    manifests = has_manifests(reports)
    dangling, dirty = passages_of(reader, batch_id, bodies)
    identifiers = identifier_faults_of(reader, batch_id)
    written = dict(
        reader.query(
            "SELECT report_id, written_id FROM reports WHERE batch_id = ? AND report_id <> written_id",
            [batch_id],
        ).iter_rows()
    )
    drafted = {
        i: (end, why)
        for i, end, why in reader.query(
            "SELECT report_id, end_state, reason FROM drafts WHERE batch_id = ? AND report_id IS NOT NULL",
            [batch_id],
        ).iter_rows()
    }
    for report in reports:
        given = GateInput(
            measurements=measured.get(report.report_id, ()),
            dangling=dangling.get(report.report_id, ()),
            dirty=dirty.get(report.report_id, ()),
            unreadable=report if isinstance(report, UnreadableReport) else None,
            manifests=manifests and isinstance(report, Report),
            duplicate_of=written.get(report.report_id),
            identifiers=None if identifiers is None else identifiers.get(report.report_id, ()),
            draft=drafted.get(report.report_id),
            policy=policy,
        )
        yield report.report_id, decide(given)


def _measurements(reader: Reader, batch_id: str) -> dict[str, tuple[Measurement, ...]]:
    rows = reader.query(
        "SELECT report_id, metric, metric_version, value, validity, numerator, denominator, detail "
        "FROM report_metrics WHERE batch_id = ? AND (stage = 'rebuilt' OR metric = 'method_honesty')",
        [batch_id],
    )
    found: dict[str, list[Measurement]] = {}
    for report_id, metric, version, value, validity, numerator, denominator, detail in rows.iter_rows():
        m = Measurement(metric, version, value, Validity(validity), numerator, denominator, detail)
        found.setdefault(report_id, []).append(m)
    return {report_id: tuple(ms) for report_id, ms in found.items()}


def contract_reasons(reader: Reader, batch_id: str) -> tuple[Reason, ...]:
    """Why the contract holds the whole batch: one reason a blocking clause that did not pass."""
    rows = reader.query(
        "SELECT reason, worst_reports FROM latest_results WHERE batch_id = ? AND mode = 'block' AND verdict <> 'pass' "
        "ORDER BY clause",
        [batch_id],
    )
    reasons = tuple(
        Reason(
            CONTRACT,
            Mode.BLOCK,
            reason,
            f"the batch must keep this clause; its worst reports are {', '.join(worst[:3])}"
            if worst
            else "the batch must keep this clause",
        )
        for reason, worst in rows.iter_rows()
    )
    return reasons or (
        Reason(CONTRACT, Mode.BLOCK, "no clause in mode block was evaluated", "evaluate the contract"),
    )


def _rows(
    tx: Transaction,
    batch: dict[str, object],
    verdict: dict[str, Any],
    judged: Sequence[tuple[str, GateResult]],
    held_by_contract: tuple[Reason, ...],
) -> pl.DataFrame:
    batch_id, version = str(batch["batch_id"]), str(verdict["contract_version"])
    prints = dict(
        tx.query(
            "SELECT report_id, input_fingerprint FROM reports WHERE batch_id = ?", [batch_id]
        ).iter_rows()
    )
    off = () if batch["sources_path"] is not None else (NO_CATALOGUE,)
    releases = standing_releases(tx, batch_id)
    now = datetime.now(tz=UTC)
    rows: list[tuple[object, ...]] = []
    for report_id, gate in judged:
        settled = settle(gate, held_by_contract, releases.get((report_id, prints[report_id])))
        rows.append(
            (
                batch_id,
                report_id,
                prints[report_id],
                version,
                settled.outcome.value,
                gate.outcome.value,
                verdict["verdict"],
                as_json(settled.reasons),
                as_json(gate.would_hold),
                [str(rule) for rule in (*gate.off, *off)],
                as_json(settled.lifted) if settled.release else None,
                settled.release.who if settled.release else None,
                settled.release.why if settled.release else None,
                now,
            )
        )
    rows += [_left(row, version, str(verdict["verdict"]), now) for row in _gone(tx, batch_id)]
    return pl.DataFrame(rows, schema=DECISIONS, orient="row")


def standing_releases(reader: Reader, batch_id: str) -> dict[tuple[str, str], Release]:
    """The releases of a batch that nobody withdrew, by report and the input that they were given for."""
    rows = reader.query(
        "SELECT report_id, input_fingerprint, who, why FROM standing_releases WHERE batch_id = ?", [batch_id]
    )
    return {(i, fingerprint): Release(who, why) for i, fingerprint, who, why in rows.iter_rows()}


def _gone(tx: Reader, batch_id: str) -> list[dict[str, Any]]:
    """Latest decisions about reports that are no longer part of the batch and do not say so yet."""
    return tx.query(
        "SELECT d.* FROM latest_decisions d ANTI JOIN reports r USING (batch_id, report_id) "
        "WHERE d.batch_id = ? AND NOT list_contains(json_extract_string(d.reasons, '$[*].rule'), ?)",
        [batch_id, LEFT_BATCH],
    ).to_dicts()


def _left(row: dict[str, Any], version: str, verdict: str, now: datetime) -> tuple[object, ...]:
    """The decision about a report that left its batch: what the batch does not hold, the knowledge base does not show."""
    reason = Reason(
        LEFT_BATCH,
        Mode.BLOCK,
        "the report is no longer part of the batch",
        "put it back and run the batch again",
    )
    hold = Outcome.HOLD.value
    return (
        row["batch_id"], row["report_id"], row["input_fingerprint"], version, hold, row["gate_outcome"], verdict,
        as_json((reason,)), "[]", row["not_checked"], None, None, None, now,
    )  # fmt: skip


def as_json(reasons: Sequence[Reason]) -> str:
    """Reasons as ``ingestion_decisions`` keeps them."""
    return json.dumps([dataclasses.asdict(r) for r in reasons], ensure_ascii=False)
