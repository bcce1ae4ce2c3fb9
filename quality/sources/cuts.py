"""Whether the beginning of a title names that title.

Belongs here: the rule of the tier *truncated* for one citation and one title. Does not belong here: finding the title, or
whether others begin the same way (``quality.sources.titles``).
"""

from __future__ import annotations

import re
from enum import StrEnum

from quality.sources.decorations import surface, uncut, without_site
from quality.sources.keys import PART_WORDS, join, strict_key, words
from quality.text import is_cjk

SHARE_OF_TITLE = 0.6
_INFLECTIONS = frozenset({"s", "es", "d", "ed", "ing", "n", "al", "ly"})
_SCOPE = frozenset(
    (
        "in of for on with at by from to via using under among between during within without across through against "
        "based towards toward and or as into over after before beyond versus vs not but et en de da del für von und "
        "mit im pour dans sur avec con para por"
    ).split()
)
_NAMES_ANOTHER = frozenset(
    (
        "summary review commentary interview explained explainer faq press supplement appendix guide slides poster video "
        "podcast discussion correction reply edition"
    ).split()
)
_OTHERS = _NAMES_ANOTHER | PART_WORDS
_NAMES_ANOTHER_ZH = re.compile(
    r"[一二三四五六七八九十]+[版卷册辑章期]|[上中下][篇册卷]|出炉|发布|公布|印发|解读|问答|答记者问|简介|综述|摘要|全文|通知|评论"
)
_DIGIT = re.compile(r"\d")
_SUBTITLE = re.compile(r"\s*(?::|\?|!|\.\s|[-/|]{1,2}\s|--|——|\s-|\(|\[)")
_ROMAN = re.compile(r"[ivx]+\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")


class Cut(StrEnum):
    """What a citation that begins a title proves."""

    SAFE = "safe"
    CANDIDATE = "candidate"
    NOTHING = "nothing"


# Members of an enumeration are looked up slowly, and this is a hot path.
SAFE, CANDIDATE, NOTHING = Cut.SAFE, Cut.CANDIDATE, Cut.NOTHING


def judge_cut(citation: str, key: str, title: str) -> Cut:
    """Judge ``citation`` (its strict key ``key``) as the cut form of ``title``, whose strict key begins with ``key``.

    The citation has no mark of a cut (a marked one is safe). The cut must fall inside a word, or the citation must
    be 60 % of the title. A bare main title, and a rest with a number, edition or part in it, is a candidate only: other works share that beginning. A
    rest that adds a scope ("… in rural areas") makes another work of a complete phrase.
    """
    plain = surface(title)
    at = len(citation) if plain.startswith(citation) else _position(plain, key)
    rest, inside_word = _rest(plain, at)
    if inside_word is None and not _cuts_a_number(key, rest):
        return _at_a_border(key, rest, title)
    return SAFE if inside_word and not _cuts_a_number(key, rest) else NOTHING


def _at_a_border(key: str, rest: str, title: str) -> Cut:
    """Judge a citation after which the title goes on with another word."""
    parts = words(rest)
    if _SUBTITLE.match(rest):
        return CANDIDATE
    if parts and parts[0] in _SCOPE:
        return NOTHING
    if _names_another(rest, parts):
        return CANDIDATE
    if len(key) >= SHARE_OF_TITLE * (len(key) + len(join(parts))):
        return SAFE
    whole = len(strict_key(without_site(uncut(title)[0]) or title))
    return SAFE if len(key) >= SHARE_OF_TITLE * max(whole, len(key)) else NOTHING


def _names_another(rest: str, parts: list[str]) -> bool:
    """Whether the rest makes it another work: a number, an edition, a part, or a text about the first."""
    if _DIGIT.search(rest) or not _OTHERS.isdisjoint(parts):
        return True
    return not rest.isascii() and _NAMES_ANOTHER_ZH.search(rest) is not None


def _cuts_a_number(key: str, rest: str) -> bool:
    """Whether the citation ends within a number of the title: "Part I" of "Part II", "GPT-3" of "GPT-35"."""
    if not rest or not (last := key[-1]).isalnum():
        return False
    if last.isdigit():
        return rest[0].isdigit()
    return last in "ivx" and _ROMAN.match(rest) is not None


def _rest(title: str, at: int) -> tuple[str, bool | None]:
    """What follows the cited beginning, and whether the cut falls inside one of the title's words; None at a border.

    Chinese has no blanks between words, so a cut there is never taken to be inside one. An inflection is no cut:
    "island" does not begin the word "islands", it is another one.
    """
    rest = title[at:]
    broken = _WORD.match(rest)
    if broken is None or at == 0 or not title[at - 1].isalnum() or is_cjk(title[at - 1]) or is_cjk(rest[0]):
        return rest, None
    return rest, broken.group().lower() not in _INFLECTIONS


def _position(title: str, key: str) -> int:
    """Smallest length of a start of ``title`` whose key is ``key``; keys grow with their titles, so bisect."""
    low, high = 0, len(title)
    while low < high:
        middle = (low + high) // 2
        if len(strict_key(title[:middle])) < len(key):
            low = middle + 1
        else:
            high = middle
    return low
