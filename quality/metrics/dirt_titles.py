"""Titles that only stand in for one: placeholders, fill-in text, host names, example addresses.

Belongs here: matching a title against the lexicon (``dirt_lexicon``).
Does not belong here: finding the title in an entry (``dirt_view``), titles of error pages (``quality.error_pages``).
"""

from __future__ import annotations

from urllib.parse import urlsplit

from quality.error_page_words import ENCYCLOPAEDIAS, UNTITLED
from quality.error_pages import MAX_TITLE, plain
from quality.metrics.dirt_lexicon import (
    EXAMPLE_HOSTS,
    FILL_INS,
    HOST,
    NAMELESS,
    PRODUCER_DEFAULT,
    PRODUCER_LEAD,
    UNTITLED_HOST,
)
from quality.metrics.dirt_view import holds_any
from quality.text import fold


def is_nameless(title: str) -> bool:
    """Tell whether the whole title only stands in for one."""
    if len(title) > MAX_TITLE:
        return False
    folded = plain(fold(title))
    return folded in UNTITLED or bool(NAMELESS.fullmatch(folded) or UNTITLED_HOST.fullmatch(folded))


def is_producer_default(title: str, addresses: tuple[str, ...]) -> bool:
    """Tell whether the whole title is what a program writes into a file: "PowerPoint Presentation".

    "Microsoft Word - " before any title is written by a program where the file is a PDF; elsewhere it begins a
    title about the program.
    """
    if len(title) > MAX_TITLE:
        return False
    folded = plain(fold(title))
    if PRODUCER_DEFAULT.fullmatch(folded):
        return ENCYCLOPAEDIAS.fullmatch(folded) is None
    in_pdf = folded.startswith("pdf") or any(".pdf" in address.lower() for address in addresses)
    return in_pdf and PRODUCER_LEAD.fullmatch(folded) is not None


def is_host_of(title: str, addresses: tuple[str, ...]) -> bool:
    """Tell whether the title is only the host name of the entry's own address, as machines write it."""
    if not HOST.fullmatch(title) or not addresses:
        return False
    return any(_host(address).removeprefix("www.") == title.removeprefix("www.") for address in addresses)


def is_example(address: str) -> bool:
    """Tell whether an address lies in a domain that is reserved for examples (RFC 2606)."""
    if "example" not in address:
        return False
    host = _host(address)
    return host.endswith(".example") or ".".join(host.split(".")[-2:]) in EXAMPLE_HOSTS


def fill_in(text: str, lower: str, start: int) -> tuple[int, int] | None:
    """Find text that was left to be filled in, or a source that is nobody's, from ``start`` on.

    ``lower`` is what is shown of the text, in lower case; brackets and identifiers are looked at in ``text``,
    where a link still has its target.
    """
    whole = text.lower()
    for hints, pattern, shown_only in FILL_INS:
        if holds_any(whole, hints) and (match := pattern.search(lower if shown_only else text, start)):
            return match.span()
    return None


def _host(address: str) -> str:
    try:
        return (urlsplit(address if "//" in address else f"//{address}").hostname or "").lower()
    except ValueError:
        return ""
