"""The section ``[claude]`` of ``sluicegate.toml``: how language models are reached, which one does what, what they cost.

Belongs here: the section and its values. Does not belong here: the rest of the configuration (``pipelines/settings``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict, Field

from pipelines.gateway.client import Access
from quality.llm.ledger import Price


class PriceModel(BaseModel):
    """Money for a million tokens of each kind."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cache_read: float = Field(ge=0)
    cache_write: float = Field(ge=0)


class ClaudeModel(BaseModel):
    """``[claude]``: everything optional; without ``reviewer`` no language model is ever asked."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    key_variable: str = "ANTHROPIC_API_KEY"
    base_url: str = ""
    timeout_seconds: float = Field(default=300.0, gt=0, le=3600)
    max_retries: int = Field(default=4, ge=0, le=20)
    max_calls_at_once: int = Field(default=4, ge=1, le=100)
    reviewer: str = ""
    prices: dict[str, PriceModel] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Claude:
    """How models are reached and which one reviews; ``reviewer`` None: none does."""

    access: Access = field(default_factory=Access)
    reviewer: str | None = None
    prices: Mapping[str, Price] = field(default_factory=dict)


def claude_of(model: ClaudeModel) -> Claude:
    """The section as values."""
    return Claude(
        access=Access(
            model.key_variable,
            model.base_url or None,
            model.timeout_seconds,
            model.max_retries,
            model.max_calls_at_once,
        ),
        reviewer=model.reviewer or None,
        prices={name: Price(**price.model_dump()) for name, price in model.prices.items()},
    )


TEMPLATE = """\
[claude]
# Language models are asked through Anthropic's Messages API, with the key in this environment variable.
key_variable = "ANTHROPIC_API_KEY"
# Another address of the same API; empty: the public one.
base_url = ""
# One whole answer may take so long; a question is asked again so often; so many are open at once.
timeout_seconds = 300.0
max_retries = 4
max_calls_at_once = 4
# The model that sits on the blind review beside our rules; empty: none.
reviewer = ""
# Prices, so that calls have a cost, in money for a million tokens: [claude.prices.MODEL], with the keys
# input, output, cache_read and cache_write. A model without a price has no cost, which is not a cost of 0.
"""
