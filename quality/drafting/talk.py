"""What writer, sceptic and judge are asked, and the agreed shape of what the latter two answer.

Belongs here: requests, and answers -> objections. Does not belong here: the loop, or deciding.

Sources and drafts travel as documents, outside the instructions. The writer's documents have the API's citations switched
on, so that each cited passage is a span of a source. The sceptic sees draft and sources, never the writer's reasoning.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict

from quality.drafting.model import Draft, Lead, Objection, Raiser
from quality.drafting.prompts.load import prompt
from quality.llm.model import Answer, AskError, Document, Request, Turn
from quality.llm.structure import parse_answer
from quality.model import Source

WRITER, SCEPTIC, JUDGE = "writer", "sceptic", "judge"


class _Point(BaseModel):
    model_config = ConfigDict(extra="forbid")

    point: str
    kind: Literal[
        "unsupported", "contradicted", "misattributed", "distorted", "omitted", "instruction", "other"
    ]
    passage: str | None
    source: str | None
    severity: Literal["high", "medium", "low"]


class Attack(BaseModel):
    """The sceptic's verdict. An approval with objections is a rejection; a rejection without any is no verdict."""

    model_config = ConfigDict(extra="forbid")

    verdict: Literal["approve", "reject"]
    objections: list[_Point]


class Completeness(BaseModel):
    """The judge's verdict."""

    model_config = ConfigDict(extra="forbid")

    complete: bool
    missing: list[str]


def write(
    lead: Lead,
    sources: Sequence[Source],
    model: str,
    max_tokens: int,
    last: Draft | None,
    points: Sequence[Objection],
    *,
    aimed: bool,
) -> Request:
    """The writer's question: the lead at first, then its last version with the numbered points to fix."""
    system, version = prompt(WRITER)
    turns = [Turn("user", _task(lead))]
    if last is not None:
        turns += [
            Turn("assistant", last.written.rstrip() or "(nothing)"),
            Turn("user", _points(points, aimed=aimed)),
        ]
    return Request(
        WRITER, lead.id, model, system, tuple(turns), _documents(sources), version, max_tokens, cite=True
    )


def attack(lead: Lead, draft: Draft, sources: Sequence[Source], model: str, max_tokens: int) -> Request:
    """The sceptic's question."""
    return _about(SCEPTIC, lead, draft, sources, model, max_tokens, Attack)


def complete(lead: Lead, draft: Draft, sources: Sequence[Source], model: str, max_tokens: int) -> Request:
    """The judge's question."""
    return _about(JUDGE, lead, draft, sources, model, max_tokens, Completeness)


def _about(
    purpose: str,
    lead: Lead,
    draft: Draft,
    sources: Sequence[Source],
    model: str,
    max_tokens: int,
    shape: type[BaseModel],
) -> Request:
    system, version = prompt(purpose)
    documents = (Document("draft", draft.body), *_documents(sources))
    turn = Turn("user", f"{_task(lead)}\n\nExamine the draft. Answer in the agreed shape.")
    return Request(
        purpose,
        lead.id,
        model,
        system,
        (turn,),
        documents,
        version,
        max_tokens,
        schema=shape.model_json_schema(),
    )


def _task(lead: Lead) -> str:
    audience = f"\nAudience: {lead.audience}" if lead.audience else ""
    return f"Question: {lead.question}{audience}"


def _documents(sources: Sequence[Source]) -> tuple[Document, ...]:
    return tuple(Document(f"{s.source_id}: {s.title}", s.text or "") for s in sources)


def _points(points: Sequence[Objection], *, aimed: bool) -> str:
    lead = (
        "These points were raised before, and your last version did not settle them. Settle exactly these now, by "
        "another way than before; leave everything else word for word as it is."
        if aimed
        else "Fix these points, and leave everything else word for word as it is."
    )
    return "\n".join([lead, "", *(f"{n}. {_point(p)}" for n, p in enumerate(points, 1))])


def _point(objection: Objection) -> str:
    where = [
        f"passage: {objection.passage!r}" if objection.passage else "",
        f"identifier: {objection.identifier}" if objection.identifier else "",
        f"source: {objection.source_id}" if objection.source_id else "",
    ]
    said = "; ".join(w for w in where if w)
    return f"[{objection.rule}] {objection.point}" + (f" ({said})" if said else "")


def objections_of(answer: Answer) -> tuple[str, tuple[Objection, ...]]:
    """The sceptic's word (approve or reject) and objections.

    Raises:
        AskError: the answer is no verdict.
    """
    said = parse_answer(answer, Attack)
    if said.verdict == "reject" and not said.objections:
        raise AskError("structure", "The sceptic rejects and names no objection.")
    found = tuple(
        Objection(Raiser.SCEPTIC, o.kind, o.point, o.passage, None, o.source, o.severity)
        for o in said.objections
    )
    return ("reject" if found else "approve"), found


def missing_of(answer: Answer) -> tuple[Objection, ...]:
    """What the judge misses, as objections; complete: none.

    Raises:
        AskError: the answer is no verdict, or contradicts itself.
    """
    said = parse_answer(answer, Completeness)
    if said.complete != (not said.missing):
        raise AskError("structure", "The judge's verdict contradicts its list.")
    return tuple(Objection(Raiser.JUDGE, "incomplete", f"Not answered: {m}") for m in said.missing)
