"""What the views show: each rule with the case that it must not show."""

import polars as pl
import pytest

import sql.loader
from sql.dictionary import described

REASONS = (
    '[{"rule":"inbound_rate","mode":"block","observed":"0.2","needed":"0.5","passage":null,"line":null}]'
)
LEFT = REASONS.replace("inbound_rate", "left_batch")


@pytest.mark.parametrize("view", sql.loader.views(), ids=lambda view: view.name)
class TestHeaders:
    def test_columns_are_those_of_the_view_in_order(self, view):
        assert tuple(view.columns) == tuple(column.name for column in described()[view.name].columns)

    def test_facts_hold_on_rows(self, view, store):
        fill(store)
        rows = store.ask(f"FROM {view.name}")
        assert rows
        for column in view.listed("not_null"):
            assert [r for r in rows if r[column] is None] == []
        key = view.listed("unique")
        assert key
        assert len({tuple(r[c] for c in key) for r in rows}) == len(rows)


def fill(store):
    """One batch with one report in every table, and one with a held report."""
    body = {"report_id": ["r1"] * 2, "stage": ["shadow", "rebuilt"], "body": ["text"] * 2}
    file = store.warehouse.write_bodies("b1", pl.DataFrame(body))
    for batch in ("b1", "b2"):
        store.put("batches", {"batch_id": batch})
        store.put("reports", {"batch_id": batch, "body_file": file})
        store.put("report_metrics", {"batch_id": batch, "value": 0.5})
        store.put("batch_metrics", {"batch_id": batch})
        store.put("rebuilds", {"batch_id": batch})
        store.put("deliveries", {"batch_id": batch})
        for clause in ("inbound_p10", "cited"):
            store.put("contract_results", {"batch_id": batch, "clause": clause})
    store.put("ingestion_decisions", {}, {"batch_id": "b2", "decision": "hold", "reasons": REASONS})
    store.put("kb_entries", {"body_file": file})
    store.put("releases")
    texts = {"report_id": ["q1", "c1"], "stage": ["draft", "llm_call"], "body": ["A draft.", "An answer."]}
    drafted = store.warehouse.write_bodies("b1", pl.DataFrame(texts))
    store.put("drafts", {"body_file": drafted})
    store.put("llm_calls", {"text_file": drafted})
    store.put("alert_states", {}, {"state": "sent"})
    store.put("ingestion_decisions", {"report_id": "gone", "decision": "hold", "reasons": LEFT})


def verdict(store):
    return [row["verdict"] for row in store.ask("FROM batch_contract WHERE batch_id = 'b1'")]


class TestBatchContract:
    @pytest.mark.parametrize(
        ("clauses", "expected"),
        [
            ([("block", "pass"), ("block", "pass")], "pass"),
            ([("block", "pass"), ("block", "unknown")], "unknown"),
            ([("block", "unknown"), ("block", "breach")], "breach"),
            ([("block", "pass"), ("record", "breach"), ("record", "unknown")], "pass"),
            ([("block", "pass"), ("off", "unknown")], "pass"),
        ],
    )
    def test_a_breach_outweighs_an_unknown_outweighs_a_pass(self, store, clauses, expected):
        rows = [{"clause": f"k{i}", "mode": m, "verdict": v} for i, (m, v) in enumerate(clauses)]
        store.put("contract_results", *rows)
        (row,) = store.ask("FROM batch_contract")
        assert row["verdict"] == expected
        assert row["n_clauses"] == len(clauses)
        assert row["n_breach"] == sum(c == ("block", "breach") for c in clauses)
        assert row["clauses_breached"] == [f"k{i}" for i, c in enumerate(clauses) if c == ("block", "breach")]
        assert row["clauses_unknown"] == [f"k{i}" for i, c in enumerate(clauses) if c == ("block", "unknown")]
        recorded = [f"k{i}" for i, (m, v) in enumerate(clauses) if m == "record" and v != "pass"]
        assert row["clauses_recorded"] == recorded

    def test_a_batch_without_results_has_no_row(self, store):
        store.put("batches")
        assert verdict(store) == []

    def test_the_latest_result_of_a_clause_stands(self, store):
        store.put("contract_results", {"verdict": "breach"}, {"verdict": "pass"})
        assert verdict(store) == ["pass"]
        store.put("contract_results", {"verdict": "unknown"})
        assert verdict(store) == ["unknown"]

    def test_results_about_an_earlier_state_of_the_batch_do_not_count(self, store):
        store.put("contract_results", {"clause": "old", "verdict": "breach"})
        store.put("contract_results", {"clause": "new", "batch_fingerprint": "bf2"})
        assert verdict(store) == ["pass"]

    def test_results_under_another_contract_version_do_not_count(self, store):
        store.put("contract_results", {"clause": "dropped", "verdict": "breach"})
        store.put("contract_results", {"clause": "kept", "contract_version": "c2"})
        assert verdict(store) == ["pass"]
        assert store.ask("SELECT contract_version AS v FROM batch_contract") == [{"v": "c2"}]

    def test_batches_do_not_mix(self, store):
        store.put("contract_results", {"verdict": "breach"}, {"batch_id": "b2"})
        rows = store.ask("SELECT batch_id, verdict FROM batch_contract ORDER BY 1")
        assert [(r["batch_id"], r["verdict"]) for r in rows] == [("b1", "breach"), ("b2", "pass")]


