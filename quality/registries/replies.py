"""From a reply to the values in it, or to the reason why it says nothing.

Belongs here: status, media type, JSON and XML, each checked before it is believed. Does not belong here: what the values
mean, which each client knows of its registry.

A registry's word counts only in its own protocol: HTML where JSON is due is a proxy, a maintenance page or a captcha, and
never an answer about a work.
"""

from __future__ import annotations

import json
from typing import Any
from xml.etree import ElementTree

from quality.registries.answers import Unknown
from quality.registries.transport import Reply

_JSON_TYPES = ("application/json", "application/vnd.api+json", "application/hal+json", "text/json")
_XML_TYPES = ("application/atom+xml", "application/xml", "text/xml", "application/rss+xml")


def json_object(reply: Reply) -> dict[str, Any] | Unknown:
    """Give the JSON object of a reply whose status the caller has accepted."""
    if reply.media_type not in _JSON_TYPES and not reply.media_type.endswith("+json"):
        return Unknown("wrong_content_type", f"{reply.media_type or 'no type'} where JSON is due")
    try:
        value = json.loads(reply.body)
    except (ValueError, RecursionError) as error:
        return Unknown("bad_json", str(error)[:120])
    return value if isinstance(value, dict) else Unknown("bad_json", "the reply is no object")


def xml_root(reply: Reply) -> ElementTree.Element | Unknown:
    """Give the root of an XML reply. A document type is refused: no registry sends one, and entities could grow."""
    if reply.media_type not in _XML_TYPES:
        return Unknown("wrong_content_type", f"{reply.media_type or 'no type'} where XML is due")
    if b"<!DOCTYPE" in reply.body or b"<!ENTITY" in reply.body:
        return Unknown("bad_xml", "a document type where none is due")
    try:
        return ElementTree.fromstring(reply.body)  # noqa: S314 - document types are refused above
    except ElementTree.ParseError as error:
        return Unknown("bad_xml", str(error)[:120])


def odd_status(reply: Reply) -> Unknown:
    """Say that a status is neither a yes nor a no."""
    return Unknown(f"http_{reply.status}", f"status {reply.status}")


def text(value: object) -> str | None:
    """Give a text that says something, else None."""
    if isinstance(value, list):
        value = next((v for v in value if isinstance(v, str) and v.strip()), None)
    return value.strip() if isinstance(value, str) and value.strip() else None


def texts(value: object) -> tuple[str, ...]:
    """Give the texts of a list, or one text as a list."""
    values = value if isinstance(value, list) else [value]
    return tuple(dict.fromkeys(v.strip() for v in values if isinstance(v, str) and v.strip()))


def dicts(value: object) -> list[dict[str, Any]]:
    """Give the objects of a list; anything else holds none."""
    return [v for v in value if isinstance(v, dict)] if isinstance(value, list) else []


def years(*values: object) -> tuple[int, ...]:
    """Give the distinct plausible years among dates in whatever form."""
    found = []
    for value in values:
        head = str(value).strip()[:4] if value is not None else ""
        if head.isdigit() and 1000 <= int(head) <= 2999:
            found.append(int(head))
    return tuple(dict.fromkeys(found))
