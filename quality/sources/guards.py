"""What keeps two similar titles apart: numbers, negation, opposites, swapped words, notices about another work.

Belongs here: reasons why a small difference is a difference. Does not belong here: measuring similarity
(``quality.sources.similar``). A guard can only refuse; nothing here makes two titles equal.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from rapidfuzz.distance import OSA, Levenshtein

from quality.sources.decorations import is_about_a_work, without_address
from quality.sources.keys import join, weight, words
from quality.text import is_cjk

_NEGATIONS = frozenset(
    "no not never without non nor neither cannot against anti kein keine nicht sans sin".split()
)
_NEGATIONS_ZH = re.compile(r"[不无無非未没沒否反]")
_LONG, _IN_COMMON = 24, 0.15
_SHARED = 1 / 3
_NUMBER = re.compile(r"\d+")
_ROMAN = re.compile(r"i{1,3}|i?v|vi{1,3}|ix|x")
_MAY_BE_MISSING = frozenset("a an the of in on for and to with".split())
_OPPOSITES = frozenset(
    frozenset(pair.split("/"))
    for pair in (
        "in/de in/out hyper/hypo inter/intra micro/macro pre/post endo/exo homo/hetero over/under up/down pro/anti ex/im "
        "inner/outer fe/ a/ un/ in/ im/ ir/ il/ non/ dis/ anti/ de/ re/ pre/ post/ multi/mono uni/multi uni/bi bi/tri "
        "m/p off/on lower/upp"
    ).split()
)


def differ(citation: str, title: str) -> bool:
    """Whether two similar titles must be of different works."""
    a, b = words(citation), words(title)
    if _numbers(a) != _numbers(b) or _negations(citation, a) != _negations(title, b):
        return True
    if is_about_a_work(citation) != is_about_a_work(title):
        return True
    return any(
        op.tag != "equal" and _different_words(a[op.src_start : op.src_end], b[op.dest_start : op.dest_end])
        for op in Levenshtein.opcodes(a, b)
    )


def conflict(citation: str, title: str, *, known: bool) -> bool:
    """Whether a written title cannot be that of the source whose identifier stands beside it.

    It cannot when both are long, in one script, and share next to no words. ``known``: the written title is safely that
    of another source; then it must be part of this one's title, with the same numbers, to be believed.
    """
    a, b = words(without_address(citation)), words(title)
    if known:
        missing = Counter(_numbers(a)) - Counter(_numbers(b))
        return bool(missing) or join(a) not in join(b)
    one, other = " ".join(a), " ".join(b)
    if weight(one) < _LONG or weight(other) < _LONG or _has_cjk(one) != _has_cjk(other):
        return False
    first, second = _stems(one), _stems(other)
    return len(first & second) < _IN_COMMON * min(len(first), len(second))


def foreign(written: str, title: str) -> bool:
    """Whether a catalogue's title says too little of what a report wrote to stand in its place, right source or not.

    It does in another script, with fewer than a third of the words, or where a number or year of the written title gives
    way to another one.
    """
    a, b = words(without_address(written)), words(title)
    one, other = " ".join(a), " ".join(b)
    if not one or not other:
        return False
    if _has_cjk(one) != _has_cjk(other):
        return True
    first, second = _stems(one), _stems(other)
    if first and second and len(first & second) < _SHARED * min(len(first), len(second)):
        return True
    gone, new = Counter(_numbers(a)) - Counter(_numbers(b)), Counter(_numbers(b)) - Counter(_numbers(a))
    return bool(gone and new)


def _stems(text: str) -> set[str]:
    """Beginnings of the longer words; of Chinese, which has no blanks, its pairs of characters."""
    if _has_cjk(text):
        return {text[i : i + 2] for i in range(len(text) - 1)}
    return {w[:5] for w in text.split() if len(w) > 3}


def _has_cjk(text: str) -> bool:
    return any(is_cjk(c) for c in text)


def _numbers(parts: Sequence[str]) -> list[str]:
    return sorted(
        n for part in parts for n in (_NUMBER.findall(part) or ([part] if _ROMAN.fullmatch(part) else []))
    )


def _negations(title: str, parts: Sequence[str]) -> list[str]:
    return sorted([w for w in parts if w in _NEGATIONS or w.endswith("n't")] + _NEGATIONS_ZH.findall(title))


def _different_words(a: Sequence[str], b: Sequence[str]) -> bool:
    """Whether words that stand in the same place are other words and not slips of the pen."""
    left, right = "".join(a), "".join(b)
    if not left or not right:
        return any(w not in _MAY_BE_MISSING and len(w) > 1 for w in (*a, *b))
    longest = max(len(left), len(right))
    allowed = 3 if any(is_cjk(c) for c in left) and longest >= 8 else max(1, longest // 4)
    return OSA.distance(left, right, score_cutoff=allowed) > allowed or _opposites(left, right)


def _opposites(a: str, b: str) -> bool:
    """Whether two words differ by a prefix that turns their meaning: increase and decrease, symmetric and asymmetric."""
    common = 0
    while common < min(len(a), len(b)) and a[-1 - common] == b[-1 - common]:
        common += 1
    if common < 3:
        return False
    heads = {a[: len(a) - common], b[: len(b) - common]}
    return frozenset(heads) in _OPPOSITES
