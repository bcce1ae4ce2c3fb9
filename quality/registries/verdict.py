"""From single answers to one verdict on an identifier: who is asked next, and when enough is known.

Belongs here: the rule of the three answers. Does not belong here: asking, and comparing a record with an entry.

*Found*: one registry confirms this very identifier. *Not found*: every registry that covers it said no, and one of them has
the last word on its kind. *Unknown*: everything else, with the reason of the first that could not answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from quality.model import Identifier
from quality.registries.answers import Answer, Found, Given, NotFound, Record, Unknown
from quality.registries.isbn import isbn_is_valid

_SHAPES = {
    "doi": re.compile(r"10\.\d{4,9}(?:\.\d+)*/[^\s\"“”]+"),
    "shortdoi": re.compile(r"10/[a-z0-9]{2,}"),
    "pmid": re.compile(r"\d{1,9}"),
    "pmcid": re.compile(r"PMC\d{1,9}"),
    "arxiv": re.compile(r"\S{1,60}"),
    "isbn": re.compile(r"[\dX]{1,20}"),
    "url": re.compile(r"\S+"),
}
KINDS = tuple(_SHAPES)
"""Kinds of identifiers that can be looked up."""


class State(StrEnum):
    """The verdict on whether an identifier exists."""

    FOUND = "found"
    NOT_FOUND = "not_found"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Source:
    """A registry as the rule sees it: its name, and the kinds on which its "no" is the last word."""

    name: str
    decides: frozenset[str]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known about one identifier, and from whom."""

    identifier: Identifier
    state: State
    reason: str = (
        ""  # why not found or unknown; for a found one: no_metadata where only its existence is known
    )
    detail: str = ""
    registry: str | None = None  # who confirmed it
    record: Record | None = None
    form: str | None = None  # the spelling that is registered, where another one was written
    alias_of: Identifier | None = None
    given: tuple[Given, ...] = ()

    @property
    def recheck(self) -> bool:
        """Whether a later look may know more: nothing is known yet, or only that the identifier exists."""
        return self.state is State.UNKNOWN or (self.state is State.FOUND and self.reason == "no_metadata")


def ruled_out(identifier: Identifier) -> NotFound | Unknown | None:
    """What can be said without asking anybody: an impossible ISBN does not exist, an odd shape is not asked for."""
    if identifier.kind == "isbn" and not isbn_is_valid(identifier.value):
        return NotFound("malformed")
    shape = _SHAPES.get(identifier.kind)
    if shape is None or not shape.fullmatch(identifier.value):
        return Unknown("malformed", "no identifier of this kind looks like that")
    return None


def next_source(sources: Sequence[Source], answers: Mapping[str, Answer]) -> Source | None:
    """Who is to be asked next, in order; None when the verdict stands."""
    if any(isinstance(a, Found) and a.record.has_metadata for a in answers.values()):
        return None
    return next((source for source in sources if source.name not in answers), None)


def conclude(identifier: Identifier, sources: Sequence[Source], given: Sequence[Given]) -> Verdict:
    """The verdict from all answers that were given."""
    evidence = tuple(given)
    found = [(one.registry, one.answer) for one in given if isinstance(one.answer, Found)]
    if found:
        found.sort(key=lambda pair: not pair[1].record.has_metadata)
        name, best = found[0]
        reason = "" if best.record.has_metadata else "no_metadata"
        return Verdict(
            identifier, State.FOUND, reason, "", name, best.record, best.form, alias_of(best.record), evidence
        )
    answers = {one.registry: one.answer for one in given}
    if not sources:
        return Verdict(
            identifier,
            State.UNKNOWN,
            "no_registry_covers",
            f"no configured registry covers {identifier.kind}",
        )
    for one in given:
        if isinstance(one.answer, Unknown):
            known = _agency(answers) or one.answer
            return Verdict(
                identifier,
                State.UNKNOWN,
                known.reason,
                f"{one.registry}: {known.detail}".rstrip(": "),
                given=evidence,
            )
    asked = ", ".join(answers)
    if not any(identifier.kind in source.decides for source in sources):
        detail = f"not in the registries asked ({asked}), none of which has the last word"
        return Verdict(identifier, State.UNKNOWN, "no_last_word", detail, given=evidence)
    reasons = [one.answer.reason for one in given if isinstance(one.answer, NotFound)]
    reason = next((r for r in reasons if r != "not_registered"), "not_registered")
    return Verdict(identifier, State.NOT_FOUND, reason, f"asked {asked}", given=evidence)


def _agency(answers: Mapping[str, Answer]) -> Unknown | None:
    """The answer that names another agency explains more than that a registry could not be reached."""
    found = (a for a in answers.values() if isinstance(a, Unknown) and a.reason == "agency_not_covered")
    return next(found, None)


def alias_of(record: Record) -> Identifier | None:
    """The identifier that a record without metadata merely stands for."""
    if record.has_metadata:
        return None
    for relation in record.relations:
        if relation.kind == "alias_of":
            kind, _, value = relation.target.partition(":")
            return Identifier(kind, value)
    return None


def aliased(verdict: Verdict, primary: Verdict) -> Verdict:
    """The verdict on an alias, with what is known about the identifier that it stands for."""
    if primary.state is not State.FOUND or primary.record is None:
        return replace(verdict, given=(*verdict.given, *primary.given))
    return replace(
        verdict,
        reason=primary.reason,
        record=primary.record,
        registry=primary.registry,
        alias_of=primary.identifier,
        given=(*verdict.given, *primary.given),
    )


def other_form(identifier: Identifier) -> Identifier | None:
    """The other spelling of a DOI that ends with a slash: a slip on some, a part of others."""
    if identifier.kind == "doi" and identifier.value.endswith("/"):
        bare = identifier.value.rstrip("/")
        return Identifier("doi", bare) if _SHAPES["doi"].fullmatch(bare) else None
    return None


def in_other_form(verdict: Verdict, other: Verdict) -> Verdict:
    """The verdict on an identifier that is not registered as written, from that on its other spelling."""
    evidence = (*verdict.given, *other.given)
    if other.state is State.FOUND:
        return replace(other, identifier=verdict.identifier, form=other.identifier.value, given=evidence)
    if other.state is State.UNKNOWN:
        return replace(other, identifier=verdict.identifier, given=evidence)
    return replace(verdict, given=evidence)
