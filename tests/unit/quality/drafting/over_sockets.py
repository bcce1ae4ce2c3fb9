"""The same scripted actors behind a local server that speaks the Messages API, asked through the real gateway."""

import asyncio
import threading

import anthropic  # noqa: F401 - takes a second, which is not the server's

from pipelines.gateway.client import Access, LiveAsker
from quality.llm.model import AskError
from tests.servers.messages_api import Reply, messages_api

FAULTS = {
    "overloaded": {"status": 529, "headers": {"retry-after-ms": "1"}},
    "timeout": {"wait": 3.0},
    "cut": {"cut_after": 1},
    "wrong_model": {"model": "another-model"},
}


def run_over_sockets(actors, start):
    """``start(asker)`` gives a coroutine; its result, asked through the gateway."""
    asked = []
    lock = threading.Lock()

    def answer(body, _number):
        with lock:
            request = asked[-1]
            actors.asked.remove(request)  # ``Actors.ask`` notes it again
        try:
            said = asyncio.run(actors.ask(request))
        except AskError as error:
            return Reply(**FAULTS[error.kind])
        return Reply(content=[block(p) for p in said.passages], stop_reason=said.stop_reason)

    class Asker:
        def __init__(self, live):
            self.live = live

        async def ask(self, request):
            asked.append(request)
            actors.asked.append(request)
            return await self.live.ask(request)

    async def whole(url):
        async with LiveAsker(Access(base_url=url, timeout=2.5, max_retries=0)) as live:
            return await start(Asker(live))

    with messages_api(answer) as api:
        return asyncio.run(whole(api.url))


def block(passage):
    """A text block as the API streams it."""
    made = {"type": "text", "text": passage.text}
    if passage.spans:
        made["citations"] = [
            {
                "type": "char_location",
                "cited_text": s.text,
                "document_index": s.document,
                "document_title": "t",
                "start_char_index": s.start,
                "end_char_index": s.end,
            }
            for s in passage.spans
        ]
    return made
