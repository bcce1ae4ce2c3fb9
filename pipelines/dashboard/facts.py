"""What the dashboard shows, read from a publication: bounded, so that a large home gives a page that still opens.

Belongs here: the questions, their limits, and the shape of the answers. Does not belong here: words, charts, markup.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pipelines.resources.reader import Reader
from quality.gate.policy import GatePolicy

Row = Mapping[str, Any]
BINS: Final = 20
"""Bars of a distribution between 0 and 1."""

_BATCHES: Final = """
WITH held AS (
    SELECT d.batch_id, count(*) FILTER (d.decision = 'hold') AS n_held, count(*) FILTER (d.decision = 'ingest') AS n_may,
        count(*) FILTER (d.gate_outcome = 'hold') AS n_held_by_gate
    FROM latest_decisions d JOIN reports r USING (batch_id, report_id, input_fingerprint) GROUP BY ALL
)
SELECT b.batch_id, b.created_at, b.producer, b.status, b.n_reports, b.n_unreadable,
    b.sources_path IS NOT NULL AS has_catalogue, c.verdict, c.contract_version, c.n_blocking, c.clauses_breached,
    c.clauses_unknown, c.clauses_recorded, c.evaluated_at,
    (SELECT count(*) FROM deliveries f WHERE f.batch_id = b.batch_id) AS n_delivered,
    (SELECT count(*) FROM kb_documents k WHERE k.batch_id = b.batch_id) AS n_in_kb,
    coalesce(h.n_held, 0) AS n_held, coalesce(h.n_held_by_gate, 0) AS n_held_by_gate, coalesce(h.n_may, 0) AS n_may
FROM batches b
LEFT JOIN batch_contract c ON (c.batch_id, c.batch_fingerprint) = (b.batch_id, b.batch_fingerprint)
LEFT JOIN held h ON h.batch_id = b.batch_id
ORDER BY b.created_at DESC NULLS LAST, b.batch_id DESC LIMIT ?
"""
_RESULTS: Final = """
SELECT r.batch_id, r.clause, r.metric, r.metric_version, r.stage, r.statistic, r.operator, r.threshold, r.observed, r.n,
    r.n_absent, r.n_unknown, r.verdict, r.mode, r.reason, r.worst_reports
FROM latest_results r JOIN batches b USING (batch_id, batch_fingerprint) WHERE list_contains(?, r.batch_id)
"""
_CONTRACTS: Final = "SELECT contract_version, content, approved_by, approved_on FROM contract_versions"
_BARS: Final = f"""
SELECT batch_id, stage, least({BINS} - 1, floor(value * {BINS} + 1e-9))::INTEGER AS bar, count(*) AS n
FROM report_metrics
WHERE metric = 'inbound_rate' AND metric_version = 'v3' AND validity = 'measured' AND list_contains(?, batch_id)
GROUP BY ALL ORDER BY ALL
"""  # noqa: S608 - a constant of this module
_SPREAD: Final = """
SELECT batch_id, stage, count(*) FILTER (validity = 'measured') AS n, count(*) FILTER (validity = 'absent') AS n_absent,
    count(*) FILTER (validity = 'unknown') AS n_unknown, count(*) FILTER (value < $limit) AS n_below,
    quantile_cont(value, 0.1) AS p10, quantile_cont(value, 0.5) AS p50
FROM report_metrics
WHERE metric = 'inbound_rate' AND metric_version = 'v3' AND list_contains($batches, batch_id) GROUP BY ALL ORDER BY ALL
"""
_CHANGES: Final = """
SELECT batch_id, metric, metric_version, statistic, any_value(value) FILTER (stage = 'shadow') AS before,
    any_value(value) FILTER (stage = 'rebuilt') AS after, coalesce(max(n) FILTER (stage = 'shadow'), 0) AS n_before,
    coalesce(max(n) FILTER (stage = 'rebuilt'), 0) AS n_after
