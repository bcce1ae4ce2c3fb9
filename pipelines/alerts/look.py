"""What the warehouse records that alerts are about, as values of the domain.

Belongs here: the questions. Does not belong here: what changed since (quality/alerts), anything that writes.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from assets.ports import Reader
from quality.alerts.model import REPORTS_UNKNOWN, BatchView, Observation
from quality.contract.model import Clause, Contract
from quality.gate.release import CONTRACT
from quality.model import Verdict

MAX_UNKNOWN_SHARE = 0.10
"""A larger share of a batch's reports held as unknown is an outage, and told; a single slow answer is not."""

UNKNOWN = re.compile(r"(?: is unknown: | could not be looked up(?:: )?)(?P<cause>.*)", re.DOTALL)
"""How a reason of the gate says that something could not be determined, with the cause behind it."""

RESULTS = """
SELECT r.batch_id, r.contract_version, r.clause, r.metric, r.metric_version, r.verdict, r.observed, r.operator,
    r.threshold, r.n, r.reason, r.worst_reports, b.producer, b.n_reports, v.content,
    (SELECT min(c.result_id) FROM contract_results c WHERE c.batch_id = r.batch_id) AS position,
    max(r.evaluated_at) OVER (PARTITION BY r.batch_id) AS evaluated_at
FROM latest_results r
JOIN batches b USING (batch_id)
JOIN contract_versions v ON v.contract_version = r.contract_version
WHERE r.mode = 'block'
ORDER BY max(r.result_id) OVER (PARTITION BY r.batch_id), r.batch_id, r.result_id
"""
UNDETERMINED = """
SELECT d.batch_id, d.report_id, d.reasons
FROM latest_decisions d
JOIN reports r USING (batch_id, report_id)
WHERE d.decision = 'hold' AND r.status = 'read' AND regexp_matches(d.reasons::VARCHAR, ' is unknown: | could not be looked up')
ORDER BY d.batch_id, r.ordinal
"""


@dataclass(frozen=True, slots=True)
class Recorded:
    """One batch as it is recorded, and when its contract was evaluated last."""

    view: BatchView
    evaluated_at: datetime

    @property
    def digest(self) -> str:
        """Hash of what is seen: the same evaluation again is no news."""
        return hashlib.sha256(repr(replace(self.view, order=0)).encode()).hexdigest()


def look(reader: Reader) -> list[Recorded]:
    """Every evaluated batch, in the order of their evaluation."""
    undetermined = _undetermined(reader)
    contracts: dict[str, dict[str, Clause]] = {}
    batches: dict[str, list[dict[str, Any]]] = {}
    for row in reader.query(RESULTS).iter_rows(named=True):
        batches.setdefault(row["batch_id"], []).append(row)
        version = row["contract_version"]
        if version not in contracts:
            stored = Contract.model_validate_json(row["content"])
            contracts[version] = {c.clause: c for c in stored.clauses}
    found = []
    for batch_id, rows in batches.items():
        first = rows[0]
        clauses = contracts[first["contract_version"]]
        seen = [_observation(row, clauses[row["clause"]]) for row in rows if row["clause"] in clauses]
        seen.append(_reports_unknown(undetermined.get(batch_id, []), first["n_reports"]))
        view = BatchView(batch_id, first["producer"], first["n_reports"], tuple(seen), first["position"])
        found.append(Recorded(view, first["evaluated_at"]))
    return found


def kept_out(reader: Reader, batch_ids: Iterable[str]) -> list[str]:
    """Those of the batches that their own verdict still keeps out."""
    rows = reader.query(
        "SELECT batch_id FROM batch_contract WHERE verdict <> 'pass' AND list_contains(?, batch_id)",
        [list(batch_ids)],
    )
    return [str(i) for i in rows["batch_id"]]


def _observation(row: dict[str, Any], clause: Clause) -> Observation:
    return Observation(
        clause=row["clause"],
        subject=clause.subject,
        metric_version=row["metric_version"],
        verdict=Verdict(row["verdict"]),
        observed=row["observed"],
        operator=row["operator"],
        threshold=row["threshold"],
        recovery=clause.recovery,
        clear_needs=clause.clear_needs,
        n=row["n"],
        reason=row["reason"],
        worst=tuple(row["worst_reports"]),
    )


def _undetermined(reader: Reader) -> dict[str, list[tuple[str, str]]]:
    """Batch -> (report, cause) of the reports that the gate holds because something could not be determined."""
    found: dict[str, list[tuple[str, str]]] = {}
    for batch_id, report_id, reasons in reader.query(UNDETERMINED).iter_rows():
        causes = [
            told["cause"] or "no answer was recorded"
            for r in json.loads(reasons)
            if r["rule"] != CONTRACT and (told := UNKNOWN.search(str(r["observed"])))
        ]
        if causes:
            found.setdefault(batch_id, []).append((report_id, causes[0]))
    return found


def _reports_unknown(held: list[tuple[str, str]], n_reports: int) -> Observation:
    counts: dict[str, int] = {}
    for _, cause in held:
        counts[cause] = counts.get(cause, 0) + 1
    causes = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    said = "; ".join(f"{cause} ({count})" for cause, count in causes[:3])
    outage = len(held) > MAX_UNKNOWN_SHARE * n_reports
    return Observation(
        clause=REPORTS_UNKNOWN,
        subject="reports held as unknown",
        metric_version=None,
        verdict=Verdict.UNKNOWN if outage else Verdict.PASS,
        observed=None,
        operator="<=",
        threshold=MAX_UNKNOWN_SHARE,
        recovery=MAX_UNKNOWN_SHARE,
        clear_needs=1,
        n=len(held),
        reason=f"{len(held)} of {n_reports} reports are held as unknown: {said}" if outage else "",
        worst=tuple(report for report, _ in held) if outage else (),
    )
