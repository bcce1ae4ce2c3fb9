"""The contract that a calibration proposes: the one in force, with what was found in place of what it had.

Belongs here: putting proposals into clauses. Does not belong here: finding them (``calibrate``), writing a file (``text``).
"""

from __future__ import annotations

from quality.contract.calibrate import Calibration, Proposal
from quality.contract.model import Clause, Contract


def proposed_contract(contract: Contract, calibration: Calibration) -> Contract:
    """Give the contract with every proposed clause changed; nobody approved it yet."""
    proposals = {p.clause.clause: p for p in calibration.proposals}
    clauses = tuple(_changed(c, proposals.get(c.clause)) for c in contract.clauses)
    name = "calibrated" if contract.name == "default" else contract.name
    return contract.model_copy(
        update={"name": name, "clauses": clauses, "approved_by": None, "approved_on": None}
    )


def _changed(clause: Clause, proposal: Proposal | None) -> Clause:
    if proposal is None or proposal.state != "proposed":
        return clause
    return clause.model_copy(
        update={
            "threshold": proposal.threshold,
            "clear_at": proposal.clear_at if proposal.clear_at != proposal.threshold else None,
            "evidence": proposal.evidence,
        }
    )
