"""The one gateway to Anthropic's Messages API, and the only module that touches its SDK.

Belongs here: a request as the API has it, streaming, retries, and every way of failing as an ``AskError``.
Does not belong here: what is asked, recordings (``recording``), what calls cost (``ledger``).

The SDK is imported at the first question, not before: it costs about a second. It retries by itself what failed before
the answer began (429, 5xx, 529, connection), waiting as long as the server asks. What breaks in the middle of an answer
is asked again from here, with the same bound. An answer counts only when its stream ended with ``message_stop``.
Written against the API's public reference; never run against the live service.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, cast

from quality.errors import ConfigError
from quality.llm.model import Answer, AskError, Passage, Request, Span, Usage

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic
    from anthropic.types import Message, TextBlock

MAX_PAUSES = 4
_KIND_OF_STATUS = {
    400: "request",
    401: "refused_key",
    403: "refused_key",
    404: "request",
    408: "timeout",
    413: "request",
    429: "rate_limited",
    529: "overloaded",
}
_KIND_OF_ERROR = {
    "overloaded_error": "overloaded",
    "rate_limit_error": "rate_limited",
    "timeout_error": "timeout",
}
_PERMANENT = frozenset({"request", "refused_key", "wrong_model"})


@dataclass(frozen=True, slots=True)
class Access:
    """How the API is reached.

    Args:
        key_variable: name of the environment variable with the key; the key itself is never stored or shown.
        base_url: another address of the same API; None: the public one.
        timeout: seconds for one whole answer.
        max_retries: how often one question is asked again after a failure that may pass.
        max_calls: how many calls are open at once.
    """

    key_variable: str = "ANTHROPIC_API_KEY"
    base_url: str | None = None
    timeout: float = 300.0
    max_retries: int = 4
    max_calls: int = 4


class LiveAsker:
    """Asks the Messages API; one event loop, any number of questions at once under one bound.

    Enter it (``async with``) and leave it: leaving closes its connections.

    Raises:
        ConfigError: at the first question, when the environment has no key.
    """

    def __init__(
        self, access: Access, *, sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    ) -> None:
        self._access = access
        self._sleep = sleep
        self._gate = asyncio.Semaphore(access.max_calls)

    @cached_property
    def _client(self) -> AsyncAnthropic:
        key = os.environ.get(self._access.key_variable, "").strip()
        if not key:
            raise ConfigError(
                f"No key for the Messages API: the environment variable {self._access.key_variable} is not set.",
                remedy="Set it, or replay a recording with --replay FILE, which needs no key.",
            )
        if not (key.isascii() and key.isprintable()):
            raise ConfigError(
                f"The key in the environment variable {self._access.key_variable} has characters that no key has.",
                remedy="Copy it anew.",
            )
        from anthropic import AsyncAnthropic

        return AsyncAnthropic(
            api_key=key,
            base_url=self._access.base_url,
            timeout=self._access.timeout,
            max_retries=self._access.max_retries,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        if "_client" in self.__dict__:
            await self._client.close()

    async def ask(self, request: Request) -> Answer:
        """Answer one question; see ``Asker``."""
        async with self._gate:
            for attempt in range(1, self._access.max_retries + 2):
                try:
                    async with asyncio.timeout(self._access.timeout):
                        return await self._whole(request)
                except TimeoutError:
                    error = AskError("timeout", f"No whole answer within {self._access.timeout:g} s.")
                except _BrokenOff as broken:
                    error = broken.error
                if attempt > self._access.max_retries or error.kind in _PERMANENT:
                    error.attempts = attempt
                    raise error
                await self._sleep(min(0.5 * 2 ** (attempt - 1), 20.0))
        raise AssertionError("unreachable: the loop returns or raises")

    async def _whole(self, request: Request) -> Answer:
        """One answer, taken up again where the API paused a long turn."""
        parts: list[Answer] = []
        paused: list[dict[str, Any]] = []
        for _ in range(MAX_PAUSES + 1):
            message, request_id = await self._stream(request, paused)
            parts.append(_answer(message, request_id))
            if message.stop_reason != "pause_turn":
                return _joined(parts)
            paused.append(
                {"role": "assistant", "content": [b.model_dump(exclude_none=True) for b in message.content]}
            )
        raise _BrokenOff(AskError("cut", f"The turn was paused {MAX_PAUSES + 1} times without an end."))

    async def _stream(self, request: Request, paused: list[dict[str, Any]]) -> tuple[Message, str | None]:
        from anthropic import APIError
        from httpx2 import HTTPError, StreamError

        ended, request_id = False, None
        try:
            async with self._client.messages.stream(**_parameters(request, paused)) as stream:
                try:
                    async for event in stream:
                        ended = ended or event.type == "message_stop"
                    request_id = stream.request_id
                    message = cast("Message", stream.current_message_snapshot if ended else None)
                except (APIError, HTTPError, StreamError, ValueError, AssertionError, KeyError) as error:
                    raise _BrokenOff(_ask_error(error, self._client.api_key)) from error
        except APIError as error:  # the SDK has retried what may pass
            raise _ask_error(error, self._client.api_key) from error
        if not ended:
            raise _BrokenOff(AskError("cut", "The answer's stream ended before its end was announced."))
        if not message.model.startswith(request.model):
            raise _BrokenOff(AskError("wrong_model", f"Asked {request.model}, and {message.model} answered."))
        return message, request_id


class _BrokenOff(Exception):
    """An answer that began and did not end; it may be asked for again."""

    def __init__(self, error: AskError) -> None:
        self.error = error
        super().__init__(error.message)


def _ask_error(error: Exception, key: str | None) -> AskError:
    """What failed, in words without the key, which a server or a proxy may repeat."""
    from anthropic import APIConnectionError, APIStatusError, APITimeoutError

    if isinstance(error, APITimeoutError):
        return AskError("timeout", "The API did not answer in time.")
    if isinstance(error, APIConnectionError):
        return AskError("connection", "The API cannot be reached.", remedy="Check the network and base_url.")
    if isinstance(error, APIStatusError):
        kind = _KIND_OF_ERROR.get(_error_type(error), _KIND_OF_STATUS.get(error.status_code, "server"))
        remedy = "Check the key." if kind == "refused_key" else ""
        said = error.message.replace(key, "[key]") if key else error.message
        return AskError(kind, f"The API answered {error.status_code}: {said[:300]}.", remedy=remedy)
    return AskError("cut", f"The answer broke off: {type(error).__name__}.")


def _error_type(error: Exception) -> str:
    body = getattr(error, "body", None)
    inner = body.get("error") if isinstance(body, dict) else None
    return str(inner.get("type")) if isinstance(inner, dict) else ""


def _parameters(request: Request, paused: list[dict[str, Any]]) -> dict[str, Any]:
    """The request in the API's words; instructions and documents are marked for its prompt cache."""
    documents: list[dict[str, Any]] = [
        {
            "type": "document",
            "source": {"type": "text", "media_type": "text/plain", "data": document.text},
            "title": document.name,
            "citations": {"enabled": request.cite},
        }
        for document in request.documents
    ]
    if documents:
        documents[-1]["cache_control"] = {"type": "ephemeral"}
    first, *later = request.turns
    made: dict[str, Any] = {
        "model": request.model,
        "max_tokens": request.max_tokens,
        "system": [{"type": "text", "text": request.system, "cache_control": {"type": "ephemeral"}}],
        "messages": [
            {"role": first.role, "content": [*documents, {"type": "text", "text": first.text}]},
            *({"role": turn.role, "content": turn.text} for turn in later),
            *paused,
        ],
    }
    if request.schema is not None:
        made["output_config"] = {"format": {"type": "json_schema", "schema": dict(request.schema)}}
    return made


