"""The blocking asset checks: one per clause of the contract, on ``ingestion_decisions``.

Belongs here: showing the recorded rows as checks. Does not belong here: evaluating; a check only shows what
``contract_results`` recorded, so the two cannot disagree.
"""

import warnings
from collections.abc import Iterator
from typing import Any

import dagster as dg

from assets.partitions import BATCHES
from assets.ports import Reader, Store
from quality.contract.model import Clause, Contract, Severity
from quality.model import Mode, Verdict

SUBJECT = "ingestion_decisions"


def clause_checks(contract: Contract) -> dg.AssetChecksDefinition:
    """One check per clause that is not off; those in mode ``block`` stop the knowledge base within the run."""
    clauses = [c for c in contract.clauses if c.mode is not Mode.OFF]

    @dg.multi_asset_check(name="contract_clauses", specs=[_spec(c) for c in clauses])
    def contract_clauses(
        context: dg.AssetCheckExecutionContext, store: dg.ResourceParam[Store]
    ) -> Iterator[dg.AssetCheckResult]:
        batch_id = context.partition_key
        try:
            with store.read_primary() as reader:
                shown = {c.clause: _result(reader, batch_id, c) for c in clauses}
        except Exception as error:  # a check that raises leaves no evaluation behind: say unknown instead
            shown = {c.clause: _unreadable(c, error) for c in clauses}
        yield from shown.values()

    return contract_clauses


def _spec(clause: Clause) -> dg.AssetCheckSpec:
    """Spec of one clause's check; ``partitions_def``, so that its evaluations are recorded per batch."""
    with warnings.catch_warnings():
        # Partitioned checks are a preview of Dagster's; tests/upstream pins what we rely on.
        warnings.filterwarnings("ignore", message="Specifying a partitions_def on an AssetCheckSpec")
        return dg.AssetCheckSpec(
            name=clause.clause,
            asset=SUBJECT,
            blocking=clause.mode is Mode.BLOCK,
            description=f"{clause.subject} {clause.operator} {clause.threshold:g} ({clause.mode}). {clause.evidence}",
            metadata={"threshold": float(clause.threshold), "mode": clause.mode.value},
            partitions_def=BATCHES,
        )


def _result(reader: Reader, batch_id: str, clause: Clause) -> dg.AssetCheckResult:
    rows = reader.query(
        "SELECT * FROM latest_results WHERE batch_id = ? AND clause = ?", [batch_id, clause.clause]
    )
    severity = _severity(clause)
    if rows.is_empty():
        pinned = reader.query("SELECT contract_version FROM batch_contract WHERE batch_id = ?", [batch_id])
        known = pinned.item() if pinned.height else None
        said = (
            f"not part of contract {known}, to which this batch is pinned, or off for it"
            if known
            else "never evaluated"
        )
        return dg.AssetCheckResult(
            asset_key=SUBJECT,
            check_name=clause.clause,
            passed=known is not None,
            severity=severity,
            description=said,
        )
    row = rows.row(0, named=True)
    metadata: dict[str, Any] = {
        "clause": clause.clause,
        "looks_at": clause.subject,
        "needs": f"{row['operator']} {row['threshold']:g}",
        "verdict": row["verdict"],
        "threshold": row["threshold"],
        "n": row["n"],
        "n_absent": row["n_absent"],
        "n_unknown": row["n_unknown"],
        "contract_version": row["contract_version"],
        "mode": row["mode"],
        "severity": row["severity"],
        "n_of_earlier_batches": row["n_window"] or 0,
        "clear_at": clause.recovery,
        "evidence": clause.evidence,
        "worst_reports": ", ".join(row["worst_reports"]) or "none",
    }
    if row["observed"] is not None:
        metadata["observed"] = row["observed"]
    return dg.AssetCheckResult(
        asset_key=SUBJECT,
        check_name=clause.clause,
        passed=row["verdict"] == Verdict.PASS,
        severity=severity,
        description=row["reason"],
        metadata=metadata,
    )


def _severity(clause: Clause) -> dg.AssetCheckSeverity:
    """The clause's severity as Dagster has it; one that blocks is an error in any case, for a warning never blocks."""
    loud = clause.mode is Mode.BLOCK or clause.severity is Severity.ERROR
    return dg.AssetCheckSeverity.ERROR if loud else dg.AssetCheckSeverity.WARN


def _unreadable(clause: Clause, error: Exception) -> dg.AssetCheckResult:
    return dg.AssetCheckResult(
        asset_key=SUBJECT,
        check_name=clause.clause,
        passed=False,
        severity=_severity(clause),
        description=f"unknown: the recorded result could not be read ({type(error).__name__}: {error})",
    )
