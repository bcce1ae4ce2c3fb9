"""``sluicegate contract``: what is in force, comparing, accepting, and that nothing else changes it."""

import json
from importlib.resources import files

import pytest

from pipelines.cli.main import call
from quality.contract.load import load_contract
from tests.unit.pipelines.cli.measured import put_batch


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.delenv("SLUICEGATE_HOME", raising=False)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sluicegate.toml").write_text('[contract]\nfile = "mine.toml"\n', encoding="utf-8")
    write(tmp_path / "mine.toml", ("threshold = 0.60", "threshold = 0.65"))
    return tmp_path


def write(file, *changes):
    text = files("quality.contract").joinpath("default.toml").read_text("utf-8")
    for old, new in (('name = "default"', 'name = "ours"'), *changes):
        assert old in text
        text = text.replace(old, new)
    file.write_text(text, encoding="utf-8")


def told(capsys, *arguments):
    code = call(["contract", *arguments])
    return code, capsys.readouterr()


def answer(capsys, *arguments):
    code, said = told(capsys, *arguments, "--json")
    assert code == 0
    return json.loads(said.out)


def accept(capsys, file="mine.toml", who="A. Person", why="measured on forty reports"):
    return told(capsys, "accept", file, "--who", who, "--why", why)


def test_what_ships_is_in_force_until_something_is_accepted(capsys):
    found = answer(capsys, "show")
    assert (found["version"], found["in_force"]) == (load_contract().version, True)
    assert found["approved_by"] == "The Sluicegate developers"
    assert "which was not accepted: it is ignored" in found["notice"]
    assert "sluicegate contract accept" in found["notice"]


def test_accepting_puts_a_file_in_force_with_who_and_why(capsys, here):
    code, said = accept(capsys)
    assert code == 0
    assert "is in force for new batches, accepted by A. Person" in said.out
    found = answer(capsys, "show")
    assert found["version"] == load_contract(here / "mine.toml").version
    assert (found["approved_by"], found["why"], found["notice"]) == (
        "A. Person",
        "measured on forty reports",
        None,
    )
    by = {c["clause"]: c["approved_by"] for c in found["clauses"]}
    assert by["inbound_rate_p10"] == "A. Person"
    assert by["cited_share"] == "The Sluicegate developers"


def test_an_edited_file_is_noticed_and_ignored(capsys, here):
    accept(capsys)
    before = answer(capsys, "show")["version"]
    write(here / "mine.toml", ("threshold = 0.60", "threshold = 0.01"))
    found = answer(capsys, "show")
    assert found["version"] == before
    assert "which was not accepted: it is ignored" in found["notice"]
    (here / "mine.toml").write_text("format = ", encoding="utf-8")
    found = answer(capsys, "show")
    assert found["version"] == before
    assert "is not valid TOML" in found["notice"]
    assert f"contract {before} stays in force" in found["notice"]


@pytest.mark.parametrize(("who", "why"), [("", "x"), ("x", ""), ("  ", "x"), ("x", " ")])
def test_nobody_and_no_reason_accept_nothing(capsys, who, why):
    code, said = accept(capsys, who=who, why=why)
    assert code == 64
    assert "--who NAME --why REASON" in said.err
    assert len(answer(capsys, "history")) == 1


@pytest.mark.parametrize("left_out", ["--who", "--why"])
def test_both_must_be_named(capsys, left_out):
    given = [a for o, v in (("--who", "x"), ("--why", "y")) if o != left_out for a in (o, v)]
    code, said = told(capsys, "accept", "mine.toml", *given)
    assert code == 64
    assert left_out in said.err


def test_a_wrong_file_is_refused_with_clause_field_and_remedy(capsys, here):
    write(here / "mine.toml", ("threshold = 0.60", "threshold = nan"))
    code, said = accept(capsys)
    assert code == 78
    assert "clause 'inbound_rate_p10', threshold" in said.err
    assert "Remedy" in said.err


def test_accepting_twice_writes_once_and_going_back_is_an_acceptance(capsys, here):
    accept(capsys)
    code, said = accept(capsys)
    assert code == 0
    assert "nothing was written" in said.out
    write(here / "mine.toml", ("threshold = 0.60", "threshold = 0.70"))
    accept(capsys, why="stricter")
    write(here / "mine.toml", ("threshold = 0.60", "threshold = 0.65"))
    accept(capsys, who="B. Other", why="too strict")
    found = answer(capsys, "history")
    assert [f["why"] for f in found] == [
        "ships with the package", "measured on forty reports", "stricter", "too strict",
    ]  # fmt: skip
    assert found[1]["contract_version"] == found[3]["contract_version"]
    assert [(c["field"], c["before"], c["after"]) for c in found[3]["changes"]] == [("threshold", 0.7, 0.65)]
    shown = answer(capsys, "show")
    assert shown["approved_by"] == "B. Other"


def test_diff_names_every_difference(capsys, here):
    changes = (
        ("threshold = 0.60", "threshold = 0.65"),
        ('clause = "cited_share"', 'clause = "citing_share"'),
    )
    write(here / "mine.toml", *changes)
    found = answer(capsys, "diff", "default", "mine.toml")
    assert [(c["clause"], c["change"], c["field"]) for c in found["changes"]] == [
        ("", "changed", "name"),
        ("inbound_rate_p10", "changed", "threshold"),
        ("citing_share", "added", ""),
        ("cited_share", "removed", ""),
    ]
    assert answer(capsys, "diff", "mine.toml", "mine.toml")["changes"] == []
    code, said = told(capsys, "diff", "default", "mine.toml")
    assert code == 0
    assert "4 differences" in said.out


def test_versions_can_be_named_by_their_start(capsys):
    accept(capsys)
    assert answer(capsys, "diff", "ours-", "accepted")["changes"] == []
    code, said = told(capsys, "show", "theirs-1")
    assert code == 64
    assert "'theirs-1' is no file and no version" in said.err


def test_no_result_where_nothing_was_evaluated(capsys, here):
    put_batch(here / "var", "b", [1.0])
    code, said = told(capsys, "result", "b")
    assert code == 64
    assert "was never evaluated" in said.err


@pytest.mark.slow
def test_the_suite_of_the_contract_in_force_is_printed(capsys):
    code, said = told(capsys, "suite")
    assert code == 0
    assert said.out == files("quality.contract").joinpath("suites", "default.json").read_text("utf-8")
