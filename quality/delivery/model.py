"""What a delivered file is rendered from: plain values, no rows of a database and no clock.

Belongs here: the input types of rendering. Does not belong here: rendering (``render``), or where files lie.
Nothing here asks a clock: the same input gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from quality.model import Measurement, Outcome, Reason, RebuildPath, Verdict


class DeliveryState(StrEnum):
    """What the audit block says on top."""

    PENDING = "pending"  # audited, not decided yet: the end of the run rewrites the block
    INGEST = "ingest"
    HOLD = "hold"
    WITHDRAWN = "withdrawn"  # the report left its batch after it was delivered
    INCOMPLETE = "incomplete"  # the audit itself failed: the original is delivered


@dataclass(frozen=True, slots=True)
class DeliveredReport:
    """One report as it is handed out: its body, and everything that its audit block says.

    ``before`` and ``after`` are the measurements at the stages shadow and rebuilt. ``dangling`` names the
    citations that have neither an entry nor a locator, ``not_checked`` what could not be looked at because
    its input was never supplied. ``failure`` says in one sentence what went wrong, for the state
    ``incomplete``.
    """

    batch_id: str
    report_id: str
    body: str
    state: DeliveryState
    front_matter: Mapping[str, object] = field(default_factory=dict)  # the report's own (``own_fields``)
    input_fingerprint: str | None = None
    decision: Outcome | None = None
    gate_outcome: Outcome | None = None  # what the gate says by itself
    contract_verdict: Verdict | None = None
    contract_version: str | None = None
    before: tuple[Measurement, ...] = ()
    after: tuple[Measurement, ...] = ()
    rebuild_path: RebuildPath | None = None
    rebuild_reason: str | None = None
    reasons: tuple[Reason, ...] = ()
    lifted: tuple[Reason, ...] = ()  # what the gate says and a person's release overrules
    released_by: str | None = None
    release_why: str | None = None
    version: int = 1  # above 1: it was submitted again
    would_hold: tuple[Reason, ...] = ()
    dangling: tuple[str, ...] = ()
    not_checked: tuple[str, ...] = ()
    failure: str | None = None
    withdrawn_at: str | None = None  # when its batch was first judged without it, as it was recorded


@dataclass(frozen=True, slots=True)
class DeliveredFile:
    """One file to write: its name (one part of a path) and its bytes."""

    name: str
    content: bytes
