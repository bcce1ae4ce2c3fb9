"""The journal: what was answered once is not asked again, also after a kill in mid-line."""

import asyncio

import pytest

from pipelines.gateway.journal import Journalled
from quality.errors import InputError
from quality.llm.model import Answer, AskError, Passage, Request, Turn

REQUESTS = [Request("writer", f"q{n}", "m", "s", (Turn("user", f"question {n}"),)) for n in range(3)]


class Counting:
    def __init__(self, *failures):
        self.asked = []
        self.failures = list(failures)

    async def ask(self, request):
        self.asked.append(request)
        if self.failures:
            raise self.failures.pop(0)
        return Answer((Passage(f"answer {len(self.asked)} to {request.subject}"),), "end_turn", "m")


def ask(asker, file, *requests):
    journalled = Journalled(asker, file)
    return [asyncio.run(journalled.ask(r)).text for r in requests]


def test_answers_of_a_run_before_are_given_without_asking(tmp_path):
    file = tmp_path / "j.jsonl"
    first, second = Counting(), Counting()
    told = ask(first, file, *REQUESTS[:2])
    assert ask(second, file, *REQUESTS) == [*told, "answer 1 to q2"]
    assert second.asked == [REQUESTS[2]]


def test_the_same_question_asked_once_more_than_kept_is_asked(tmp_path):
    file = tmp_path / "j.jsonl"
    ask(Counting(), file, REQUESTS[0])
    again = Counting()
    assert ask(again, file, REQUESTS[0], REQUESTS[0]) == ["answer 1 to q0", "answer 1 to q0"]
    assert len(again.asked) == 1


def test_a_failure_is_not_kept(tmp_path):
    file = tmp_path / "j.jsonl"
    with pytest.raises(AskError):
        ask(Counting(AskError("overloaded", "busy")), file, REQUESTS[0])
    assert ask(Counting(), file, REQUESTS[0]) == ["answer 1 to q0"]


@pytest.mark.parametrize("cut", [1, 20, 200])
def test_a_last_line_that_a_kill_cut_off_is_taken_away(tmp_path, cut):
    file = tmp_path / "j.jsonl"
    ask(Counting(), file, *REQUESTS[:2])
    file.write_bytes(file.read_bytes()[:-cut])
    again = Counting()
    ask(again, file, *REQUESTS)
    assert again.asked == REQUESTS[1:]
    assert len(file.read_bytes().splitlines()) == 3


def test_another_damaged_line_is_named(tmp_path):
    file = tmp_path / "j.jsonl"
    ask(Counting(), file, REQUESTS[0])
    file.write_bytes(b"{}\n" + file.read_bytes())
    with pytest.raises(InputError, match="line 1"):
        Journalled(Counting(), file)
