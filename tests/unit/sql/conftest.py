"""A warehouse in a temporary home whose rows every test takes back, and short ways to put rows into it."""

from contextlib import suppress
from datetime import UTC, datetime

import polars as pl
import pytest

from pipelines.resources.warehouse import Warehouse

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)

DEFAULTS = {
    "batches": {
        "batch_id": "b1",
        "reports_path": "in",
        "status": "loaded",
        "n_reports": 1,
        "n_unreadable": 0,
    },
    "reports": {
        "batch_id": "b1",
        "report_id": "r1",
        "written_id": "r1",
        "ordinal": 1,
        "status": "read",
        "body_chars": 10,
        "content_fingerprint": "c1",
        "input_fingerprint": "f1",
        "has_evidence": False,
        "flags": [],
    },
    "closings": {
        "batch_id": "b1",
        "report_id": "r1",
        "text": "The end.",
        "start_offset": 0,
        "end_offset": 8,
        "closing_key": "the end",
    },
    "segments": {"batch_id": "b1", "report_id": "r1", "stage": "shadow", "ordinal": 0, "kind": "prose"},
    "report_metrics": {
        "batch_id": "b1",
        "report_id": "r1",
        "stage": "shadow",
        "metric": "inbound_rate",
        "metric_version": "v3",
        "validity": "measured",
    },
    "rebuilds": {
        "batch_id": "b1",
        "report_id": "r1",
        "path": "rebuilt",
        "reason": "five citations",
        "n_entries_before": 4,
        "n_entries_after": 5,
        "n_canonical": 3,
        "n_as_written": 2,
        "n_dangling": 0,
        "body_chars": 12,
        "body_sha256": "h",
        "body_file": "bodies/b1/x.parquet",
    },
    "deliveries": {
        "batch_id": "b1",
        "report_id": "r1",
        "input_fingerprint": "f1",
        "file": "delivered/b1/r1.md",
        "original_file": "delivered/b1/r1.original.md",
        "body_used": "rebuilt",
        "state": "final",
    },
    "contract_results": {
        "batch_id": "b1",
        "contract_version": "c1",
        "batch_fingerprint": "bf1",
        "clause": "inbound_p10",
        "metric": "inbound_rate",
        "metric_version": "v3",
        "stage": "rebuilt",
        "statistic": "p10",
        "operator": ">=",
        "threshold": 0.6,
        "observed": 0.9,
        "n": 12,
        "n_absent": 0,
        "n_unknown": 0,
        "verdict": "pass",
        "mode": "block",
        "severity": "error",
        "reason": "0.9 is at least 0.6",
        "worst_reports": [],
        "evaluated_at": NOW,
    },
    "ingestion_decisions": {
        "batch_id": "b1",
        "report_id": "r1",
        "input_fingerprint": "f1",
        "contract_version": "c1",
        "decision": "ingest",
        "gate_outcome": "ingest",
        "contract_verdict": "pass",
        "reasons": "[]",
        "would_hold": "[]",
        "not_checked": [],
        "decided_at": NOW,
    },
    "kb_entries": {
        "document_id": "b1/r1",
        "kind": "report",
        "batch_id": "b1",
        "report_id": "r1",
        "input_fingerprint": "f1",
        "contract_version": "c1",
        "body_file": "bodies/b1/x.parquet",
        "body_sha256": "h",
        "body_chars": 12,
        "ingested_at": NOW,
    },
    "batch_metrics": {
        "batch_id": "b1",
        "stage": "rebuilt",
        "metric": "inbound_rate",
        "metric_version": "v3",
        "statistic": "p10",
        "value": 0.9,
        "n": 1,
        "n_absent": 0,
        "n_unknown": 0,
    },
}
DEFAULTS |= {
    "releases": {
        "batch_id": "b2",
        "report_id": "r1",
        "input_fingerprint": "f1",
        "action": "release",
        "who": "Ada",
        "why": "an essay",
        "recorded_at": NOW,
    },
    "alert_states": {
        "alert_id": "breach/b1",
        "kind": "breach",
        "batch_id": "b1",
        "clauses": ["inbound_p10"],
        "title": "t",
        "text": "t",
        "raised_at": NOW,
        "state": "pending",
        "reason": "new",
        "attempts": 0,
        "changed_at": NOW,
    },
}
DEFAULTS |= {
    "drafts": {
        "batch_id": "b1",
        "lead_id": "q1",
        "ordinal": 0,
        "question": "How far?",
        "end_state": "cap_reached",
        "reason": "2 objections are open after 4 rounds",
        "n_rounds": 4,
        "n_sources": 2,
        "n_open": 2,
        "open_objections": '[{"rule":"unsupported"},{"rule":"no_evidence"},{"rule":"unsupported"}]',
        "calls": '{"writer":4}',
        "prompt_versions": ["writer-1"],
    },
    "llm_calls": {
        "call_id": "c1",
        "batch_id": "b1",
        "purpose": "writer",
        "subject": "q1",
        "request_hash": "h",
        "prompt_version": "writer-1",
        "model": "m",
        "status": "answered",
        "seconds": 0.5,
        "called_at": NOW,
    },
}
APPENDED = {"contract_results", "ingestion_decisions", "releases", "alert_states"}


class Store:
    """A warehouse inside one long transaction, with rows that take only what matters."""

    def __init__(self, warehouse, tx):
        self.warehouse = warehouse
        self.tx = tx

    def put(self, table, *rows):
        """Add rows; columns that are not given have the defaults above."""
        filled = [{**DEFAULTS[table], **row} for row in rows or [{}]]
        if table in APPENDED:
            assert [self.tx.append_changed(table, pl.DataFrame([row])) for row in filled] == [1] * len(filled)
            return
        batch = filled[0]["batch_id"]
        fresh = pl.DataFrame(filled, infer_schema_length=None)
        present = self.tx.query(f"SELECT * FROM {table} WHERE batch_id = ?", [batch])
        together = pl.concat([present, fresh], how="diagonal_relaxed") if present.height else fresh
        self.tx.replace(table, together, where={"batch_id": batch})

    def ask(self, sql, params=None):
        """Rows of a SELECT as dictionaries."""
        return self.tx.query(sql, params).to_dicts()

    def run(self, sql, params=None):
        """Run one statement."""
        self.tx.execute(sql, params)


class Undo(Exception):
    """Ends a test's transaction without a trace."""


@pytest.fixture(scope="session")
def shared_warehouse(tmp_path_factory):
    return Warehouse(tmp_path_factory.mktemp("home"), lock_wait=5, clock=lambda: NOW)


@pytest.fixture
def store(shared_warehouse):
    with suppress(Undo), shared_warehouse.write("test") as tx:
        yield Store(shared_warehouse, tx)
        raise Undo
