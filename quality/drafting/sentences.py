"""Sentences of a draft, as far as the gate needs them: which stretches state something.

Belongs here: cutting prose into sentences, leaving out headings and rules. Does not belong here: judging them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from quality.text import is_cjk

_SENTENCE = re.compile(
    r"[^.!?。！？\n]*(?:\.(?=\d)[^.!?。！？\n]*|\.(?![\s\"”’)\]]|\Z)[^.!?。！？\n]*)*(?:[.!?。！？]+[\"”’)\]]*|(?=\n)|\Z)"
)
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")
_BULLET = re.compile(r"\A\s*(?:[-*+]|\d{1,3}[.)、])\s+")
MIN_WORDS = 3
MIN_CJK = 5


def statements(text: str) -> Iterator[tuple[int, int, str]]:
    """Sentences that state something, with their offsets: no headings, rules, or crumbs of one or two words."""
    at = 0
    for line in text.splitlines(keepends=True):
        if line.strip() and not _HEADING.match(line) and line.strip(" -*_=\n"):
            for match in _SENTENCE.finditer(line):
                said = _BULLET.sub("", match[0]).strip()
                if is_statement(said):
                    yield at + match.start(), at + match.end(), said
        at += len(line)


def is_statement(sentence: str) -> bool:
    """Whether a sentence is long enough to state anything."""
    if sum(map(is_cjk, sentence)) >= MIN_CJK:
        return True
    return len(re.findall(r"[^\W_]+", sentence)) >= MIN_WORDS
