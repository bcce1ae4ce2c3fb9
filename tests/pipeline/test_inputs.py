"""Awkward batches: each gives a clear result, one bad report costs one report, nothing passes on zero evidence."""

import json

import duckdb
import pytest

from quality.errors import UsageError
from quality.names import safe_name
from tests.pipeline.corpus import body, described, sound


def ask(settings, question):
    with duckdb.connect(str(settings.home / "warehouse.duckdb"), read_only=True) as connection:
        return connection.execute(question).fetchall()


def test_empty_batch_breaks_the_row_count_floor(run, settings):
    outcome = run({})
    assert (outcome.summary.status, outcome.summary.verdict, outcome.exit_code) == ("empty", "breach", 1)
    rows = ask(
        settings, "SELECT clause, verdict FROM contract_results WHERE mode = 'block' ORDER BY result_id"
    )
    assert rows[0] == ("row_count", "breach")
    assert {verdict for _, verdict in rows[1:]} == {"unknown"}
    assert ask(settings, "SELECT count(*) FROM ingestion_decisions") == [(0,)]


def test_one_report_is_too_few_to_judge(run, settings):
    outcome = run(sound(1))
    assert (outcome.summary.verdict, outcome.exit_code) == ("unknown", 2)
    assert outcome.summary.delivered == 1
    assert ask(settings, "SELECT decision, gate_outcome FROM ingestion_decisions") == [("hold", "ingest")]
    [(reason,)] = ask(settings, "SELECT reason FROM contract_results WHERE clause = 'inbound_rate_p10'")
    assert "1 report measured, needs 10" in reason


def test_report_without_citations_is_absent_and_never_passes(run, settings):
    outcome = run({**sound(12), "plain": "# Plain\n\nNothing is cited here.\n"})
    assert outcome.summary.verdict == "pass"
    assert ask(
        settings,
        "SELECT stage, value, validity FROM report_metrics WHERE report_id = 'plain' AND metric = 'inbound_rate' AND metric_version = 'v3' ORDER BY stage",
    ) == [
        ("rebuilt", None, "absent"),
        ("shadow", None, "absent"),
    ]
    assert ask(settings, "SELECT report_id, rules FROM held_reports") == [("plain", ["cited"])]


def test_unreadable_reports_cost_themselves(run, settings):
    bad = {"latin": "Caf\u00e9 [1].".encode("latin-1"), "pdf": b"%PDF-1.7 \x00\x01"}
    outcome = run({**sound(20), **bad})
    assert (outcome.summary.status, outcome.summary.verdict, outcome.summary.n_unreadable) == (
        "partial",
        "pass",
        2,
    )
    assert ask(settings, "SELECT report_id, reason FROM reports WHERE status = 'unreadable' ORDER BY 1") == [
        ("latin", "not_utf8"),
        ("pdf", "not_text"),
    ]
    assert ask(settings, "SELECT report_id FROM held_reports ORDER BY 1") == [("latin",), ("pdf",)]
    folder = settings.home / "delivered" / "b"
    assert (folder / "latin.original").read_bytes() == bad["latin"]
    assert "hold" in (folder / "latin.audit.md").read_text("utf-8")
    validity = ask(settings, "SELECT DISTINCT validity FROM report_metrics WHERE report_id = 'pdf'")
    assert validity == [("unknown",)]


def test_batch_in_which_nothing_can_be_read_is_unknown_not_fine(run, settings):
    outcome = run({f"r{i:02}": b"\xff\xfe\x00broken" for i in range(12)})
    assert outcome.summary.status == "failed"
    assert outcome.exit_code != 0
    assert outcome.summary.delivered == 12
    assert ask(settings, "SELECT count(*) FROM kb_documents") == [(0,)]


def test_ids_that_climb_quote_and_repeat_are_kept_verbatim_and_stay_inside(run, settings, tmp_path):
    ids = [
        "../../evil",
        "..",
        "/etc/cron.d/x",
        "r1'); DROP TABLE report_metrics; --",
        'r"2',
        "отчёт-1",
        "a b",
        "same",
        "same",
    ]
    file = tmp_path / "hostile.jsonl"
    rows = [{"id": i, "body": body(n)} for n, i in enumerate(ids)] + [
        {"id": f"ok{n}", "body": body(n)} for n in range(4)
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    from pipelines.run import run_batch

    outcome = run_batch(settings, described(settings, file, None, "../hostile '\"; batch"))
    assert (outcome.faults, outcome.summary.verdict) == ({}, "pass")
    stored = {i for (i,) in ask(settings, "SELECT report_id FROM reports")}
    assert stored == {*ids, "same~2", "ok0", "ok1", "ok2", "ok3"}
    assert ask(settings, "SELECT report_id, rules FROM held_reports") == [("same~2", ["duplicate_id"])]
    folder = settings.home / "delivered" / safe_name("../hostile '\"; batch")
    assert len(list(folder.glob("*.md"))) == len(rows)
    assert {p.name for p in settings.home.iterdir()} <= {
        "batches", "bodies", "dagster", "delivered", "inbox", "private", "published", "shadow", "warehouse.duckdb",
            "dashboard.html",
    }  # fmt: skip
    assert not (settings.home.parent / "evil.md").exists()


def test_path_that_does_not_exist_is_a_usage_error(settings, tmp_path):
    with pytest.raises(UsageError, match="does not exist"):
        described(settings, tmp_path / "nowhere", None, "b")
