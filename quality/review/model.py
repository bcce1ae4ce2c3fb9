"""The words of the blind review: corpus, finding, examination, review, and what a reviewer is.

Belongs here: the values, and the protocol that makes reviewers blind to each other. Does not belong here: reviewers.

Independence is by construction: a reviewer is handed a ``Corpus`` and nothing else. It cannot see the warehouse, the
audit's rows or another reviewer's findings, because nothing that it is given leads there.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from quality.model import Report, Source, UnreadableReport


class Category(StrEnum):
    """What kind of failure a finding is about. The list is closed, so that reviewers can be compared."""

    DANGLING_CITATION = "dangling_citation"
    NO_CITATION = "no_citation"
    UNCITED_ENTRY = "uncited_entry"
    DIRTY_ENTRY = "dirty_entry"
    DUPLICATE_ENTRY = "duplicate_entry"
    INVENTED_REFERENCE = "invented_reference"
    STOCK_CLOSING = "stock_closing"
    UNBACKED_METHOD = "unbacked_method"
    UNSUPPORTED_CLAIM = "unsupported_claim"
    CONTRADICTION = "contradiction"
    OTHER = "other"


class Severity(StrEnum):
    """How bad a finding is for a knowledge base that would take the report in."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class ReviewerKind(StrEnum):
    """Who looks: our rules, a language model, or somebody outside whose findings were brought in."""

    MECHANICAL = "mechanical"
    MODEL = "model"
    OUTSIDE = "outside"


@dataclass(frozen=True, slots=True)
class Finding:
    """One failure that a reviewer saw in one report.

    ``start`` and ``end`` are offsets in characters of the body as it was loaded, end exclusive; both None where the
    finding is about the report as a whole, or where its ``quote`` does not stand in the body.
    """

    report_id: str
    category: Category
    severity: Severity
    explanation: str
    quote: str | None = None
    start: int | None = None
    end: int | None = None

    @property
    def located(self) -> bool:
        """Whether the finding points at a passage that stands in the body."""
        return self.start is not None


@dataclass(frozen=True, slots=True)
class Examination:
    """What one reviewer says about one report. ``fault``: why it could not be examined; then nothing was found."""

    report_id: str
    findings: tuple[Finding, ...] = ()
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Review:
    """One reviewer's look at a corpus; ``examinations`` has each of its reports exactly once."""

    reviewer: str
    kind: ReviewerKind
    examinations: tuple[Examination, ...]
    model: str | None = None
    prompt_version: str | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, in the order of the reports."""
        return tuple(f for e in self.examinations for f in e.findings)


@dataclass(frozen=True, slots=True)
class Corpus:
    """What a reviewer gets to see: the reports as they came, and the catalogue they were written from, if any."""

    reports: tuple[Report | UnreadableReport, ...]
    sources: tuple[Source, ...] | None = None


class Reviewer(Protocol):
    """Examines a corpus. It gets the corpus and nothing else."""

    async def review(self, corpus: Corpus) -> Review:
        """Examine every report; a fault in one report is that report's ``fault``, never an exception."""
        ...
