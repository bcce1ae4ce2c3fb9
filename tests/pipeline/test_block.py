"""The block that holds across runs: the knowledge base reads the record back, and refuses by itself."""

import json

import dagster as dg
import duckdb
import pytest
import yaml

from pipelines.cli.main import call
from pipelines.definitions import build_defs
from tests.pipeline.corpus import accepted, broken, sound


def alone(settings, *names: str, batch: str = "b", checks: bool = False) -> dg.ExecuteInProcessResult:
    """Materialise single assets of a batch, as the UI does on a click."""
    from pipelines.home import use_home

    use_home(settings)
    selection = dg.AssetSelection.assets(*names)
    selection = selection if checks else selection.without_checks()
    job = dg.define_asset_job("alone", selection=selection)
    defs = build_defs(settings)
    jobbed = dg.Definitions.merge(defs, dg.Definitions(jobs=[job])).resolve_job_def("alone")
    with dg.DagsterInstance.get() as instance:
        return jobbed.execute_in_process(partition_key=batch, instance=instance, raise_on_error=False)


def refusal(result: dg.ExecuteInProcessResult) -> str:
    [failure] = [e.step_failure_data for e in result.all_events if e.is_step_failure]
    assert failure.user_failure_data is not None, failure.error
    return failure.user_failure_data.description


def shown(settings) -> int:
    from pipelines.resources.warehouse import Warehouse

    with Warehouse(settings.home).read_primary() as reader:
        return reader.query("SELECT count(*) FROM kb_documents").item()


def test_knowledge_base_alone_is_refused_after_a_breach_naming_clause_numbers_and_remedy(run, settings):
    assert run(broken()).exit_code == 1
    said = refusal(alone(settings, "knowledge_base"))
    assert "inbound_rate_p10" in said
    assert "is 0, needs >= 0.60, over 12 reports" in said
    assert "Remedy: mend brief-00" in said
    assert shown(settings) == 0


def test_knowledge_base_alone_is_refused_for_a_batch_that_was_never_evaluated(run, settings):
    run(sound(), ingest=False)
    with duckdb.connect(str(settings.home / "private" / "primary.duckdb")) as connection:
        connection.execute("DELETE FROM contract_results")
    assert "never evaluated" in refusal(alone(settings, "knowledge_base"))


def test_batch_that_passed_and_is_run_again_into_a_breach_disappears(run, settings):
    assert run(sound()).exit_code == 0
    assert shown(settings) == 12
    assert run(broken()).exit_code == 1
    assert shown(settings) == 0
    assert run(sound()).exit_code == 0
    assert shown(settings) == 12


@pytest.mark.parametrize("reloaded", ["reports", "sources"])
def test_input_that_changed_since_the_evaluation_is_refused(run, settings, sources, tmp_path, reloaded):
    run(sound(), ingest=False)
    if reloaded == "reports":
        (tmp_path / "in-b" / "brief-03.md").write_text("# Other\n\nNothing is cited.\n", encoding="utf-8")
    else:
        sources.write_text(
            '{"source_id": "s99", "title": "Another catalogue altogether"}\n', encoding="utf-8"
        )
    assert alone(settings, reloaded).success
    said = refusal(alone(settings, "knowledge_base"))
    assert (
        "changed since the contract was evaluated" in said
        if reloaded == "reports"
        else "another input" in said
    )
    assert shown(settings) == 0


