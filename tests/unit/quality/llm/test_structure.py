"""Structured answers: read strictly, and an answer that cannot be read is an error."""

import json
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from quality.llm.model import Answer, AskError, Passage, usable
from quality.llm.structure import parse_answer, parse_text


class Verdict(BaseModel):
    model_config = ConfigDict(extra="forbid")

    verdict: Literal["approve", "reject"]
    objections: list[str]


REJECT = '{"verdict": "reject", "objections": ["claim 2 has no source"]}'


def said(text: str, stop: str = "end_turn") -> Answer:
    return Answer((Passage(text),), stop, "m")


@pytest.mark.parametrize(
    "text",
    [
        REJECT,
        f"\n  {REJECT}\n",
        f"```json\n{REJECT}\n```",
        f"```\n{REJECT}\n```",
        f"```JSON\r\n{REJECT}\r\n```",
        json.dumps(REJECT),
        f"```json\n{json.dumps(REJECT)}\n```",
    ],
)
def test_a_verdict_is_read_through_harmless_wrappings(text):
    assert parse_text(text, Verdict) == Verdict(verdict="reject", objections=["claim 2 has no source"])


def test_a_clean_verdict_with_an_empty_list_is_valid():
    assert parse_text('{"verdict":"approve","objections":[]}', Verdict).objections == []


@pytest.mark.parametrize(
    "text",
    [
        "Looks solid to me, I would let it PASS.",
        "",
        "null",
        "true",
        "[]",
        '"approve"',
        f"note: cache warm\n{REJECT}",
        f"{REJECT}\nThat is all.",
        REJECT[:-1],
        f'{{"ok": true, "result": {REJECT}}}',
        '{"verdict": "approve (with caveats)", "objections": []}',
        '{"verdict": "approve"}',
        '{"decision": "approve", "objections": []}',
        '{"verdict": true, "objections": []}',
        '{"verdict": "approve", "objections": "none"}',
        '{"verdict": "approve", "objections": [1]}',
        '{"verdict": "reject", "verdict": "approve", "objections": []}',
        "Error: connection reset while contacting the model service",
        json.dumps(json.dumps(json.dumps(json.loads(REJECT)))),
        "[" * 100_000,
    ],
)
def test_everything_else_is_an_error_and_never_a_verdict(text):
    with pytest.raises(AskError) as caught:
        parse_text(text, Verdict)
    assert caught.value.kind == "structure"


@given(st.text())
def test_no_text_raises_anything_but_an_ask_error(text):
    try:
        parse_text(text, Verdict)
    except AskError as error:
        assert error.kind == "structure"


@pytest.mark.parametrize(
    ("stop", "kind"),
    [
        ("max_tokens", "truncated"),
        ("model_context_window_exceeded", "truncated"),
        ("refusal", "refused"),
        ("pause_turn", "cut"),
        ("tool_use", "cut"),
        ("", "cut"),
    ],
)
def test_an_unfinished_answer_is_an_error_also_where_it_parses(stop, kind):
    with pytest.raises(AskError) as caught:
        parse_answer(said('{"verdict":"approve","objections":[]}', stop), Verdict)
    assert caught.value.kind == kind


def test_an_answer_without_text_is_an_error():
    for passages in ((), (Passage("  \n"),)):
        with pytest.raises(AskError) as caught:
            usable(Answer(passages, "end_turn", "m"))
        assert caught.value.kind == "empty"
