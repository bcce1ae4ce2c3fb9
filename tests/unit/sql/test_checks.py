"""Each check passes on sound rows and finds the fault that it is there for."""

import polars as pl
import pytest

import sql.loader

CHECKS = {check.name: check.text for check in sql.loader.checks()}


@pytest.fixture
def sound(store):
    """A batch of two reports, decided, delivered, one of them in the knowledge base."""
    ids = ("r1", "r2")
    texts = [(i, stage, "0123456789") for i in ids for stage in ("shadow", "rebuilt")]
    bodies = pl.DataFrame(texts, schema=["report_id", "stage", "body"], orient="row")
    file = store.warehouse.write_bodies("b1", bodies)
    store.put("batches", {"n_reports": 3, "n_unreadable": 1, "snapshot_id": "s1"})
    store.run(
        "INSERT INTO source_snapshots BY NAME SELECT 's1' AS snapshot_id, 1 AS n_sources, 0 AS n_with_text"
    )
    store.run(
        "INSERT INTO sources BY NAME SELECT 's1' AS snapshot_id, 'w' AS source_id, 'W' AS title, 0 AS text_chars"
    )
    store.put(
        "reports",
        *({"report_id": i, "body_file": file} for i in ids),
        {"report_id": "bad", "status": "unreadable", "body_chars": None},
    )
    spans = [(0, 4), (4, 10)]
    store.put(
        "segments",
        *(
            {"report_id": i, "ordinal": n, "start_offset": a, "end_offset": b}
            for i in ids
            for n, (a, b) in enumerate(spans)
        ),
    )
    store.put(
        "report_metrics",
        {"value": 0.5, "numerator": 1.0, "denominator": 2.0},
        {"report_id": "r2", "validity": "absent"},
        {"report_id": "bad", "validity": "unknown"},
    )
    store.run(
        "INSERT INTO metric_definitions SELECT 'inbound_rate', 'v3', 0, 'Inbound rate', 'share', 'a / b', ['shadow'], "
        "'no citations', ['p10'], 'quality', 'Not support.', true"
    )
    store.put("batch_metrics", {"n": 1, "n_absent": 1, "n_unknown": 1})
    store.put("rebuilds", *({"report_id": i, "body_file": file} for i in ids))
    store.put("deliveries", *({"report_id": i} for i in (*ids, "bad")))
    store.put("contract_results")
    held = {"decision": "hold", "reasons": '[{"rule":"cited"}]'}
    store.put("ingestion_decisions", {}, {"report_id": "r2", **held}, {"report_id": "bad", **held})
    store.put("kb_entries", {"body_file": file})
    return store


@pytest.mark.parametrize("name", CHECKS)
def test_sound_rows_pass(sound, name):
    assert sound.ask(CHECKS[name]) == []


@pytest.mark.parametrize("name", CHECKS)
def test_an_empty_warehouse_passes(store, name):
    assert store.ask(CHECKS[name]) == []


FAULTS = [
    ("snapshot_once", "INSERT INTO source_snapshots FROM source_snapshots"),
    ("snapshot_once", "DELETE FROM sources"),
    ("snapshot_once", "UPDATE batches SET snapshot_id = 'gone'"),
    ("measured_without_value", "UPDATE report_metrics SET value = 0.9 WHERE report_id = 'r1'"),
    ("metric_without_entry", "DELETE FROM metric_definitions"),
    ("metric_without_entry", "UPDATE report_metrics SET metric_version = 'v9'"),
    ("metric_twice", "INSERT INTO report_metrics FROM report_metrics"),
    ("report_twice", "INSERT INTO reports FROM reports WHERE report_id = 'r1'"),
    ("report_twice", "INSERT INTO batches FROM batches"),
    ("batch_count", "DELETE FROM reports WHERE report_id = 'r2'"),
    ("batch_count", "UPDATE batches SET n_unreadable = 0"),
    ("orphan_rows", "UPDATE report_metrics SET report_id = 'gone' WHERE report_id = 'r2'"),
    ("orphan_rows", "DELETE FROM batches"),
    ("batch_metrics_count", "UPDATE batch_metrics SET n_unknown = 0"),
    ("batch_metrics_count", "UPDATE batch_metrics SET value = NULL"),
    ("kb_without_decision", "UPDATE kb_entries SET report_id = 'r2'"),
    ("kb_without_decision", "UPDATE kb_entries SET input_fingerprint = 'other'"),
    ("kb_without_decision", "UPDATE kb_entries SET contract_version = 'other'"),
    ("kb_twice", "INSERT INTO kb_entries FROM kb_entries"),
    (
        "ingest_against_contract",
        "UPDATE ingestion_decisions SET contract_verdict = 'unknown' WHERE report_id = 'r1'",
    ),
    ("ingest_against_contract", "UPDATE ingestion_decisions SET reasons = '[{}]' WHERE report_id = 'r1'"),
    ("ingest_against_contract", "UPDATE ingestion_decisions SET reasons = '[]' WHERE report_id = 'r2'"),
    ("decision_without_report", "DELETE FROM reports WHERE report_id = 'r1'"),
    ("report_without_decision", "DELETE FROM ingestion_decisions WHERE report_id = 'bad'"),
    ("delivered_count", "DELETE FROM deliveries WHERE report_id = 'bad'"),
    ("delivered_count", "INSERT INTO deliveries FROM deliveries WHERE report_id = 'bad'"),
    ("delivered_count", "UPDATE deliveries SET report_id = 'gone' WHERE report_id = 'bad'"),
    ("segments_tile", "UPDATE segments SET end_offset = 9 WHERE report_id = 'r2' AND ordinal = 1"),
    ("segments_tile", "UPDATE segments SET start_offset = 3 WHERE report_id = 'r2' AND ordinal = 1"),
    ("segments_tile", "UPDATE segments SET start_offset = 1 WHERE report_id = 'r2' AND ordinal = 0"),
    ("result_numbers", "INSERT INTO contract_results FROM contract_results"),
    ("result_numbers", "UPDATE ingestion_decisions SET decision_id = 7"),
    ("body_missing", "UPDATE reports SET body_file = 'bodies/b1/other.parquet' WHERE report_id = 'r1'"),
    ("body_missing", "UPDATE kb_entries SET body_file = 'bodies/b1/other.parquet'"),
    ("body_missing", "UPDATE rebuilds SET body_file = 'bodies/b1/other.parquet' WHERE report_id = 'r1'"),
]


@pytest.mark.parametrize(("name", "fault"), FAULTS)
def test_a_fault_is_found(sound, name, fault):
    sound.run(fault)
    assert sound.ask(CHECKS[name]) != []


def test_a_report_that_left_its_batch_and_is_held_is_no_fault(sound):
    for table in ("reports", "report_metrics", "rebuilds", "deliveries", "segments"):
        sound.run(f"DELETE FROM {table} WHERE report_id = 'r2'")
    sound.run("UPDATE batches SET n_reports = 2")
    sound.run("UPDATE batch_metrics SET n_absent = 0")
    assert {name: found for name in CHECKS if (found := sound.ask(CHECKS[name]))} == {}


def test_every_check_has_a_fault_here():
    assert {name for name, _ in FAULTS} == set(CHECKS)
