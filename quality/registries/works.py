"""Known works out of the lines of a dump or of a team's own list: identifiers and a record each.

Belongs here: telling the formats apart line by line, and their fields. Does not belong here: reading files, and the Parquet
that a snapshot is kept in (``pipelines.resources.registry_snapshot``).

A line is one JSON object: a Crossref work (as the API and the public data file write it), a Europe PMC result, an object with
``items`` that holds Crossref works, or a work of one's own: ``title`` and any of ``doi, pmid, pmcid, arxiv_id, isbn, url,
authors, year, venue, kind, retracted, withdrawn, corrected``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from quality.model import Identifier
from quality.registries.answers import Found, Notice, NoticeKind, Record, to_plain
from quality.registries.arxiv import normalise_arxiv
from quality.registries.clients.crossref import crossref_record
from quality.registries.clients.europepmc import europepmc_record
from quality.registries.identifiers import normalise_doi
from quality.registries.isbn import isbn_is_valid, normalise_isbn
from quality.registries.replies import dicts, text, texts, years
from quality.registries.urls import normalise_url
from quality.sources.keys import join, loose_keys, words

_NOTICES = {
    "retracted": NoticeKind.RETRACTED,
    "withdrawn": NoticeKind.WITHDRAWN,
    "corrected": NoticeKind.CORRECTED,
}


@dataclass(frozen=True, slots=True)
class Work:
    """One known work."""

    identifiers: tuple[Identifier, ...]
    record: Record

    @property
    def record_json(self) -> str:
        """The record as one line of JSON."""
        return json.dumps(to_plain(Found(self.record))["record"], ensure_ascii=False)


def title_key(title: str) -> str:
    """The key under which a snapshot finds a title: without punctuation, accents and articles."""
    parts = words(title)
    key = join(parts)
    return loose_keys(parts, key)[0] if key else ""


def works_of(value: object) -> Iterator[Work]:
    """Give the works of one line.

    Raises:
        ValueError: it holds none; the message says why.
    """
    if not isinstance(value, dict):
        raise ValueError("not an object")
    items = value.get("items")
    if isinstance(items, list):
        for item in dicts(items):
            yield _work(item)
        return
    yield _work(value)


def _work(value: Mapping[str, Any]) -> Work:
    if "DOI" in value:
        doi = normalise_doi(str(value["DOI"]))
        if doi is None:
            raise ValueError(f"{value['DOI']!r} is no DOI")
        record = crossref_record(value)
        return Work(_identified((("doi", doi),), record), record)
    if "pubYear" in value or "authorString" in value or ("source" in value and "pmid" in value):
        record = europepmc_record(value)
        return Work(_identified((), record), record) if record.identifiers or record.title else _nothing()
    return _own(value)


def _nothing() -> Work:
    raise ValueError("neither an identifier nor a title")


def _identified(first: tuple[tuple[str, str], ...], record: Record) -> tuple[Identifier, ...]:
    named = [pair for written in record.identifiers if (pair := tuple(written.split(":", 1)))]
    # chapters share the ISBN of their book, so a work is not found by that of a record of many
    pairs = [*first, *((kind, value) for kind, value in named if kind != "isbn")]
    return tuple(dict.fromkeys(_arxiv_of(Identifier(kind, value)) for kind, value in pairs))


def _arxiv_of(one: Identifier) -> Identifier:
    """The DOI that arXiv registers for a paper is that paper's arXiv id."""
    head = "10.48550/arxiv."
    if (
        one.kind == "doi"
        and one.value.startswith(head)
        and (paper := normalise_arxiv(one.value[len(head) :]))
    ):
        return Identifier("arxiv", paper)
    return one


def _own(value: Mapping[str, Any]) -> Work:
    record = Record(
        title=text(value.get("title")),
        authors=_people(value.get("authors", value.get("author"))),
        years=years(value.get("year")),
        venues=texts(value.get("venue")),
        kind=text(value.get("kind")),
        notices=tuple(Notice(kind) for name, kind in _NOTICES.items() if value.get(name) is True),
    )
    identifiers = tuple(dict.fromkeys(_own_identifiers(value)))
    if not identifiers and not record.title:
        _nothing()
    return Work(identifiers, record)


def _people(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value.strip(),) if value.strip() else ()
    return texts(value)


def _own_identifiers(value: Mapping[str, Any]) -> Iterator[Identifier]:
    if written := text(value.get("doi")):
        doi = normalise_doi(written)
        if doi is None:
            raise ValueError(f"{written!r} is no DOI")
        yield _arxiv_of(Identifier("doi", doi))
    if pmid := str(value.get("pmid") or "").strip():
        yield Identifier("pmid", pmid.lstrip("0"))
    if pmcid := str(value.get("pmcid") or "").strip().upper():
        yield Identifier("pmcid", pmcid if pmcid.startswith("PMC") else f"PMC{pmcid}")
    if (written := text(value.get("arxiv_id"))) and (paper := normalise_arxiv(written)):
        yield Identifier("arxiv", paper)
    if (written := text(value.get("isbn"))) and isbn_is_valid(written):
        yield Identifier("isbn", normalise_isbn(written))
    if written := text(value.get("url")):
        yield Identifier("url", normalise_url(written))
