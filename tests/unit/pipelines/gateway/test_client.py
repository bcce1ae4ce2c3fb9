"""The gateway against a local server that speaks the Messages API over real sockets."""

import asyncio
from contextlib import contextmanager

import pytest

from pipelines.gateway.client import Access, LiveAsker
from quality.errors import ConfigError
from quality.llm.model import Answer, AskError, Document, Request, Span, Turn, Usage
from tests.servers.messages_api import Reply, messages_api, text

REQUEST = Request(
    purpose="reviewer",
    subject="r1",
    model="claude-test-1",
    system="Look for faults.",
    turns=(Turn("user", "Here is the report."),),
    documents=(Document("report r1", "Sand moved 3 m."),),
)


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a key of this test")


@contextmanager
def server(*replies: Reply):
    """Replies in order; the last one answers every further call."""
    with messages_api(lambda _, number: replies[min(number, len(replies) - 1)]) as api:
        yield api


async def _no_sleep(_: float) -> None:
    return None


def ask(api, request: Request = REQUEST, *, retries: int = 2, timeout: float = 5.0) -> Answer:
    access = Access(base_url=api.url, timeout=timeout, max_retries=retries)

    async def once() -> Answer:
        async with LiveAsker(access, sleep=_no_sleep) as asker:
            return await asker.ask(request)

    return asyncio.run(once())


def failure(api, request: Request = REQUEST, **options) -> AskError:
    with pytest.raises(AskError) as caught:
        ask(api, request, **options)
    return caught.value


def test_the_text_the_tokens_and_the_reason_come_back():
    with server(text("It moved.")) as api:
        answer = ask(api)
    assert (answer.text, answer.stop_reason, answer.model) == ("It moved.", "end_turn", "claude-test-1")
    assert answer.usage == Usage(input_tokens=11, output_tokens=7, cache_read_tokens=3)
    assert answer.request_id == "req_local"


def test_documents_go_as_data_outside_the_instructions_and_are_marked_for_the_cache():
    with server(text("x")) as api:
        ask(api)
    (sent,) = api.requests
    assert sent["system"] == [
        {"type": "text", "text": "Look for faults.", "cache_control": {"type": "ephemeral"}}
    ]
    document, question = sent["messages"][0]["content"]
    assert document["source"] == {"type": "text", "media_type": "text/plain", "data": "Sand moved 3 m."}
    assert document["citations"] == {"enabled": False}
    assert document["cache_control"] == {"type": "ephemeral"}
    assert question == {"type": "text", "text": "Here is the report."}
    assert "output_config" not in sent


def test_a_schema_is_sent_as_the_format_of_the_output():
    schema = {"type": "object", "properties": {}, "additionalProperties": False}
    request = Request("reviewer", "r1", "claude-test-1", "s", (Turn("user", "q"),), schema=schema)
    with server(text("{}")) as api:
        ask(api, request)
    assert api.requests[0]["output_config"] == {"format": {"type": "json_schema", "schema": schema}}


def test_cited_passages_keep_their_spans():
    citation = {
        "type": "char_location",
        "cited_text": "Sand moved",
        "document_index": 0,
        "document_title": "report r1",
        "start_char_index": 0,
        "end_char_index": 10,
    }
    blocks = [{"type": "text", "text": "So: "}, {"type": "text", "text": "it did.", "citations": [citation]}]
    with server(Reply(content=blocks)) as api:
        answer = ask(api)
    assert answer.text == "So: it did."
    assert [p.spans for p in answer.passages] == [(), (Span(0, 0, 10, "Sand moved"),)]


def test_a_thinking_block_is_not_the_text():
    blocks = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Draft [1]."}]
    with server(Reply(content=blocks)) as api:
        assert ask(api).text == "Draft [1]."


@pytest.mark.parametrize("status", [429, 500, 529])
def test_what_may_pass_is_asked_again_and_the_servers_hint_is_kept(status):
    with server(Reply(status=status, headers={"retry-after-ms": "10"}), text("late")) as api:
        assert ask(api).text == "late"
    assert len(api.requests) == 2


@pytest.mark.parametrize(("status", "kind"), [(529, "overloaded"), (429, "rate_limited"), (500, "server")])
def test_an_outage_ends_after_the_bound(status, kind):
    with server(Reply(status=status, headers={"retry-after-ms": "1"})) as api:
        assert failure(api).kind == kind
    assert len(api.requests) == 3


