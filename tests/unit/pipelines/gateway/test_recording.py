"""Recordings: what was asked once can be answered again, and a changed question is noticed."""

import asyncio
import dataclasses
import json

import pytest

from pipelines.gateway.recording import Recorder, Replayer
from quality.errors import InputError
from quality.llm.model import Answer, AskError, Document, Passage, Request, Span, Turn, Usage

REQUEST = Request(
    "reviewer", "r1", "claude-test-1", "Look.", (Turn("user", "q"),), (Document("r1", "Body of the report."),)
)
ANSWER = Answer(
    (Passage("It ", ()), Passage("moved.", (Span(0, 0, 4, "Body"),))),
    "end_turn",
    "claude-test-1",
    Usage(5, 2, 1, 0),
)


class Scripted:
    """Answers in order; an error among them is raised."""

    def __init__(self, *outcomes):
        self.outcomes = list(outcomes)

    async def ask(self, request):
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, AskError):
            raise outcome
        return outcome


def ask(asker, request=REQUEST):
    return asyncio.run(asker.ask(request))


@pytest.fixture
def recording(tmp_path):
    file = tmp_path / "calls.jsonl"
    assert ask(Recorder(Scripted(ANSWER), file)) == ANSWER
    return file


def test_a_replay_gives_the_very_same_answer_without_any_asker(recording):
    assert ask(Replayer(recording)) == ANSWER


def test_who_asks_is_not_part_of_the_question(recording):
    assert ask(Replayer(recording), dataclasses.replace(REQUEST, subject="r2", prompt_version="2")) == ANSWER


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"system": "Look harder."}, "system"),
        ({"documents": (Document("r1", "Body of the report!"),)}, "documents"),
        ({"turns": (Turn("user", "Q"),)}, "turns"),
        ({"model": "claude-test-2"}, "model"),
        ({"max_tokens": 10}, "max_tokens"),
    ],
)
def test_a_changed_question_is_noticed_and_the_change_is_named(recording, change, named):
    with pytest.raises(AskError, match=f"differs in {named}") as caught:
        ask(Replayer(recording), dataclasses.replace(REQUEST, **change))
    assert caught.value.kind == "not_recorded"


def test_a_question_of_nobody_is_not_compared_with_anything(recording):
    other = dataclasses.replace(REQUEST, subject="elsewhere", system="Other.")
    with pytest.raises(
        AskError, match="no answer to this question of the reviewer about 'elsewhere'"
    ) as caught:
        ask(Replayer(recording), other)
    assert "differs" not in caught.value.message


def test_a_question_asked_twice_gets_its_answers_in_order_and_keeps_the_last(tmp_path):
    second = dataclasses.replace(ANSWER, passages=(Passage("Again."),))
    recorder = Recorder(Scripted(ANSWER, second), tmp_path / "calls.jsonl")
    ask(recorder)
    ask(recorder)
    replayer = Replayer(tmp_path / "calls.jsonl")
    assert [ask(replayer).text for _ in range(3)] == ["It moved.", "Again.", "Again."]


def test_a_recorded_failure_fails_again_in_the_same_way(tmp_path):
    file = tmp_path / "calls.jsonl"
    with pytest.raises(AskError):
        ask(Recorder(Scripted(AskError("overloaded", "The API answered 529.")), file))
    with pytest.raises(AskError, match="529") as caught:
        ask(Replayer(file))
    assert caught.value.kind == "overloaded"


def test_a_recording_holds_digests_of_what_was_sent_and_not_the_text(recording):
    assert "Body of the report." not in recording.read_text(encoding="utf-8")
    assert json.loads(recording.read_text(encoding="utf-8"))["request_hash"] == REQUEST.hash


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '{"request_hash": "x"}',
        '{"request_hash": "x", "request": {"purpose": "p", "subject": "s"}}',
    ],
)
def test_a_line_that_is_no_call_is_named(recording, line):
    with recording.open("a", encoding="utf-8") as out:
        out.write(line + "\n")
    with pytest.raises(InputError, match="line 2"):
        Replayer(recording)


def test_a_missing_recording_is_an_error(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        Replayer(tmp_path / "none.jsonl")
