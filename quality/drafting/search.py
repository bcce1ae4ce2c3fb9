"""Searching Europe PMC for sources of a lead: the request, and results -> sources with their abstracts.

Belongs here: words of a question -> query, a reply -> sources. Does not belong here: sending (``pipelines``), choosing among
the sources of a catalogue (``collect``). Source of the protocol: https://europepmc.org/RestfulWebService.

Only results with an abstract are taken, because a span of it is all that a draft can rest on, and none that was retracted.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from urllib.parse import urlencode

from quality.drafting.collect import terms
from quality.drafting.model import Lead
from quality.model import Source
from quality.registries.answers import NoticeKind, Unknown
from quality.registries.clients.europepmc import BASE, europepmc_record
from quality.registries.identifiers import normalise_doi
from quality.registries.replies import dicts, json_object, odd_status, text
from quality.registries.transport import NoReply, Reply, Request

MOST = 8
"""Results that are asked for."""
_MIN_WORD = 4
_MOST_WORDS = 12
_ASKING = frozenset(
    "what which when where whom whose does have that this with from into about many much there their".split()
)
_TAG = re.compile(r"<[^<>]*>")
_TAKEN_BACK = (NoticeKind.RETRACTED, NoticeKind.WITHDRAWN)


def search_request(lead: Lead, base: str | None = None) -> Request | None:
    """The request for a lead; None where its question has no word to search for."""
    words = [w for w in dict.fromkeys(terms(lead.question)) if len(w) >= _MIN_WORD and w not in _ASKING]
    if not words:
        return None
    quoted = " OR ".join(f'"{word}"' for word in words[:_MOST_WORDS])  # a term has letters and digits alone
    parameters = {
        "query": f"({quoted}) AND HAS_ABSTRACT:Y",
        "format": "json",
        "resultType": "core",
        "pageSize": str(MOST),
    }
    url = f"{(base or BASE).rstrip('/')}/search?{urlencode(parameters)}"
    return Request(url, headers={"accept": "application/json"})


def read_search(reply: Reply) -> tuple[Source, ...]:
    """The sources of a reply, in its order.

    Raises:
        NoReply: it is none of a search.
    """
    value = json_object(reply) if reply.status == 200 else odd_status(reply)
    if isinstance(value, Unknown):
        raise NoReply(value.reason, value.detail)
    listed = value.get("resultList")
    results = listed.get("result") if isinstance(listed, dict) else None
    if not isinstance(results, list):
        raise NoReply("inconsistent_response", "no list of results in the reply")
    return tuple(_sources(dicts(results)))


def _sources(hits: Iterable[dict[str, object]]) -> Iterable[Source]:
    for hit in hits:
        record = europepmc_record(hit)
        place, name, abstract = text(hit.get("source")), text(hit.get("id")), text(hit.get("abstractText"))
        if not (place and name and abstract and record.title):
            continue
        if any(n.kind in _TAKEN_BACK for n in record.notices):
            continue
        yield Source(
            source_id=f"europepmc:{place}:{name}",
            title=_plain(record.title),
            url=f"https://europepmc.org/article/{place}/{name}",
            doi=normalise_doi(str(hit.get("doi", ""))),
            pmid=text(hit.get("pmid")),
            authors=record.authors,
            year=record.years[0] if record.years else None,
            venue=record.venues[0] if record.venues else None,
            kind="article",
            text=_plain(abstract),
        )


def _plain(marked: str) -> str:
    """Text without its markup; a heading inside an abstract becomes a sentence's lead-in."""
    return " ".join(html.unescape(_TAG.sub(" ", marked)).split())
