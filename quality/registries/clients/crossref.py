"""Crossref: ``GET /works/{doi}``.

Belongs here: its request, its replies, its records (also those of its dumps). Does not belong here: anything about other
registries. Source: https://api.crossref.org/swagger-ui/; updates since January 2025 also come as ``updated-by``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from quality.model import Identifier
from quality.registries.answers import (
    Answer,
    Found,
    NotFound,
    Notice,
    NoticeKind,
    Record,
    Relation,
    Unknown,
)
from quality.registries.identifiers import normalise_doi
from quality.registries.replies import dicts, json_object, odd_status, text, texts, years
from quality.registries.transport import Reply, Request

BASE = "https://api.crossref.org"
_UPDATES = {
    "retraction": NoticeKind.RETRACTED,
    "partial_retraction": NoticeKind.CONCERN,
    "removal": NoticeKind.WITHDRAWN,
    "withdrawal": NoticeKind.WITHDRAWN,
    "expression_of_concern": NoticeKind.CONCERN,
    "correction": NoticeKind.CORRECTED,
    "corrigendum": NoticeKind.CORRECTED,
    "erratum": NoticeKind.CORRECTED,
    "addendum": NoticeKind.CORRECTED,
}
_RELATIONS = {
    "is-preprint-of": "preprint_of",
    "has-preprint": "has_preprint",
    "is-version-of": "version_of",
    "has-version": "version_of",
    "is-same-as": "alias_of",
    "is-identical-to": "alias_of",
}
_DATES = ("published", "published-print", "published-online", "issued", "posted", "created")


class Crossref:
    """One DOI a request."""

    name = "crossref"
    covers = frozenset({"doi"})
    decides: frozenset[str] = frozenset()
    batch = 1

    def __init__(self, base: str = BASE) -> None:
        self._base = base.rstrip("/")

    def request(self, identifiers: tuple[Identifier, ...]) -> Request:
        """Ask for the one DOI, every character of it encoded, so that the server receives it whole."""
        return Request(
            f"{self._base}/works/{quote(identifiers[0].value, safe='')}",
            headers={"accept": "application/json"},
        )

    def read(self, identifiers: tuple[Identifier, ...], reply: Reply) -> dict[Identifier, Answer]:
        """Judge the reply."""
        return {identifiers[0]: _judge(identifiers[0].value, reply)}


def _judge(doi: str, reply: Reply) -> Answer:
    if reply.status == 404:
        # Crossref says a plain "Resource not found."; a proxy's 404 is a page
        plain = reply.media_type == "text/plain" and reply.body.strip().lower().startswith(
            b"resource not found"
        )
        return NotFound() if plain else Unknown("wrong_content_type", "a 404 that is not Crossref's own")
    if reply.status != 200:
        return odd_status(reply)
    value = json_object(reply)
    if isinstance(value, Unknown):
        return value
    message = value.get("message")
    if not isinstance(message, dict) or normalise_doi(str(message.get("DOI", ""))) is None:
        return Unknown("inconsistent_response", "no work in the reply")
    own = normalise_doi(str(message["DOI"]))
    if own != doi:
        return Unknown("inconsistent_response", f"asked for {doi}, got {own}")
    return Found(crossref_record(message))


def crossref_record(work: Mapping[str, Any]) -> Record:
    """Give the record of one work as the API and the dumps write it."""
    title = text(work.get("title"))
    venues = (*texts(work.get("container-title")), *texts(work.get("short-container-title")))
    event = work.get("event")
    if isinstance(event, dict):
        venues += (*texts(event.get("name")), *texts(event.get("acronym")))
    return Record(
        title=title,
        subtitle=text(work.get("subtitle")),
        authors=tuple(name for a in dicts(work.get("author")) if (name := _author(a))),
        years=years(*(_year(work.get(name)) for name in _DATES)),
        venues=tuple(dict.fromkeys(venues)),
        kind=text(work.get("type")),
        identifiers=tuple(f"isbn:{i}" for i in texts(work.get("ISBN"))),
        notices=_notices(work, title or ""),
        relations=tuple(_relations(work.get("relation"))),
        agency="crossref",
    )


def _author(author: Mapping[str, Any]) -> str | None:
    family, given = text(author.get("family")), text(author.get("given"))
    if family:
        return f"{family}, {given}" if given else family
    return text(author.get("name")) or given


def _year(date: object) -> object:
    parts = date.get("date-parts") if isinstance(date, dict) else None
    first = parts[0] if isinstance(parts, list) and parts else None
    return first[0] if isinstance(first, list) and first else None


def _notices(work: Mapping[str, Any], title: str) -> tuple[Notice, ...]:
    found = []
    for update in dicts(work.get("updated-by")):
        kind = _UPDATES.get(str(update.get("type", "")).lower().replace("-", "_").replace(" ", "_"))
        doi = normalise_doi(str(update.get("DOI", "")))
        if kind:
            found.append(Notice(kind, f"doi:{doi}" if doi else None))
    return tuple(dict.fromkeys((*found, *title_notices(title))))


def title_notices(title: str) -> tuple[Notice, ...]:
    """What publishers write in front of the title of a work that they took back."""
    head = title.lstrip(" [(").upper()
    if head.startswith(
        ("RETRACTED:", "RETRACTED ARTICLE:", "RETRACTED]", "RETRACTED ARTICLE]", "RETRACTED)")
    ):
        return (Notice(NoticeKind.RETRACTED),)
    return (
        (Notice(NoticeKind.WITHDRAWN),) if head.startswith(("WITHDRAWN:", "WITHDRAWN]", "REMOVED:")) else ()
    )


def _relations(relation: object) -> list[Relation]:
    found = []
    for name, targets in relation.items() if isinstance(relation, dict) else ():
        for target in dicts(targets):
            doi = normalise_doi(str(target.get("id", "")))
            if name in _RELATIONS and doi:
                found.append(Relation(_RELATIONS[name], f"doi:{doi}"))
    return found
