"""The words of the drafting loop: leads, sources, drafts, objections, rounds, and how a loop ends.

Belongs here: values that cross between writer, sceptic, gate and loop. Does not belong here: any of these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from quality.llm.model import Span
from quality.model import Source


@dataclass(frozen=True, slots=True)
class Lead:
    """A question that a report is wanted for. ``sources`` names the only ones to use; empty: they are looked for."""

    id: str
    question: str
    audience: str = ""
    language: str | None = None
    sources: tuple[str, ...] = ()
    max_calls: int | None = None
    max_tokens: int | None = None
    max_cost: float | None = None


class End(StrEnum):
    """How the loop over one lead ended. Only ``verified`` is a success, and only the gate reaches it."""

    VERIFIED = "verified"
    CAP_REACHED = "cap_reached"
    NO_PROGRESS = "no_progress"
    REFUSED = "refused"
    BUDGET = "budget"
    TRUNCATED = "truncated"
    ERROR = "error"


class Raiser(StrEnum):
    """Who raised an objection."""

    SCEPTIC = "sceptic"
    GATE = "gate"
    JUDGE = "judge"


@dataclass(frozen=True, slots=True)
class Objection:
    """One point that keeps a draft from being verified, with what offends and what is needed."""

    raised_by: Raiser
    rule: str  # a rule of the gate, or the kind that the sceptic gave
    point: str
    passage: str | None = None
    identifier: str | None = None
    source_id: str | None = None
    severity: str = "high"

    @property
    def signature(self) -> tuple[str, str, str, str]:
        """What makes two objections the same one, in whatever words they are said."""
        passage = " ".join((self.passage or "").split()).casefold()
        point = "" if self.passage or self.identifier else " ".join(self.point.split()).casefold()
        return (self.rule, self.identifier or self.source_id or "", passage, point)


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of a draft as the writer gave it, with the spans of sources that it rests on."""

    text: str
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """One version of an answer. ``body`` is assembled by code: marks behind each block, and a table of what is cited.

    ``cited`` are the sources in the order of their numbers, from 1.
    """

    blocks: tuple[Block, ...]
    body: str
    cited: tuple[Source, ...]

    @property
    def written(self) -> str:
        """The writer's own words, without our marks and table."""
        return "".join(block.text for block in self.blocks)


@dataclass(frozen=True, slots=True)
class Round:
    """What happened in one round: the draft, what the sceptic said, what the gate decided, what else changed."""

    number: int
    draft: Draft | None
    sceptic: str  # approve, reject, error, not_asked
    objections: tuple[Objection, ...]
    flags: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()  # ids of sources cited in the round before and no more
    diff: str = ""
    changed_elsewhere: int = 0  # lines that changed and no point was about
    aimed: bool = False  # the writer was re-prompted at objections that came again


@dataclass(frozen=True, slots=True)
class Story:
    """A lead from the first round to its end. ``objections`` are those still open; none where it is verified."""

    lead: Lead
    end: End
    rounds: tuple[Round, ...]
    objections: tuple[Objection, ...]
    reason: str
    sources: tuple[Source, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)  # calls by purpose

    @property
    def draft(self) -> Draft | None:
        """The last complete draft."""
        return next((r.draft for r in reversed(self.rounds) if r.draft is not None), None)
