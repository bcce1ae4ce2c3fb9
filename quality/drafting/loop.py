"""The loop over one lead: writer, sceptic, gate, until the gate verifies or one of the other ends is reached.

Belongs here: the order of things, the bounds, and the seven ends. Does not belong here: asking (``talk``), the rules
(``gate``), sockets, storage.

Only the gate ends the loop with success. A cap, a refusal, an error, a budget that is used up are failures, and the last
complete draft keeps its open objections. What cannot be read is an error and never an approval.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from quality.drafting.assemble import assemble
from quality.drafting.gate import Before, Judged, Looked, judge_draft
from quality.drafting.model import Draft, End, Lead, Objection, Round, Story
from quality.drafting.talk import JUDGE, SCEPTIC, WRITER, attack, complete, missing_of, objections_of, write
from quality.llm.model import Answer, Asker, AskError, Request, usable
from quality.model import Identifier, Source

T = TypeVar("T")
LookUp = Callable[[Draft], Awaitable[Mapping[Identifier, Looked] | None]]
"""Looks a draft's identifiers up; one that it leaves out counts as unknown. None: no registry is configured."""


@dataclass(frozen=True, slots=True)
class Models:
    """Who is asked. ``judge`` None: no question of completeness is asked."""

    writer: str
    sceptic: str
    judge: str | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds of one loop."""

    max_rounds: int = 4
    max_tokens: int = 4_096
    widenings: int = 2  # a cut answer is asked for again with twice the tokens, so often
    attempts: int = (
        3  # a sceptic or judge that cannot be read, or a writer that says nothing, is asked so often
    )
    judgements: int = 2  # so often may the judge hold a draft back


class _Ended(Exception):
    """The loop ends here, and not well."""

    def __init__(self, end: End, reason: str) -> None:
        self.end = end
        self.reason = reason
        super().__init__(reason)


@dataclass(slots=True)
class _State:
    """What one loop has gathered so far."""

    last: Draft | None = None
    open: tuple[Objection, ...] = ()
    aimed_at: frozenset[tuple[str, str, str, str]] = frozenset()
    judged: int = 0
    flags: tuple[str, ...] = ()
    rounds: list[Round] = field(default_factory=list)
    calls: Counter[str] = field(default_factory=Counter)


class Loop:
    """Drafts answers to leads.

    Args:
        asker: answers questions, within its budgets.
        look_up: the registries.
        models, limits: who is asked, and how often.
    """

    def __init__(self, asker: Asker, look_up: LookUp, models: Models, limits: Limits | None = None) -> None:
        self._asker = asker
        self._look_up = look_up
        self._models = models
        self._limits = limits or Limits()

    async def draft(self, lead: Lead, sources: Sequence[Source], flags: Sequence[str] = ()) -> Story:
        """Draft until an end; never raises for anything that a model says.

        Args:
            lead: what is asked.
            sources: with texts; nothing else may be cited.
            flags: what people should know about how these were found; told in every round.
        """
        state = _State(flags=tuple(flags))
        try:
            if not any(s.text for s in sources):
                why = "".join(f" ({flag})" for flag in flags)
                raise _Ended(End.ERROR, f"no source with text was found for this lead{why}")
            for number in range(1, self._limits.max_rounds + 1):
                if await self._round(number, lead, sources, state):
                    return self._story(lead, End.VERIFIED, sources, state, f"verified in round {number}")
            points = "1 objection is" if len(state.open) == 1 else f"{len(state.open)} objections are"
            reason = f"{points} open after {self._limits.max_rounds} rounds"
            return self._story(lead, End.CAP_REACHED, sources, state, reason)
        except _Ended as ended:
            return self._story(lead, ended.end, sources, state, ended.reason)

    def _story(self, lead: Lead, end: End, sources: Sequence[Source], state: _State, reason: str) -> Story:
        return Story(
            lead,
            end,
            tuple(state.rounds),
            state.open,
            reason,
            tuple(sources),
            dict(sorted(state.calls.items())),
        )

    async def _round(self, number: int, lead: Lead, sources: Sequence[Source], state: _State) -> bool:
        """One round; whether the gate verified its draft."""
        before = Before(
            tuple(s.source_id for s in state.last.cited) if state.last else (),
            frozenset(o.source_id for o in state.open if o.source_id),
        )
        points, aimed = self._points(state)
        draft = await self._write(number, lead, sources, state, points, aimed=aimed)
        try:
            word, raised = await self._attack(number, lead, draft, sources, state)
            judged = await self._judge(lead, draft, sources, state, raised, before)
        except _Ended:
            if not state.rounds or state.rounds[-1].number != number:  # the draft is complete, and paid for
                state.rounds.append(Round(number, draft, "not_asked", (), aimed=aimed))
            raise
        diff = _diff(state.last, draft)
        state.rounds.append(
            Round(
                number,
                draft,
                word,
                judged.objections,
                (*state.flags, *judged.flags),
                judged.dropped,
                diff,
                _elsewhere(diff, state.open),
                aimed=aimed,
            )
        )
        again = frozenset(o.signature for o in judged.objections) & frozenset(o.signature for o in state.open)
        if again & state.aimed_at:
            state.open = judged.objections
            raise _Ended(End.NO_PROGRESS, _same(judged.objections, again & state.aimed_at))
        state.aimed_at = again
        state.last, state.open = draft, judged.objections
        return judged.verified

    def _points(self, state: _State) -> tuple[tuple[Objection, ...], bool]:
        """What the writer has to fix: all open points, or only those that came again."""
        if not state.aimed_at:
            return state.open, False
        return tuple(o for o in state.open if o.signature in state.aimed_at), True

    async def _write(
        self,
        number: int,
        lead: Lead,
        sources: Sequence[Source],
        state: _State,
        points: Sequence[Objection],
        *,
        aimed: bool,
    ) -> Draft:
        tokens, empty, widened = self._limits.max_tokens, 0, 0
        while True:
            request = write(lead, sources, self._models.writer, tokens, state.last, points, aimed=aimed)
            try:
                answer = usable(await self._ask(request, WRITER, state))
            except AskError as error:
                if error.kind == "truncated" and widened < self._limits.widenings:
                    tokens, widened = tokens * 2, widened + 1
                elif error.kind == "empty" and empty + 1 < self._limits.attempts:
                    empty += 1
                else:
                    end = {"truncated": End.TRUNCATED, "refused": End.REFUSED}.get(error.kind, End.ERROR)
                    state.rounds.append(Round(number, None, "not_asked", (), aimed=aimed))
                    raise _Ended(end, f"writer: {error.kind}: {error.message}") from error
            else:
                return assemble(answer, sources, lead.language)

    async def _attack(
        self, number: int, lead: Lead, draft: Draft, sources: Sequence[Source], state: _State
    ) -> tuple[str, tuple[Objection, ...]]:
        request = attack(lead, draft, sources, self._models.sceptic, self._limits.max_tokens)
        try:
            return await self._read(request, SCEPTIC, objections_of, state)
        except AskError as error:
            state.rounds.append(Round(number, draft, "error", ()))
            state.last = draft
            raise _Ended(End.ERROR, f"sceptic: {_unread(error)}: {error.message}") from error

    async def _judge(
        self,
        lead: Lead,
        draft: Draft,
        sources: Sequence[Source],
        state: _State,
        raised: tuple[Objection, ...],
        before: Before,
    ) -> Judged:
        """The gate's verdict; the judge is asked only about what the gate would let pass, and can only hold it."""
        looked_up = await self._look_up(draft)
        judged = judge_draft(draft, sources, looked_up, raised, before)
        if self._models.judge is None or not judged.verified or state.judged >= self._limits.judgements:
            return judged
        state.judged += 1
        request = complete(lead, draft, sources, self._models.judge, self._limits.max_tokens)
        try:
            missing = await self._read(request, JUDGE, missing_of, state)
        except AskError as error:
            raise _Ended(End.ERROR, f"judge: {error.kind}: {error.message}") from error
        return judge_draft(draft, sources, looked_up, (*raised, *missing), before)

    async def _read(self, request: Request, purpose: str, parse: Callable[[Answer], T], state: _State) -> T:
        """An answer that can be read, within the bound on attempts."""
        for attempt in range(1, self._limits.attempts + 1):
            answer = await self._ask(request, purpose, state)
            try:
                return parse(answer)
            except AskError:
                if attempt == self._limits.attempts:
                    raise
        raise AssertionError("unreachable: the last attempt returns or raises")

    async def _ask(self, request: Request, purpose: str, state: _State) -> Answer:
        try:
            answer = await self._asker.ask(request)
        except AskError as error:
            if error.kind == "budget":
                raise _Ended(End.BUDGET, error.message) from error
            state.calls[purpose] += 1
            raise
        state.calls[purpose] += 1
        return answer


def _unread(error: AskError) -> str:
    """Whether there was no answer, or one that is no verdict."""
    no_verdict = error.kind in ("structure", "truncated", "refused", "empty")
    return f"unparseable_verdict ({error.kind})" if no_verdict else error.kind


def _same(objections: Sequence[Objection], signatures: frozenset[tuple[str, str, str, str]]) -> str:
    first = next(o for o in objections if o.signature in signatures)
    return f"the same objection after it was aimed at: {first.rule}: {first.point}"


def _diff(last: Draft | None, draft: Draft) -> str:
    if last is None:
        return ""
    return "\n".join(
        difflib.unified_diff(
            last.written.splitlines(), draft.written.splitlines(), "before", "after", lineterm="", n=0
        )
    )


def _elsewhere(diff: str, points: Sequence[Objection]) -> int:
    """Lines taken out or put in that hold no passage of any point."""
    passages = [" ".join(o.passage.split()) for o in points if o.passage]
    changed = [line[1:] for line in diff.splitlines()[2:] if line[:1] in "+-" and line[1:].strip()]
    return sum(1 for line in changed if not any(p in " ".join(line.split()) for p in passages))
