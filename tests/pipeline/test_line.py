"""The whole line on small batches: what passes enters, what breaks is delivered and kept out, and twice is as once."""

import json

import duckdb

from tests.pipeline.corpus import accepted, body, broken, sound

TIMED = {
    "evaluated_at",
    "decided_at",
    "ingested_at",
    "first_used_at",
    "updated_at",
    "data_version",
    "content",
}


def ask(settings, question, params=()):
    with duckdb.connect(str(settings.home / "warehouse.duckdb"), read_only=True) as connection:
        return connection.execute(question, params).fetchall()


def everything(settings):
    """All rows of all tables, without instants."""
    with duckdb.connect(str(settings.home / "warehouse.duckdb"), read_only=True) as connection:
        tables = [
            t
            for (t,) in connection.execute(
                "SELECT table_name FROM duckdb_tables() WHERE NOT internal"
            ).fetchall()
        ]
        rows = {}
        for table in sorted(tables):
            columns = [c for (c, *_) in connection.execute(f"DESCRIBE {table}").fetchall() if c not in TIMED]
            rows[table] = sorted(
                map(repr, connection.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall())
            )
        return rows


def test_sound_batch_passes_and_is_ingested(run, settings):
    outcome = run(sound())
    assert (outcome.faults, outcome.summary.verdict, outcome.exit_code) == ({}, "pass", 0)
    assert ask(settings, "SELECT count(*), count(DISTINCT report_id), min(kind) FROM kb_documents") == [
        (12, 12, "report")
    ]
    assert ask(
        settings, "SELECT DISTINCT decision, gate_outcome, contract_verdict FROM ingestion_decisions"
    ) == [("ingest", "ingest", "pass")]
    rates = ask(
        settings,
        "SELECT DISTINCT stage, value, numerator, denominator FROM report_metrics WHERE metric = 'inbound_rate' AND metric_version = 'v3' ORDER BY stage",
    )
    assert rates == [("rebuilt", 1.0, 3.0, 3.0), ("shadow", 1.0, 3.0, 3.0)]
    assert ask(settings, "SELECT DISTINCT kind, tier FROM rebuilt_entries") == [("canonical", "identifier")]


def test_second_run_leaves_the_same_rows(run, settings):
    run(sound())
    first = everything(settings)
    files = {p: p.read_bytes() for p in (settings.home / "delivered").rglob("*.md")}
    outcome = run(sound())
    assert outcome.exit_code == 0
    assert everything(settings) == first
    assert {p: p.read_bytes() for p in (settings.home / "delivered").rglob("*.md")} == files


def test_breach_is_recorded_delivered_and_kept_out(run, settings):
    outcome = run(broken())
    assert (outcome.faults, outcome.summary.verdict, outcome.exit_code) == ({}, "breach", 1)
    # six of twelve cite nothing that exists: P10 of [0 x 6, 1 x 6] is 0
    assert ask(
        settings,
        "SELECT observed, threshold, n, verdict FROM contract_results WHERE clause = 'inbound_rate_p10'",
    ) == [(0.0, 0.6, 12, "breach")]
    assert ask(settings, "SELECT count(*) FROM kb_documents") == [(0,)]
    decisions = ask(
        settings, "SELECT report_id, decision, gate_outcome FROM ingestion_decisions ORDER BY report_id"
    )
    assert [d for _, d, _ in decisions] == ["hold"] * 12
    assert [g for _, _, g in decisions] == ["hold", "ingest"] * 6
    assert ask(settings, "SELECT verdict FROM batch_contract") == [("breach",)]
    delivered = sorted((settings.home / "delivered" / "b").glob("*.md"))
    assert len(delivered) == 12
    assert all("inbound_rate" in p.read_text(encoding="utf-8") for p in delivered)


def test_reasons_name_rule_passage_line_and_remedy(run, settings):
    run({**sound(11), "lost": body(3, dangling=True)})
    [(reasons,)] = ask(settings, "SELECT reasons FROM held_reports WHERE report_id = 'lost'")
    found = json.loads(reasons)
    inbound = [r for r in found if r["rule"] == "inbound_rate"]
    assert [(r["passage"], r["line"]) for r in inbound] == [("[7]", 3), ("[8]", 3), ("[9]", 4)]
    assert all("add an entry" in r["needed"] for r in inbound)


def test_gate_holds_one_report_of_a_batch_that_passes(run, settings):
    outcome = run({**sound(12), "lost": body(3, dangling=True)})
    # 12 of 13 at 1.0 and one at 0: P10 by interpolation is 1.0 at position 1.2
    assert outcome.summary.verdict == "pass"
    assert ask(settings, "SELECT report_id FROM held_reports") == [("lost",)]
    assert ask(settings, "SELECT count(*) FROM kb_documents WHERE report_id = 'lost'") == [(0,)]
    assert outcome.summary.in_kb == 12


def test_no_ingest_stops_before_the_knowledge_base(run, settings):
    outcome = run(sound(), ingest=False)
    assert (outcome.exit_code, outcome.summary.to_ingest, outcome.summary.in_kb) == (0, 12, 0)
    assert ask(settings, "SELECT count(*) FROM kb_entries") == [(0,)]


def test_batch_without_a_catalogue_is_judged_without_it_and_says_so(run, settings):
    outcome = run(sound(), with_sources=False)
    assert outcome.summary.verdict == "pass"
    assert ask(settings, "SELECT count(*) FROM contract_results WHERE metric = 'canonical_rate'") == [(0,)]
    [(not_checked,)] = ask(settings, "SELECT DISTINCT not_checked FROM ingestion_decisions")
    assert "source catalogue" in not_checked


def test_shadow_log_has_one_line_a_report_and_changes_nothing(run, settings, tmp_path):
    run(broken())
    lines = [
        json.loads(line) for line in (settings.home / "shadow" / "b.jsonl").read_text("utf-8").splitlines()
    ]
    assert [line["report_id"] for line in lines] == sorted(broken())
    assert lines[0]["dangling"] == ["7", "8", "9"]
    for name, content in broken().items():
        assert (tmp_path / "in-b" / f"{name}.md").read_text("utf-8") == content


def test_batch_stays_pinned_to_the_contract_of_its_first_evaluation(run, settings, tmp_path):
    run(sound())
    from importlib.resources import files

    text = files("quality.contract").joinpath("default.toml").read_text("utf-8")
    stricter = tmp_path / "strict.toml"
    stricter.write_text(text.replace("threshold = 0.60", "threshold = 0.70"), encoding="utf-8")
    assert stricter.read_text("utf-8") != text
    [(first,)] = ask(settings, "SELECT contract_version FROM batches")
    run(sound())
    assert ask(settings, "SELECT contract_version FROM batches") == [(first,)]
    version = accepted(settings, stricter)
    run(sound())
    assert ask(settings, "SELECT contract_version FROM batches") == [(first,)]
    run(sound(), contract=version)
    [(repinned,)] = ask(settings, "SELECT contract_version FROM batches")
    assert repinned != first
    assert ask(settings, "SELECT contract_version, verdict FROM batch_contract") == [(repinned, "pass")]
    assert ask(settings, "SELECT count(*) FROM kb_documents") == [(12,)]
