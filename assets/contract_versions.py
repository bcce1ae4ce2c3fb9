"""Contract versions as the warehouse keeps them: storing, accepting, finding, and pinning a batch to one.

Belongs here: which contract is in force, and the record of who said so. Does not belong here: judging (contract.py),
reading contract files (quality/contract/load.py).

The contract in force is the one that was accepted last; where none ever was, the one that ships. A file says nothing by
itself: until it is accepted, it is a proposal.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import polars as pl

from assets.ports import Reader, Transaction
from quality.contract.load import load_contract
from quality.contract.model import Contract
from quality.errors import UsageError


def accepted_contract(reader: Reader) -> Contract | None:
    """The contract that was accepted last in this home; None: none ever was."""
    rows = reader.query(
        "SELECT v.content FROM contract_acceptances a JOIN contract_versions v USING (contract_version) "
        "ORDER BY a.acceptance_id DESC LIMIT 1"
    )
    return None if rows.is_empty() else Contract.model_validate_json(str(rows.item()))


def acceptances(reader: Reader) -> list[dict[str, Any]]:
    """Every acceptance, the oldest first, with the content of its contract."""
    return reader.query(
        "SELECT a.*, v.content FROM contract_acceptances a JOIN contract_versions v USING (contract_version) "
        "ORDER BY a.acceptance_id"
    ).to_dicts()


def stored_contract(reader: Reader, version: str) -> Contract | None:
    """The contract of a version that was accepted or used in this home; None: there is none."""
    rows = reader.query("SELECT content FROM contract_versions WHERE contract_version = ?", [version])
    return None if rows.is_empty() else Contract.model_validate_json(str(rows.item()))


def is_accepted(reader: Reader, version: str) -> bool:
    """Whether a version may judge a batch: it was accepted here at some time, or it ships."""
    found = reader.query("SELECT count(*) FROM contract_acceptances WHERE contract_version = ?", [version])
    return bool(found.item()) or version == load_contract().version


def accept_contract(
    tx: Transaction, contract: Contract, *, who: str, why: str, file: str | None, now: datetime
) -> bool:
    """Put a contract in force for new batches, and write down who did and why.

    Returns:
        False when it is in force already; then nothing is written.

    Raises:
        UsageError: nobody is named, or no reason.
    """
    if not who.strip() or not why.strip():
        raise UsageError(
            "A contract is accepted by somebody, for a reason.", remedy="Name both: --who NAME --why REASON."
        )
    before = accepted_contract(tx) or load_contract()
    if before.version == contract.version:
        return False
    number = int(tx.query("SELECT coalesce(max(acceptance_id), 0) + 1 FROM contract_acceptances").item())
    store_contract(tx, contract, approval={"approved_by": who, "why": why, "accepted_at": now})
    row = {
        "acceptance_id": number,
        "contract_version": contract.version,
        "replaces": before.version,
        "accepted_by": who,
        "why": why,
        "accepted_at": now,
        "file": file,
    }
    tx.replace("contract_acceptances", pl.DataFrame([row]), where={"acceptance_id": number})
    return True


def store_contract(
    tx: Transaction,
    contract: Contract,
    *,
    approval: Mapping[str, object] | None = None,
    used: datetime | None = None,
) -> None:
    """Keep a version: its content for good, its approval and its first use where they are new."""
    version = contract.version
    if tx.query("SELECT count(*) FROM contract_versions WHERE contract_version = ?", [version]).item() == 0:
        row = {
            "contract_version": version,
            "content": contract.canonical(),
            "approved_by": contract.approved_by,
            "approved_on": contract.approved_on,
        }
        tx.replace("contract_versions", pl.DataFrame([row]), where={"contract_version": version})
    if approval is not None:
        tx.execute(
            "UPDATE contract_versions SET approved_by = $approved_by, why = $why, accepted_at = $accepted_at, "
            "approved_on = strftime($accepted_at::TIMESTAMPTZ, '%Y-%m-%d') WHERE contract_version = $version",
            {**approval, "version": version},
        )
    if used is not None:
        tx.execute(
            "UPDATE contract_versions SET first_used_at = ? WHERE contract_version = ? AND first_used_at IS NULL",
            [used, version],
        )


def pinned_contract(tx: Transaction, batch_id: str, shipped: Contract, *, now: datetime) -> Contract:
    """The contract of the batch's first evaluation; if this is the first, the one in force, which pins it.

    Args:
        tx: the transaction that pins.
        batch_id: the batch.
        shipped: what is in force where nothing was ever accepted.
        now: the present instant.

    Raises:
        UsageError: the pinned version is not stored.
    """
    pinned = tx.query("SELECT contract_version FROM batches WHERE batch_id = ?", [batch_id]).item()
    if pinned is None:
        contract = accepted_contract(tx) or shipped
        pin_contract(tx, batch_id, contract, now=now)
        return contract
    stored = stored_contract(tx, pinned)
    if stored is None:
        raise UsageError(
            f"Batch {batch_id!r} is pinned to contract {pinned}, which is not stored.",
            remedy="Run it again with `--contract`, naming the contract that is to judge it.",
        )
    return stored


def pin_contract(tx: Transaction, batch_id: str, contract: Contract, *, now: datetime) -> None:
    """Store a contract version and pin a batch to it."""
    store_contract(tx, contract, used=now)
    tx.execute("UPDATE batches SET contract_version = ? WHERE batch_id = ?", [contract.version, batch_id])
