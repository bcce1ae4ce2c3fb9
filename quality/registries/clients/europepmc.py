"""Europe PMC: ``GET /search`` with one quoted field query.

Belongs here: its request, its replies, its records (also those of its dumps). Source:
https://europepmc.org/RestfulWebService. An unquoted DOI would be a loose text query, so every value is quoted and escaped,
and a hit counts only when its own identifier is the one that was asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from quality.model import Identifier
from quality.registries.answers import Answer, Found, NotFound, Notice, NoticeKind, Record, Relation, Unknown
from quality.registries.clients.crossref import title_notices
from quality.registries.identifiers import normalise_doi
from quality.registries.replies import dicts, json_object, odd_status, text, texts, years
from quality.registries.transport import Reply, Request

BASE = "https://www.ebi.ac.uk/europepmc/webservices/rest"
_HITS = 25
_COMMENTS = {
    "retraction in": NoticeKind.RETRACTED,
    "retracted publication": NoticeKind.RETRACTED,
    "expression of concern in": NoticeKind.CONCERN,
    "erratum in": NoticeKind.CORRECTED,
    "corrected and republished in": NoticeKind.CORRECTED,
}
_RELATED = {"preprint of": "preprint_of", "preprint in": "has_preprint"}


class EuropePmc:
    """One identifier a request."""

    name = "europepmc"
    covers = frozenset({"doi", "pmid", "pmcid"})
    decides: frozenset[str] = frozenset()
    batch = 1

    def __init__(self, base: str = BASE) -> None:
        self._base = base.rstrip("/")

    def request(self, identifiers: tuple[Identifier, ...]) -> Request:
        """Ask for the one identifier."""
        parameters = {
            "query": query(identifiers[0]), "format": "json", "resultType": "core", "pageSize": str(_HITS),
            "synonym": "false",
        }  # fmt: skip
        return Request(f"{self._base}/search?{urlencode(parameters)}", headers={"accept": "application/json"})

    def read(self, identifiers: tuple[Identifier, ...], reply: Reply) -> dict[Identifier, Answer]:
        """Judge the reply."""
        return {identifiers[0]: _judge(identifiers[0], reply)}


def query(identifier: Identifier) -> str:
    """Give the field query; quotes and backslashes of the value cannot end the quoted term."""
    value = identifier.value.replace("\\", "\\\\").replace('"', '\\"')
    if identifier.kind == "doi":
        return f'DOI:"{value}"'
    if identifier.kind == "pmid":
        return f'EXT_ID:"{value}" AND SRC:MED'
    return f'PMCID:"{value}"'


def _judge(asked: Identifier, reply: Reply) -> Answer:
    value = json_object(reply) if reply.status == 200 else odd_status(reply)
    if isinstance(value, Unknown):
        return value
    count, listed = value.get("hitCount"), value.get("resultList")
    results = listed.get("result") if isinstance(listed, dict) else None
    if not isinstance(count, int) or not isinstance(results, list):
        return Unknown("inconsistent_response", "no list of results in the reply")
    hits = dicts(results)
    own = [hit for hit in hits if _is(asked, hit)]
    if own:
        return Found(europepmc_record(own[0]))
    if count != len(hits):  # more than a page of hits for one quoted identifier is no answer either
        return Unknown("inconsistent_response", f"{count} hits announced, {len(hits)} listed")
    return NotFound()


def _is(asked: Identifier, hit: Mapping[str, Any]) -> bool:
    if asked.kind == "doi":
        return normalise_doi(str(hit.get("doi", ""))) == asked.value
    if asked.kind == "pmid":
        return asked.value in {
            str(hit.get("pmid", "")),
            str(hit.get("id", "")) if hit.get("source") == "MED" else "",
        }
    return str(hit.get("pmcid", "")).upper() == asked.value


def europepmc_record(hit: Mapping[str, Any]) -> Record:
    """Give the record of one result as the API and the dumps write it."""
    title = (text(hit.get("title")) or "").rstrip(".") or None
    return Record(
        title=title,
        authors=_authors(hit),
        years=years(
            hit.get("pubYear"), hit.get("firstPublicationDate"), hit.get("electronicPublicationDate")
        ),
        venues=_venues(hit),
        kind=text(hit.get("pubType")),
        identifiers=_identifiers(hit),
        notices=tuple(dict.fromkeys((*_notices(hit), *title_notices(title or "")))),
        relations=tuple(_relations(hit)),
    )


def _comments(hit: Mapping[str, Any]) -> list[dict[str, Any]]:
    comments = hit.get("commentCorrectionList")
    return dicts(comments.get("commentCorrection")) if isinstance(comments, dict) else []


def _authors(hit: Mapping[str, Any]) -> tuple[str, ...]:
    listed = hit.get("authorList")
    names = []
    for author in dicts(listed.get("author")) if isinstance(listed, dict) else ():
        family, given = (
            text(author.get("lastName")),
            text(author.get("firstName")) or text(author.get("initials")),
        )
        whole = f"{family}, {given}" if family and given else family
        names.append(whole or text(author.get("fullName")) or text(author.get("collectiveName")) or "")
    if not any(names) and (written := text(hit.get("authorString"))):
        names = [name.strip() for name in written.rstrip(".").split(",")]
    return tuple(name for name in names if name)


def _venues(hit: Mapping[str, Any]) -> tuple[str, ...]:
    info = hit.get("journalInfo")
    journal = info.get("journal") if isinstance(info, dict) else None
    named = (
        [journal.get(k) for k in ("title", "medlineAbbreviation", "isoabbreviation")]
        if isinstance(journal, dict)
        else []
    )
    book = hit.get("bookOrReportDetails")
    named += [book.get("publisher")] if isinstance(book, dict) else []
    return texts([*named, hit.get("journalTitle")])


def _identifiers(hit: Mapping[str, Any]) -> tuple[str, ...]:
    doi, pmid, pmcid = normalise_doi(str(hit.get("doi", ""))), text(hit.get("pmid")), text(hit.get("pmcid"))
    named = (("doi", doi), ("pmid", pmid), ("pmcid", pmcid))
    return tuple(f"{kind}:{value}" for kind, value in named if value)


def _notices(hit: Mapping[str, Any]) -> list[Notice]:
    types = hit.get("pubTypeList")
    written = texts(types.get("pubType")) if isinstance(types, dict) else ()
    found = (
        [Notice(NoticeKind.RETRACTED)] if any(t.lower() == "retracted publication" for t in written) else []
    )
    for comment in _comments(hit):
        kind = _COMMENTS.get(str(comment.get("type", "")).lower())
        if kind:
            by = text(comment.get("id"))
            found.append(Notice(kind, f"pmid:{by}" if by and comment.get("source") == "MED" else None))
    return found


def _relations(hit: Mapping[str, Any]) -> list[Relation]:
    found = []
    for comment in _comments(hit):
        kind, target = _RELATED.get(str(comment.get("type", "")).lower()), text(comment.get("id"))
        if kind and target:
            source = "pmid" if comment.get("source") == "MED" else str(comment.get("source", "")).lower()
            found.append(Relation(kind, f"{source}:{target}"))
    return found
