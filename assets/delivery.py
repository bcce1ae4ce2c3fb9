"""Group ``delivery``: every report goes out, with what is known about it on top.

Belongs here: composing delivered reports from the recorded rows, and writing their files.
Does not belong here: how a file is rendered (quality/delivery), deciding, publishing.

Files lie in ``<home>/delivered/<batch>/``, originals in ``original/`` beside them.
"""

import dataclasses
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import dagster as dg
import polars as pl

from assets.batches import batch_file
from assets.common import holder, line_asset, result
from assets.files import write_if_changed
from assets.ports import Reader, Store
from assets.stored import AnyReport, load_batch, load_rebuilt
from assets.supplied import HONESTY, not_supplied
from quality.delivery.envelope import split
from quality.delivery.head import own_fields
from quality.delivery.model import DeliveredFile, DeliveredReport, DeliveryState
from quality.delivery.render import delivered_name, render, render_incomplete, render_unreadable
from quality.gate.policy import METHOD_CLAIMS, NOT_CHECKED
from quality.intake.reports import load_reports
from quality.model import (
    Measurement,
    Mode,
    Outcome,
    Reason,
    RebuildPath,
    Report,
    UnreadableReport,
    Validity,
    Verdict,
)
from quality.names import safe_name

_DELIVERIES: dict[str, Any] = {
    "batch_id": pl.String,
    "report_id": pl.String,
    "input_fingerprint": pl.String,
    "file": pl.String,
    "original_file": pl.String,
    "body_used": pl.String,
    "state": pl.String,
}
FINAL = "final"


def delivered_folder(home: Path, batch_id: str) -> Path:
    """Where a batch's delivered files lie."""
    return home / "delivered" / safe_name(batch_id)


@line_asset(
    "delivery",
    deps=["rebuilt_audit"],
    tables={"deliveries": "one row a report delivered"},
    kinds=frozenset({"markdown", "duckdb"}),
    priority=1,  # whoever asked for the reports does not wait for the registries
)
def delivered_reports(
    context: dg.AssetExecutionContext, store: dg.ResourceParam[Store]
) -> dg.MaterializeResult[None]:
    """Where is each report, with its audit block on top?

    Waits for the audit at most, never for gate or contract: the block says "decision pending" until the end of the
    run. The body is the rebuilt one where there is one; the original is always kept beside it.
    """
    batch_id = context.partition_key
    with store.read_primary() as reader:
        composed = list(compose(store, reader, batch_id, decided=False))
        sealed = _audit_prints(reader, batch_id)
    rows = [_deliver(store.home, report, audit, sealed.get(report.report_id)) for report, audit in composed]
    with store.write(holder(context)) as tx:
        tx.replace(
            "deliveries", pl.DataFrame(rows, schema=_DELIVERIES, orient="row"), where={"batch_id": batch_id}
        )
    folder = delivered_folder(store.home, batch_id)
    return result({"delivered": len(rows)}, {"folder": str(folder.relative_to(store.home))})


def renew_audit_blocks(store: Store, batch_id: str) -> int:
    """Rewrite the audit blocks of a batch by what is decided now, never a body; returns how many are final."""
    with store.read_primary() as reader:
        if reader.query("SELECT count(*) FROM deliveries WHERE batch_id = ?", [batch_id]).item() == 0:
            return 0
        composed = list(compose(store, reader, batch_id, decided=True))
        sealed = _audit_prints(reader, batch_id)
        delivered = {
            str(i): row
            for i, *row in reader.query(
                "SELECT * EXCLUDE batch_id FROM deliveries WHERE batch_id = ?", [batch_id]
            ).iter_rows()
        }
    rows = []
    for report, audit in composed:
        known = delivered.get(report.report_id)
        if known is None or known[-1] == DeliveryState.INCOMPLETE or known[0] != sealed.get(report.report_id):
            continue  # undelivered, unaudited, or delivered for an input that has changed since
        rows.append(_renew(store.home, report, audit, known))
    final = [row for row in rows if row[-1] == FINAL]
    if rows:
        with store.write(f"audit blocks of batch {batch_id!r}") as tx:
            for row in final:
                tx.execute(
                    "UPDATE deliveries SET state = ? WHERE batch_id = ? AND report_id = ? AND state <> ?",
                    [FINAL, batch_id, row[1], FINAL],
                )
    return len(final)


