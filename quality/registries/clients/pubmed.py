"""PubMed: ``GET /esummary.fcgi?db=pubmed``.

Belongs here: its request, its replies, its records. Source: https://www.ncbi.nlm.nih.gov/books/NBK25499/.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from quality.model import Identifier
from quality.registries.answers import Answer, Found, NotFound, Notice, NoticeKind, Record, Unknown
from quality.registries.clients.crossref import title_notices
from quality.registries.identifiers import normalise_doi
from quality.registries.replies import dicts, json_object, odd_status, text, texts, years
from quality.registries.transport import Reply, Request

BASE = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"
_ABSENT = ("cannot get document summary", "invalid uid", "id not found")
_COMMENTS = {
    "retraction in": NoticeKind.RETRACTED,
    "expression of concern in": NoticeKind.CONCERN,
    "erratum in": NoticeKind.CORRECTED,
    "corrected and republished in": NoticeKind.CORRECTED,
}


class PubMed:
    """Up to a hundred ids a request."""

    name = "pubmed"
    covers = frozenset({"pmid"})
    decides = frozenset({"pmid"})
    batch = 100

    def __init__(self, base: str = BASE) -> None:
        self._base = base.rstrip("/")

    def request(self, identifiers: tuple[Identifier, ...]) -> Request:
        """Ask for all of them at once."""
        parameters = {
            "db": "pubmed",
            "retmode": "json",
            "id": ",".join(i.value for i in identifiers),
            "tool": "sluicegate",
        }
        return Request(
            f"{self._base}/esummary.fcgi?{urlencode(parameters)}", headers={"accept": "application/json"}
        )

    def read(self, identifiers: tuple[Identifier, ...], reply: Reply) -> dict[Identifier, Answer]:
        """Judge the reply: each id has its own summary, or its own error."""
        value = json_object(reply) if reply.status == 200 else odd_status(reply)
        if isinstance(value, Unknown):
            return dict.fromkeys(identifiers, value)
        result = value.get("result")
        if not isinstance(result, dict):
            said = str(value.get("error", "no result in the reply"))
            return dict.fromkeys(identifiers, Unknown("registry_error", said[:120]))
        return {i: _judge(i.value, result.get(i.value)) for i in identifiers}


def _judge(pmid: str, summary: object) -> Answer:
    if not isinstance(summary, dict):
        return Unknown("inconsistent_response", "no summary for this id")
    if error := text(summary.get("error")):
        gone = any(words in error.lower() for words in _ABSENT)
        return NotFound() if gone else Unknown("registry_error", error[:120])
    if str(summary.get("uid", "")) != pmid or not text(summary.get("title")):
        return Unknown("inconsistent_response", "the summary is of another id, or has no title")
    return Found(_record(summary))


def _record(summary: Mapping[str, Any]) -> Record:
    title = (text(summary.get("title")) or "").rstrip(".")
    ids = {str(i.get("idtype")): str(i.get("value", "")) for i in dicts(summary.get("articleids"))}
    doi = normalise_doi(ids.get("doi", ""))
    pmcid = ids.get("pmc", "").upper()
    retracted = any(t.lower() == "retracted publication" for t in texts(summary.get("pubtype")))
    notices = [Notice(NoticeKind.RETRACTED)] if retracted else []
    for reference in dicts(summary.get("references")):
        if kind := _COMMENTS.get(str(reference.get("reftype", "")).lower()):
            pmid = text(str(reference.get("pmid", "")))
            notices.append(Notice(kind, f"pmid:{pmid}" if pmid and pmid != "0" else None))
    return Record(
        title=title,
        authors=tuple(name for a in dicts(summary.get("authors")) if (name := text(a.get("name")))),
        years=years(summary.get("pubdate"), summary.get("epubdate")),
        venues=texts([summary.get("fulljournalname"), summary.get("source"), summary.get("booktitle")]),
        identifiers=(
            *((f"doi:{doi}",) if doi else ()),
            *((f"pmcid:{pmcid}",) if pmcid.startswith("PMC") else ()),
        ),
        notices=tuple(dict.fromkeys((*notices, *title_notices(title)))),
        agency="pubmed",
    )
