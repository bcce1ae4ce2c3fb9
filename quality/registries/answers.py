"""What a registry can say about an identifier, as a closed type: found, not found, or unknown with its reason.

Belongs here: the three answers, the record that a found one carries, and both as plain values for caches and rows.
Does not belong here: asking (``clients``), combining answers (``verdict``), comparing a record with an entry
(``compare``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from quality.model import Identifier


class NoticeKind(StrEnum):
    """What a registry says about a work after it was published."""

    RETRACTED = "retracted"
    WITHDRAWN = "withdrawn"
    CONCERN = "concern"
    CORRECTED = "corrected"


@dataclass(frozen=True, slots=True)
class Notice:
    """One such notice, with the identifier of the notice where the registry gives one (``doi:10.5555/x``)."""

    kind: NoticeKind
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Relation:
    """Another form of the same work: ``preprint_of``, ``has_preprint``, ``version_of``, ``alias_of``."""

    kind: str
    target: str  # "doi:10.5555/x"


@dataclass(frozen=True, slots=True)
class Record:
    """What a registry holds about a work. Everything may be missing: an identifier can exist without metadata."""

    title: str | None = None
    subtitle: str | None = None
    authors: tuple[str, ...] = ()  # "Family, Given", or as the registry writes it
    years: tuple[int, ...] = ()  # print, online and preprint years may differ
    venues: tuple[str, ...] = ()
    kind: str | None = None
    identifiers: tuple[str, ...] = ()  # "pmid:1", beside the one that was asked for
    notices: tuple[Notice, ...] = ()
    relations: tuple[Relation, ...] = ()
    agency: str | None = None  # who registered the identifier, where that is known

    @property
    def has_metadata(self) -> bool:
        """Whether there is anything to compare an entry with."""
        return bool(self.title or self.authors)


@dataclass(frozen=True, slots=True)
class Found:
    """The registry confirms this very identifier. ``form`` is the spelling that it knows, where another was asked."""

    record: Record
    form: str | None = None


@dataclass(frozen=True, slots=True)
class NotFound:
    """The registry answered in its own protocol that it has no such identifier."""

    reason: str = "not_registered"


@dataclass(frozen=True, slots=True)
class Unknown:
    """Everything else: no answer, or one that is none. ``reason`` is a short code, ``detail`` one sentence."""

    reason: str
    detail: str = ""


Answer = Found | NotFound | Unknown


@dataclass(frozen=True, slots=True)
class Given:
    """An answer with who gave it, and when (seconds since 1970, by the clock that was handed in)."""

    registry: str
    identifier: Identifier
    answer: Answer
    at: float


def state_of(answer: Answer) -> str:
    """Name an answer as the tables do: found, not_found or unknown."""
    match answer:
        case Found():
            return "found"
        case NotFound():
            return "not_found"
        case Unknown():
            return "unknown"


def to_plain(answer: Answer) -> dict[str, Any]:
    """Turn an answer into JSON values, without what is empty."""
    match answer:
        case Found(record, form):
            slim = {k: v for k, v in asdict(record).items() if v}
            return {"state": "found", "record": slim, **({"form": form} if form else {})}
        case NotFound(reason):
            return {"state": "not_found", "reason": reason}
        case Unknown(reason, detail):
            return {"state": "unknown", "reason": reason, "detail": detail}


def from_plain(value: Mapping[str, Any]) -> Answer:
    """Turn JSON values back into an answer.

    Raises:
        KeyError, ValueError, TypeError: they are none that ``to_plain`` wrote.
    """
    state = value["state"]
    if state == "found":
        return Found(record_from_plain(value["record"]), value.get("form"))
    if state == "not_found":
        return NotFound(value["reason"])
    if state == "unknown":
        return Unknown(value["reason"], value.get("detail", ""))
    raise ValueError(f"{state!r} is no answer")


def record_from_plain(value: Mapping[str, Any]) -> Record:
    """Turn JSON values back into a record; errors as in ``from_plain``."""
    if not value:
        return Record()
    notices = value.get("notices")
    relations = value.get("relations")
    return Record(
        value.get("title"),
        value.get("subtitle"),
        tuple(value.get("authors", ())),
        tuple(value.get("years", ())),
        tuple(value.get("venues", ())),
        value.get("kind"),
        tuple(value.get("identifiers", ())),
        tuple(Notice(NoticeKind(n["kind"]), n.get("by")) for n in notices) if notices else (),
        tuple(Relation(r["kind"], r["target"]) for r in relations) if relations else (),
        value.get("agency"),
    )
