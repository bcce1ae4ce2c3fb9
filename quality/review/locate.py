"""Where a quoted passage stands in a body: exactly, or with white space and quotation marks written otherwise.

Belongs here: quote -> span. Does not belong here: resolving titles, support of claims.
"""

from __future__ import annotations

import re

_QUOTES = {"'": "['‘’ʼ′]", '"': '["“”„″]', "-": "[-‐‑‒–—−]"}
_KIND_OF_QUOTE = {
    **dict.fromkeys("'‘’ʼ′", "'"),
    **dict.fromkeys('"“”„″', '"'),
    **dict.fromkeys("-‐‑‒–—−", "-"),
}
MIN_QUOTE = 4
"""Characters of a quote, white space aside; a shorter one stands anywhere and locates nothing."""


def locate(quote: str | None, body: str) -> tuple[int, int] | None:
    """The first span of ``body`` that the quote stands in; None: nowhere, or too short to mean a place."""
    wanted = (quote or "").strip()
    if len("".join(wanted.split())) < MIN_QUOTE:
        return None
    at = body.find(wanted)
    if at >= 0:
        return at, at + len(wanted)
    found = re.search(r"\s+".join(_pattern(word) for word in wanted.split()), body)
    return found.span() if found else None


def _pattern(word: str) -> str:
    return "".join(_QUOTES[_KIND_OF_QUOTE[c]] if c in _KIND_OF_QUOTE else re.escape(c) for c in word)
