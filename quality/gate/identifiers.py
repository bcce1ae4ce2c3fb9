"""What is wrong with the identifiers of a report, as reasons that say what has to be fixed.

Belongs here: the sentences of the rules ``identifiers`` and ``locators``. Does not belong here: looking up
(``quality.registries``), deciding (``decide``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quality.registries.check import TITLE, Standing

_NEEDED = {
    Standing.NOT_FOUND: "give the identifier of a work that exists, or remove the reference",
    Standing.CONTRADICTED: "give the identifier of the work that is meant, or the title of the work that it names",
    Standing.RETRACTED: "cite another work: this one was taken back",
    Standing.UNKNOWN: "run the batch again when the registries answer: what is unknown does not pass",
}
_SAID = {
    Standing.NOT_FOUND: "does not exist",
    Standing.CONTRADICTED: "names another work",
    Standing.RETRACTED: "is of a work that was taken back",
    Standing.UNKNOWN: "could not be looked up",
}
_WITHOUT_NAME = frozenset({"url", TITLE})


@dataclass(frozen=True, slots=True)
class IdentifierFault:
    """One identifier that does not stand; ``passage`` and ``line`` say where."""

    kind: str
    value: str
    standing: Standing
    reason: str | None
    registered_title: str | None
    passage: str
    line: int | None

    @property
    def names_the_work(self) -> bool:
        """Whether it is an identifier of the work itself and not an address or a title."""
        return self.kind not in _WITHOUT_NAME


@dataclass(frozen=True, slots=True)
class Told:
    """One reason."""

    observed: str
    needed: str
    passage: str
    line: int | None


def identifier_faults(
    faults: Sequence[IdentifierFault], *, names_the_work: bool, most: int
) -> Iterator[Told]:
    """The reasons of one rule: each standing by itself, the first ``most`` of it one by one, the rest as a number."""
    for standing, needed in _NEEDED.items():
        own = [f for f in faults if f.standing is standing and f.names_the_work is names_the_work]
        for one in own[:most]:
            yield Told(_observed(one), needed, f"{one.passage}: {one.kind} {one.value}", one.line)
        if rest := own[most:]:
            said = f"{len(rest)} more identifiers: each {_SAID[standing]}"
            yield Told(said, needed, f"{rest[0].passage}: {rest[0].kind} {rest[0].value}", rest[0].line)


def _observed(one: IdentifierFault) -> str:
    registered = f", registered for {one.registered_title!r}" if one.registered_title else ""
    why = f": {one.reason}" if one.reason else ""
    where = registered if one.standing is Standing.CONTRADICTED else ""
    return f"{one.kind} {one.value} {_SAID[one.standing]}{where}{why}"
