"""Findings brought in from outside: by a person, or by another harness, as JSON lines.

Belongs here: the shape of a line, and lines -> a review of this corpus. Does not belong here: reading files.

A line has ``report_id``, ``category``, ``severity``, and optionally ``explanation``, ``quote``, ``start`` and ``end``. A line
``{"report_id": …, "examined": true}`` says that a report was looked at and nothing was found. A report that no line names
was not examined.
"""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from quality.errors import InputError
from quality.model import Report
from quality.review.locate import locate
from quality.review.model import Category, Corpus, Examination, Finding, Review, ReviewerKind, Severity

NOT_NAMED = "not examined: no line names it"


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid")

    report_id: str
    examined: bool = True
    category: Category | None = None
    severity: Severity | None = None
    explanation: str = ""
    quote: str | None = None
    start: int | None = Field(default=None, ge=0)
    end: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _whole(self) -> _Line:
        if (self.category is None) != (self.severity is None):
            raise ValueError("category and severity come together")
        if (self.start is None) != (self.end is None) or (self.end or 0) < (self.start or 0):
            raise ValueError("start and end come together, start first")
        return self


def brought_review(reviewer: str, lines: Iterable[tuple[str, object]], corpus: Corpus) -> Review:
    """The review that these lines are.

    Args:
        reviewer: who found it.
        lines: place ("file:3") and parsed object of each line.
        corpus: what was examined; lines are placed in its bodies.

    Raises:
        InputError: a line is of another shape, names a report that the corpus has not, or a span outside its body.
    """
    bodies = {r.report_id: r.body if isinstance(r, Report) else None for r in corpus.reports}
    found: dict[str, list[Finding]] = {}
    for place, value in lines:
        line = _validated(place, value)
        if line.report_id not in bodies:
            raise InputError(
                f"{place}: there is no report {line.report_id!r} in the batch.",
                remedy="Name reports by the ids of the batch.",
            )
        of_report = found.setdefault(line.report_id, [])
        if line.category is not None and line.severity is not None:
            of_report.append(
                _finding(place, line, line.category, line.severity, bodies[line.report_id] or "")
            )
    examinations = tuple(
        Examination(i, tuple(found[i])) if i in found else Examination(i, fault=NOT_NAMED) for i in bodies
    )
    return Review(reviewer, ReviewerKind.OUTSIDE, examinations)


def _validated(place: str, value: object) -> _Line:
    try:
        return _Line.model_validate(value)
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'line'}: {e['msg']}" for e in error.errors())
        raise InputError(
            f"{place}: {faults}.",
            remedy=f"Categories are {', '.join(Category)}; severities {', '.join(Severity)}.",
        ) from error


def _finding(place: str, line: _Line, category: Category, severity: Severity, body: str) -> Finding:
    span = locate(line.quote, body)
    if line.start is not None and line.end is not None:
        if line.end > len(body):
            raise InputError(
                f"{place}: the span {line.start}–{line.end} ends behind the body's {len(body)} characters."
            )
        span = (line.start, line.end)
    quote = line.quote if line.quote or span is None else body[span[0] : span[1]]
    return Finding(line.report_id, category, severity, line.explanation, quote, *(span or (None, None)))
