"""References that come as fields and not as prose: lines of a bibliography as JSON.

Belongs here: from one object to a reference with its claim. Does not belong here: reading files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from quality.model import Identifier
from quality.registries.arxiv import normalise_arxiv
from quality.registries.check import Reference
from quality.registries.compare import Claim
from quality.registries.identifiers import find_identifiers, normalise_doi
from quality.registries.isbn import normalise_isbn
from quality.registries.replies import text, texts, years
from quality.registries.urls import normalise_url

_VENUES = ("venue", "journal", "booktitle")


def reference_of(value: Mapping[str, Any], label: str) -> Reference:
    """Give the reference of one object with ``title, authors, year, venue`` and identifiers, all of them optional.

    ``author`` with names joined by "and", ``journal`` and ``booktitle`` are understood as well. An identifier that cannot be
    read stays as it is written, so that it comes out as unknown and not as absent.
    """
    authors = value.get("authors", value.get("author"))
    claim = Claim(
        title=text(value.get("title")),
        authors=texts(authors) if isinstance(authors, list) else text(authors),
        year=next(iter(years(value.get("year"))), None),
        venue=next((v for name in _VENUES if (v := text(value.get(name)))), None),
        exact=True,
    )
    return Reference(label, tuple(dict.fromkeys(_identifiers(value))), claim)


def _identifiers(value: Mapping[str, Any]) -> Iterator[Identifier]:
    if doi := text(value.get("doi")):
        found = find_identifiers(f"doi:{doi}" if doi.lower().startswith("10.") else doi)
        known = next((one for one in found if one.kind in {"doi", "shortdoi", "arxiv"}), None)
        yield known or Identifier("doi", normalise_doi(doi) or doi)
    if pmid := str(value.get("pmid") or "").strip():
        yield Identifier("pmid", pmid.lstrip("0"))
    if pmcid := str(value.get("pmcid") or "").strip().upper():
        yield Identifier("pmcid", pmcid if pmcid.startswith("PMC") else f"PMC{pmcid}")
    if arxiv := text(value.get("arxiv_id")):
        yield Identifier("arxiv", normalise_arxiv(arxiv) or arxiv)
    if isbn := text(value.get("isbn")):
        yield Identifier("isbn", normalise_isbn(isbn))
    if url := text(value.get("url")):
        yield next(iter(find_identifiers(url)), Identifier("url", normalise_url(url)))
