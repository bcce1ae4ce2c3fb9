"""Titles that are none: placeholders, and the titles of error, challenge and login pages.

Belongs here: matching a whole title against the lexicon (``dirt_lexicon``).
Does not belong here: finding the title in an entry (``dirt_view``), residue inside a good title (``dirt``).

A title is only judged as a whole: "404 Not Found" is the title of an error page, "404 Not Found: a history of
the broken link" is a title. A site name after a dash or a pipe does not save an error page's title.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from quality.metrics.dirt_lexicon import (
    ALONE,
    ERROR_OF_SITE,
    EXAMPLE_HOSTS,
    FILL_INS,
    FIRST_WORD,
    FIRST_WORDS,
    HINT,
    HOST,
    LAST_CUTS,
    MAX_TITLE,
    NAMELESS,
    PHRASES,
    SHORTEST_BEFORE_STOP,
    SITE_SUFFIX,
    STOP,
    TEMPLATES,
    UNTITLED_HOST,
)
from quality.text import fold


def is_error_page(title: str) -> bool:
    """Tell whether the whole title, with or without a site name, is that of an error or login page."""
    if len(title) > MAX_TITLE:
        return False
    folded = fold(title)
    if folded.isascii() and not _begins_like_one(folded):
        return False
    hint = HINT.search(folded) is not None
    if _plain(folded) in ALONE or ERROR_OF_SITE.fullmatch(folded):
        return True
    return any(part in PHRASES or (hint and TEMPLATES.fullmatch(part)) for part in _readings(folded))


def _begins_like_one(folded: str) -> bool:
    """Tell, quickly, whether the title or its last part begins with a word of the lexicon or a number."""
    starts = {0, *(folded.rfind(cut) + len(cut) for cut in LAST_CUTS if cut in folded)}
    firsts = [match[1] for start in starts if (match := FIRST_WORD.match(folded, start))]
    return any(first in FIRST_WORDS or first.isdigit() for first in firsts)


def is_nameless(title: str) -> bool:
    """Tell whether the whole title only stands in for one."""
    if len(title) > MAX_TITLE:
        return False
    folded = _plain(fold(title))
    return bool(NAMELESS.fullmatch(folded) or UNTITLED_HOST.fullmatch(folded))


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
        if any(hint in whole for hint in hints) and (
            match := pattern.search(lower if shown_only else text, start)
        ):
            return match.span()
    return None


def _readings(folded: str) -> list[str]:
    """Give the title, and what it is without a site name around it, or without what follows a stop."""
    cuts = list(SITE_SUFFIX.finditer(folded))
    readings = [folded]
    if cuts:
        readings += [folded[: cuts[0].start()], folded[: cuts[-1].start()], folded[cuts[-1].end() :]]
    if (stop := STOP.search(folded)) and stop.start() >= SHORTEST_BEFORE_STOP:
        readings.append(folded[: stop.start()])
    return [_plain(r) for r in readings]


def _plain(folded: str) -> str:
    return folded.strip(" .!?-|·:()[]<>{}\"'")


def _host(address: str) -> str:
    try:
        return (urlsplit(address if "//" in address else f"//{address}").hostname or "").lower()
    except ValueError:
        return ""