def deliver_incomplete(store: Store, batch_id: str, failure: str) -> int:
    """Deliver what a failed run left undelivered: original bytes and "verification incomplete"; returns how many.

    Needs nothing but the batch's own input: where the warehouse cannot be read, the reports are loaded again.
    A file that was delivered for these very bytes before stands.

    Raises:
        SluicegateError: the files are written, but could not be recorded.
    """
    reports = _undelivered(store, batch_id)
    rows = []
    for report in reports:
        files = render_incomplete(report, batch_id, failure, not_checked=NOT_CHECKED)
        names = [_write(store.home, batch_id, file) for file in files]
        original = _keep_original(store.home, batch_id, report)
        rows.append(
            (
                batch_id,
                report.report_id,
                None,
                names[-1],
                original,
                "original",
                DeliveryState.INCOMPLETE.value,
            )
        )
    if rows:
        with store.write(f"incomplete deliveries of batch {batch_id!r}") as tx:
            for row in rows:
                frame = pl.DataFrame([row], schema=_DELIVERIES, orient="row")
                tx.replace("deliveries", frame, where={"batch_id": batch_id, "report_id": row[1]})
    return len(rows)


def _undelivered(store: Store, batch_id: str) -> list[AnyReport]:
    try:
        with store.read_primary() as reader:
            reports = load_batch(store, reader, batch_id)
            if not reports:
                reports = list(load_reports(batch_file(store.home, batch_id).reports).reports)
    except Exception:  # whatever ails the warehouse, the reports still go out
        reports = list(load_reports(batch_file(store.home, batch_id).reports).reports)
    return [r for r in reports if not _stands(store.home, batch_id, r)]


def _stands(home: Path, batch_id: str, report: AnyReport) -> bool:
    """Whether a file was delivered for these very bytes before, after a complete audit or not."""
    folder = delivered_folder(home, batch_id)
    original = folder / "original" / _original_name(report)
    name = (
        delivered_name(report.report_id)
        if isinstance(report, Report)
        else f"{safe_name(report.report_id)}.audit.md"
    )
    return (
        (folder / name).is_file() and original.is_file() and original.read_bytes() == original_bytes(report)
    )


def original_bytes(report: AnyReport) -> bytes:
    """The report as it came: its file's bytes, or its body for a row of a JSONL or Parquet file."""
    if isinstance(report, UnreadableReport):
        return report.original
    return report.original if report.original is not None else report.body.encode()


def _original_name(report: AnyReport) -> str:
    return (
        delivered_name(report.report_id)
        if isinstance(report, Report)
        else f"{safe_name(report.report_id)}.original"
    )


def _keep_original(home: Path, batch_id: str, report: AnyReport) -> str:
    file = delivered_folder(home, batch_id) / "original" / _original_name(report)
    write_if_changed(file, original_bytes(report))
    return str(file.relative_to(home))


def _write(home: Path, batch_id: str, file: DeliveredFile) -> str:
    path = delivered_folder(home, batch_id) / file.name
    write_if_changed(path, file.content)
    return str(path.relative_to(home))


def _files(report: AnyReport, audit: DeliveredReport) -> tuple[DeliveredFile, ...]:
    if isinstance(report, UnreadableReport):
        return render_unreadable(report, audit)
    return (DeliveredFile(delivered_name(report.report_id), render(audit).encode()),)


def _audit_prints(reader: Reader, batch_id: str) -> dict[str, str | None]:
    """What the shadow audit sealed: delivery depends on content and catalogue, and on no registry's answer."""
    return dict(
        reader.query(
            "SELECT report_id, coalesce(audit_fingerprint, input_fingerprint) FROM reports WHERE batch_id = ?",
            [batch_id],
        ).iter_rows()
    )


def _deliver(
    home: Path, report: AnyReport, audit: DeliveredReport, fingerprint: str | None
) -> tuple[object, ...]:
    names = [_write(home, audit.batch_id, file) for file in _files(report, audit)]
    original = _keep_original(home, audit.batch_id, report)
    used = "rebuilt" if audit.rebuild_path in (RebuildPath.REBUILT, RebuildPath.MERGED) else "original"
    return (
        audit.batch_id,
        report.report_id,
        fingerprint,
        names[-1],
        original,
        used,
        audit.state.value,
    )


def _renew(
    home: Path, report: AnyReport, audit: DeliveredReport, known: Sequence[object]
) -> tuple[object, ...]:
    """Write one file anew around the body that it has."""
    file = home / str(known[1])
    if isinstance(report, Report) and file.is_file():
        _, body = split(file.read_bytes().decode())
        audit = dataclasses.replace(audit, body=body)
    for one in _files(report, audit):
        _write(home, audit.batch_id, one)
    state = FINAL if audit.decision is not None else DeliveryState.PENDING.value
    return (audit.batch_id, report.report_id, state)


def compose(
    store: Store, reader: Reader, batch_id: str, *, decided: bool
) -> Iterator[tuple[AnyReport, DeliveredReport]]:
    """Every report of a batch with everything that its audit block says.

    Args:
        store: for the bodies.
        reader: for the rows.
        batch_id: the batch.
        decided: whether to tell the latest decision; before it is made the block says "decision pending".
    """
    bodies = load_rebuilt(store, reader, batch_id)
    facts = _Facts(reader, batch_id, decided=decided)
    for report in load_batch(store, reader, batch_id):
        path, body = bodies.get(report.report_id, (None, report.body if isinstance(report, Report) else ""))
        yield report, facts.about(report, path, body)


