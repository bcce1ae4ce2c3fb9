"""One reference against what the registries say: how its identifiers stand.

Belongs here: putting a verdict and a comparison together. Does not belong here: either of them, and what a gate makes of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from quality.intake.plain import canonical_json
from quality.model import Identifier
from quality.registries.answers import NoticeKind, Record, Relation
from quality.registries.compare import Agreement, Claim, Comparison, compare
from quality.registries.verdict import State, Verdict

TITLE = "title"
"""Kind of a check that was made by title, because the reference has no identifier."""
_TAKEN_BACK = (NoticeKind.RETRACTED, NoticeKind.WITHDRAWN)


class Standing(StrEnum):
    """How an identifier stands: what a person wants to know first."""

    FOUND = "found"
    NOT_FOUND = "not_found"
    CONTRADICTED = "contradicted"
    RETRACTED = "retracted"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Reference:
    """Something that names a work: an entry, or an identifier in prose."""

    label: str  # how to point at it: "[3]", "line 12"
    identifiers: tuple[Identifier, ...]
    claim: Claim | None = None
    ordinal: int | None = None  # of the entry
    start: int = -1  # offset in the body, -1 outside of it
    end: int = -1


@dataclass(frozen=True, slots=True)
class Check:
    """One identifier of one reference, with everything that is known about it."""

    reference: Reference
    identifier: Identifier
    verdict: Verdict
    comparison: Comparison
    standing: Standing
    record: Record | None = None

    @property
    def notices(self) -> tuple[str, ...]:
        """Retracted, withdrawn, corrected, concern: each once."""
        return tuple(dict.fromkeys(n.kind.value for n in self.record.notices)) if self.record else ()

    @property
    def relations(self) -> tuple[Relation, ...]:
        """Other forms of the work."""
        return self.record.relations if self.record else ()

    @property
    def reason(self) -> str:
        """Why it stands as it does, in a few words; empty where it was found and nothing is wrong."""
        if self.standing is Standing.CONTRADICTED:
            return f"the registered work has another {' and another '.join(self.comparison.differing)}"
        if self.standing is Standing.RETRACTED:
            by = (
                next((n.by for n in self.record.notices if n.by and n.kind in _TAKEN_BACK), None)
                if self.record
                else None
            )
            return f"{self.notices[0]} by {by}" if by else ", ".join(self.notices)
        said = self.verdict.reason.replace("_", " ")
        return f"{said} ({self.verdict.detail})" if said and self.verdict.detail else said


def check_reference(reference: Reference, verdicts: Mapping[Identifier, Verdict]) -> tuple[Check, ...]:
    """How each identifier of a reference stands.

    An entry may carry several (an article and its data set): when its title is that of one of them, the others do not
    contradict it.
    """
    checks = [_check(reference, verdicts[one]) for one in reference.identifiers]
    titled = any(c.comparison.title is Agreement.MATCH for c in checks)
    return tuple(
        replace(c, standing=Standing.FOUND)
        if titled and c.standing is Standing.CONTRADICTED and c.comparison.title is not Agreement.MATCH
        else c
        for c in checks
    )


def check_title(reference: Reference, records: Sequence[Record], registry: str) -> Check | None:
    """How a reference without identifier stands against the known works of its title; None: there is none.

    Of several works of one title, the one that agrees best is believed.
    """
    claim = reference.claim
    if not records or claim is None or not claim.title:
        return None
    compared = min(((compare(claim, r), r) for r in records), key=lambda pair: len(pair[0].differing))
    one = Identifier(TITLE, " ".join(claim.title.split())[:300])
    verdict = Verdict(one, State.FOUND, "", "by its title", registry, compared[1])
    return Check(
        reference, one, verdict, compared[0], _standing(verdict, compared[0], compared[1]), compared[1]
    )


def _check(reference: Reference, verdict: Verdict) -> Check:
    comparison = Comparison()
    if reference.claim is not None and verdict.record is not None and verdict.identifier.kind != "url":
        comparison = compare(reference.claim, verdict.record)
    standing = _standing(verdict, comparison, verdict.record)
    return Check(reference, verdict.identifier, verdict, comparison, standing, verdict.record)


def _standing(verdict: Verdict, comparison: Comparison, record: Record | None) -> Standing:
    if verdict.state is not State.FOUND:
        return Standing(verdict.state.value)
    if comparison.contradicted:
        return Standing.CONTRADICTED
    if record is not None and any(n.kind in _TAKEN_BACK for n in record.notices):
        return Standing.RETRACTED
    return Standing.FOUND


def answers_fingerprint(checks: Iterable[Check]) -> str:
    """Hash of what the checks of one report say, whatever their order and the time of asking."""
    said = sorted(
        [
            [
                c.identifier.kind, c.identifier.value, c.standing.value, c.reference.ordinal,
                *(getattr(c.comparison, name).value for name in ("title", "authors", "year", "venue")), list(c.notices),
            ]
            for c in checks
        ],
        key=str,
    )  # fmt: skip
    return hashlib.sha256(canonical_json(said).encode()).hexdigest()
