"""Delivery that nothing can stop."""

import dagster as dg
import duckdb

import assets.shadow_audit
from pipelines.finish import end_of_run
from pipelines.resources.warehouse import Warehouse
from quality.delivery.envelope import split
from tests.pipeline.corpus import body, sound


def delivered(settings, batch="b"):
    return sorted((settings.home / "delivered" / batch).glob("*.md"))


def test_when_the_audit_raises_every_report_goes_out_with_its_bytes_and_says_incomplete(
    run, settings, monkeypatch
):
    def boom(*_: object) -> None:
        raise OSError("the disk is on fire")

    monkeypatch.setattr(assets.shadow_audit, "load_index", boom)
    bodies = {
        **sound(3),
        "crlf": body(4).replace("\n", "\r\n"),
        "matter": "---\ntitle: Kept\n---\n" + body(5),
    }
    outcome = run(bodies)
    assert (outcome.exit_code, outcome.summary.verdict) == (2, None)
    assert "the disk is on fire" in outcome.faults["shadow_audit"]
    files = delivered(settings)
    assert [f.stem for f in files] == sorted(bodies)
    for file in files:
        head, rest = split(file.read_bytes().decode())
        assert "verification incomplete" in head
        assert "the disk is on fire" in head
        assert rest == bodies[file.stem]
        assert (file.parent / "original" / file.name).read_bytes() == bodies[file.stem].encode()
    with duckdb.connect(str(settings.home / "warehouse.duckdb"), read_only=True) as connection:
        assert connection.execute("SELECT DISTINCT state, body_used FROM deliveries").fetchall() == [
            ("incomplete", "original")
        ]
        assert connection.execute("SELECT count(*) FROM kb_documents").fetchall() == [(0,)]


def test_the_dashboard_is_written_after_a_run_that_failed_too(run, settings, monkeypatch):
    monkeypatch.setattr(assets.shadow_audit, "load_index", lambda *_: 1 / 0)
    assert run(sound()).exit_code == 2
    page = (settings.home / "dashboard.html").read_text("utf-8")
    assert "No verdict yet" in page
    assert "12 were delivered; nothing of it enters the knowledge base." in page
    monkeypatch.undo()
    assert run(sound()).exit_code == 0
    page = (settings.home / "dashboard.html").read_text("utf-8")
    assert "12 of 12 reports are in the knowledge base." in page


def test_a_page_that_cannot_be_drawn_stops_nothing_and_is_said(run, settings, monkeypatch):
    import pipelines.dashboard.publish

    monkeypatch.setattr(pipelines.dashboard.publish, "render", lambda *_, **__: 1 / 0)
    outcome = run(sound())
    assert outcome.summary.in_kb == 12
    assert outcome.faults == {"dashboard": "ZeroDivisionError: division by zero"}
    assert (settings.home / "warehouse.duckdb").is_file()


def test_the_next_run_replaces_incomplete_deliveries(run, settings, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(assets.shadow_audit, "load_index", lambda *_: 1 / 0)
        assert run(sound()).exit_code == 2
    assert run(sound()).exit_code == 0
    assert all("verification incomplete" not in f.read_text("utf-8") for f in delivered(settings))
    with duckdb.connect(str(settings.home / "warehouse.duckdb"), read_only=True) as connection:
        assert connection.execute("SELECT DISTINCT state FROM deliveries").fetchall() == [("final",)]


def test_a_failed_run_again_does_not_take_a_finished_delivery_back(run, settings, monkeypatch):
    run(sound())
    before = {f: f.read_bytes() for f in delivered(settings)}
    monkeypatch.setattr(assets.shadow_audit, "load_index", lambda *_: 1 / 0)
    run(sound())
    assert {f: f.read_bytes() for f in delivered(settings)} == before


def test_reports_go_out_even_while_another_process_holds_the_warehouse(run, settings, tmp_path):
    run(sound(2))
    other = Warehouse(settings.home)
    (tmp_path / "in-b" / "new.md").write_text(body(9), encoding="utf-8")
    blocked = Warehouse(settings.home, lock_wait=0.2)
    with other.write("a long import"):
        faults = end_of_run(blocked, ["b"], failure="reports: the warehouse is held")
    assert "a long import" in faults["deliver b"]
    assert (settings.home / "delivered" / "b" / "new.md").read_text("utf-8").endswith(body(9))


def test_block_waits_for_the_decision_and_the_body_is_never_rewritten(run, settings):
    outcome = run(sound(), ingest=False)
    assert outcome.exit_code == 0
    for file in delivered(settings):
        head, rest = split(file.read_text("utf-8"))
        assert "decision pending" not in head
        assert "state: ingest" in head
        assert rest.startswith("# Estuary brief")


def test_delivery_does_not_wait_for_gate_or_contract(settings):
    from pipelines.definitions import build_defs

    graph = build_defs(settings).resolve_asset_graph()
    ancestors = {k.to_user_string() for k in graph.get_ancestor_asset_keys(dg.AssetKey("delivered_reports"))}
    assert ancestors == {
        "drafts",
        "reports",
        "sources",
        "shadow_audit",
        "rebuilt_references",
        "rebuilt_audit",
    }
    children = {k.to_user_string() for k in graph.get(dg.AssetKey("ingestion_decisions")).child_keys}
    assert children == {"knowledge_base"}


def test_rebuild_that_raises_costs_one_report(run, settings, monkeypatch):
    import assets.references

    real = assets.references.rebuild

    def picky(report, *args, **kwargs):
        if report.report_id == "brief-04":
            raise ValueError("no")
        return real(report, *args, **kwargs)

    monkeypatch.setattr(assets.references, "rebuild", picky)
    outcome = run(sound())
    assert outcome.summary.verdict == "pass"
    with duckdb.connect(str(settings.home / "warehouse.duckdb"), read_only=True) as connection:
        held = connection.execute("SELECT report_id FROM held_reports").fetchall()
        unknown = connection.execute(
            "SELECT DISTINCT report_id FROM report_metrics WHERE stage = 'rebuilt' AND validity = 'unknown'"
        ).fetchall()
        path = connection.execute("SELECT path, reason FROM rebuilds WHERE report_id = 'brief-04'").fetchone()
    assert held == unknown == [("brief-04",)]
    assert path == ("failed", "fault in the rebuild: ValueError: no")
    _, rest = split((settings.home / "delivered" / "b" / "brief-04.md").read_text("utf-8"))
    assert rest == body(4)
