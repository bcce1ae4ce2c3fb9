"""The contract as data: clauses, what they are judged on, and their results.

Belongs here: the validated form of a contract file, the statistics that go in, the results that come out.
Does not belong here: reading files (``load``), judging (``evaluate``), Great Expectations (``suite``).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictFloat, StrictInt

from quality.model import Mode, Stage, Verdict

ROW_COUNT = "row_count"
"""The metric of the floor clause: the number of reports. It has no version, stage or catalogue entry."""

COUNT = "count"
"""The statistic of ``row_count``."""


class Operator(StrEnum):
    """How the observed value must relate to the threshold."""

    AT_LEAST = ">="
    AT_MOST = "<="
    ABOVE = ">"
    BELOW = "<"
    EQUAL = "=="


class Severity(StrEnum):
    """How loud a breach is; whether it blocks is the clause's mode."""

    ERROR = "error"
    WARN = "warn"


StatisticKey = tuple[str, str | None, str | None, str]
"""Metric, version, stage, statistic. Version and stage are None for ``row_count`` alone."""


@dataclass(frozen=True, slots=True)
class Statistic:
    """One number about a batch, and the numbers of reports behind it."""

    value: float | None
    n: int  # reports measured
    n_absent: int = 0
    n_unknown: int = 0
    n_window: int = 0  # how many of the n reports are of earlier batches, see DESIGN section 7


Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,62}$")]
Number = Annotated[StrictInt | StrictFloat, Field(allow_inf_nan=False)]


class Clause(BaseModel):
    """One expectation of a batch, with the evidence for its threshold.

    A breached clause counts as recovered when ``clear_needs`` evaluations in succession reach ``clear_at``, which lies
    on the good side of the threshold (left out: the threshold itself). It decides about alerts, never about a verdict.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    clause: Name
    metric: Name
    version: str | None = None
    stage: Stage | None = None
    statistic: str
    operator: Operator
    threshold: Number
    severity: Severity = Severity.ERROR
    mode: Mode = Mode.BLOCK
    min_n: int = Field(default=10, ge=1)
    max_unknown_share: float = Field(default=0.10, ge=0, lt=1)
    clear_at: Number | None = None
    clear_needs: int = Field(default=1, ge=1, le=100)
    evidence: str = Field(min_length=1)

    @property
    def recovery(self) -> float:
        """Give the value that ends an alert: ``clear_at``, or the threshold where that is left out."""
        return float(self.threshold if self.clear_at is None else self.clear_at)

    @property
    def key(self) -> StatisticKey:
        """Give the statistic that the clause judges."""
        return self.metric, self.version, self.stage, self.statistic

    @property
    def subject(self) -> str:
        """Name the statistic in words: ``inbound_rate v3 (rebuilt) P10``."""
        parts = [self.metric, self.version, f"({self.stage})" if self.stage else None]
        statistic = None if self.metric == ROW_COUNT else self.statistic
        if statistic and statistic[0] == "p" and statistic[1:].isdigit():
            statistic = statistic.upper()
        return " ".join(part for part in (*parts, statistic) if part)


_LATER = {"clear_at": None, "clear_needs": 1}
"""Fields of a clause that came later: they are part of a contract's content only where they say something, so that a
contract that was stored before them keeps its version."""


class Contract(BaseModel):
    """A versioned set of clauses; a file may say who approved it, the record of its acceptance always does."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal[1]
    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,40}$")
    approved_by: str | None = Field(default=None, min_length=1)
    approved_on: str | None = Field(default=None, pattern=r"^\d{4}-\d{2}-\d{2}$")
    clauses: tuple[Clause, ...]

    @property
    def version(self) -> str:
        """Give the declared name with a hash of the content; layout and comments of the file do not count."""
        return f"{self.name}-{hashlib.sha256(self.canonical().encode()).hexdigest()[:12]}"

    def canonical(self) -> str:
        """Give the content as JSON in one fixed form: what ``version`` hashes and what is stored."""
        content = self.model_dump(mode="json")
        for name in ("approved_by", "approved_on"):
            if content[name] is None:
                del content[name]
        for clause in content["clauses"]:
            for name, silent in _LATER.items():
                if clause[name] == silent:
                    del clause[name]
        return json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Judged:
    """What a comparison answered: True (pass) or False (breach) by clause, without those that it could not evaluate."""

    passed: Mapping[str, bool]
    document: Mapping[str, Any] | None = None  # the whole of what was said, as JSON has it
    engine: str | None = None  # who said it, with its version


@dataclass(frozen=True, slots=True)
class ClauseResult:
    """The verdict of one clause about one batch, with everything that it was judged on."""

    clause: str
    metric: str
    version: str | None
    stage: Stage | None
    statistic: str
    operator: Operator
    threshold: float
    observed: float | None
    n: int
    n_absent: int
    n_unknown: int
    verdict: Verdict
    mode: Mode
    severity: Severity
    reason: str  # one sentence
    clear_at: float  # the value that ends an alert
    clear_needs: int
    n_window: int = 0  # how many of the n reports are of earlier batches
    note: str | None = None  # a remark beside the verdict


@dataclass(frozen=True, slots=True)
class BatchVerdict:
    """What all results together say, in one sentence."""

    verdict: Verdict
    reason: str
