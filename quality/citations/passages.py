"""Titles of entries that run straight on into a quoted passage, as retrieval pipelines print them.

Belongs here: finding where the title ends, from the whole list. Does not belong here: ordinary entries
(``entries``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

LONG = 250  # characters without an address from which an entry holds a passage
_REACH = 260  # characters within which a title ends
_MIN_TITLE = 12
_EDGE = 60  # characters at both ends in which an address is the entry's own

_CLOSING_DOI = re.compile(r"\b10\.\d{4,9}/\S+\W*$")
_LABELLED = re.compile(
    r"\s*Title:\s*(?P<title>.{5,300}?)\s+(?:Text|Abstract|Content|Passage|Snippet):\s", re.DOTALL
)
_STOP = re.compile(r"[?!](?=\s+[A-Z“\"])|(?<=[a-z]{3})\.(?=\s+[A-Z“\"])")


def _words(text: str) -> list[str]:
    return text.split()


_FUNCTION = frozenset(
    _words(
        "a an and as at by de der die du en for from in into is its la of on onto or over per the their to "
        "toward towards under und using via vs vs. with within without through between beyond across "
        "against among are be can do does how its "
    )
)
_STARTERS = frozenset(
    _words(
        "We In This The To Our Recent Recently However Although While When With As For These It There By "
        "Here Many Most Despite Since Given From Moreover Furthermore Additionally Thus Based Such Several "
        "Background Abstract Introduction Objective Purpose Motivation Among Through Using Both If One Some "
        "They A An Over Existing Previous Traditional Therefore Hence Finally First Unlike Specifically "
        "Because Then Another After During "
    )
)


def is_passage(content: str) -> bool:
    """Tell an entry that quotes at length: long, and without an address but in the middle of its text."""
    if len(content) <= LONG or "](" in content or _CLOSING_DOI.search(content, len(content) - 160):
        return False
    at = content.find("://")
    return at < 0 or (at > _EDGE and len(content) - at > 2 * _EDGE)


def passage_titles(contents: Sequence[str]) -> list[str | None]:
    """Titles of the entries of one list, None where no end can be seen; contents are single lines."""
    plain = [" ".join(c.split()) for c in contents]
    ordered = sorted(set(plain))
    shared = {text: _shared(ordered, n) for n, text in enumerate(ordered)}
    return [_title(text, shared[text]) for text in plain]


def _shared(ordered: Sequence[str], n: int) -> int:
    """Measure the longest beginning, up to a word's end, that an entry shares with another."""
    best = 0
    for other in (n - 1, n + 1):
        if 0 <= other < len(ordered):
            pairs = zip(ordered[n][: _REACH + 1], ordered[other], strict=False)
            same = next((at for at, (a, b) in enumerate(pairs) if a != b), 0)
            best = max(best, ordered[n].rfind(" ", 0, same))
    return best


def _title(text: str, shared: int) -> str | None:
    if match := _LABELLED.match(text):
        return match["title"]
    if end := _repetition(text):
        return text[:end].strip()
    end = _by_case(text)
    if (
        end is None
        and 25 <= shared <= _REACH
        and text[:shared].rsplit(maxsplit=1)[-1].lower() not in _FUNCTION
    ):
        return text[:shared].strip()
    stop = _STOP.search(text, _MIN_TITLE, _REACH)
    if stop and (end is None or stop.end() <= end + 1):
        return text[: stop.end()].rstrip(".")
    return text[:end].strip() if end else None


def _repetition(text: str) -> int | None:
    """Find where the title stands again, as the passage's own first words."""
    head = text[:_MIN_TITLE]
    at = text.find(head, _MIN_TITLE)
    if 0 < at <= _REACH and text[at : at + at - 1].strip() == text[:at].strip():
        return at
    return None


def _by_case(text: str) -> int | None:
    """Find where words in title case give way to a sentence."""
    words = text[: _REACH + 60].split(" ")
    first = next((n for n, word in enumerate(words) if not _is_title_word(word)), None)
    if first is None or first < 3:
        return None
    start = next(
        (n for n in range(first - 1, max(2, first - 7), -1) if words[n].rstrip(",:") in _STARTERS), first
    )
    if words[start - 1].lower() in _FUNCTION:  # in the middle of a title that mixes its cases
        start = next((n for n in range(first, len(words)) if words[n].rstrip(",:") in _STARTERS), 0)
    return len(" ".join(words[:start])) or None


def _is_title_word(word: str) -> bool:
    letter = next((c for c in word if c.isalnum()), "")
    return (
        not letter
        or not letter.islower()
        or word.strip(",:;()").lower() in _FUNCTION
        or any(c.isupper() for c in word)
    )
