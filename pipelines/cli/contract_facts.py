"""What the contract commands show: contracts, acceptances and results read from the publication, as plain values.

Belongs here: questions and their shape. Does not belong here: printing (contract.py), deciding what is in force
(pipelines/contracts.py).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from assets.contract_versions import acceptances, stored_contract
from assets.ports import Reader
from quality.contract.diff import Approval, approvals, compare
from quality.contract.load import load_contract
from quality.contract.model import Contract
from quality.contract.page import ResultPage
from quality.errors import UsageError


def line_of(source: Reader, contract: Contract) -> list[tuple[Approval, Contract]]:
    """The contracts that were in force one after another up to this one, with who approved each.

    Where this one was never accepted, its own file speaks for it, at the end of the line.
    """
    shipped = load_contract()
    line = [(_own(shipped), shipped)]
    for row in acceptances(source):
        accepted = Contract.model_validate_json(row["content"])
        line.append((Approval(row["accepted_by"], row["accepted_at"].date().isoformat()), accepted))
    versions = [c.version for _, c in line]
    if contract.version not in versions:
        return [*line, (_own(contract), contract)]
    last = len(versions) - versions[::-1].index(contract.version)
    return line[:last]


def _own(contract: Contract) -> Approval:
    """What a contract's file says about its approval."""
    return Approval(contract.approved_by or "nobody yet", contract.approved_on or "–")


def contract_facts(source: Reader, contract: Contract, *, in_force: bool) -> dict[str, Any]:
    """One contract with all fields of its clauses, and who approved each of them as it stands."""
    line = line_of(source, contract)
    approved = approvals(line)
    rows = [r for r in acceptances(source) if r["contract_version"] == contract.version]
    clauses = [
        {
            **c.model_dump(mode="json"),
            "clear_at": c.recovery,
            "subject": c.subject,
            "approved_by": approved[c.clause].who,
            "approved_on": approved[c.clause].on,
        }
        for c in contract.clauses
    ]
    return {
        "version": contract.version,
        "in_force": in_force,
        "approved_by": line[-1][0].who,
        "approved_on": line[-1][0].on,
        "why": rows[-1]["why"] if rows else None,
        "clauses": clauses,
    }


def change_facts(before: Contract, after: Contract) -> list[dict[str, Any]]:
    """What differs between two contracts, one dictionary a difference."""
    return [
        {"clause": c.clause, "change": c.kind, "field": c.field, "before": c.before, "after": c.after}
        for c in compare(before, after)
    ]


def history_facts(source: Reader) -> list[dict[str, Any]]:
    """Every contract that was in force, the oldest first, with what it changed and how many batches it judges."""
    shipped = load_contract()
    pinned = dict(
        source.query(
            "SELECT contract_version, count(*) FROM batches WHERE contract_version IS NOT NULL GROUP BY ALL"
        ).iter_rows()
    )
    found: list[dict[str, Any]] = [
        {
            "contract_version": shipped.version,
            "accepted_by": shipped.approved_by,
            "accepted_on": shipped.approved_on,
            "why": "ships with the package",
            "file": None,
            "changes": [],
        }
    ]
    before = shipped
    for row in acceptances(source):
        contract = Contract.model_validate_json(row["content"])
        before = stored_contract(source, row["replaces"]) or before
        found.append(
            {
                "contract_version": row["contract_version"],
                "accepted_by": row["accepted_by"],
                "accepted_on": row["accepted_at"].isoformat(sep=" ", timespec="minutes"),
                "why": row["why"],
                "file": row["file"],
                "changes": change_facts(before, contract),
            }
        )
        before = contract
    return [{**row, "batches": pinned.get(row["contract_version"], 0)} for row in found]


def result_page(source: Reader, batch_id: str) -> ResultPage:
    """Everything that is recorded about the last evaluation of a batch.

    Raises:
        UsageError: the batch was never evaluated.
    """
    verdicts = source.query("SELECT * FROM batch_contract WHERE batch_id = ?", [batch_id]).to_dicts()
    if not verdicts:
        known = source.query("SELECT batch_id FROM batch_contract ORDER BY evaluated_at DESC LIMIT 5")
        raise UsageError(
            f"Batch {batch_id!r} was never evaluated against a contract.",
            remedy=f"Name one of {', '.join(known['batch_id'])}." if known.height else "Run it first.",
        )
    verdict = verdicts[0]
    contract = stored_contract(source, verdict["contract_version"]) or load_contract()
    approval = line_of(source, contract)[-1][0]
    results = source.query(
        "SELECT * FROM latest_results WHERE batch_id = ? "
        "ORDER BY mode <> 'block', CASE verdict WHEN 'breach' THEN 0 WHEN 'unknown' THEN 1 ELSE 2 END, result_id",
        [batch_id],
    ).to_dicts()
    kept = source.query(
        "SELECT engine, result FROM contract_validations WHERE batch_id = ? AND contract_version = ? "
        "AND batch_fingerprint = ?",
        [batch_id, verdict["contract_version"], verdict["batch_fingerprint"]],
    ).to_dicts()
    return ResultPage(
        batch_id=batch_id,
        verdict=verdict["verdict"],
        contract_version=verdict["contract_version"],
        approval=f"approved by {approval.who} on {approval.on}",
        evaluated_at=verdict["evaluated_at"].isoformat(sep=" ", timespec="seconds"),
        results=results,
        evidence={c.clause: c.evidence for c in contract.clauses},
        windows=_windows(source, batch_id, [str(r["clause"]) for r in results]),
        engine=kept[0]["engine"] if kept else None,
        validation=json.loads(kept[0]["result"]) if kept else None,
    )


def _windows(source: Reader, batch_id: str, clauses: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for clause in clauses:
        members = source.query(
            "SELECT * FROM contract_windows WHERE batch_id = ? AND clause = ? ORDER BY ordinal",
            [batch_id, clause],
        ).to_dicts()
        if members:
            found[clause] = members
    return found
