"""Foreign text inside the audit block: shown as its literal characters, whatever renders the block.

Belongs here: the one way from a value of a report (id, title, key, passage) into the block's Markdown.
Does not belong here: the block's own words. Bodies are never escaped: they stay byte for byte.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

MAX_SHOWN: Final = 200
"""Characters of one value that the block shows; the front matter holds it whole."""

# Entities where a renderer of HTML or templates would act, backslashes where Markdown would. A colon before
# "//" and a dot after "www" would make a link, an "@" a mention.
_ENTITIES: Final = {
    "&": "&amp;",
    "<": "&lt;",
    "{": "&#123;",
    "}": "&#125;",
    "$": "&#36;",
    "@": "&#64;",
}
_ACTIVE: Final = re.compile(
    r"[&<{}$@]|:(?=//)|(?<=www)\.|[\\`*\[\]|~^]|(?<![^\W_])_|_(?![^\W_])", re.IGNORECASE
)
# What opens a heading, quote, list or rule where the value stands first in a list item.
_OPENING: Final = re.compile(r"\A(?:\d{1,9}(?=[.)](?:\s|\Z))|(?=[#>+-]))")
_JOINERS: Final = "\u200c\u200d"


def literal(value: object, limit: int = MAX_SHOWN) -> str:
    """``value`` as Markdown that shows exactly its characters, on one line, cut after ``limit`` characters.

    Line breaks, tabs and other blanks become one space each; other control and formatting characters (which
    could turn the text around or hide it) are shown by their code point.
    """
    text = " ".join("".join(_visible(char) for char in str(value)).split())
    if len(text) > limit:
        text = text[: limit - 1].rstrip() + "…"
    return _OPENING.sub(r"\g<0>\\", _ACTIVE.sub(_escape, text))


def _visible(char: str) -> str:
    if char.isspace():
        return " "
    category = unicodedata.category(char)
    if category in {"Cc", "Cs", "Co", "Cn"} or (category == "Cf" and char not in _JOINERS):
        return f"(U+{ord(char):04X})"
    return char


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    if char in ":.":
        return f"&#{ord(char)};"
    return _ENTITIES.get(char) or f"\\{char}"
