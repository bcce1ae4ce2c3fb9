"""The ledger: every call is written down, and what has no price has no cost."""

import asyncio
from datetime import UTC, datetime

import pytest

from quality.llm.ledger import Ledger, Price
from quality.llm.model import Answer, AskError, Passage, Request, Turn, Usage

NOW = datetime(2026, 1, 2, tzinfo=UTC)
PRICE = Price(input=3, output=15, cache_read=0.3, cache_write=3.75)


def request(model: str) -> Request:
    return Request("reviewer", "r", model, "s", (Turn("user", "q"),))


class Once:
    def __init__(self, outcome):
        self.outcome = outcome

    async def ask(self, _):
        if isinstance(self.outcome, AskError):
            raise self.outcome
        return self.outcome


def test_a_call_costs_what_its_tokens_cost():
    # 1,000 × 3 + 200 × 15 + 5,000 × 0.3 + 400 × 3.75 = 9,000 millionths
    assert PRICE.of(Usage(1000, 200, 5000, 400)) == pytest.approx(0.009)


def test_an_answered_call_is_kept_with_its_cost_and_an_unpriced_one_without():
    answer = Answer((Passage("x"),), "end_turn", "m", Usage(1_000_000, 0))
    ledger = Ledger(Once(answer), {"m": PRICE}, clock=lambda: NOW)
    for model in ("m", "n"):
        assert asyncio.run(ledger.ask(request(model))) is answer
    assert [(c.request.model, c.cost, c.called_at, c.error) for c in ledger.calls] == [
        ("m", 3.0, NOW, None),
        ("n", None, NOW, None),
    ]


def test_a_failed_call_is_kept_too_and_fails():
    ledger = Ledger(Once(AskError("timeout", "late")), {"m": PRICE}, clock=lambda: NOW)
    with pytest.raises(AskError):
        asyncio.run(ledger.ask(request("m")))
    (call,) = ledger.calls
    assert (call.answer, call.error.kind, call.cost) == (None, "timeout", None)