FROM batch_metrics
WHERE list_contains(?, batch_id) AND (metric || ' ' || metric_version || ' ' || statistic) IN
    ('inbound_rate v3 p10', 'inbound_rate v3 p50', 'canonical_rate v1 p50', 'cited v1 mean', 'dirty_entries v1 sum')
GROUP BY ALL ORDER BY ALL
"""
_PRODUCERS: Final = """
SELECT coalesce(r.producer, b.producer, 'not named') AS producer, count(DISTINCT (m.batch_id, m.report_id)) AS n_reports,
    quantile_cont(m.value, 0.1) FILTER (m.stage = 'shadow') AS p10_before,
    quantile_cont(m.value, 0.1) FILTER (m.stage = 'rebuilt') AS p10_after,
    quantile_cont(m.value, 0.5) FILTER (m.stage = 'shadow') AS p50_before,
    quantile_cont(m.value, 0.5) FILTER (m.stage = 'rebuilt') AS p50_after
FROM report_metrics m JOIN reports r USING (batch_id, report_id) JOIN batches b USING (batch_id)
WHERE m.metric = 'inbound_rate' AND m.metric_version = 'v3' AND list_contains(?, m.batch_id)
GROUP BY ALL ORDER BY n_reports DESC, producer LIMIT 20
"""
_VALIDITY: Final = """
SELECT stage, metric, metric_version, n, n_absent, n_unknown FROM batch_metrics
WHERE batch_id = ? AND statistic = 'mean' ORDER BY metric, metric_version, stage DESC
"""
_DECISIONS: Final = """
WITH shown AS (
    SELECT r.batch_id, r.report_id, r.title, r.status, r.reason, r.detail, r.ordinal, r.input_fingerprint, b.created_at
    FROM reports r JOIN batches b USING (batch_id)
)
SELECT s.batch_id, s.report_id, s.title, s.status, s.reason, s.detail, d.decision, d.gate_outcome, d.contract_verdict,
    d.reasons, d.would_hold, d.not_checked, m.value AS before, m.validity AS before_validity,
    a.value AS after, a.validity AS after_validity
FROM shown s
LEFT JOIN latest_decisions d USING (batch_id, report_id, input_fingerprint)
LEFT JOIN report_metrics m ON (m.batch_id, m.report_id, m.stage, m.metric, m.metric_version)
    = (s.batch_id, s.report_id, 'shadow', 'inbound_rate', 'v3')
LEFT JOIN report_metrics a ON (a.batch_id, a.report_id, a.stage, a.metric, a.metric_version)
    = (s.batch_id, s.report_id, 'rebuilt', 'inbound_rate', 'v3')