def _answer(message: Message, request_id: str | None) -> Answer:
    texts = [block for block in message.content if block.type == "text"]
    used = message.usage
    return Answer(
        passages=tuple(Passage(block.text, _spans(block)) for block in texts),
        stop_reason=message.stop_reason or "",
        model=message.model,
        usage=Usage(
            used.input_tokens,
            used.output_tokens,
            used.cache_read_input_tokens or 0,
            used.cache_creation_input_tokens or 0,
        ),
        request_id=request_id,
    )


def _spans(block: TextBlock) -> tuple[Span, ...]:
    return tuple(
        Span(c.document_index, c.start_char_index, c.end_char_index, c.cited_text)
        for c in block.citations or ()
        if c.type == "char_location"
    )


def _joined(parts: list[Answer]) -> Answer:
    """One answer out of its stretches between pauses."""
    last = parts[-1]
    used = [p.usage for p in parts]
    return Answer(
        passages=tuple(passage for p in parts for passage in p.passages),
        stop_reason=last.stop_reason,
        model=last.model,
        usage=Usage(
            sum(u.input_tokens for u in used),
            sum(u.output_tokens for u in used),
            sum(u.cache_read_tokens for u in used),
            sum(u.cache_write_tokens for u in used),
        ),
        request_id=last.request_id,
    )
