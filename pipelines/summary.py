"""What a batch came to: the numbers that a run prints, read back from the warehouse.

Belongs here: the questions and their shape. Does not belong here: printing.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from assets.ports import Reader, Store

HEADLINE = ("inbound_rate", "canonical_rate", "cited", "dirty_entries", "audited_share", "citation_count")


@dataclass(frozen=True, slots=True)
class Line:
    """One metric of a batch before and after the rebuild: a statistic, and how many reports it rests on."""

    metric: str
    version: str
    statistic: str
    before: float | None
    after: float | None
    n_before: int
    n_after: int


@dataclass(frozen=True, slots=True)
class ClauseLine:
    """One clause as it was recorded."""

    clause: str
    verdict: str
    mode: str
    reason: str


@dataclass(frozen=True, slots=True)
class Summary:
    """What is recorded about one batch now."""

    batch_id: str
    status: str
    verdict: str | None  # None: the batch as it stands was never evaluated
    contract_version: str | None
    clauses: tuple[ClauseLine, ...]
    lines: tuple[Line, ...]
    n_reports: int
    n_unreadable: int
    delivered: int
    to_ingest: int
    held: int
    held_by_gate: int
    in_kb: int
    warehouse: Path
    delivered_folder: Path


def summarise(store: Store, batch_id: str) -> Summary:
    """Read the summary of one batch from the private primary."""
    from assets.delivery import delivered_folder

    with store.read_primary() as reader:
        rows = reader.query("SELECT * FROM batches WHERE batch_id = ?", [batch_id])
        batch = rows.row(0, named=True) if rows.height else {}
        contract = _contract(reader, batch_id, batch.get("batch_fingerprint"))
        return Summary(
            batch_id=batch_id,
            status=batch.get("status") or "not loaded",
            verdict=contract[0] if contract else None,
            contract_version=contract[1] if contract else None,
            clauses=_clauses(reader, batch_id) if contract else (),
            lines=_lines(reader, batch_id),
            n_reports=batch.get("n_reports") or 0,
            n_unreadable=batch.get("n_unreadable") or 0,
            delivered=_count(reader, "SELECT count(*) FROM deliveries WHERE batch_id = ?", batch_id),
            to_ingest=_decided(reader, batch_id, "d.decision = 'ingest'"),
            held=_decided(reader, batch_id, "d.decision = 'hold'"),
            held_by_gate=_decided(reader, batch_id, "d.gate_outcome = 'hold'"),
            in_kb=_count(reader, "SELECT count(*) FROM kb_documents WHERE batch_id = ?", batch_id),
            warehouse=store.home / "warehouse.duckdb",
            delivered_folder=delivered_folder(store.home, batch_id),
        )


def _count(reader: Reader, question: str, batch_id: str) -> int:
    return int(reader.query(question, [batch_id]).item())


def _decided(reader: Reader, batch_id: str, condition: str) -> int:
    """Reports of the batch with such a latest decision about the input as it stands."""
    question = (
        "SELECT count(*) FROM latest_decisions d JOIN reports r USING (batch_id, report_id) "  # noqa: S608
        f"WHERE r.batch_id = ? AND d.input_fingerprint = r.input_fingerprint AND {condition}"
    )
    return _count(reader, question, batch_id)


def _contract(reader: Reader, batch_id: str, fingerprint: str | None) -> tuple[str, str] | None:
    """Verdict and contract version, if they speak about the batch as it stands."""
    found = reader.query(
        "SELECT verdict, contract_version FROM batch_contract WHERE batch_id = ? AND batch_fingerprint = ?",
        [batch_id, fingerprint],
    )
    return (str(found.item(0, 0)), str(found.item(0, 1))) if found.height else None


def _clauses(reader: Reader, batch_id: str) -> tuple[ClauseLine, ...]:
    found = reader.query(
        "SELECT clause, verdict, mode, reason FROM latest_results WHERE batch_id = ? ORDER BY mode, clause",
        [batch_id],
    )
    return tuple(ClauseLine(*map(str, row)) for row in found.iter_rows())


def _lines(reader: Reader, batch_id: str) -> tuple[Line, ...]:
    found = reader.query(
        """
        SELECT metric, metric_version, statistic,
            any_value(value) FILTER (stage = 'shadow') AS before, any_value(value) FILTER (stage = 'rebuilt') AS after,
            coalesce(any_value(n) FILTER (stage = 'shadow'), 0) AS n_before,
            coalesce(any_value(n) FILTER (stage = 'rebuilt'), 0) AS n_after
        FROM batch_metrics
        WHERE batch_id = ? AND list_contains(?, metric) AND NOT (metric = 'inbound_rate' AND metric_version = 'v2')
            AND statistic = ANY (CASE WHEN metric IN ('inbound_rate', 'canonical_rate') THEN ['p10', 'p50']
                WHEN metric IN ('dirty_entries', 'citation_count') THEN ['p50', 'sum']
                WHEN metric = 'audited_share' THEN ['min'] ELSE ['mean'] END)
        GROUP BY metric, metric_version, statistic ORDER BY metric_version, statistic
        """,
        [batch_id, list(HEADLINE)],
    )
    lines = (Line(*row) for row in found.iter_rows())
    return tuple(sorted(lines, key=lambda line: HEADLINE.index(line.metric)))
