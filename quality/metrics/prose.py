"""The prose of a report as sentences, each with its place.

Belongs here: which stretches of a body are prose, where sentences end, and a sentence without its marks.
Does not belong here: what a sentence says (``closings``, ``claims``).

Prose is what the reader called prose, without tables, rules, bare addresses and tags. Headings, code,
mathematics and reference lists are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quality.model import Segment

_LINE = re.compile(r"[^\n]+")
_NO_PROSE = re.compile(
    r"\s*(?:\|.*|(?:[-*_=~]\s*){3,}|:?-{2,}:?(?:\s*\|.*)?|<[^<>]{1,200}>|[\W\d_]*"
    r"|[-*+•>\s]*(?:\\?\[?\^?\d{0,3}\\?\]?[.:)]?\s*)?<?https?://\S+>?[).\]]*)\s*"
)
_STOP = re.compile(
    r"(?<!\bet al)(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bNo)(?<!\bFig)(?<!\bcf)(?<!\bU\.S)(?<! [A-Z])"
    r"[.!?…]+[\"'”’)\]*_]*(?:\s?(?:\\?\[[^\[\]\n]{1,40}\\?\]|\(https?://[^()\s]*\)|【[^【】\n]{1,20}】|\^\d+))*"
    r"[\"'”’)*_]*\s+(?=[\"'“‘(\[*_]*[A-Z0-9\u00c0-\u024f\u2e80-\u9fff])"
    r"|[。！？]+[”’」』）)*_]*(?:\s?(?:\[[^\[\]\n]{1,40}\]|\(https?://[^()\s]*\)|【[^【】\n]{1,20}】))*[”’」』）)*_]*\s*"
)
_MARKS = re.compile(
    r"!?\[(?P<text>[^\[\]\n]*)\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s\"[^\"]*\")?\)"
    r"|\\?\[\^?\d[^\[\]\n]{0,30}\\?\]|\[\^[^\[\]\n]{1,30}\]|【[^【】\n]{1,30}】"
    r"|</?[A-Za-z][^<>\n]{0,200}>"
)
_WORDS = re.compile(r"[^\W_]")
_NUMBER_TEXT = re.compile(r"\[?\^?\d{1,3}\]?")
_EMPHASIS = re.compile(r"[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}")
_LEAD = re.compile(r"\s*(?:>\s*)*(?:[-*+•·●○▪–—]\s+|\\?\(?\d{1,2}[.)）、]\s+|#{1,6}\s+)*")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of the prose: its text as written, and its place in the body (characters, end exclusive)."""

    text: str
    start: int
    end: int
    bullet: bool = False  # it opens, or stands in, an item of a list


def prose_lines(body: str, segments: Sequence[Segment]) -> Iterator[tuple[int, int]]:
    """Give the spans of the lines that hold prose, in order; text around a formula or code stays one line."""
    for start, end in stretches(body, segments):
        yield from _lines(body, start, end)


def last_lines(body: str, segments: Sequence[Segment], count: int) -> list[tuple[int, int]]:
    """Give the spans of the last ``count`` lines that hold prose, in order."""
    found: list[tuple[int, int]] = []
    for start, end in reversed(list(stretches(body, segments))):
        found = [*_lines(body, start, end), *found]
        if len(found) >= count:
            break
    return found[-count:]


def _lines(body: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for match in _LINE.finditer(body, start, end):
        if not _NO_PROSE.fullmatch(body, *match.span()):
            yield match.span()


def stretches(body: str, segments: Sequence[Segment]) -> Iterator[tuple[int, int]]:
    """Join prose over what stands inside a line (mathematics, inline code)."""
    start = end = -1
    for segment in segments:
        inline = segment.kind in ("math", "code") and body.find("\n", segment.start, segment.end) < 0
        if segment.kind == "prose" or (inline and start >= 0):
            start = segment.start if start < 0 else start
            end = segment.end
        elif start >= 0:
            yield start, end
            start = end = -1
    if start >= 0:
        yield start, end


def split(body: str, start: int, end: int) -> Iterator[Sentence]:
    """Cut one line of prose into sentences."""
    lead = _LEAD.match(body, start, end)
    at = lead.end() if lead else start
    bullet = at > start and bool(body[start:at].strip())
    cuts = [stop.end() for stop in _STOP.finditer(body, at, end)]
    if cuts and not _WORDS.search(without_marks(body[cuts[-1] : end])):
        cuts.pop()  # what follows the last stop is marks alone, and belongs before it
    for cut in [*cuts, end]:
        if body[at:cut].strip():
            yield Sentence(body[at:cut].strip(), at, cut, bullet)
        at = cut


def without_marks(text: str) -> str:
    """Give a sentence without citation marks, link targets, tags and emphasis; the words stay."""
    plain = _MARKS.sub(_kept, text)
    return " ".join(_EMPHASIS.sub("", plain).split())


def has_mark(text: str) -> bool:
    """Tell whether a sentence carries a citation mark: a number in brackets, a footnote, a link."""
    return _MARKS.search(text) is not None


def _kept(match: re.Match[str]) -> str:
    text = match["text"]
    return "" if text is None or _NUMBER_TEXT.fullmatch(text) else text
