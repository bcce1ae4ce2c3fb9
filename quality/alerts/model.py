"""The words of alerts as types: what is looked at, what is remembered, what changed.

Belongs here: frozen values. Does not belong here: deciding what changed (``changes``), wording (``message``), delivery
(``pipelines``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from quality.model import Verdict

REPORTS_UNKNOWN = "reports_unknown"
"""The clause of an alert about reports that the gate holds because something could not be determined: no clause of the
contract, but told in the same way."""


class Kind(StrEnum):
    """What a message is about; each is a message of its own."""

    BREACH = "breach"
    UNKNOWN = "unknown"
    RECOVERY = "recovery"


@dataclass(frozen=True, slots=True)
class Observation:
    """One blocking clause of one batch, as it is recorded now."""

    clause: str
    subject: str  # the statistic in words: inbound_rate v3 (rebuilt) P10
    metric_version: str | None
    verdict: Verdict
    observed: float | None
    operator: str
    threshold: float
    recovery: float  # the value that ends an alert
    clear_needs: int  # evaluations in succession that must reach it
    n: int
    reason: str  # one sentence
    worst: tuple[str, ...] = ()  # report ids, worst first


@dataclass(frozen=True, slots=True)
class BatchView:
    """What is recorded about one batch, as far as alerts are concerned."""

    batch_id: str
    producer: str | None
    n_reports: int
    observations: tuple[Observation, ...]
    order: int = 0  # grows with the batches, in the order of their first evaluation


@dataclass(frozen=True, slots=True)
class ClauseState:
    """What is remembered about one clause over the batches of one producer.

    ``breach_since`` and ``unknown_since`` name the batch that the standing alert was raised for. ``clear`` counts the
    evaluations in succession that reached the clause's recovery value. ``kept`` are batches that broke the clause, or
    left it unknown, since then, the last of them at ``order``. ``value`` was measured last, in ``batch``, under ``metric_version``.
    """

    metric_version: str | None = None
    breach_since: str | None = None
    unknown_since: str | None = None
    clear: int = 0
    kept: tuple[str, ...] = ()
    order: int = 0
    value: float | None = None
    batch: str | None = None


States = dict[str, ClauseState]
"""Clause -> state, of one producer."""


@dataclass(frozen=True, slots=True)
class Change:
    """One clause that changed its state, or that stays in a state which was told before (``since``)."""

    observation: Observation
    previous: float | None = None  # the value before, of the same version of the metric
    previous_batch: str | None = None
    since: str | None = None  # the batch that the standing alert was raised for
    kept: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """One message about one batch: the clauses that changed in the same way, and those that still stand so.

    ``quiet``: nothing changed, the state was told before; the alert is recorded and not sent.
    """

    kind: Kind
    batch_id: str
    producer: str | None
    n_reports: int
    changes: tuple[Change, ...]
    still: tuple[Change, ...] = field(default=())

    @property
    def quiet(self) -> bool:
        """Whether there is nothing new to tell."""
        return not self.changes

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that the message is about."""
        return tuple(c.observation.clause for c in (self.changes or self.still))