class TestBatchTrend:
    def test_each_version_has_its_own_row_and_only_its_own_threshold(self, store):
        store.put("batches")
        store.put("batch_metrics", {}, {"metric_version": "v1", "value": 0.3})
        store.put("contract_results")
        rows = store.ask("SELECT metric_version, value, threshold, verdict FROM batch_trend ORDER BY 1")
        assert [tuple(r.values()) for r in rows] == [("v1", 0.3, None, None), ("v3", 0.9, 0.6, "pass")]

    def test_two_clauses_on_one_statistic_make_one_row_with_the_blocking_one(self, store):
        store.put("batch_metrics")
        store.put(
            "contract_results",
            {"clause": "a_shown", "mode": "record", "threshold": 0.8},
            {"clause": "b_blocking", "mode": "block", "threshold": 0.6},
        )
        (row,) = store.ask("FROM batch_trend")
        assert (row["clause"], row["threshold"]) == ("b_blocking", 0.6)


class TestDecisions:
    def test_the_latest_decision_stands(self, store):
        store.put("ingestion_decisions", {}, {"decision": "hold", "reasons": REASONS}, {})
        rows = store.ask("SELECT decision_id, decision FROM latest_decisions")
        assert rows == [{"decision_id": 3, "decision": "ingest"}]

    def test_held_reports_name_their_rules(self, store):
        store.put("reports", {"title": "T"}, {"report_id": "r2"})
        both = REASONS[:-1] + "," + REASONS[1:-1].replace("inbound_rate", "contract") + "," + REASONS[1:]
        store.put("ingestion_decisions", {"decision": "hold", "reasons": both}, {"report_id": "r2"})
        (row,) = store.ask("FROM held_reports")
        assert (row["report_id"], row["title"]) == ("r1", "T")
        assert row["rules"] == ["contract", "inbound_rate"]

    def test_a_report_that_was_held_once_is_not_held(self, store):
        store.put("reports")
        store.put("ingestion_decisions", {"decision": "hold", "reasons": REASONS}, {})
        assert store.ask("FROM held_reports") == []

    def test_a_report_that_left_the_batch_stays_visible_as_held(self, store):
        store.put("ingestion_decisions", {"decision": "hold", "reasons": REASONS})
        assert [(r["report_id"], r["title"]) for r in store.ask("FROM held_reports")] == [("r1", None)]


class TestKnowledgeBase:
    def test_shows_what_was_ingested_and_still_stands(self, store):
        store.put("kb_entries")
        store.put("ingestion_decisions")
        assert [r["document_id"] for r in store.ask("FROM kb_documents")] == ["b1/r1"]

    def test_shows_nothing_without_a_decision(self, store):
        store.put("kb_entries")
        assert store.ask("FROM kb_documents") == []

    def test_a_later_hold_withdraws_and_a_later_ingest_brings_back(self, store):
        store.put("kb_entries")
        store.put("ingestion_decisions", {}, {"decision": "hold", "reasons": REASONS})
        assert store.ask("FROM kb_documents") == []
        store.put("ingestion_decisions", {})
        assert len(store.ask("FROM kb_documents")) == 1

    def test_a_decision_about_another_input_does_not_let_the_old_document_in(self, store):
        store.put("kb_entries")
        store.put("ingestion_decisions", {"input_fingerprint": "f2"})
        assert store.ask("FROM kb_documents") == []

    def test_keeps_the_text_that_was_ingested_while_the_report_moves_on(self, store):
        ingested = store.warehouse.write_bodies("b1", frame("r1", "rebuilt", "ingested"))
        newer = store.warehouse.write_bodies("b1", frame("r1", "rebuilt", "newer"))
        store.put("kb_entries", {"body_file": ingested})
        store.put("rebuilds", {"body_file": newer})
        store.put("ingestion_decisions")
        assert [r["body"] for r in store.ask("FROM kb_bodies")] == ["ingested"]
        store.put("ingestion_decisions", {"decision": "hold", "reasons": REASONS})
        assert store.ask("FROM kb_bodies") == []


