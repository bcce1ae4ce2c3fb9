"""The bound on calls, tokens and money: of one lead, and of all leads together.

Belongs here: counting what was spent, and stopping before the next call. Does not belong here: prices (``quality/llm``).
"""

from __future__ import annotations

from dataclasses import dataclass

from quality.llm.ledger import Price
from quality.llm.model import Answer, Asker, AskError, Request


@dataclass(slots=True)
class Budget:
    """What may be spent; None: no bound. ``cost`` needs a price for every model asked."""

    calls: int | None = None
    tokens: int | None = None
    cost: float | None = None
    spent_calls: int = 0
    spent_tokens: int = 0
    spent_cost: float = 0.0

    def exhausted(self) -> str | None:
        """What is used up, in words; None: nothing."""
        if self.calls is not None and self.spent_calls >= self.calls:
            return f"{self.spent_calls} of {self.calls} calls"
        if self.tokens is not None and self.spent_tokens >= self.tokens:
            return f"{self.spent_tokens:,} of {self.tokens:,} tokens"
        if self.cost is not None and self.spent_cost >= self.cost:
            return f"{self.spent_cost:.4f} of {self.cost:.4f} in money"
        return None

    def spend(self, answer: Answer | None, price: Price | None) -> None:
        """Count one call; one that failed counts as a call."""
        self.spent_calls += 1
        if answer is not None:
            self.spent_tokens += answer.usage.input_tokens + answer.usage.output_tokens
            self.spent_cost += price.of(answer.usage) if price else 0.0


class BudgetedAsker:
    """Passes questions on while every budget allows.

    Raises:
        AskError: ``budget``, before a call that no budget is left for.
    """

    def __init__(self, asker: Asker, budgets: tuple[Budget, ...], prices: dict[str, Price]) -> None:
        self._asker = asker
        self._budgets = budgets
        self._prices = prices

    async def ask(self, request: Request) -> Answer:
        """Answer one question; see ``Asker``."""
        for budget in self._budgets:
            used = budget.exhausted()
            if used is not None:
                raise AskError(
                    "budget", f"The budget is used up: {used}.", remedy="Raise it, or narrow the lead."
                )
        answer: Answer | None = None
        try:
            answer = await self._asker.ask(request)
        finally:
            for budget in self._budgets:
                budget.spend(answer, self._prices.get(request.model))
        return answer