ORDER BY s.created_at DESC NULLS LAST, s.batch_id DESC, d.gate_outcome = 'ingest' NULLS FIRST, s.ordinal LIMIT ?
"""

_ALERTS: Final = "SELECT * EXCLUDE (title, text) FROM alerts ORDER BY raised_at DESC, alert_id LIMIT ?"
_RELEASES: Final = "SELECT * FROM standing_releases ORDER BY recorded_at DESC, report_id LIMIT ?"


@dataclass(frozen=True, slots=True)
class Limits:
    """How many rows a page shows at most; it says of how many."""

    batches: int = 40
    distributions: int = 4
    decisions: int = 400
    people: int = 20  # alerts, and releases


@dataclass(frozen=True, slots=True)
class Facts:
    """The answers, batches with the newest first."""

    gate: GatePolicy
    batches: tuple[Row, ...]
    n_batches: int
    clauses: tuple[Row, ...]  # one a batch and clause of its contract; verdict None where it is off
    contracts: Mapping[str, Row]
    bars: tuple[Row, ...]
    spread: tuple[Row, ...]
    changes: tuple[Row, ...]
    producers: tuple[Row, ...]
    validity: tuple[Row, ...]  # of the newest batch
    decisions: tuple[Row, ...]
    n_decisions: int
    alerts: tuple[Row, ...] = ()
    n_alerts: int = 0
    releases: tuple[Row, ...] = ()  # those that stand
    n_releases: int = 0
    published: Row = field(default_factory=dict)  # number, at

    @property
    def newest(self) -> Row | None:
        """The newest batch, if there is any."""
        return self.batches[0] if self.batches else None

    @property
    def distributed(self) -> tuple[str, ...]:
        """The batches whose distributions are shown."""
        return tuple(dict.fromkeys(str(row["batch_id"]) for row in self.spread))


def gather(connection: Reader, gate: GatePolicy, *, published: Row, limits: Limits | None = None) -> Facts:
    """Ask a publication everything that the page shows.

    Args:
        connection: to the publication.
        gate: rules and limits in force now; the warehouse keeps the sentences they gave, not the limits.
        published: number and instant of the publication.
        limits: how much to show.
    """
    limits = limits or Limits()

    def ask(question: str, params: object = None) -> tuple[Row, ...]:
        return tuple(connection.query(question, params).to_dicts())  # type: ignore[arg-type]

    def count(table: str) -> int:
        return int(connection.query(f"SELECT count(*) FROM {table}").item())  # noqa: S608 - names of this module

    batches = ask(_BATCHES, [limits.batches])
    ids = [str(row["batch_id"]) for row in batches]
    contracts = {str(row["contract_version"]): row for row in ask(_CONTRACTS)}
    near = ids[: limits.distributions]
    spread = ask(_SPREAD, {"limit": gate.min_inbound_rate, "batches": near})
    return Facts(
        gate=gate,
        batches=batches,
        n_batches=count("batches"),
        clauses=with_off(ask(_RESULTS, [ids]), batches, contracts),
        contracts=contracts,
        bars=ask(_BARS, [near]),
        spread=tuple(sorted(spread, key=lambda row: near.index(str(row["batch_id"])))),
        changes=ask(_CHANGES, [ids]),
        producers=ask(_PRODUCERS, [ids]),
        validity=ask(_VALIDITY, [ids[0]]) if ids else (),
        decisions=ask(_DECISIONS, [limits.decisions]),
        n_decisions=count("reports"),
        alerts=ask(_ALERTS, [limits.people]),
        n_alerts=count("alerts"),
        releases=ask(_RELEASES, [limits.people]),
        n_releases=count("standing_releases"),
        published=published,
    )


def with_off(results: Sequence[Row], batches: Iterable[Row], contracts: Mapping[str, Row]) -> tuple[Row, ...]:
    """Add the clauses that a batch's contract has and that were off for it: said aloud, and never a value."""
    found = {(str(r["batch_id"]), str(r["clause"])): r for r in results}
    rows: list[Row] = []
    for batch in batches:
        contract = contracts.get(str(batch["contract_version"]))
        listed = clauses_of(contract) if contract else []
        names = [str(c["clause"]) for c in listed]
        others = [r for (b, name), r in found.items() if b == batch["batch_id"] and name not in names]
        for clause in listed:
            row = found.get((str(batch["batch_id"]), str(clause["clause"])))
            rows.append(row if row is not None else _off(str(batch["batch_id"]), clause))
        rows.extend(others)
    return tuple(rows)


def clauses_of(contract: Row) -> list[dict[str, Any]]:
    """The clauses of a stored contract, as it was written."""
    return list(json.loads(str(contract["content"])).get("clauses", []))


def _off(batch_id: str, clause: Row) -> Row:
    return {
        "batch_id": batch_id,
        "clause": clause["clause"],
        "metric": clause["metric"],
        "metric_version": clause.get("version"),
        "stage": clause.get("stage"),
        "statistic": clause["statistic"],
        "operator": clause["operator"],
        "threshold": float(clause["threshold"]),
        "observed": None,
        "n": 0,
        "n_absent": 0,
        "n_unknown": 0,
        "verdict": None,
        "mode": "off",
        "reason": "off for this batch: not checked",
        "worst_reports": [],
    }
