"""What identifies a source beyond its title.

Belongs here: the identifiers of a catalogue row or of an entry in comparable form, and whether authors and year of a
citation agree with a source. Does not belong here: titles.
"""

from __future__ import annotations

from collections.abc import Iterable

from quality.model import Identifier, Source
from quality.registries.arxiv import normalise_arxiv
from quality.registries.identifiers import find_identifiers, normalise_doi
from quality.registries.isbn import normalise_isbn
from quality.registries.urls import url_key
from quality.text import fold


def source_identifiers(source: Source) -> tuple[Identifier, ...]:
    """Every identifier of a source, its own fields first, then those its address carries, the address last."""
    found: list[Identifier] = []
    if source.doi and (doi := normalise_doi(source.doi)):
        found.append(Identifier("doi", doi))
    if source.pmid:
        found.append(Identifier("pmid", source.pmid.strip().lstrip("0")))
    if source.arxiv_id and (arxiv := normalise_arxiv(source.arxiv_id)):
        found.append(Identifier("arxiv", arxiv))
    if source.isbn:
        found.append(Identifier("isbn", normalise_isbn(source.isbn)))
    return comparable([*found, *find_identifiers(f"doi:{source.doi}" if source.doi else "")], source.url)


def comparable(identifiers: Iterable[Identifier], url: str | None) -> tuple[Identifier, ...]:
    """Identifiers with those of ``url`` added, addresses in the form in which they compare, none twice."""
    found = [*identifiers, *(find_identifiers(url) if url else ())]
    if url and url.strip():
        found.append(Identifier("url", url.strip()))
    return tuple(dict.fromkeys(_comparable(one) for one in found))


def _comparable(identifier: Identifier) -> Identifier:
    if identifier.kind == "url":
        return Identifier("url", url_key(identifier.value))
    if identifier.kind == "doi":
        return Identifier("doi", identifier.value.rstrip("/"))
    return identifier


def agreement(source: Source, authors: str | None, year: int | None) -> tuple[bool | None, bool | None]:
    """Whether authors and year of a citation agree with ``source``: yes, no, or None where either side is silent."""
    same_year = None if year is None or source.year is None else year == source.year
    if not authors or not source.authors:
        return None, same_year
    written = fold(authors)
    return any(_surname(author) in written for author in source.authors if author.strip()), same_year


def _surname(author: str) -> str:
    folded = fold(author)
    if "," in folded:
        return folded.partition(",")[0].strip()
    return folded.rsplit(" ", 1)[-1]
