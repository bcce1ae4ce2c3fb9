"""Releases: a person's recorded word about one report, with everything that follows from it.

Belongs here: the one transaction of a release or its withdrawal: its row, the decision that it changes, and what the
knowledge base shows. Does not belong here: what a release lifts (quality/gate/release.py), publishing, asking people.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

import polars as pl

from assets.delivery import reasons_of
from assets.gate import DECISIONS, as_json, withdraw
from assets.knowledge_base import find_mismatches, ingest
from assets.ports import Reader, Store, Transaction
from quality.errors import UsageError
from quality.gate.release import CONTRACT, NEVER_LIFTED, Release, gate_part, settle
from quality.model import Outcome, Reason

Action = Literal["release", "withdraw"]
_RELEASES: dict[str, Any] = {
    "batch_id": pl.String,
    "report_id": pl.String,
    "input_fingerprint": pl.String,
    "action": pl.String,
    "who": pl.String,
    "why": pl.String,
    "recorded_at": pl.Datetime("us", "UTC"),
}


@dataclass(frozen=True, slots=True)
class Released:
    """What a release, or its withdrawal, came to."""

    batch_id: str
    report_id: str
    action: Action
    fresh: bool  # False: the same was recorded before
    decision: str
    held_by: tuple[Reason, ...]  # what still holds it
    lifted: tuple[Reason, ...]
    shown: bool  # whether the knowledge base shows it now
    kept_out: tuple[str, ...]  # why it is not shown although the decision is ingest


def release(
    store: Store, batch_id: str, report_id: str, *, who: str, why: str, action: Action = "release"
) -> Released:
    """Record a release or take it back, decide anew, and ingest or withdraw: all of it, or nothing.

    Raises:
        UsageError: there is no such report, it was not decided about as it stands, no gate reason holds it, or the reason
            is one that nobody can overrule; for a withdrawal: no release stands. Blank who or why.
    """
    who, why = who.strip(), why.strip()
    if not who or not why:
        raise UsageError(
            "A release is recorded with a person and a reason.", remedy="Give both, in a few words."
        )
    with store.write(f"{action} of report {report_id!r} of batch {batch_id!r}") as tx:
        decided = _decision(tx, batch_id, report_id)
        standing = _standing(tx, decided)
        if action == "release":
            _refuse_pointless(decided)
        elif standing is None and not _withdrawn(tx, decided):
            raise UsageError(
                f"No release of report {report_id!r} stands.", remedy="There is nothing to withdraw."
            )
        if action == "withdraw" and standing is None:
            fresh = 0
        else:
            fresh = _record(tx, decided, action, Release(who, why))
        return _settled(tx, decided, action, fresh)


def _decision(tx: Reader, batch_id: str, report_id: str) -> dict[str, Any]:
    """The latest decision about the report, which must speak about it as it stands."""
    rows = tx.query(
        "SELECT d.*, r.input_fingerprint AS current FROM reports r LEFT JOIN latest_decisions d USING (batch_id, report_id) "
        "WHERE r.batch_id = ? AND r.report_id = ?",
        [batch_id, report_id],
    )
    if rows.is_empty():
        raise UsageError(
            f"Batch {batch_id!r} has no report {report_id!r}.",
            remedy='`sluicegate sql "SELECT batch_id, report_id FROM held_reports"` lists what is held.',
        )
    row = rows.row(0, named=True)
    if row["decision"] is None or row["input_fingerprint"] != row["current"]:
        raise UsageError(
            f"Report {report_id!r} was not decided about as it stands now.",
            remedy=f"Run the batch first: `sluicegate run --batch {batch_id}`.",
        )
    return {**row, "batch_id": batch_id, "report_id": report_id}


def _standing(tx: Reader, decided: dict[str, Any]) -> Release | None:
    rows = tx.query(
        "SELECT who, why FROM standing_releases WHERE (batch_id, report_id, input_fingerprint) = (?, ?, ?)",
        [decided["batch_id"], decided["report_id"], decided["input_fingerprint"]],
    )
    return Release(*rows.row(0)) if rows.height else None


def _withdrawn(tx: Reader, decided: dict[str, Any]) -> bool:
    found = tx.query(
        "SELECT count(*) FROM releases WHERE (batch_id, report_id, input_fingerprint) = (?, ?, ?)",
        [decided["batch_id"], decided["report_id"], decided["input_fingerprint"]],
    )
    return bool(found.item())


def _refuse_pointless(decided: dict[str, Any]) -> None:
    """Refuse a release that would lift nothing, and say what to do instead."""
    own = _own_reasons(decided)
    where = f"Report {decided['report_id']!r} of batch {decided['batch_id']!r}"
    if not own:
        contract = any(r.rule == CONTRACT for r in reasons_of(decided["reasons"]))
        raise UsageError(
            f"{where} is not held by the gate.",
            remedy="Its batch is held by the contract, which no release lifts: mend the batch and run it again."
            if contract
            else "There is nothing to release.",
        )
    if final := next((r for r in own if r.rule in NEVER_LIFTED), None):
        raise UsageError(f"{where} cannot be released: {final.observed}.", remedy=f"Needed: {final.needed}.")


def _own_reasons(decided: dict[str, Any]) -> tuple[Reason, ...]:
    return gate_part(decided["gate_outcome"], reasons_of(decided["reasons"]), _lifted(decided)).reasons


def _lifted(decided: dict[str, Any]) -> tuple[Reason, ...]:
    return reasons_of(decided["lifted"]) if decided["lifted"] is not None else ()


def _record(tx: Transaction, decided: dict[str, Any], action: Action, said: Release) -> int:
    row = (
        decided["batch_id"], decided["report_id"], decided["input_fingerprint"], action, said.who, said.why,
        datetime.now(tz=UTC),
    )  # fmt: skip
    return tx.append_changed("releases", pl.DataFrame([row], schema=_RELEASES, orient="row"))


def _settled(tx: Transaction, decided: dict[str, Any], action: Action, fresh: int) -> Released:
    batch_id, report_id = decided["batch_id"], decided["report_id"]
    recorded = reasons_of(decided["reasons"])
    contract = tuple(r for r in recorded if r.rule == CONTRACT)
    gate = gate_part(decided["gate_outcome"], recorded, _lifted(decided))
    now = settle(gate, contract, _standing(tx, decided))
    row = {name: decided[name] for name in DECISIONS} | {
        "decision": now.outcome.value,
        "reasons": as_json(now.reasons),
        "lifted": as_json(now.lifted) if now.release else None,
        "released_by": now.release.who if now.release else None,
        "release_why": now.release.why if now.release else None,
        "decided_at": datetime.now(tz=UTC),
    }
    tx.append_changed("ingestion_decisions", pl.DataFrame([row], schema=DECISIONS, orient="row"))
    withdraw(tx, batch_id)
    kept_out: tuple[str, ...] = ()
    if now.outcome is Outcome.INGEST:
        kept_out = tuple(find_mismatches(tx, batch_id))
        if not kept_out:
            ingest(tx, batch_id, report_id)
    shown = tx.query(
        "SELECT count(*) FROM kb_documents WHERE batch_id = ? AND report_id = ?", [batch_id, report_id]
    ).item()
    return Released(
        batch_id, report_id, action, bool(fresh), now.outcome.value, now.reasons, now.lifted, bool(shown), kept_out
    )  # fmt: skip