def test_report_that_left_its_batch_leaves_the_knowledge_base_and_is_told_apart(run, settings, capsys):
    run(sound(13))
    assert shown(settings) == 13
    before = (settings.home / "delivered" / "b" / "brief-12.md").read_text("utf-8")
    run(sound(12))
    assert shown(settings) == 12
    with duckdb.connect(str(settings.home / "warehouse.duckdb"), read_only=True) as connection:
        last = connection.execute(
            "SELECT decision, reasons FROM latest_decisions WHERE report_id = 'brief-12'"
        ).fetchone()
        [(gone, when)] = connection.execute(
            "SELECT report_id, strftime(withdrawn_at, '%Y-%m-%dT%H:%M:%SZ') FROM withdrawn_reports"
        ).fetchall()
        assert connection.execute("SELECT count(*) FROM held_reports").fetchall() == [(0,)]
    assert last[0] == "hold"
    assert "no longer part of the batch" in last[1]
    assert gone == "brief-12"
    delivered = (settings.home / "delivered" / "b" / "brief-12.md").read_text("utf-8")
    assert "**Sluicegate audit: withdrawn**" in delivered
    assert f'withdrawn_at: "{when}"' in delivered
    assert "The report enters the knowledge base." not in delivered
    assert delivered.endswith(before.partition("<!-- sluicegate:audit:end -->")[2])
    assert yaml.safe_load(delivered.split("---\n")[1])["id"] == "brief-12"
    assert call(["explain", "brief-12"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "withdrawn 20" in told
    assert "no longer part of the batch" in told
    assert call(["explain", "brief-12", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["withdrawn"][0]["report_id"] == "brief-12"


def test_checks_show_what_is_recorded_with_observed_threshold_and_worst_reports(run, settings):
    run(broken())
    result = alone(settings, "ingestion_decisions", checks=True)
    shown_checks = {e.check_name: e for e in result.get_asset_check_evaluations()}
    inbound = shown_checks["inbound_rate_p10"]
    assert not inbound.passed
    assert inbound.partition == "b"
    assert inbound.severity is dg.AssetCheckSeverity.ERROR
    metadata = {key: value.value for key, value in inbound.metadata.items()}
    assert (metadata["observed"], metadata["threshold"], metadata["n"]) == (0.0, 0.6, 12)
    assert (metadata["clause"], metadata["looks_at"]) == ("inbound_rate_p10", "inbound_rate v3 (rebuilt) P10")
    assert metadata["worst_reports"] == "brief-00, brief-02, brief-04, brief-06, brief-08, brief-10"
    assert shown_checks["audited_share_min"].passed
    assert shown_checks["canonical_rate_p10"].severity is dg.AssetCheckSeverity.WARN


def stricter(tmp_path):
    """A contract that no batch of these tests keeps: every report must cite four works."""
    from importlib.resources import files

    text = files("quality.contract").joinpath("default.toml").read_text("utf-8")
    file = tmp_path / "strict.toml"
    clause = (
        '\n[[clauses]]\nclause = "four_citations"\nmetric = "citation_count"\nversion = "v1"\nstage = "rebuilt"\n'
        'statistic = "min"\noperator = ">="\nthreshold = 4\nevidence = "a test"\n'
    )
    file.write_text(text + clause, encoding="utf-8")
    return file


def test_breach_withdraws_even_when_the_decisions_could_not_be_written(run, settings, tmp_path, monkeypatch):
    import assets.gate

    assert run(sound()).exit_code == 0
    monkeypatch.setattr(assets.gate, "judge", lambda *_: 1 / 0)
    outcome = run(sound(), contract=accepted(settings, stricter(tmp_path)))
    assert (outcome.summary.verdict, outcome.exit_code) == ("breach", 1)
    assert shown(settings) == 0
    [block] = {
        p.read_text("utf-8").split("-->")[1][:60]
        for p in (settings.home / "delivered" / "b").glob("brief-00.md")
    }
    assert "ingest" not in block


def test_what_was_withdrawn_enters_again_only_through_the_knowledge_base_itself(run, settings, tmp_path):
    from quality.contract.load import load_contract

    assert run(sound()).exit_code == 0
    assert run(sound(), contract=accepted(settings, stricter(tmp_path))).exit_code == 1
    default = tmp_path / "default.toml"
    from importlib.resources import files

    default.write_bytes(files("quality.contract").joinpath("default.toml").read_bytes())
    assert load_contract(default).version == load_contract().version
    outcome = run(sound(), contract=str(default), ingest=False)
    assert (outcome.summary.verdict, outcome.summary.to_ingest, shown(settings)) == ("pass", 12, 0)
    assert run(sound()).summary.in_kb == 12


def test_gate_rule_that_is_off_is_said_aloud_and_costs_nothing(run, settings):
    from assets.ports import LineConfig
    from quality.gate.policy import GatePolicy, Rule
    from quality.model import Mode

    line = LineConfig(settings.contract, GatePolicy({Rule.CITED: Mode.OFF, Rule.DUPLICATE_ID: Mode.OFF}))
    outcome = run({**sound(), "plain": "Nothing is cited.\n"}, resource_overrides={"line": line})
    assert outcome.faults == {}
    with duckdb.connect(str(settings.home / "warehouse.duckdb"), read_only=True) as connection:
        [(off,)] = connection.execute("SELECT DISTINCT not_checked FROM ingestion_decisions").fetchall()
        held = connection.execute("SELECT report_id, rules FROM held_reports").fetchall()
    assert off == ["duplicate_id", "cited", "identifiers", "method claims"]
    assert held == [("plain", ["inbound_rate"])]


def test_new_title_of_the_same_body_reaches_the_knowledge_base(run, settings):
    bodies = sound()
    run(bodies)
    bodies["brief-00"] = f"---\ntitle: A better title\n---\n{bodies['brief-00']}"
    run(bodies)
    with duckdb.connect(str(settings.home / "warehouse.duckdb"), read_only=True) as connection:
        found = connection.execute("SELECT title FROM kb_documents WHERE report_id = 'brief-00'").fetchall()
    assert found == [("A better title",)]
