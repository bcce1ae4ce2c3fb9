"""The stored texts of sources, as metrics may look at them.

Belongs here: the port, and what of a text is content. Does not belong here: where texts are stored (assets).
"""

from __future__ import annotations

import re
from typing import Protocol

from quality.error_pages import is_error_page

_NO_CONTENT = re.compile(r"https?://\S+|<[^<>]{1,200}>|\s+")
_FIRST_LINE = re.compile(r"\s*[#*\s]*(?P<line>[^\n]{1,200})")
_MAX_ERROR_PAGE = 600
"""Characters: a longer text is more than an error page, however it begins."""


class Texts(Protocol):
    """Texts by source; a dictionary is one."""

    def get(self, source_id: str, /) -> str | None:
        """Give the stored text of a source, None where there is none."""
        ...


def content_chars(text: str | None) -> int:
    """Count the characters of real content: no blanks, addresses or tags; an error page has none."""
    if not text:
        return 0
    if len(text) <= _MAX_ERROR_PAGE:
        first = _FIRST_LINE.match(text)
        if first and is_error_page(first["line"].strip()):
            return 0
    return len(_NO_CONTENT.sub("", text))
