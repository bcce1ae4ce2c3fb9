"""Whether the beginning of a title names that title.

Belongs here: the rule of the tier *truncated* for one citation and one title. Does not belong here: finding the title, or
whether others begin the same way (``quality.sources.titles``).
"""

from __future__ import annotations

import re
from enum import StrEnum

from quality.sources.decorations import surface, uncut, without_site
from quality.sources.keys import PART_WORDS, strict_key, words
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
_NAMES_ANOTHER = re.compile(
    r"\d|[一二三四五六七八九十]+[版卷册辑章期]|[上中下][篇册卷]"
    r"|出炉|发布|公布|印发|解读|问答|答记者问|简介|综述|摘要|全文|通知|评论"
    r"|\b(?:summary|review|commentary|interview|explained|explainer|faq|q&a|press\s+release|supplement|appendix|guide|"
    r"slides|poster|video|podcast|discussion|correction|reply|edition)\b",
    re.IGNORECASE,
)


_SUBTITLE = re.compile(r"\s*(?::|\?|!|\.\s|[-/|]{1,2}\s|--|——|\s-|\(|\[)")
_WORD = re.compile(r"[^\W_]+")


class Cut(StrEnum):
    """What a citation that begins a title proves."""

    SAFE = "safe"
    CANDIDATE = "candidate"
    NOTHING = "nothing"


def judge_cut(citation: str, key: str, title: str) -> Cut:
    """Judge ``citation`` (its strict key ``key``) as the cut form of ``title``, whose strict key begins with ``key``.

    The citation has no mark of a cut (a marked one is safe). The cut must fall inside a word, or the citation must be 60 % of the title. A bare
    main title, and a rest with a number, edition or part in it, is a candidate only: other works share that beginning. A
    rest that adds a scope ("… in rural areas") makes another work of a complete phrase.
    """
    plain = surface(title)
    at = len(citation) if plain.startswith(citation) else _position(plain, key)
    rest, inside_word = _rest(plain, at)
    if _cuts_a_number(key, rest):
        return Cut.NOTHING
    if inside_word is not None:
        return Cut.SAFE if inside_word else Cut.NOTHING
    if _SUBTITLE.match(rest):
        return Cut.CANDIDATE
    parts = words(rest)
    if parts and parts[0] in _SCOPE:
        return Cut.NOTHING
    if _NAMES_ANOTHER.search(rest) or not PART_WORDS.isdisjoint(parts):
        return Cut.CANDIDATE
    whole = len(strict_key(without_site(uncut(title)[0]) or title))
    return Cut.SAFE if len(key) >= SHARE_OF_TITLE * max(whole, len(key)) else Cut.NOTHING


def _cuts_a_number(key: str, rest: str) -> bool:
    """Whether the citation ends within a number of the title: "Part I" of "Part II", "GPT-3" of "GPT-35"."""
    continued = rest[:1].lower()
    return (key[-1].isdigit() and continued.isdigit()) or (
        key[-1] in "ivx" and re.match(r"[ivx]+\b", rest.lower()) is not None
    )


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
