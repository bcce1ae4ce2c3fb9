"""The cookbook: each question runs, and answers what a person would."""

import polars as pl
import pytest

import sql.loader

QUERIES = {query.name: query.text for query in sql.loader.queries()}
REASON = '{"rule":"inbound_rate","mode":"block","observed":"0.2","needed":"0.5","passage":"[9]","line":4}'


@pytest.fixture
def told(store):
    """One batch with a report that was ingested and one that is held."""
    rows = [("r1", "rebuilt", "Of sediment and sand."), ("r2", "rebuilt", "Of nothing.")]
    texts = pl.DataFrame(rows, schema=["report_id", "stage", "body"], orient="row")
    file = store.warehouse.write_bodies(
        "b1", pl.DataFrame(texts, schema=["report_id", "stage", "body"], orient="row")
    )
    store.put("batches", {"n_reports": 2, "snapshot_id": "s1"})
    store.put("reports", {"producer": "P", "title": "One"}, {"report_id": "r2", "title": "Two"})
    numbers = [
        ("r1", "shadow", "inbound_rate", 0.5),
        ("r1", "rebuilt", "inbound_rate", 1.0),
        ("r2", "shadow", "inbound_rate", 0.2),
        ("r2", "rebuilt", "inbound_rate", 0.3),
    ]
    rows = [dict(zip(("report_id", "stage", "metric", "value"), n, strict=True)) for n in numbers]
    dirt = [
        {**r, "metric": "dirty_entries", "metric_version": "v1", "value": 2.0}
        for r in rows
        if r["stage"] == "shadow"
    ]
    store.put("report_metrics", *rows, *dirt, {"metric": "cited", "validity": "unknown", "detail": "fault"})
    store.put("batch_metrics", {"value": 0.3})
    store.put("contract_results", {"observed": 0.3, "verdict": "pass"})
    store.put("rebuilds", {"body_file": file}, {"report_id": "r2", "body_file": file})
    store.put("deliveries", {}, {"report_id": "r2"})
    store.put(
        "ingestion_decisions",
        {},
        {"report_id": "r2"},
        {"report_id": "r2", "decision": "hold", "reasons": f"[{REASON}]"},
    )
    store.put("kb_entries", {"body_file": file})
    common = "'b1', 'r2', 'rebuilt', 0"
    store.run(
        f"INSERT INTO cited_keys VALUES ({common}, '9', 'label', 'bracket', 0, 3, 17, NULL, false, NULL)"
    )
    store.run(
        "INSERT INTO reference_entries BY NAME SELECT 'b1' AS batch_id, 'r2' AS report_id, 'shadow' AS stage,"
        " 0 AS ordinal, 0 AS scope, '[1] | x' AS text, [] AS identifiers, 'body' AS origin, true AS cited,"
        " ['pipe', 'empty'] AS dirty_reasons"
    )
    store.run(
        "INSERT INTO sources BY NAME"
        " SELECT 's1' AS snapshot_id, 'w1' AS source_id, 'Work' AS title, 0 AS text_chars"
    )
    store.run(
        "INSERT INTO resolutions VALUES"
        " ('b1', 'r1', 'shadow', 'citation', 0, 'Work', 'resolved', 'exact', 'w1', 1, []),"
        " ('b1', 'r2', 'shadow', 'citation', 0, 'Wor', 'suggested', 'contained', NULL, 0.7, ['w1'])"
    )
    store.run(
        "INSERT INTO cited_keys VALUES ('b1', 'r2', 'shadow', 0, 'T', 'title', 'title', 0, 1, 0, NULL, false, NULL)"
    )
    versions = [{"report_id": "r2", "metric_version": v, "value": x} for v, x in (("v1", 0.0), ("v2", 0.45))]
    store.put("report_metrics", *versions)
    store.put("drafts")
    return store


ANSWERS = {
    "01_verdicts": {"batch_id": "b1", "verdict": "pass", "delivered": 2, "in_knowledge_base": 1, "held": 1},
    "02_before_and_after": {
        "reports": 2,
        "inbound_p50_before": None,
        "inbound_p10_after": 0.3,
        "reports_rebuilt": 2,
        "dirty_before": "1 of 1",
    },
    "03_why_held": {"report_id": "r2", "rule": "inbound_rate", "needed": "0.5", "passage": "[9]", "line": 4},
    "04_rules_that_hold": {"rule": "inbound_rate", "reports": 1, "batches": 1},
    "05_worst_reports": {"report_id": "r2", "inbound_rate_shadow": 0.2},
    "06_dangling_citations": {"report_id": "r2", "key": "9", "occurrences": 3, "first_offset": 17},
    "07_dirty_entries": {"stage": "shadow", "reason": "empty", "entries": 1, "example": "[1] | x"},
    "08_trend": {"batch_id": "b1", "statistic": "p10", "value": 0.3, "threshold": 0.6},
    "09_most_cited_sources": {"source_id": "w1", "title": "Work", "reports": 1},
    "10_unknown": {"metric": "cited", "detail": "fault", "reports": 1},
    "11_producers": {"producer": "P", "reports": 1, "inbound_p50": 0.5, "ingested_share": 1.0},
    "12_what_changed": {"report_id": "r2", "decision": "hold", "previous": "ingest"},
    "13_search_bodies": {"document_id": "b1/r1", "characters": 21},
    "15_which_version": {"stage": "shadow", "v1_exact": 0.0, "v2_containment": 0.45, "v3_safe_tiers": 0.2},
    "14_suggestions": {"report_id": "r2", "best_candidate": "w1", "title": "Work", "score": 0.7},
    "20_drafts": {
        "lead_id": "q1",
        "end_state": "cap_reached",
        "n_rounds": 4,
        "open_rules": "no_evidence, unsupported",
    },
}


def test_every_query_has_an_answer_here():
    assert set(ANSWERS) == set(QUERIES)
    assert len(QUERIES) >= 10


@pytest.mark.parametrize("name", QUERIES)
def test_the_first_row_answers_the_question(told, name):
    first = told.ask(QUERIES[name])[0]
    assert {key: first[key] for key in ANSWERS[name]} == pytest.approx(ANSWERS[name])


@pytest.mark.parametrize("name", QUERIES)
def test_an_empty_warehouse_has_no_answer(store, name):
    assert store.ask(QUERIES[name]) == []
