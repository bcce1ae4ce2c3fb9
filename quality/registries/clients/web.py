"""Plain addresses: is there a page, asked by HEAD and then by GET.

Belongs here: which requests, and what their replies say about a page. Does not belong here: guarding where a connection
may go (the transport refuses inward targets when it connects, on every hop).

Only 404 and 410, confirmed by GET, mean that there is no page; refusals, logins, challenges and errors are unknown. A page
that says "not found" under status 200 is no page, but no proof either: unknown.
"""

from __future__ import annotations

import html
import re
from urllib.parse import urljoin, urlsplit

from quality.error_pages import is_error_page
from quality.model import Identifier
from quality.registries.answers import Answer, Found, NotFound, Record, Unknown
from quality.registries.transport import NoReply, Reply, Request, Send

_MOST_HOPS = 5
_MOST_READ = 200_000
_TITLE = re.compile(rb"<title[^>]{0,200}>(.{0,600}?)</title", re.IGNORECASE | re.DOTALL)
_PLACEHOLDERS = re.compile(r"(?:^|\.)example\.(?:com|org|net|edu)$|\.(?:example|invalid)$", re.IGNORECASE)
_HEADERS = {"accept": "text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.8"}


class Web:
    """One address at a time, with its redirects."""

    name = "web"
    covers = frozenset({"url"})
    decides = frozenset({"url"})
    batch = 1

    async def ask(self, identifiers: tuple[Identifier, ...], send: Send) -> dict[Identifier, Answer]:
        """Ask for the one address."""
        url = identifiers[0].value
        return {identifiers[0]: refused(url) or await _page(url, send)}


def refused(url: str) -> Unknown | None:
    """Why an address is not asked for at all, if it is not."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return Unknown("malformed", "no address that can be opened")
    if parts.scheme not in {"http", "https"} or not host:
        return Unknown("blocked_target", f"the scheme {parts.scheme or 'none'} is not asked")
    if parts.username is not None or parts.password is not None:
        return Unknown("blocked_target", "an address with credentials is not asked")
    if _PLACEHOLDERS.search(host):
        return Unknown("placeholder_domain", f"{host} is reserved for examples")
    return None


async def _page(url: str, send: Send) -> Answer:
    try:
        head = await _follow(url, "HEAD", send)
        if (
            isinstance(head, Reply)
            and 200 <= head.status < 300
            and head.media_type not in {"text/html", "application/xhtml+xml", ""}
        ):
            return Found(Record(kind=head.media_type))
        got = await _follow(url, "GET", send)
    except NoReply as fault:
        return Unknown(fault.reason, fault.detail)
    return got if isinstance(got, Unknown) else _judge(got)


async def _follow(url: str, method: str, send: Send) -> Reply | Unknown:
    for _ in range(_MOST_HOPS + 1):
        if why := refused(url):
            return why
        reply = await send(Request(url, method, _HEADERS, _MOST_READ, whole=False, guarded=True))
        target = reply.headers.get("location")
        if reply.status not in {301, 302, 303, 307, 308} or not target:
            return reply
        url = urljoin(url, target)
    return Unknown("too_many_redirects", f"more than {_MOST_HOPS} hops")


def _judge(reply: Reply) -> Answer:
    if reply.status in {404, 410}:
        return NotFound(f"http_{reply.status}")
    if not 200 <= reply.status < 300:
        return Unknown(f"http_{reply.status}", f"status {reply.status}")
    match = _TITLE.search(reply.body)
    title = " ".join(html.unescape(match[1].decode("utf-8", "replace")).split()) if match else None
    if title and is_error_page(title):
        return Unknown("soft_404", f"the page is titled {title[:80]!r}")
    return Found(Record(title=title, kind=reply.media_type or None))
