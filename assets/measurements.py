"""Numbers about reports as rows: what is written, what of an older version stays, and the catalogue beside them.

Belongs here: writing report_metrics, closings, method_claims and metric_definitions.
Does not belong here: measuring (quality/kernel.py), the other rows of an audit (shadow_audit.py).
"""

from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl

import sql.loader
from assets import rows
from assets.ports import Reader, Transaction
from quality.kernel import Audit
from quality.metrics.catalogue import Catalogue
from quality.metrics.manifest import Supply, is_backed, needed
from quality.model import Stage

SQL_METRICS = ("audited_share", "fixed_closing")
"""Statements that compute and insert a metric of the same name, at stage shadow."""

_CLOSINGS: dict[str, Any] = {
    "batch_id": pl.String,
    "report_id": pl.String,
    "text": pl.String,
    "start_offset": pl.Int64,
    "end_offset": pl.Int64,
    "kind": pl.String,
    "closing_key": pl.String,
    "frame": pl.String,
}
_CLAIMS: dict[str, Any] = {
    "batch_id": pl.String,
    "report_id": pl.String,
    "ordinal": pl.Int32,
    "kind": pl.String,
    "claimed": pl.Int32,
    "needs": pl.String,
    "backed": pl.Boolean,
    "text": pl.String,
    "start_offset": pl.Int64,
    "end_offset": pl.Int64,
}
_DEFINITIONS: dict[str, Any] = {
    "metric": pl.String,
    "metric_version": pl.String,
    "ordinal": pl.Int32,
    "title": pl.String,
    "unit": pl.String,
    "formula": pl.String,
    "stages": pl.List(pl.String),
    "absent_when": pl.String,
    "statistics": pl.List(pl.String),
    "owner": pl.String,
    "says_not": pl.String,
    "measured_now": pl.Boolean,
}
_MAX_CLAIMED = 2_000_000_000  # what the column holds


def write_measurements(
    tx: Transaction, batch_id: str, stage: Stage, audits: Sequence[Audit], catalogue: Catalogue
) -> None:
    """Replace a batch's numbers at one stage; rows of versions that are no longer measured stay with their input.

    Raises:
        UsageError: a number without a catalogue entry, or one that is not finite; nothing is written.
    """
    for audit in audits:
        catalogue.validate(audit.measurements)
    where = {"batch_id": batch_id, "stage": stage.value}
    write_definitions(tx, catalogue)
    fresh = _fresh(tx, batch_id, audits, catalogue)
    tx.replace("report_metrics", pl.concat([fresh, _history(tx, batch_id, stage, catalogue)]), where=where)
    if stage is Stage.SHADOW:
        write_findings(tx, batch_id, audits)
        for name in SQL_METRICS:
            tx.execute(sql.loader.statement(name), {"batch_id": batch_id})


def add_missing(
    tx: Transaction, batch_id: str, stage: Stage, audits: Sequence[Audit], catalogue: Catalogue
) -> list[str]:
    """Write the numbers of metric versions that a stored batch has none of; what is there stays as it is.

    Returns:
        The metrics and versions that were added.
    """
    present = _present(tx, batch_id, stage)
    missing = [key for key in _measurable(stage, catalogue) if key not in present]
    if not missing:
        return []
    for audit in audits:
        catalogue.validate(audit.measurements)
    write_definitions(tx, catalogue)
    keys = pl.DataFrame(missing, schema=["metric", "metric_version"], orient="row")
    fresh = _fresh(tx, batch_id, audits, catalogue).join(keys, on=["metric", "metric_version"], how="semi")
    kept = (
        tx.query("SELECT * FROM report_metrics WHERE batch_id = ? AND stage = ?", [batch_id, stage.value])
        .select(list(rows.METRICS))
        .cast(pl.Schema(rows.METRICS))
    )
    tx.replace("report_metrics", pl.concat([fresh, kept]), where={"batch_id": batch_id, "stage": stage.value})
    if stage is Stage.SHADOW:
        write_findings(tx, batch_id, audits)
        for name in SQL_METRICS:
            if any(metric == name for metric, _ in missing):
                tx.execute(sql.loader.statement(name), {"batch_id": batch_id})
    return [f"{metric} {version}" for metric, version in missing]


