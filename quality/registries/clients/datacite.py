"""DataCite: ``GET /dois/{doi}``.

Belongs here: its request, its replies, its records. Source: https://support.datacite.org/docs/api-get-doi. arXiv ids are
asked as the DOIs that arXiv registers for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from quality.model import Identifier
from quality.registries.answers import Answer, Found, NotFound, Record, Relation, Unknown
from quality.registries.clients.crossref import title_notices
from quality.registries.identifiers import normalise_doi
from quality.registries.replies import dicts, json_object, odd_status, text, texts, years
from quality.registries.transport import Reply, Request

BASE = "https://api.datacite.org"
_RELATIONS = {
    "IsVersionOf": "version_of",
    "HasVersion": "version_of",
    "IsNewVersionOf": "version_of",
    "IsPreviousVersionOf": "version_of",
    "IsIdenticalTo": "alias_of",
    "IsVariantFormOf": "preprint_of",
}


class DataCite:
    """One DOI a request."""

    name = "datacite"
    covers = frozenset({"doi", "arxiv"})
    decides: frozenset[str] = frozenset()
    batch = 1

    def __init__(self, base: str = BASE) -> None:
        self._base = base.rstrip("/")

    def request(self, identifiers: tuple[Identifier, ...]) -> Request:
        """Ask for the one DOI."""
        return Request(
            f"{self._base}/dois/{quote(as_doi(identifiers[0]), safe='')}",
            headers={"accept": "application/vnd.api+json"},
        )

    def read(self, identifiers: tuple[Identifier, ...], reply: Reply) -> dict[Identifier, Answer]:
        """Judge the reply."""
        return {identifiers[0]: _judge(as_doi(identifiers[0]), reply)}


def as_doi(identifier: Identifier) -> str:
    """Give the DOI of an identifier that is one, or that arXiv registers one for."""
    return f"10.48550/arxiv.{identifier.value}" if identifier.kind == "arxiv" else identifier.value


def _judge(doi: str, reply: Reply) -> Answer:
    if reply.status not in {200, 404}:
        return odd_status(reply)
    value = json_object(reply)
    if isinstance(value, Unknown):
        return value
    if reply.status == 404:
        own = any(str(e.get("status")) == "404" for e in dicts(value.get("errors")))
        return NotFound() if own else Unknown("inconsistent_response", "a 404 without DataCite's own error")
    data = value.get("data")
    attributes = data.get("attributes") if isinstance(data, dict) else None
    if not isinstance(attributes, dict):
        return Unknown("inconsistent_response", "no work in the reply")
    own_doi = normalise_doi(str(attributes.get("doi", "")))
    if own_doi != doi:
        return Unknown("inconsistent_response", f"asked for {doi}, got {own_doi}")
    return Found(datacite_record(attributes))


def datacite_record(attributes: Mapping[str, Any]) -> Record:
    """Give the record of one work."""
    titles = [t for t in dicts(attributes.get("titles")) if t.get("titleType") in {None, ""}]
    title = text(titles[0].get("title")) if titles else None
    container = attributes.get("container")
    publisher = attributes.get("publisher")
    venues = texts(container.get("title")) if isinstance(container, dict) else ()
    venues += texts(publisher.get("name") if isinstance(publisher, dict) else publisher)
    types = attributes.get("types")
    dates = [
        d.get("date")
        for d in dicts(attributes.get("dates"))
        if d.get("dateType") in {"Issued", "Submitted", "Available"}
    ]
    return Record(
        title=title,
        authors=tuple(name for c in dicts(attributes.get("creators")) if (name := _creator(c))),
        years=years(attributes.get("publicationYear"), *dates),
        venues=venues,
        kind=text(types.get("resourceTypeGeneral")) if isinstance(types, dict) else None,
        notices=title_notices(title or ""),
        relations=tuple(_relations(attributes.get("relatedIdentifiers"))),
        agency="datacite",
    )


def _creator(creator: Mapping[str, Any]) -> str | None:
    family, given = text(creator.get("familyName")), text(creator.get("givenName"))
    return f"{family}, {given}" if family and given else text(creator.get("name")) or family


def _relations(related: object) -> list[Relation]:
    found = []
    for one in dicts(related):
        kind = _RELATIONS.get(str(one.get("relationType")))
        doi = normalise_doi(str(one.get("relatedIdentifier", "")))
        if kind and doi and one.get("relatedIdentifierType") == "DOI":
            found.append(Relation(kind, f"doi:{doi}"))
    return found
