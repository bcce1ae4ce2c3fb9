"""Two contracts side by side: what differs, clause by clause, and since when a clause stands as it does.

Belongs here: comparing contracts as data. Does not belong here: reading files (``load``), printing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quality.contract.model import Clause, Contract


@dataclass(frozen=True, slots=True)
class Change:
    """One difference: a field of a clause, a whole clause that came or went, or a field of the contract.

    ``clause`` is empty for the contract itself; ``field`` is empty for a whole clause. A side is None where there is
    nothing: the clause is not there, or the field says nothing.
    """

    clause: str
    field: str
    before: object
    after: object

    @property
    def kind(self) -> str:
        """Say added, removed or changed."""
        if self.field == "":
            return "added" if self.before is None else "removed"
        return "changed"


@dataclass(frozen=True, slots=True)
class Approval:
    """Who approved a contract, and on which day (YYYY-MM-DD)."""

    who: str
    on: str


def compare(before: Contract, after: Contract) -> list[Change]:
    """List what differs, the contract's own fields first, then by clause in the order of ``after``."""
    own = ("name", "approved_by", "approved_on")
    found = [
        Change("", name, getattr(before, name), getattr(after, name))
        for name in own
        if getattr(before, name) != getattr(after, name)
    ]
    old, new = ({c.clause: c for c in contract.clauses} for contract in (before, after))
    for name in [*new, *(n for n in old if n not in new)]:
        found += _clause_changes(name, old.get(name), new.get(name))
    order = [
        [n for n in contract.clauses if n.clause in old and n.clause in new] for contract in (before, after)
    ]
    names = [[c.clause for c in clauses] for clauses in order]
    if names[0] != names[1]:
        found.append(Change("", "order of clauses", ", ".join(names[0]), ", ".join(names[1])))
    return found


def _clause_changes(name: str, old: Clause | None, new: Clause | None) -> list[Change]:
    if old is None or new is None:
        return [Change(name, "", old and requirement(old), new and requirement(new))]
    before, after = (c.model_dump(mode="json") for c in (old, new))
    return [
        Change(name, field, before[field], after[field]) for field in before if before[field] != after[field]
    ]


def requirement(clause: Clause) -> str:
    """Say in words what a clause asks for: ``inbound_rate v3 (rebuilt) P10 >= 0.6, block``."""
    return f"{clause.subject} {clause.operator} {clause.threshold:g}, {clause.mode}"


def approvals(line: Sequence[tuple[Approval, Contract]]) -> dict[str, Approval]:
    """Say for each clause of the last contract of a line who approved it as it stands: where it last changed.

    Args:
        line: the contracts that were in force one after another, the oldest first; at least one.
    """
    found: dict[str, Approval] = {}
    for clause in line[-1][1].clauses:
        for approval, contract in reversed(line):
            if clause not in contract.clauses:
                break
            found[clause.clause] = approval
    return found
