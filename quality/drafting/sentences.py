"""Sentences of a draft, as far as the gate needs them: which stretches state something.

Belongs here: cutting prose into sentences, leaving out headings and rules. Does not belong here: judging them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from quality.text import is_cjk

_SENTENCE = re.compile(
    r"[^.!?。！？\n]*(?:\.(?![\s\"”’)\]]|(?<=[a-z]\.)[A-Z]|\Z)[^.!?。！？\n]*)*(?:[.!?。！？]+[\"”’)\]]*|(?=\n)|\Z)"
)
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")
_NUMBERING = re.compile(r"\A[\s#*_]*(?:\d{1,3}(?:\.\d{1,3})*[.)、]?\s+)?")
_FIGURE = re.compile(r"\d\s*[%％‰]|(?<![\d.,])(?!(?:19|20)\d\d(?!\d))\d+(?:[.,]\d+)*")
_BULLET = re.compile(r"\A\s*(?:[-*+]|\d{1,3}[.)、])\s+")
_ENDED = re.compile(r"[.!。！][\"”’)\]*_\s]*\Z")
_CLAUSE = re.compile(r"[^;；]+")
_RULE = " -*_=\r\t"
MIN_WORDS = 3
MIN_CJK = 5
MIN_WORDS_ENDED = 2
MIN_CJK_ENDED = 3
MAX_HEADING_WORDS = 14


def statements(text: str) -> Iterator[tuple[int, int, str]]:
    """Sentences that state something, with their offsets: no rules, no crumbs, and of the headings those that claim.

    Only a line feed ends a line: other separators would cut a statement into crumbs. Lines of a paragraph that are crumbs
    each, and a statement together, are one.
    """
    at = 0
    crumbs: list[tuple[int, int]] = []
    for line in text.split("\n"):
        found = list(_of_line(line))
        yield from ((at + start, at + end, said) for start, end, said in found)
        if found or not line.strip(_RULE) or _HEADING.match(line) or _BULLET.match(line) or "|" in line:
            yield from _together(text, crumbs)
            crumbs = []
        else:
            crumbs.append((at, at + len(line)))
        at += len(line) + 1
    yield from _together(text, crumbs)


def _together(text: str, crumbs: list[tuple[int, int]]) -> Iterator[tuple[int, int, str]]:
    if len(crumbs) > 1:
        start, end = crumbs[0][0], crumbs[-1][1]
        said = text[start:end].strip()
        if is_statement(said.rstrip(".!。！")):
            yield start, end, said


def _of_line(line: str) -> Iterator[tuple[int, int, str]]:
    if not line.strip(_RULE):
        return
    if _HEADING.match(line):
        if _claims(line):
            yield 0, len(line), line.strip(" #\r\t")
        return
    for match in _SENTENCE.finditer(line):
        said = _BULLET.sub("", match[0]).strip()
        if is_statement(said):
            yield match.start(), match.end(), said


def clauses(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """The parts of a sentence between semicolons, with their offsets."""
    for match in _CLAUSE.finditer(text, start, end):
        yield match.start(), match.end(), match[0].strip()


def is_statement(sentence: str) -> bool:
    """Whether a sentence is long enough to state anything; one that is ended as a sentence needs less."""
    ended = _ENDED.search(sentence) is not None
    if sum(map(is_cjk, sentence)) >= (MIN_CJK_ENDED if ended else MIN_CJK):
        return True
    words = re.findall(r"[^\W_]+", sentence)
    if len(words) >= MIN_WORDS:
        return True
    return ended and sum(1 for w in words if len(w) > 1) >= MIN_WORDS_ENDED


def _claims(heading: str) -> bool:
    """Whether a heading is a sentence, gives a figure that is no year, or is too long to be a name."""
    said = _NUMBERING.sub("", heading).strip()
    if not is_statement(said) or said.endswith(("?", "？")):
        return False
    long = len(re.findall(r"[^\W_]+", said)) > MAX_HEADING_WORDS
    return long or _ENDED.search(said) is not None or _FIGURE.search(said) is not None
