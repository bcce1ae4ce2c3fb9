"""The contract in a whole run: small batches, what Great Expectations said, and which contract is in force."""

import dataclasses
import json
from importlib.resources import files

import pytest

from pipelines.cli.main import call
from pipelines.run import run_batch
from quality.errors import UsageError
from tests.pipeline.corpus import accepted, broken, described, sound, write_reports
from tests.pipeline.test_line import ask

pytestmark = pytest.mark.slow


def contract_file(tmp_path, *changes, name="mine.toml"):
    text = files("quality.contract").joinpath("default.toml").read_text("utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    return file


def test_small_batches_are_judged_together_and_the_members_are_stored(run, settings):
    first = run({f"early-{i}": b for i, b in list(sound().items())[:6]}, batch="b1")
    assert (first.summary.verdict, first.exit_code) == ("unknown", 2)
    second = run({f"late-{i}": b for i, b in list(sound(14).items())[6:11]}, batch="b2")
    assert (second.summary.verdict, second.exit_code) == ("pass", 0)
    assert ask(
        settings,
        "SELECT n, n_window FROM latest_results WHERE batch_id = 'b2' AND clause = 'inbound_rate_p10'",
    ) == [(10, 5)]
    assert ask(
        settings,
        "SELECT DISTINCT batch_id, member_batch_id, count(*) FROM contract_windows WHERE clause = 'inbound_rate_p10' "
        "GROUP BY ALL",
    ) == [("b2", "b1", 5)]

    def clauses(where: str) -> list[tuple[object, ...]]:
        return ask(settings, f"SELECT clause FROM latest_results WHERE batch_id = 'b2' AND {where}")

    # what great expectations said is kept, and a repeated run changes nothing of it
    kept = ask(settings, "SELECT * FROM contract_validations WHERE batch_id = 'b2'")
    said = json.loads(kept[0][4])
    failed = [r for r in said["results"] if not r["success"]]
    assert len(failed) == len(clauses("verdict = 'breach' AND mode = 'record'"))
    assert clauses("verdict <> 'pass' AND mode = 'block'") == []
    assert said["statistics"]["evaluated_expectations"] == len(said["results"]) >= 9
    assert kept[0][3].startswith("great_expectations 1.")
    results = ask(settings, "SELECT count(*) FROM contract_results")
    run({f"late-{i}": b for i, b in list(sound(14).items())[6:11]}, batch="b2")
    assert ask(settings, "SELECT * FROM contract_validations WHERE batch_id = 'b2'") == kept
    assert ask(settings, "SELECT count(*) FROM contract_results") == results


def test_which_contract_judges_and_what_its_result_looks_like(run, settings, tmp_path, capsys):
    """One batch through a whole life: an edited file ignored, breach, its page, a contract refused, one accepted."""
    looser = (
        ("threshold = 0.60", "threshold = 0.0"),
        ("clear_at = 0.70", "clear_at = 0.1"),
        ("threshold = 0.9\n", "threshold = 0.0\n"),
        ("clear_at = 0.92", "clear_at = 0.1"),
    )
    loose = contract_file(tmp_path, *looser)
    pointed = dataclasses.replace(settings, contract_file=loose)
    heard = []
    listener = lambda kind, text: heard.append((kind, text))  # noqa: E731
    reports = write_reports(tmp_path / "in-b", broken())
    batch = described(settings, reports, None, "b")
    outcome = run_batch(pointed, batch, ingest=False, listener=listener)
    first = settings.contract.version
    assert (outcome.exit_code, outcome.summary.contract_version) == (1, first)
    assert [
        text for kind, text in heard if kind == "warning" and "which was not accepted: it is ignored" in text
    ]

    page = tmp_path / "out" / "page.html"
    assert call(["contract", "result", "b", "--html", str(page)]) == 1
    html = page.read_text("utf-8")
    assert "inbound_rate_p10" in html
    assert "brief-00" in html
    assert "expect_column_values_to_be_between" in html
    capsys.readouterr()
    assert call(["contract", "result", "b", "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert (said["verdict"], said["validation"]["success"]) == ("breach", False)
    assert {r["clause"] for r in said["results"] if r["verdict"] == "breach"} >= {
        "inbound_rate_p10",
        "cited_share",
    }

    with pytest.raises(UsageError, match="was never accepted") as refused:
        run_batch(settings, batch, ingest=False, contract=str(loose))
    assert f"sluicegate contract accept {loose}" in refused.value.remedy
    assert ask(settings, "SELECT contract_version, verdict FROM batch_contract") == [(first, "breach")]

    version = accepted(settings, loose)
    question = (
        "SELECT contract_version, why, accepted_at IS NOT NULL FROM contract_versions WHERE why IS NOT NULL"
    )
    assert ask(settings, question) == [(version, "a test needs it", True)]
    heard.clear()
    outcome = run_batch(pointed, batch, ingest=False, contract="accepted", listener=listener)
    assert (outcome.exit_code, outcome.summary.contract_version) == (0, version)
    assert not [text for kind, text in heard if "not accepted" in text]
