"""Addresses: where they begin and end in text, and when two of them are the same page.

Belongs here: reading and comparing URLs without a network. Does not belong here: opening them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import unquote

_URL = re.compile(
    r"\b(?:https?|HTTPS?|Https?)://[^\s<>\"“”‘’«»{}|\\^`，。；：、！？（）【】《》「」『』〈〉\u3000]+"
)
_TRAILING = ".,;:!?'*_~…—–"
_PAIRS = {")": "(", "]": "["}
_TRACKING = re.compile(
    r"(?:utm_\w+|gclid|gclsrc|gbraid|wbraid|dclid|fbclid|msclkid|yclid|twclid|ttclid|igshid|igsh|mc_cid|mc_eid|_hsenc|"
    r"_hsmi|hsctatracking|mkt_tok|srsltid|vero_id|oly_enc_id|oly_anon_id|s_cid|ref_src|spm|_ga|_gl|wickedid|trk_contact)",
    re.IGNORECASE,
)
_PARTS = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<host>[^/?#]*)(?P<path>[^?#]*)(?:\?(?P<query>[^#]*))?(?:#(?P<fragment>.*))?",
    re.DOTALL,
)
_NON_ASCII_ESCAPE = re.compile(r"(?:%[89A-Fa-f][0-9A-Fa-f])+")
_INDEX_PAGE = re.compile(r"/(?:index|default)\.(?:html?|php|aspx?)$", re.IGNORECASE)


def find_urls(text: str) -> tuple[str, ...]:
    """Return the addresses of ``text`` as written, in order.

    Closing punctuation is not part of an address; a closing bracket is when its opening one stands inside.
    """
    return tuple(url for _, _, url in iter_urls(text))


def iter_urls(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield ``(start, end, url)`` of each address in ``text``."""
    for match in _URL.finditer(text):
        url = _trim(match.group())
        if len(url) > len("https://") and not url.endswith("//"):
            yield match.start(), match.start() + len(url), url


def normalise_url(url: str) -> str:
    """Return ``url`` without tracking parameters and text fragments, scheme and host in lower case.

    Parameters that select a page (``id``, ``ref``), their order, the fragment and the encoding stay as written, for
    the result must still open. Text that is no absolute address comes back stripped and otherwise unchanged.
    """
    parts = _PARTS.fullmatch(url.strip())
    if parts is None:
        return url.strip()
    query, fragment = parts["query"], parts["fragment"]
    kept = "&".join(p for p in (query or "").split("&") if p and not _TRACKING.fullmatch(p.partition("=")[0]))
    base = f"{parts['scheme'].lower()}://{parts['host'].lower()}{parts['path']}"
    anchor = (fragment or "").partition(":~:text=")[0]
    return base + (f"?{kept}" if kept else "") + (f"#{anchor}" if anchor else "")


@lru_cache(maxsize=16_384)  # one address is compared at every step of the line
def url_key(url: str) -> str:
    """Return a key under which two spellings of one address are equal. It is for comparing, not for opening.

    Beyond ``normalise_url``: the scheme, ``www.``, a default port, a trailing slash, an index page and the spelling of
    percent-encoded non-ASCII letters do not count.
    """
    clean = normalise_url(url.replace("\\", ""))
    _, separator, rest = clean.partition("://")
    if not separator:
        return clean
    rest = _NON_ASCII_ESCAPE.sub(lambda m: unquote(m.group(), errors="replace"), rest)
    host, slash, tail = rest.partition("/")
    host = re.sub(r":(?:80|443)$", "", host).removeprefix("www.")
    path, mark, query = (slash + tail).partition("?")
    path = _INDEX_PAGE.sub("/", path).rstrip("/") if not mark else path.rstrip("/")
    return host + path + mark + query


def host(url: str) -> str:
    """Return the host of an address in lower case, without ``www.`` and port."""
    rest = url.partition("://")[2] or url
    return re.split(r"[/?#:]", rest, maxsplit=1)[0].lower().removeprefix("www.")


def _trim(url: str) -> str:
    """Take off closing punctuation and every bracket that was opened before the address began."""
    depth = dict.fromkeys(_PAIRS.values(), 0)
    for i, c in enumerate(url):
        if c in depth:
            depth[c] += 1
        elif opening := _PAIRS.get(c):
            depth[opening] -= 1
            if depth[opening] < 0:
                return url[:i].rstrip(_TRAILING)
    return url.rstrip(_TRAILING)