class _Facts:
    """The rows of one batch that its audit blocks speak about, each question asked once."""

    def __init__(self, reader: Reader, batch_id: str, *, decided: bool) -> None:
        self._batch_id = batch_id
        supplied = set() if HONESTY in not_supplied(reader, batch_id) else {METHOD_CLAIMS}
        self._not_checked = tuple(name for name in NOT_CHECKED if name not in supplied)
        self._prints = dict(
            reader.query(
                "SELECT report_id, input_fingerprint FROM reports WHERE batch_id = ?", [batch_id]
            ).iter_rows()
        )
        self._metrics = reader.query(
            "SELECT report_id, stage, metric, metric_version, value, validity, numerator, denominator, detail "
            "FROM report_metrics WHERE batch_id = ? ORDER BY ALL",
            [batch_id],
        ).partition_by("report_id", "stage", as_dict=True, include_key=False)
        self._reasons = dict(
            reader.query("SELECT report_id, reason FROM rebuilds WHERE batch_id = ?", [batch_id]).iter_rows()
        )
        self._dangling = reader.query(
            "SELECT report_id, key FROM cited_keys WHERE batch_id = ? AND stage = 'rebuilt' "
            "AND entry_ordinal IS NULL ORDER BY report_id, ordinal",
            [batch_id],
        ).partition_by("report_id", as_dict=True, include_key=False)
        self._versions = dict(
            reader.query(
                "SELECT report_id, version FROM report_versions WHERE batch_id = ? AND superseded_at IS NULL",
                [batch_id],
            ).iter_rows()
        )
        self._decisions = {
            row["report_id"]: row
            for row in reader.query(
                # a decision that the batch's verdict has overtaken says nothing any more
                "SELECT d.* FROM latest_decisions d LEFT JOIN batch_contract c USING (batch_id) WHERE d.batch_id = ? "
                "AND (c.verdict IS NULL OR (c.verdict, c.contract_version) = (d.contract_verdict, d.contract_version))",
                [batch_id],
            ).iter_rows(named=True)
            if decided and row["input_fingerprint"] == self._prints.get(row["report_id"])
        }

    def about(self, report: AnyReport, path: str | None, body: str) -> DeliveredReport:
        """What the audit block of one report says."""
        report_id = report.report_id
        dangling = self._dangling.get((report_id,))
        audit = DeliveredReport(
            batch_id=self._batch_id,
            report_id=report_id,
            body=body,
            state=DeliveryState.PENDING,
            front_matter=own_fields(report) if isinstance(report, Report) else {},
            input_fingerprint=self._prints.get(report_id),
            version=self._versions.get(report_id, 1),
            before=self._measured(report_id, "shadow"),
            after=self._measured(report_id, "rebuilt"),
            rebuild_path=RebuildPath(path) if path else None,
            rebuild_reason=self._reasons.get(report_id),
            dangling=tuple(dict.fromkeys(dangling["key"])) if dangling is not None else (),
            not_checked=self._not_checked,
            failure=f"{report.reason}: {report.detail}" if isinstance(report, UnreadableReport) else None,
        )
        decision = self._decisions.get(report_id)
        return audit if decision is None else _with_decision(audit, decision)

    def _measured(self, report_id: str, stage: str) -> tuple[Measurement, ...]:
        rows = self._metrics.get((report_id, stage))
        if rows is None:
            return ()
        return tuple(
            Measurement(metric, version, value, Validity(validity), numerator, denominator, detail)
            for metric, version, value, validity, numerator, denominator, detail in rows.iter_rows()
        )


def _with_decision(audit: DeliveredReport, row: dict[str, object]) -> DeliveredReport:
    decision = Outcome(str(row["decision"]))
    checked = row["not_checked"]
    return dataclasses.replace(
        audit,
        state=DeliveryState(decision.value),
        decision=decision,
        gate_outcome=Outcome(str(row["gate_outcome"])),
        contract_verdict=Verdict(str(row["contract_verdict"])),
        contract_version=str(row["contract_version"]),
        reasons=reasons_of(row["reasons"]),
        lifted=reasons_of(row["lifted"] or "[]"),
        released_by=_text(row["released_by"]),
        release_why=_text(row["release_why"]),
        would_hold=reasons_of(row["would_hold"]),
        not_checked=tuple(checked) if isinstance(checked, list) else audit.not_checked,
    )


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def reasons_of(stored: object) -> tuple[Reason, ...]:
    """Reasons from the JSON that ``ingestion_decisions`` keeps."""
    return tuple(Reason(**{**item, "mode": Mode(item["mode"])}) for item in json.loads(str(stored)))