class TestScorecard:
    def test_puts_the_numbers_of_both_stages_into_one_row(self, store):
        store.put("reports", {"title": "T", "producer": "P", "language": "en"})
        metrics = [
            ("shadow", "inbound_rate", "v3", 0.4),
            ("shadow", "inbound_rate", "v1", 0.2),
            ("rebuilt", "inbound_rate", "v3", 1.0),
            ("shadow", "cited", "v1", 0.0),
            ("rebuilt", "cited", "v1", 1.0),
            ("shadow", "dirty_entries", "v1", 3.0),
            ("rebuilt", "dirty_entries", "v1", 0.0),
            ("shadow", "citation_count", "v1", 5.0),
            ("rebuilt", "citation_count", "v1", 6.0),
        ]
        rows = [dict(zip(("stage", "metric", "metric_version", "value"), m, strict=True)) for m in metrics]
        store.put("report_metrics", *rows)
        store.put("rebuilds")
        store.put("deliveries")
        store.put("ingestion_decisions")
        store.put("kb_entries")
        (row,) = store.ask("FROM report_scorecard")
        assert row == {
            "batch_id": "b1",
            "report_id": "r1",
            "title": "T",
            "producer": "P",
            "language": "en",
            "status": "read",
            "citations": 5,
            "inbound_rate_shadow": 0.4,
            "inbound_rate_rebuilt": 1.0,
            "cited": 1,
            "dirty_entries_shadow": 3,
            "dirty_entries_rebuilt": 0,
            "rebuild_path": "rebuilt",
            "entries_before": 4,
            "entries_after": 5,
            "dangling_after": 0,
            "decision": "ingest",
            "rules": [],
            "would_hold": [],
            "in_knowledge_base": True,
            "delivered_file": "delivered/b1/r1.md",
            "delivery_state": "final",
        }

    def test_a_report_that_could_not_be_read_still_has_its_row(self, store):
        store.put("reports", {"status": "unreadable", "body_chars": None})
        (row,) = store.ask("FROM report_scorecard")
        assert (row["status"], row["inbound_rate_shadow"], row["decision"]) == ("unreadable", None, None)
        assert row["in_knowledge_base"] is False


class TestBodies:
    def test_shows_the_live_text_of_each_stage(self, store):
        old = store.warehouse.write_bodies("b1", frame("r1", "shadow", "old"))
        new = store.warehouse.write_bodies("b1", frame("r1", "shadow", "new"))
        rebuilt = store.warehouse.write_bodies("b1", frame("r1", "rebuilt", "better"))
        assert old != new
        store.put("reports", {"body_file": new})
        store.put("rebuilds", {"body_file": rebuilt})
        rows = store.ask("SELECT stage, body FROM report_bodies ORDER BY stage")
        assert [(r["stage"], r["body"]) for r in rows] == [("rebuilt", "better"), ("shadow", "new")]

    def test_is_valid_while_there_is_no_text_at_all(self, store):
        assert store.ask("FROM report_bodies") == []

    def test_two_batches_with_one_text_each_have_their_row(self, store):
        for batch in ("b1", "b2"):
            file = store.warehouse.write_bodies(batch, frame("r1", "shadow", "same"))
            store.put("reports", {"batch_id": batch, "body_file": file})
        rows = store.ask("SELECT batch_id, body FROM report_bodies ORDER BY 1")
        assert [(r["batch_id"], r["body"]) for r in rows] == [("b1", "same"), ("b2", "same")]


def frame(report, stage, body):
    return pl.DataFrame({"report_id": [report], "stage": [stage], "body": [body]})


