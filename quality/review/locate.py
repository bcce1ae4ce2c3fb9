"""Where a quoted passage stands in a body: exactly, or with white space and quotation marks written otherwise.

Belongs here: quote -> span. Does not belong here: resolving titles, support of claims.
"""

from __future__ import annotations

import re

_KIND = str.maketrans(
    {**dict.fromkeys("‘’ʼ′", "'"), **dict.fromkeys("“”„″", '"'), **dict.fromkeys("‐‑‒–—−", "-")}
)
_WORD = re.compile(r"\S+")
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
    plain = " ".join(wanted.split()).translate(_KIND)
    words = list(_WORD.finditer(body))
    at = (
        " ".join(w[0] for w in words).translate(_KIND).find(plain)
    )  # a search by pattern takes squares of long quotes
    return (_place(words, at), _place(words, at + len(plain) - 1) + 1) if at >= 0 else None


def _place(words: list[re.Match[str]], at: int) -> int:
    """Where the character of the words, joined by single spaces, stands in their text."""
    for word in words:
        if at < len(word[0]):
            return word.start() + at
        at -= len(word[0]) + 1
    raise AssertionError("unreachable: the place is that of a word's character")
