"""A question to a language model and its answer as plain values, and the port through which it is asked.

Belongs here: the shape of a request and of an answer, what an answer may not be (``usable``), and the errors of asking.
Does not belong here: any SDK, sockets, recordings (``pipelines/gateway``), or what is asked (``quality/review``).

The words follow the Messages API of Anthropic (content blocks, stop reasons, ``char_location`` citations); a request's
documents are data that the model reads, never part of its instructions.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Protocol

from quality.errors import SluicegateError


class AskError(SluicegateError):
    """A question got no usable answer: nothing was said, which is never an approval.

    Args of the constructor: ``kind`` is a short code (``refused_key``, ``overloaded``, ``rate_limited``, ``timeout``,
    ``cut``, ``connection``, ``server``, ``request``, ``wrong_model``, ``not_recorded``, ``structure``, ``empty``,
    ``truncated``, ``refused``), ``attempts`` how often it was tried.
    """

    exit_code = 2

    def __init__(self, kind: str, message: str, *, remedy: str = "", attempts: int = 1) -> None:
        self.kind = kind
        self.attempts = attempts
        super().__init__(message, remedy=remedy)


@dataclass(frozen=True, slots=True)
class Document:
    """One text that is handed to the model as data; ``name`` is its title there."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of the conversation; ``role`` is ``user`` or ``assistant``."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Request:
    """One question, complete: equal requests have equal hashes.

    Args:
        purpose: who asks (``reviewer``, …); rows and recordings are sorted by it.
        subject: what about (a report's id, a lead's id).
        prompt_version: version of the prompt file that ``system`` came from.
        cite: switch the API's citations on, so that passages carry spans of the documents. Excludes ``schema``.
        schema: JSON schema that the answer has to satisfy.
    """

    purpose: str
    subject: str
    model: str
    system: str
    turns: tuple[Turn, ...]
    documents: tuple[Document, ...] = ()
    prompt_version: str = ""
    max_tokens: int = 4096
    cite: bool = False
    schema: Mapping[str, object] | None = None

    @property
    def hash(self) -> str:
        """Hex digest of everything that the model sees, and of the model asked."""
        seen = {k: v for k, v in asdict(self).items() if k not in ("purpose", "subject", "prompt_version")}
        text = json.dumps(seen, ensure_ascii=False, sort_keys=True, default=dict)
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Span:
    """A cited stretch of one document: offsets in characters, end exclusive; ``text`` is what the API quoted."""

    document: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Passage:
    """One text block of an answer, with the spans that it rests on."""

    text: str
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call, as the API counts them."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model said and why it stopped (``end_turn``, ``max_tokens``, ``refusal``, …)."""

    passages: tuple[Passage, ...]
    stop_reason: str
    model: str
    usage: Usage = field(default_factory=Usage)
    request_id: str | None = None

    @property
    def text(self) -> str:
        """All text blocks together; thinking blocks are none of it."""
        return "".join(p.text for p in self.passages)


class Asker(Protocol):
    """Whoever answers: the live API, a recording, or both."""

    async def ask(self, request: Request) -> Answer:
        """Answer one question, whatever the stop reason.

        Raises:
            AskError: there is no answer.
        """
        ...


def usable(answer: Answer) -> Answer:
    """Return an answer that was finished and says something.

    Raises:
        AskError: ``refused``, ``truncated`` (also where the cut text happens to parse), or ``empty``.
    """
    if answer.stop_reason == "refusal":
        raise AskError("refused", "The model refused to answer.")
    if answer.stop_reason in ("max_tokens", "model_context_window_exceeded"):
        raise AskError(
            "truncated",
            f"The answer was cut off ({answer.stop_reason}).",
            remedy="Allow more tokens, or ask about less.",
        )
    if answer.stop_reason not in ("end_turn", "stop_sequence"):
        raise AskError("cut", f"The answer stopped for the reason {answer.stop_reason!r}, which is no end.")
    if not answer.text.strip():
        raise AskError("empty", "The answer has no text.")
    return answer