class TestBatchBeforeAfter:
    def test_versions_paths_and_dirt_stand_apart(self, store):
        store.put("batches", {"n_reports": 5})
        figures = [
            ("v1", "shadow", "p50", 0.32, 4),
            ("v2", "shadow", "p50", 0.45, 4),
            ("v3", "shadow", "p50", 0.4, 4),
            ("v3", "shadow", "p10", 0.1, 4),
            ("v3", "rebuilt", "p50", 1.0, 5),
            ("v3", "rebuilt", "p10", 0.9, 5),
        ]
        names = ("metric_version", "stage", "statistic", "value", "n")
        store.put("batch_metrics", *(dict(zip(names, row, strict=True)) for row in figures))
        few = "fewer than three citations and none to merge in"
        twice = "its list gives one label to two works"
        store.put(
            "rebuilds",
            {"report_id": "r1", "reason": "5 entries from the citations of the body"},
            {"report_id": "r2", "path": "merged", "reason": "fewer than three citations: 1 merged in"},
            {"report_id": "r3", "path": "left", "reason": f"{twice}: 2"},
            {"report_id": "r4", "path": "left", "reason": f"{twice}: 7, 9"},
            {"report_id": "r5", "path": "left", "reason": few},
        )
        for stage, ordinal, reasons in (("shadow", 0, "['pipe']"), ("shadow", 1, "[]"), ("rebuilt", 0, "[]")):
            store.run(
                "INSERT INTO reference_entries BY NAME SELECT 'b1' AS batch_id, 'r1' AS report_id,"
                f" '{stage}' AS stage, {ordinal} AS ordinal, 0 AS scope, 'x' AS text, [] AS identifiers,"
                f" 'body' AS origin, true AS cited, {reasons}::VARCHAR[] AS dirty_reasons"
            )
        (row,) = store.ask("FROM batch_before_after")
        told = [row[f"inbound_p50_{v}_{when}"] for v in ("v1", "v2", "v3") for when in ("before", "after")]
        assert told == [0.32, None, 0.45, None, 0.4, 1.0]
        assert (row["inbound_p10_v3_before"], row["inbound_p10_v3_after"]) == (0.1, 0.9)
        assert (row["inbound_n_before"], row["inbound_n_after"]) == (4, 5)
        assert [row[f"reports_{p}"] for p in ("rebuilt", "merged", "left", "failed")] == [1, 1, 3, 0]
        assert row["left_because"] == [
            {"path": "left", "reason": twice, "reports": 2},
            {"path": "left", "reason": few, "reports": 1},
            {"path": "merged", "reason": "fewer than three citations", "reports": 1},
        ]
        assert [row[c] for c in ("dirty_before", "entries_before", "dirty_after", "entries_after")] == [
            1,
            2,
            0,
            1,
        ]

    def test_a_batch_that_was_only_loaded_has_nothing_to_compare(self, store):
        store.put("batches")
        (row,) = store.ask("FROM batch_before_after")
        assert (row["inbound_p50_v3_before"], row["reports_rebuilt"], row["left_because"]) == (None, 0, [])


class TestPeople:
    def test_standing_releases_are_the_latest_word_on_each_input(self, store):
        store.put(
            "releases",
            {"input_fingerprint": "f1"},
            {"input_fingerprint": "f1", "action": "withdraw"},
            {"input_fingerprint": "f2", "why": "first"},
            {"input_fingerprint": "f2", "why": "second"},
        )
        rows = store.ask("SELECT input_fingerprint, why FROM standing_releases")
        assert rows == [{"input_fingerprint": "f2", "why": "second"}]

    def test_alerts_show_the_latest_state(self, store):
        store.put("alert_states", {}, {"state": "sent", "attempts": 1}, {"alert_id": "breach/b2"})
        rows = store.ask("SELECT alert_id, state, attempts FROM alerts ORDER BY 1")
        assert rows == [
            {"alert_id": "breach/b1", "state": "sent", "attempts": 1},
            {"alert_id": "breach/b2", "state": "pending", "attempts": 0},
        ]


class TestWithdrawnReports:
    def test_a_report_that_left_and_one_that_came_back(self, store):
        store.put("batches")
        store.put("reports", {"report_id": "back"}, {"report_id": "held"})
        gone = {"decision": "hold", "reasons": LEFT}
        held = {"report_id": "held", "decision": "hold", "reasons": REASONS}
        store.put("ingestion_decisions", {"report_id": "gone", **gone}, {"report_id": "back", **gone}, held)
        assert [r["report_id"] for r in store.ask("FROM withdrawn_reports")] == ["gone"]
        assert [r["report_id"] for r in store.ask("FROM held_reports")] == ["held"]
