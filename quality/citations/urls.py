"""Addresses as reports write them: where a URL ends, and Markdown links.

Belongs here: cutting a URL or a link out of running text without the punctuation around it. Does not
belong here: normalising URLs (``quality.registries.identifiers``) or deciding whether one is a citation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_CJK = r"\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_PLAIN = r"""[^\s<>"`{}|\\^\x00\[\]()（）【】「」『』《》〈〉“”‘’，。；：！？、…·\u3000""" + _CJK + "]"
BARE_URL = re.compile(
    rf"[hHfF](?:[tT]{{2}}[pP][sS]?|[tT][pP])://(?:{_PLAIN}++|\((?:{_PLAIN}++|\([^\s()]*+\))*+\)"
    rf"|\[{_PLAIN}*+\]|\\[_&~()*#\-.!\[\]]"
    rf"|(?<=[/=_\-?&+%])[{_CJK}]++(?:[·（）()_\-]++[{_CJK}]++)*+)++"
)
LINK = re.compile(
    r"(?P<open>\[)(?P<text>(?:[^\[\]\n]|\\[\[\]]|\[[^\[\]\n]*\])*)\]"
    r"\((?P<dest>[ \t]*<?(?P<url>[^\s()<>]*(?:\([^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*\)[^\s()<>]*)*)>?"
    r"(?:[ \t]+[\"'“][^\"'”\n]*[\"'”])?[ \t]*)\)"
)
_TRAILING = ".,;:!?*~'\"…"
_PAIRS = {")": "(", "]": "["}


@dataclass(frozen=True, slots=True)
class Link:
    """A Markdown link: its whole span, text and destination."""

    start: int
    end: int
    text: str
    url: str


def trim_url(url: str) -> str:
    """Take off what belongs to the sentence: trailing punctuation, and closing brackets without a partner."""
    end = len(url)
    while end:
        last = url[end - 1]
        if (
            last in _TRAILING
            or (last in _PAIRS and url.count(last, 0, end) > url.count(_PAIRS[last], 0, end))
            or last == "\\"
        ):
            end -= 1
        else:
            break
    return url[:end]


def find_urls(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int, str]]:
    """Spans and values of the bare URLs in ``text[start:end]``."""
    for match in BARE_URL.finditer(text, start, len(text) if end is None else end):
        url = trim_url(match[0])
        if len(url) > len("https://x"):
            yield match.start(), match.start() + len(url), url


def find_links(text: str, start: int = 0, end: int | None = None) -> Iterator[Link]:
    """Markdown links ``[text](destination)`` in ``text[start:end]``; images must have been masked before."""
    for match in LINK.finditer(text, start, len(text) if end is None else end):
        yield Link(match.start(), match.end(), match["text"], match["url"])
