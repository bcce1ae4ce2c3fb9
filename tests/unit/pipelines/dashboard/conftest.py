"""A small warehouse written row by row: three batches that passed, broke their contract, and could not be judged."""

import json
import shutil
from datetime import UTC, datetime

import polars as pl
import pytest

from pipelines.dashboard.facts import gather
from pipelines.resources.reader import reader
from pipelines.resources.warehouse import Warehouse
from quality.gate.policy import GatePolicy

HOSTILE = "</script><script>alert(1)</script> \u2028 \u202e <img src=x onerror=alert(2)> & \" ' `"
AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
CONTRACT = {
    "clauses": [
        {"clause": "inbound_rate_p10", "metric": "inbound_rate", "version": "v3", "stage": "rebuilt", "statistic": "p10", "operator": ">=", "threshold": 0.6, "mode": "block"},
        {"clause": "canonical_rate_p10", "metric": "canonical_rate", "version": "v1", "stage": "rebuilt", "statistic": "p10", "operator": ">=", "threshold": 0.5, "mode": "off"},
    ]
}  # fmt: skip


def batch(name, day, **more):
    return {
        "batch_id": name, "producer": "desk", "created_at": AT.replace(day=day), "reports_path": "r", "sources_path": "s",
        "snapshot_id": "x", "contract_version": "c-1", "status": "loaded", "n_reports": 2, "n_unreadable": 0,
        "batch_fingerprint": f"print-{name}", **more,
    }  # fmt: skip


def report(batch_id, name, **more):
    return {
        "batch_id": batch_id, "report_id": name, "written_id": name, "ordinal": 0, "status": "read", "title": f"On {name}",
        "content_fingerprint": "c", "input_fingerprint": f"i-{name}", "has_evidence": False, "flags": [], **more,
    }  # fmt: skip


def result(number, batch_id, verdict, observed, **more):
    return {
        "result_id": number, "batch_id": batch_id, "contract_version": "c-1", "batch_fingerprint": f"print-{batch_id}",
        "clause": "inbound_rate_p10", "metric": "inbound_rate", "metric_version": "v3", "stage": "rebuilt", "statistic": "p10",
        "operator": ">=", "threshold": 0.6, "observed": observed, "n": 2, "n_absent": 0, "n_unknown": 0, "verdict": verdict,
        "mode": "block", "severity": "error", "reason": f"said {verdict}", "worst_reports": [], "evaluated_at": AT, **more,
    }  # fmt: skip


def decision(number, batch_id, name, outcome, *reasons, gate=None, verdict="pass"):
    return {
        "decision_id": number, "batch_id": batch_id, "report_id": name, "input_fingerprint": f"i-{name}",
        "contract_version": "c-1", "decision": outcome, "gate_outcome": gate or outcome, "contract_verdict": verdict,
        "reasons": json.dumps([{"rule": rule, "mode": "block", "observed": seen, "needed": "mend it", "passage": None, "line": 3} for rule, seen in reasons]),
        "would_hold": "[]", "not_checked": ["identifiers"], "decided_at": AT,
    }  # fmt: skip


def metric(batch_id, name, stage, value, validity="measured"):
    return {"batch_id": batch_id, "report_id": name, "stage": stage, "metric": "inbound_rate", "metric_version": "v3", "value": value, "validity": validity}  # fmt: skip


def statistic(batch_id, stage, name, value, n=2, absent=0, unknown=0):
    return {"batch_id": batch_id, "stage": stage, "metric": "inbound_rate", "metric_version": "v3", "statistic": name, "value": value, "n": n, "n_absent": absent, "n_unknown": unknown}  # fmt: skip


ROWS = {
    "batches": [batch("01", 1), batch("02", 2), batch("03", 3)],
    "contract_versions": [{"contract_version": "c-1", "content": json.dumps(CONTRACT), "approved_by": "Ada", "approved_on": "2026-02-01", "first_used_at": AT}],
    "reports": [report("01", "a"), report("01", "b"), report("02", "a"), report("02", "evil", title=HOSTILE), report("03", "a"), report("03", "lost", status="unreadable", reason="not_text", detail="it is a picture", title=None)],
    "contract_results": [result(1, "01", "pass", 0.9), result(2, "02", "breach", 0.3, worst_reports=["evil", "a"], reason=f"said breach of {HOSTILE}"), result(3, "03", "unknown", None, n=1, n_unknown=1)],
    "ingestion_decisions": [
        decision(1, "01", "a", "ingest"), decision(2, "01", "b", "hold", ("inbound_rate", "0.25"), ("inbound_rate", "and another")),
        decision(3, "02", "a", "hold", ("contract", "said breach"), gate="ingest", verdict="breach"),
        decision(4, "02", "evil", "hold", ("contract", "said breach"), ("inbound_rate", HOSTILE), verdict="breach"),
        decision(5, "03", "a", "hold", ("contract", "said unknown"), gate="ingest", verdict="unknown"),
    ],
    "report_metrics": [
        metric("01", "a", "shadow", 0.5), metric("01", "a", "rebuilt", 1.0), metric("01", "b", "shadow", None, "absent"), metric("01", "b", "rebuilt", 0.25),
        metric("02", "a", "shadow", 0.05), metric("02", "a", "rebuilt", 0.5), metric("02", "evil", "shadow", 0.0), metric("02", "evil", "rebuilt", 0.1),
        metric("03", "a", "shadow", None, "absent"), metric("03", "a", "rebuilt", 0.95), metric("03", "lost", "shadow", None, "unknown"), metric("03", "lost", "rebuilt", None, "unknown"),
    ],
    "batch_metrics": [
        statistic(b, stage, name, value, n, absent, unknown)
        for b, stage, value, n, absent, unknown in (
            ("01", "shadow", 0.5, 1, 1, 0), ("01", "rebuilt", 0.9, 2, 0, 0), ("02", "shadow", 0.0, 2, 0, 0),
            ("02", "rebuilt", 0.3, 2, 0, 0), ("03", "shadow", None, 0, 1, 1), ("03", "rebuilt", 0.95, 1, 0, 1),
        )
        for name in ("p10", "p50", "mean")
    ],
}  # fmt: skip


GROWING = {"contract_results": "result_id", "ingestion_decisions": "decision_id"}


def fill(home, rows=ROWS):
    """Write the rows and publish them."""
    warehouse = Warehouse(home)
    with warehouse.write("a test") as tx:
        for table, found in rows.items():
            frame = pl.DataFrame(found, infer_schema_length=None)
            if table in GROWING:
                tx.append_changed(table, frame.drop(GROWING[table]))
                continue
            key = "batch_id" if "batch_id" in frame.columns else "contract_version"
            for value in frame[key].unique().to_list():
                tx.replace(table, frame.filter(pl.col(key) == value), where={key: value})
    warehouse.publish()
    return warehouse


@pytest.fixture(scope="session")
def filled(tmp_path_factory):
    home = tmp_path_factory.mktemp("dashboard") / "home"
    fill(home)
    return home


@pytest.fixture
def home(filled, tmp_path):
    """A home of its own, with the rows published."""
    shutil.copytree(filled, tmp_path / "home", symlinks=True)
    return tmp_path / "home"


@pytest.fixture(scope="session")
def facts(filled):
    with reader(filled) as connection:
        return gather(connection, GatePolicy(), published={"number": 1, "at": "2026-03-04"})
