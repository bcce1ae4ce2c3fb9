"""The verdict in words."""

import shlex

import pytest

from pipelines.dashboard.words import verdict_of


def told(facts, batch_id, **changed):
    batch = next(b for b in facts.batches if b["batch_id"] == batch_id)
    return verdict_of(facts, {**batch, "n_blocking": batch["n_blocking"], **changed})


def test_breach_names_the_clause_and_the_worst_report(facts):
    verdict = told(facts, "02", n_delivered=2)
    assert (verdict.state, len(verdict.causes)) == ("breach", 1)
    assert verdict.sentence.startswith(
        "1 blocking clause is broken, so all 2 reports are held. 2 of them were delivered"
    )
    assert [s.command for s in verdict.steps] == [
        "sluicegate explain evil --batch 02",
        "sluicegate run --batch 02",
    ]


def test_unknown_is_not_a_pass(facts):
    verdict = told(facts, "03")
    assert verdict.state == "unknown"
    assert "unknown is not a pass" in verdict.sentence


def test_pass_says_what_was_ingested(facts):
    inside = told(facts, "01", n_in_kb=1)
    assert "1 of 2 reports are in the knowledge base; 1 held by the gate." in inside.sentence
    recorded = told(facts, "01", n_in_kb=0)
    assert "1 report may enter the knowledge base, and none was ingested: recorded only" in recorded.sentence
    assert recorded.steps[0].command == "sluicegate run --batch 01"


def test_no_verdict_is_said(facts):
    assert told(facts, "01", verdict=None).state == "none"


@pytest.mark.parametrize("name", ["a b", "x'; rm -rf ~ #", "$(touch /tmp/x)", "`id`", '"'])
def test_commands_can_be_pasted_whatever_an_id_is_made_of(facts, name):
    batch = {**facts.batches[2], "batch_id": name}
    commands = [s.command for s in verdict_of(facts, batch).steps if s.command]
    assert commands
    for command in commands:
        words = shlex.split(command)
        quoted = name.replace("'", "''")
        assert name in words or words[-1].endswith(f"batch_id = '{quoted}'")
        assert "'" in command or '"' not in command
