"""arXiv: ``GET /api/query?id_list=…``, an Atom feed.

Belongs here: its request, its replies, its records. Source: https://info.arxiv.org/help/api/user-manual.html. arXiv reports
an error as a feed with one entry titled "Error", under status 200 as well: that entry is no paper. The reply comes in its
own order and leaves missing ids out, so entries are paired by id.
"""

from __future__ import annotations

from urllib.parse import urlencode
from xml.etree.ElementTree import Element

from quality.model import Identifier
from quality.registries.answers import Answer, Found, NotFound, Notice, NoticeKind, Record, Relation, Unknown
from quality.registries.arxiv import normalise_arxiv
from quality.registries.identifiers import normalise_doi
from quality.registries.replies import odd_status, xml_root, years
from quality.registries.transport import Reply, Request

BASE = "https://export.arxiv.org"
_ATOM, _ARXIV = "{http://www.w3.org/2005/Atom}", "{http://arxiv.org/schemas/atom}"
_TOTAL = "{http://a9.com/-/spec/opensearch/1.1/}totalResults"
_ERRORS = "/api/errors"


class Arxiv:
    """Up to fifty ids a request."""

    name = "arxiv"
    covers = frozenset({"arxiv"})
    decides = frozenset({"arxiv"})
    batch = 50

    def __init__(self, base: str = BASE) -> None:
        self._base = base.rstrip("/")

    def request(self, identifiers: tuple[Identifier, ...]) -> Request:
        """Ask for all of them at once."""
        parameters = {"id_list": ",".join(i.value for i in identifiers), "max_results": str(len(identifiers))}
        return Request(
            f"{self._base}/api/query?{urlencode(parameters)}", headers={"accept": "application/atom+xml"}
        )

    def read(self, identifiers: tuple[Identifier, ...], reply: Reply) -> dict[Identifier, Answer]:
        """Judge the reply; one malformed id among several makes all of them unknown, so they are asked one by one."""
        if reply.status not in {200, 400}:
            return dict.fromkeys(identifiers, odd_status(reply))
        root = xml_root(reply)
        if isinstance(root, Unknown):
            return dict.fromkeys(identifiers, root)
        if root.tag != f"{_ATOM}feed":
            return dict.fromkeys(identifiers, Unknown("inconsistent_response", "the reply is no feed"))
        entries = root.findall(f"{_ATOM}entry")
        if any(_is_error(entry) for entry in entries):
            return dict.fromkeys(identifiers, _error(identifiers, entries))
        return _paired(identifiers, entries, root)


def _is_error(entry: Element) -> bool:
    where = entry.findtext(f"{_ATOM}id", "")
    return _ERRORS in where or (
        entry.findtext(f"{_ATOM}title", "").strip() == "Error" and "/abs/" not in where
    )


def _error(identifiers: tuple[Identifier, ...], entries: list[Element]) -> Answer:
    said = f"{entries[0].findtext(f'{_ATOM}id', '')} {entries[0].findtext(f'{_ATOM}summary', '')}".lower()
    if "incorrect_id" in said or "incorrect id" in said:
        return (
            NotFound("malformed") if len(identifiers) == 1 else Unknown("batch_refused", said.strip()[:120])
        )
    return Unknown("registry_error", said.strip()[:120])


def _paired(
    identifiers: tuple[Identifier, ...], entries: list[Element], root: Element
) -> dict[Identifier, Answer]:
    by_id = {normalise_arxiv(entry.findtext(f"{_ATOM}id", "")): entry for entry in entries}
    total = root.findtext(_TOTAL, "").strip()
    whole = not total.isdigit() or int(total) in {len(entries), len(identifiers)}
    missing: Answer = (
        NotFound() if whole else Unknown("inconsistent_response", f"{total} announced, {len(entries)} listed")
    )
    return {i: _answer(by_id[i.value]) if i.value in by_id else missing for i in identifiers}


def _answer(entry: Element) -> Answer:
    title = " ".join(entry.findtext(f"{_ATOM}title", "").split())
    if not title:
        return Unknown("inconsistent_response", "an entry without a title")
    return Found(_record(entry, title))


def _record(entry: Element, title: str) -> Record:
    names = [a.findtext(f"{_ATOM}name", "").strip() for a in entry.findall(f"{_ATOM}author")]
    doi = normalise_doi(entry.findtext(f"{_ARXIV}doi", ""))
    journal = entry.findtext(f"{_ARXIV}journal_ref", "").strip()
    comment = entry.findtext(f"{_ARXIV}comment", "").lower()
    withdrawn = (
        "withdrawn" in comment
        or "this paper has been withdrawn" in entry.findtext(f"{_ATOM}summary", "").lower()
    )
    return Record(
        title=title,
        authors=tuple(name for name in names if name),
        years=years(entry.findtext(f"{_ATOM}published"), entry.findtext(f"{_ATOM}updated")),
        venues=("arXiv", *((journal,) if journal else ())),
        kind="preprint",
        identifiers=(f"doi:{doi}",) if doi else (),
        notices=(Notice(NoticeKind.WITHDRAWN),) if withdrawn else (),
        relations=(Relation("preprint_of", f"doi:{doi}"),) if doi else (),
        agency="arxiv",
    )
