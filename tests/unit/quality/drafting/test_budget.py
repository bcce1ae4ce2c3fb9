"""Budgets: what is used up stops the next call, whoever shares it."""

import asyncio

import pytest

from quality.drafting.budget import Budget, BudgetedAsker
from quality.llm.ledger import Price
from quality.llm.model import Answer, AskError, Passage, Request, Turn, Usage

REQUEST = Request("writer", "q", "m", "s", (Turn("user", "q"),))
PRICES = {"m": Price(10.0, 100.0, 0.0, 0.0)}


class Asker:
    def __init__(self, fail=False):
        self.fail = fail

    async def ask(self, _):
        if self.fail:
            raise AskError("timeout", "late")
        return Answer((Passage("x"),), "end_turn", "m", Usage(100, 50))


def ask(*budgets, fail=False):
    return asyncio.run(BudgetedAsker(Asker(fail), budgets, PRICES).ask(REQUEST))


@pytest.mark.parametrize(
    ("budget", "calls"),
    [
        (Budget(calls=2), 2),
        (Budget(tokens=400), 3),  # 150 a call: 450 after three
        (Budget(cost=0.011), 2),  # 100 × 10 + 50 × 100 = 6,000 millionths a call
        (Budget(), None),
    ],
)
def test_a_budget_ends_before_the_call_that_it_has_nothing_left_for(budget, calls):
    for _ in range(calls if calls is not None else 20):
        ask(budget)
    if calls is not None:
        with pytest.raises(AskError) as caught:
            ask(budget)
        assert caught.value.kind == "budget"


def test_the_common_budget_bounds_all_leads():
    common = Budget(calls=2)
    ask(Budget(calls=9), common)
    ask(Budget(calls=9), common)
    with pytest.raises(AskError, match="2 of 2 calls"):
        ask(Budget(calls=9), common)


def test_a_call_that_failed_counts_as_a_call():
    budget = Budget(calls=1)
    with pytest.raises(AskError, match="late"):
        ask(budget, fail=True)
    assert (budget.spent_calls, budget.spent_tokens) == (1, 0)
