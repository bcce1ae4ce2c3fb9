"""doi.org: the handle lookup, which is the last word on whether a DOI exists, whoever registered it.

Belongs here: its two requests and their replies. Sources: https://www.handle.net/proxy_servlet.html (``/api/handles``) and
https://www.doi.org/the-identifier/resources/factsheets/doi-system-proxy-server-documentation (``/doiRA``). A handle has no
title, so a record of it is bare; it may be an alias of another DOI, as every short DOI is.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from urllib.parse import quote

from quality.model import Identifier
from quality.registries.answers import Answer, Found, NotFound, Record, Relation, Unknown
from quality.registries.clients.datacite import as_doi
from quality.registries.identifiers import normalise_doi
from quality.registries.replies import dicts, json_object, odd_status
from quality.registries.transport import NoReply, Reply, Request, Send

BASE = "https://doi.org"
_RESOLVES_TO_DOI = re.compile(r"https?://(?:dx\.)?doi\.org/(10\.\d{4,9}/.+)", re.IGNORECASE)
_EXISTS, _NO_VALUES, _MISSING = 1, 200, 100


class Handles:
    """One handle a request."""

    name = "doi.org"
    covers = frozenset({"doi", "shortdoi", "arxiv"})
    decides = frozenset({"doi", "shortdoi", "arxiv"})
    batch = 1

    def __init__(self, base: str = BASE) -> None:
        self._base = base.rstrip("/")

    def request(self, identifiers: tuple[Identifier, ...]) -> Request:
        """Ask for the one handle; the slash between prefix and suffix stays a slash."""
        prefix, _, suffix = as_doi(identifiers[0]).partition("/")
        return Request(
            f"{self._base}/api/handles/{quote(prefix)}/{quote(suffix, safe='')}",
            headers={"accept": "application/json"},
        )

    def read(self, identifiers: tuple[Identifier, ...], reply: Reply) -> dict[Identifier, Answer]:
        """Judge the reply."""
        return {identifiers[0]: _judge(as_doi(identifiers[0]), reply)}

    async def ask(self, identifiers: tuple[Identifier, ...], send: Send) -> dict[Identifier, Answer]:
        """Ask for the one handle, and for its agency where the other registries do not know it or the handle is unclear."""
        (one,) = identifiers
        try:
            answer = self.read(identifiers, await send(self.request(identifiers)))[one]
        except NoReply as fault:
            answer = Unknown(fault.reason, fault.detail)
        if one.kind != "doi" or isinstance(answer, NotFound):
            return {one: answer}
        if isinstance(answer, Found) and answer.record.relations:
            return {one: answer}
        return {one: _with_agency(answer, await self._agency(one, send))}

    async def _agency(self, one: Identifier, send: Send) -> str | None:
        try:
            return read_agency(await send(self.agency_request(one)))
        except NoReply:
            return None

    def agency_request(self, identifier: Identifier) -> Request:
        """Ask which agency registers DOIs of this prefix."""
        return Request(
            f"{self._base}/doiRA/{quote(as_doi(identifier), safe='/')}",
            headers={"accept": "application/json"},
        )


def _with_agency(answer: Answer, agency: str | None) -> Answer:
    if agency is None:
        return answer
    if isinstance(answer, Found):
        return Found(replace(answer.record, agency=agency.lower()))
    if agency.lower() in {"crossref", "datacite"}:
        return answer
    return Unknown("agency_not_covered", f"registered with {agency}")


def _judge(doi: str, reply: Reply) -> Answer:
    if reply.status not in {200, 404}:
        return odd_status(reply)
    value = json_object(reply)
    if isinstance(value, Unknown):
        return value
    code = value.get("responseCode")
    if str(value.get("handle", "")).lower() != doi.lower():
        return Unknown("inconsistent_response", "the reply is about another handle")
    if reply.status == 404:
        return (
            NotFound()
            if code == _MISSING
            else Unknown("inconsistent_response", f"404 with response code {code}")
        )
    if code not in {_EXISTS, _NO_VALUES}:
        return Unknown("registry_error", f"response code {code}")
    alias = _alias(value.get("values"))
    return Found(Record(relations=(Relation("alias_of", f"doi:{alias}"),) if alias and alias != doi else ()))


def _alias(values: object) -> str | None:
    """The DOI that a handle stands for: by its alias value, or because its address is another DOI's."""
    for value in dicts(values):
        data = value.get("data")
        target = str(data.get("value", "")) if isinstance(data, dict) else ""
        if value.get("type") == "HS_ALIAS":
            return normalise_doi(target)
        if value.get("type") == "URL" and (match := _RESOLVES_TO_DOI.fullmatch(target)):
            return normalise_doi(match[1])
    return None


def read_agency(reply: Reply) -> str | None:
    """Give the name of the agency (Crossref, DataCite, JaLC, …) that a reply of ``agency_request`` holds, or None."""
    if reply.status != 200 or "json" not in reply.media_type:
        return None
    try:
        value = json.loads(reply.body)
    except ValueError:
        return None
    for one in dicts(value):
        if isinstance(one.get("RA"), str):
            return str(one["RA"])
    return None
