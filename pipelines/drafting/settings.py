"""The section ``[drafting]`` of ``sluicegate.toml``: who writes, who attacks, and the bounds of the loop.

Belongs here: the section and its values. Does not belong here: how models are reached (``pipelines/gateway/settings``).
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from quality.errors import ConfigError

Policy = Literal["verified_only", "always"]


class DraftingModel(BaseModel):
    """``[drafting]``: everything optional; without ``writer`` and ``sceptic`` no draft is ever written."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    writer: str = ""
    sceptic: str = ""
    judge: str = ""
    policy: Policy = "verified_only"
    max_rounds: int = Field(default=4, ge=1, le=20)
    max_tokens: int = Field(default=4096, ge=256, le=64_000)
    search: Literal["", "europepmc"] = ""
    search_url: str = ""
    leads_at_once: int = Field(default=8, ge=1, le=200)
    max_calls: int = Field(default=0, ge=0)
    max_total_tokens: int = Field(default=0, ge=0)
    max_cost: float = Field(default=0.0, ge=0)

    def require_models(self) -> None:
        """Check that somebody writes and somebody else's instruction attacks.

        Raises:
            ConfigError: ``writer`` or ``sceptic`` is not set.
        """
        for name in ("writer", "sceptic"):
            if not getattr(self, name):
                raise ConfigError(
                    f"No {name} is configured, so nothing can be drafted.",
                    remedy=f'Name a model: `{name} = "…"` in [drafting] of sluicegate.toml.',
                )


TEMPLATE = """\
[drafting]
# Models that write drafts and attack them, and one that judges completeness (empty: nobody asks). No draft is written
# unless the first two are named. They may be the same model: the instructions differ.
writer = ""
sceptic = ""
judge = ""
# verified_only: a draft that the gate did not verify goes to rejected/, and the requester gets a notice.
# always: its last complete version becomes a report too, and the gate rule `draft` holds it.
policy = "verified_only"
# europepmc: sources with abstracts are searched for there as well, for leads that name none. Empty: the catalogue alone.
search = ""
# Another address of the same service; empty: the public one.
search_url = ""
# Bounds: of rounds and of one answer, of leads drafted at once, and of everything that one call of `draft` may spend
# (0: no bound). max_cost needs prices in [claude.prices].
max_rounds = 4
max_tokens = 4096
leads_at_once = 8
max_calls = 0
max_total_tokens = 0
max_cost = 0.0
"""
