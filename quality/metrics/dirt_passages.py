"""Running prose in a reference entry: a passage of the source glued to its title, or standing in its place.

Belongs here: telling prose from titles, bibliographic data and short annotations.
Does not belong here: other residue (``dirt``).

A title, however long, has few of the small words that carry a sentence (we, is, this, which, however, …), and a
bibliographic entry has its stops between names and numbers. A passage has many such words, spread over sentences.
An annotation behind a link or an address says what the source is about; only a long one that speaks as the source
itself would count.
"""

from __future__ import annotations

import re

_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_VERBS = frozenset(
    "is are was were be been being has have had do does did can could may might will would shall should must isn't don't doesn't aren't "
    "use uses used show shows showed shown propose proposed present presented consider let demonstrate provide require "
    "becomes become".split()
)
_LINKS = frozenset(
    "we our us ours i my it its they their them he his she her this these those that which who whom whose where when while because since "
    "although though however therefore thus hence moreover furthermore additionally finally also such than then if there here both each "
    "other only more most not but as".split()
)
_FIRST_PERSON = frozenset("we our us".split())
_SENTENCE_END = re.compile(r"[a-z\)\]%][.?!] +(?=[A-Z\[(\"“])")
_CJK = re.compile(r"[\u3400-\u9fff]")
_CJK_STOP = re.compile(r"[。！？；]")
_CJK_VERBS = re.compile(
    r"我们|本文|本研究|是|在|可以|已经|通过|因此|但是|然而|此外|由于|如果|并且|以及|不仅|认为|表明|显示|能够|需要|具有|随着|为了|该"
)

_MIN_WORDS = 28
_MIN_CJK = 70


def is_passage(shown: str, *, annotated: bool) -> bool:
    """Tell whether the shown content of an entry holds running prose of its source.

    ``annotated``: the content has an address or a link, behind which an annotation is common and clean.
    """
    words = _WORD.findall(shown)
    if len(words) >= _MIN_WORDS:
        return _is_english_passage(shown, [w.lower() for w in words], annotated)
    return _is_chinese_passage(shown, annotated)


def _is_english_passage(shown: str, words: list[str], annotated: bool) -> bool:
    verbs = sum(w in _VERBS for w in words)
    links = sum(w in _LINKS for w in words)
    if annotated:
        first = sum(w in _FIRST_PERSON for w in words)
        return len(words) >= 60 and first >= 2 and verbs + links >= 0.12 * len(words)
    enough = verbs >= 1 and verbs + links >= 4 and verbs + links >= 0.08 * len(words)
    return enough and (len(words) >= 40 or _SENTENCE_END.search(shown) is not None)


def _is_chinese_passage(shown: str, annotated: bool) -> bool:
    letters = len(_CJK.findall(shown))
    if letters < _MIN_CJK * (3 if annotated else 1):
        return False
    return len(_CJK_STOP.findall(shown)) >= 2 and len(_CJK_VERBS.findall(shown)) >= 4
