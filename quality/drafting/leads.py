"""Leads from JSON lines.

Belongs here: the shape of a line, and a file -> leads. Does not belong here: drafting.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from quality.drafting.model import Lead
from quality.errors import InputError, UsageError
from quality.intake.decode import Refusal
from quality.intake.rows import read_jsonl_rows


class _Budget(BaseModel):
    model_config = ConfigDict(extra="forbid")

    calls: int | None = Field(default=None, ge=1)
    tokens: int | None = Field(default=None, ge=1)
    cost: float | None = Field(default=None, gt=0)


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid")

    id: str = Field(min_length=1, max_length=200)
    question: str = Field(min_length=1)
    audience: str = ""
    language: str | None = None
    sources: list[str] = Field(default_factory=list)
    budget: _Budget = _Budget()


def read_leads(path: Path) -> tuple[Lead, ...]:
    """Leads of a JSONL file.

    Raises:
        UsageError: there is no such file.
        InputError: a line is no JSON object, of another shape, or names an id again.
    """
    if not path.is_file():
        raise UsageError(f"There are no leads at {str(path)!r}.", remedy="Name a JSONL file of leads.")

    def lines() -> Iterable[tuple[str, object]]:
        for row in read_jsonl_rows(path):
            if isinstance(row.fields, Refusal):
                raise InputError(
                    f"{path}, {row.place}: {row.fields.detail}", remedy="Write one JSON object a line."
                )
            yield f"{path}, {row.place}", dict(row.fields)

    return leads_of(lines())


def leads_of(lines: Iterable[tuple[str, object]]) -> tuple[Lead, ...]:
    """Leads in the order of their lines (place and parsed object of each).

    Raises:
        InputError: a line is of another shape, or an id comes twice.
    """
    leads: dict[str, Lead] = {}
    for place, value in lines:
        try:
            line = _Line.model_validate(value)
        except ValidationError as error:
            faults = "; ".join(
                f"{'.'.join(map(str, e['loc'])) or 'line'}: {e['msg']}" for e in error.errors()
            )
            raise InputError(
                f"{place}: {faults}.",
                remedy="A lead has id and question, and optionally audience, language, sources and budget.",
            ) from error
        if line.id in leads:
            raise InputError(
                f"{place}: the lead {line.id!r} comes twice.", remedy="Give each lead its own id."
            )
        b = line.budget
        leads[line.id] = Lead(
            line.id,
            line.question,
            line.audience,
            line.language,
            tuple(line.sources),
            b.calls,
            b.tokens,
            b.cost,
        )
    return tuple(leads.values())