def missing_versions(reader: Reader, batch_id: str, stage: Stage, catalogue: Catalogue) -> list[str]:
    """The metrics and versions that a stored batch has no number of at one stage."""
    present = _present(reader, batch_id, stage)
    return [
        f"{metric} {version}"
        for metric, version in _measurable(stage, catalogue)
        if (metric, version) not in present
    ]


def _measurable(stage: Stage, catalogue: Catalogue) -> list[tuple[str, str]]:
    """What the audit of a report measures, and what SQL computes from its rows; no look-up at a registry."""
    return [
        (m.definition.id, m.definition.version)
        for m in catalogue.at(stage)
        if m.measure is not None or m.definition.id in SQL_METRICS
    ]


def write_findings(tx: Transaction, batch_id: str, audits: Iterable[Audit]) -> None:
    """Replace a batch's closings and method claims."""
    listed = list(audits)
    tx.replace("closings", rows.frame(_closings(batch_id, listed), _CLOSINGS), where={"batch_id": batch_id})
    tx.replace("method_claims", rows.frame(_claims(batch_id, listed), _CLAIMS), where={"batch_id": batch_id})


def write_definitions(tx: Transaction, catalogue: Catalogue) -> None:
    """Bring the catalogue's entries into the warehouse; those of versions that left it stay, as history."""
    now = [
        (
            d.id,
            d.version,
            position,
            d.title,
            d.unit,
            d.formula,
            [stage.value for stage in d.stages],
            d.absent_when,
            list(d.statistics),
            d.owner,
            d.says_not,
            True,
        )
        for position, d in enumerate(catalogue)
    ]
    known = {(d.id, d.version) for d in catalogue}
    stored = tx.query("SELECT * REPLACE (false AS measured_now) FROM metric_definitions")
    past = [row for row in stored.select(list(_DEFINITIONS)).iter_rows() if (row[0], row[1]) not in known]
    frame = rows.frame([*now, *past], _DEFINITIONS)
    tx.replace("metric_definitions", frame, where={"metric": sorted({*frame["metric"]})})


def _fresh(tx: Reader, batch_id: str, audits: Sequence[Audit], catalogue: Catalogue) -> pl.DataFrame:
    prints = dict(
        tx.query(
            "SELECT report_id, input_fingerprint FROM reports WHERE batch_id = ?", [batch_id]
        ).iter_rows()
    )
    return rows.report_metrics(batch_id, audits, computed_apart=catalogue.computed_apart, prints=prints)


def _history(tx: Reader, batch_id: str, stage: Stage, catalogue: Catalogue) -> pl.DataFrame:
    """Rows of versions that the catalogue does not measure any more, about reports that are still what they were."""
    stored = (
        tx.query(
            "SELECT m.* FROM report_metrics m JOIN reports r USING (batch_id, report_id, input_fingerprint) "
            "WHERE m.batch_id = ? AND m.stage = ?",
            [batch_id, stage.value],
        )
        .select(list(rows.METRICS))
        .cast(pl.Schema(rows.METRICS))
    )
    current = pl.DataFrame(
        [(d.id, d.version) for d in catalogue],
        schema={"metric": pl.String, "metric_version": pl.String},
        orient="row",
    )
    return stored.join(current, on=["metric", "metric_version"], how="anti")


def _present(reader: Reader, batch_id: str, stage: Stage) -> set[tuple[str, str]]:
    found = reader.query(
        "SELECT DISTINCT metric, metric_version FROM report_metrics WHERE batch_id = ? AND stage = ?",
        [batch_id, stage.value],
    )
    return {(metric, version) for metric, version in found.iter_rows()}


def _closings(batch_id: str, audits: Iterable[Audit]) -> Iterable[Sequence[object]]:
    for audit in audits:
        if (c := audit.closing) is not None:
            yield (batch_id, audit.report_id, c.text, c.start, c.end, c.kind, c.key, c.frame)


def _claims(batch_id: str, audits: Iterable[Audit]) -> Iterable[Sequence[object]]:
    for audit in audits:
        read = audit.manifest.supply is Supply.READ
        for i, c in enumerate(audit.claims):
            backed = is_backed(c, audit.manifest) if read else None
            claimed = None if c.number is None else min(c.number, _MAX_CLAIMED)
            yield (
                batch_id, audit.report_id, i, c.kind, claimed, needed(c), backed, c.text, c.start, c.end,
            )  # fmt: skip
