"""Titles of error, challenge and login pages: what a crawler got instead of the work.

Belongs here: telling whether a title is made of the closed vocabulary of such pages (``dirt_error_words``).
Does not belong here: finding the title in an entry (``dirt_view``), and placeholders (``dirt_titles``).

A title is one when all of its words belong to the vocabulary and one of the combinations that only such pages
use is among them: "The page you requested could not be found". One word from elsewhere makes it a work: "404 Not
Found: a history of the broken link". A site name around it does not save it. A few phrases stand for themselves.
"""

from __future__ import annotations

import re

from quality.metrics.dirt_error_words import (
    ALONE,
    CJK_CORES,
    CJK_WORDS,
    CORES,
    PHRASES,
    TEMPLATES,
    VOCABULARY,
)
from quality.metrics.dirt_titles import MAX_TITLE, plain
from quality.text import fold

_CJK = re.compile(r"[\u3400-\u9fff]")
_TOKEN = re.compile(r"[a-z][a-z'-]*|\d+|[^\x00-\x7f]")
_FIRST = re.compile(r"[^a-z0-9]*([a-z]+|\d+)")
_SITE_SUFFIX = re.compile(
    r" [-|–—·•:_] | ?[|｜] ?|(?<=[^\x00-\x7f])_|_(?=[^\x00-\x7f])|(?<=[.!?…])[-–—]| ?- ?(?=[^\x00-\x7f])"
)
_LAST_CUTS = (" - ", " : ", " _ ", "|", ".-", "!-", "?-")
_STOP = re.compile(r"[.,;(\[] |[,;]| \(")
_SHORTEST_BEFORE_STOP = 4
_MOST_NUMBERS = 2
_QUESTIONS = frozenset({"what", "how", "why", "when"})  # they begin titles about such pages
_ENOUGH_CJK = 4  # letters; shorter titles are matched as phrases
_FIRST_WORDS = (
    VOCABULARY
    | {match[1] for phrase in PHRASES | ALONE if (match := _FIRST.match(phrase)) and phrase.isascii()}
    | {
        "err",
        "recaptcha",
        "captcha",
        "radware",
        "vercel",
        "ddos",
        "institutional",
        "member",
        "scheduled",
        "privacy",
        "update",
        "coming",
        "domain",
    }
)


def is_error_page(title: str) -> bool:
    """Tell whether the whole title, with or without a site name, is that of an error or login page."""
    if len(title) > MAX_TITLE:
        return False
    folded = fold(title)
    if folded.isascii() and not _begins_like_one(folded):
        return False
    if plain(folded) in ALONE or TEMPLATES.fullmatch(folded):
        return True
    return any(_is_one(part) for part in _readings(folded))


def _is_one(part: str) -> bool:
    if part in PHRASES or TEMPLATES.fullmatch(part):
        return True
    return _is_chinese_one(part) if _CJK.search(part) else _is_english_one(part)


def _is_english_one(part: str) -> bool:
    tokens = _TOKEN.findall(part)
    numbers = sum(token.isdigit() for token in tokens)
    if len(tokens) < 2 or numbers > _MOST_NUMBERS or tokens[0] in _QUESTIONS:
        return False
    known = all(token.isdigit() or token.strip("'-") in VOCABULARY for token in tokens)
    return known and CORES.search(part) is not None


def _is_chinese_one(part: str) -> bool:
    if CJK_CORES.search(part) is None or len(_CJK.findall(part)) < _ENOUGH_CJK:
        return False
    rest = CJK_WORDS.sub("", part)
    return _CJK.search(rest) is None and all(
        token.isdigit() or token in VOCABULARY for token in re.findall(r"[a-z']+|\d+", rest)
    )


def _begins_like_one(folded: str) -> bool:
    """Tell, quickly, whether the title or its last part begins with a word of the vocabulary or a number."""
    starts = {0, *(folded.rfind(cut) + len(cut) for cut in _LAST_CUTS if cut in folded)}
    firsts = [match[1] for start in starts if (match := _FIRST.match(folded, start))]
    return any(first in _FIRST_WORDS or first.isdigit() for first in firsts)


def _readings(folded: str) -> list[str]:
    """Give the title, and what it is without a site name around it, or without what follows a stop."""
    cuts = list(_SITE_SUFFIX.finditer(folded))
    readings = [folded]
    if cuts:
        readings += [folded[: cuts[0].start()], folded[: cuts[-1].start()], folded[cuts[-1].end() :]]
    if (stop := _STOP.search(folded)) and stop.start() >= _SHORTEST_BEFORE_STOP:
        readings.append(folded[: stop.start()])
    return [plain(reading) for reading in readings]
