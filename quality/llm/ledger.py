"""The ledger: every call that is made, with what it took and cost, whatever became of it.

Belongs here: the asker that writes calls down, and what a call costs. Does not belong here: storing calls.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from quality.llm.model import Answer, Asker, AskError, Request, Usage


@dataclass(frozen=True, slots=True)
class Price:
    """What a model costs, in money for a million tokens of each kind."""

    input: float
    output: float
    cache_read: float
    cache_write: float

    def of(self, usage: Usage) -> float:
        """Cost of one call."""
        million = (
            usage.input_tokens * self.input
            + usage.output_tokens * self.output
            + usage.cache_read_tokens * self.cache_read
            + usage.cache_write_tokens * self.cache_write
        )
        return million / 1_000_000


@dataclass(frozen=True, slots=True)
class Call:
    """One call: exactly one of ``answer`` and ``error`` is set. ``cost`` is None where the model has no price."""

    request: Request
    called_at: datetime
    seconds: float
    answer: Answer | None = None
    error: AskError | None = None
    cost: float | None = None


class Ledger:
    """Passes questions on and keeps a ``Call`` of each in ``calls``.

    Args:
        asker: answers the questions.
        prices: by model, as asked for; a model that is not named costs an unknown sum, which is not zero.
        clock: gives the present instant.
    """

    def __init__(self, asker: Asker, prices: Mapping[str, Price], *, clock: Callable[[], datetime]) -> None:
        self._asker = asker
        self._prices = prices
        self._clock = clock
        self.calls: list[Call] = []

    async def ask(self, request: Request) -> Answer:
        """Answer one question; see ``Asker``."""
        called_at, began = self._clock(), time.monotonic()
        try:
            answer = await self._asker.ask(request)
        except AskError as error:
            self.calls.append(Call(request, called_at, time.monotonic() - began, error=error))
            raise
        price = self._prices.get(request.model)
        cost = price.of(answer.usage) if price else None
        self.calls.append(Call(request, called_at, time.monotonic() - began, answer=answer, cost=cost))
        return answer