@pytest.mark.parametrize(("status", "kind"), [(400, "request"), (401, "refused_key")])
def test_a_permanent_fault_is_not_asked_again(status, kind):
    with server(Reply(status=status)) as api:
        assert failure(api).kind == kind
    assert len(api.requests) == 1


@pytest.mark.parametrize("events", [0, 1, 2, 3, 4])
def test_an_answer_cut_at_any_event_is_no_answer(events):
    with server(text("Approve.", cut_after=events)) as api:
        assert failure(api, retries=1).kind == "cut"
    assert len(api.requests) == 2


def test_an_answer_that_broke_off_is_asked_again():
    with server(text("half", cut_after=3), text("whole")) as api:
        assert ask(api).text == "whole"


def test_an_error_in_mid_stream_is_asked_again_and_then_named():
    with server(text("half", error_after=2), text("whole")) as api:
        assert ask(api).text == "whole"
    with server(text("half", error_after=2)) as api:
        error = failure(api, retries=1)
    assert (error.kind, error.attempts) == ("overloaded", 2)


def test_a_slow_body_runs_into_the_time_limit():
    with server(text("x", delay=0.3)) as api:
        assert failure(api, retries=0, timeout=0.5).kind == "timeout"


@pytest.mark.parametrize("raw", [b"<html>busy</html>", b"", b"data: {not json}\n\n"])
def test_a_body_that_is_no_stream_of_events_is_no_answer(raw):
    with server(Reply(raw=raw)) as api:
        assert failure(api, retries=0).kind == "cut"


def test_another_model_is_an_error_and_a_dated_name_of_the_same_is_not():
    with server(text("x", model="claude-other-2")) as api:
        assert failure(api).kind == "wrong_model"
    assert len(api.requests) == 1
    with server(text("x", model="claude-test-1-20260101")) as api:
        assert ask(api).model == "claude-test-1-20260101"


def test_a_paused_turn_is_taken_up_where_it_stopped():
    with server(text("first ", stop_reason="pause_turn"), text("second")) as api:
        answer = ask(api)
    assert (answer.text, answer.stop_reason) == ("first second", "end_turn")
    assert answer.usage.output_tokens == 14
    assert api.requests[1]["messages"][1] == {
        "role": "assistant",
        "content": [{"type": "text", "text": "first "}],
    }


def test_a_turn_that_only_pauses_is_no_answer():
    with server(text("and ", stop_reason="pause_turn")) as api:
        assert failure(api, retries=0).kind == "cut"
    assert len(api.requests) == 5


def test_a_refusal_is_an_answer_without_text():
    with server(Reply(stop_reason="refusal")) as api:
        answer = ask(api)
    assert (answer.text, answer.stop_reason) == ("", "refusal")


def test_nobody_listening_is_named():
    with server(text("x")) as api:
        pass
    assert failure(api, retries=0).kind == "connection"


def test_without_a_key_the_remedy_is_named(monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    with server(text("x")) as api, pytest.raises(ConfigError, match="ANTHROPIC_API_KEY") as caught:
        ask(api)
    assert "--replay" in caught.value.remedy
    assert api.requests == []


def test_no_more_calls_than_allowed_are_open_at_once():
    with server(text("x", wait=0.1)) as api:

        async def many() -> None:
            async with LiveAsker(Access(base_url=api.url, max_calls=3)) as asker:
                await asyncio.gather(*(asker.ask(REQUEST) for _ in range(9)))

        asyncio.run(many())
    assert (len(api.requests), api.most_open) == (9, 3)


@pytest.mark.parametrize("key", ["sk-\u00e9\u00e9", "sk-a\nb", "  \n"])
def test_a_key_that_cannot_be_one_is_named_by_its_variable_and_never_shown(key, monkeypatch):
    monkeypatch.setenv("THE_KEY", key)

    async def asked():
        async with LiveAsker(Access(key_variable="THE_KEY", base_url="http://127.0.0.1:9")) as asker:
            await asker.ask(Request("writer", "l", "m", "s", (Turn("user", "q"),), (), "1", 256))

    with pytest.raises(ConfigError, match="THE_KEY") as caught:
        asyncio.run(asked())
    assert "sk-" not in str(caught.value)
