"""The reviewer that asks a language model, one question a report, through whatever ``Asker`` it is handed.

Belongs here: the question, the agreed shape of the answer, and answer -> findings.
Does not belong here: the API (``pipelines/gateway``), other reviewers.

An answer that cannot be read, is cut off or refused is a fault of that report's examination: it says nothing about the
report, least of all that it is sound.
"""

from __future__ import annotations

import asyncio
from typing import Literal

from pydantic import BaseModel, ConfigDict

from quality.llm.model import Asker, AskError, Document, Request, Turn
from quality.llm.structure import parse_answer
from quality.model import Report, UnreadableReport
from quality.review.locate import locate
from quality.review.model import Category, Corpus, Examination, Finding, Review, ReviewerKind, Severity
from quality.review.prompts.load import prompt

MAX_CHARS = 400_000
"""A longer body is not examined at all; a reviewer that saw a part of it would vouch for the rest."""
MAX_TOKENS = 8_000
QUESTION = "Examine the report in the document. Answer with the findings."

CategoryName = Literal[
    "dangling_citation", "no_citation", "uncited_entry", "dirty_entry", "duplicate_entry", "invented_reference",
    "stock_closing", "unbacked_method", "unsupported_claim", "contradiction", "other",
]  # fmt: skip


class _Said(BaseModel):
    model_config = ConfigDict(extra="forbid")

    category: CategoryName
    severity: Literal["high", "medium", "low"]
    explanation: str
    quote: str | None


class Findings(BaseModel):
    """The agreed shape of an answer."""

    model_config = ConfigDict(extra="forbid")

    findings: list[_Said]


class AskingReviewer:
    """Examines through a language model.

    Args:
        asker: answers the questions; bounds how many are open at once.
        model: the model's name.
    """

    def __init__(self, asker: Asker, model: str) -> None:
        self._asker = asker
        self._model = model

    async def review(self, corpus: Corpus) -> Review:
        """Examine every report; see ``Reviewer``."""
        examinations = await asyncio.gather(*(self._examined(report) for report in corpus.reports))
        _, version = prompt("reviewer")
        return Review(self._model, ReviewerKind.MODEL, tuple(examinations), self._model, version)

    async def _examined(self, report: Report | UnreadableReport) -> Examination:
        if isinstance(report, UnreadableReport):
            return Examination(report.report_id, fault=f"{report.reason}: {report.detail}")
        if len(report.body) > MAX_CHARS:
            return Examination(
                report.report_id,
                fault=f"too long: {len(report.body):,} characters, and at most {MAX_CHARS:,} are asked about",
            )
        try:
            said = parse_answer(await self._asker.ask(question(report, self._model)), Findings)
        except AskError as error:
            return Examination(report.report_id, fault=f"{error.kind}: {error.message}")
        return Examination(report.report_id, tuple(_finding(report, item) for item in said.findings))


def question(report: Report, model: str) -> Request:
    """The question about one report."""
    text, version = prompt("reviewer")
    return Request(
        purpose="reviewer",
        subject=report.report_id,
        model=model,
        system=text,
        turns=(Turn("user", QUESTION),),
        documents=(Document("report", report.body),),
        prompt_version=version,
        max_tokens=MAX_TOKENS,
        schema=Findings.model_json_schema(),
    )


def _finding(report: Report, said: _Said) -> Finding:
    span = locate(said.quote, report.body)
    return Finding(
        report.report_id,
        Category(said.category),
        Severity(said.severity),
        said.explanation,
        said.quote,
        *(span or (None, None)),
    )
