"""Running prose in a reference entry: a passage of the source glued to its title, or standing in its place.

Belongs here: telling prose from titles, bibliographic data and short annotations.
Does not belong here: other residue (``dirt``).

A title, however long, has few of the small words that carry a sentence (we, is, this, which, however, …), and
a bibliographic entry has its stops between names and numbers. A passage has many such words. An annotation
that follows an address, a link or a full "Author (year)." says what the source is about and is clean; only a
long one that speaks as the source itself ("we") counts.
"""

from __future__ import annotations

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_VERBS = _words(
    "is are was were be been being has have had do does did can could may might will would shall should "
    "must isn't don't doesn't aren't use uses used show shows showed shown propose proposed proposes "
    "present presents presented consider let denote demonstrate provide provides require becomes become"
)
_LINKS = _words(
    "we our us ours i my it its they their them he his she her this these those that which who whom "
    "whose where when while because since although though however therefore thus hence moreover "
    "furthermore additionally finally also such than then if there here both each other only more most "
    "not but as"
)
_FIRST_PERSON = frozenset({"we", "our", "us"})
_SENTENCE_END = re.compile(r"[a-z)\]%][.?!] +(?=[A-Z\[(\"“])")
_DATED_AUTHOR = re.compile(r"\((?:1[6-9]|20)\d\d[a-z]?\)[.,:]")
_FORMULA = re.compile(r"(?:sub|super)script[A-Za-z0-9(\[{∈→⟨′^*]{0,8}[\U0001d400-\U0001d7ff\u0370-\u03ff∗]")
_CJK = re.compile(r"[\u3400-\u9fff]")
_CJK_STOP = re.compile(r"[。！？；]")
_CJK_SENTENCE_WORD = re.compile(
    r"我们|我們|本文|本研究|是|在|可以|已经|通过|因此|但是|然而|此外|由于|如果|并且|以及|不仅|认为|表明|"
    r"显示|能够|需要|具有|随着|为了|该|其|這"
)

_MIN_WORDS = 28
_LONG = 42  # words; no title and few bibliographic entries have as many
_MIN_CJK = 70
_NAME_PARTICLES = _words("and et al de da di du del der den van von la le el bin ibn y e ed eds org")
_TITLE_START = 25  # characters
_DATE_WITHIN = 250  # characters in which "Author (year)." must come


def is_passage(shown: str, start: int, *, annotated: bool) -> bool:
    """Tell whether the content of an entry, from ``start`` on, holds running prose of its source.

    ``shown`` is the entry's text with blanks for label and addresses. ``annotated``: it has an address or a
    link, behind which an annotation is common and clean. Linear in the length.
    """
    if "script" in shown and _FORMULA.search(shown, start):
        return True
    if not annotated and _title_twice(shown, start):
        return True
    annotated = annotated or _is_dated_author(shown, start)
    words = [word.lower() for word in _WORD.findall(shown, start)]
    if len(words) >= _MIN_WORDS and _is_english_passage(shown, start, words, annotated):
        return True
    return not shown.isascii() and _is_chinese_passage(shown, start, annotated)


def _is_english_passage(shown: str, start: int, words: list[str], annotated: bool) -> bool:
    verbs = sum(word in _VERBS for word in words)
    carriers = verbs + sum(word in _LINKS for word in words)
    if annotated:
        first = sum(word in _FIRST_PERSON for word in words)
        return len(words) >= 60 and first >= 2 and carriers >= 0.12 * len(words)
    if len(words) >= _LONG:
        return carriers >= max(2, 0.025 * len(words)) and _lower_share(shown, start) >= 0.55
    return (
        verbs >= 1
        and carriers >= max(4, 0.08 * len(words))
        and _SENTENCE_END.search(shown, start) is not None
    )


def _is_dated_author(shown: str, start: int) -> bool:
    """Tell whether the entry begins with names and a year in brackets, as bibliographies write them."""
    match = _DATED_AUTHOR.search(shown, start, start + _DATE_WITHIN)
    if match is None:
        return False
    before = _WORD.findall(shown, start, match.start())
    return all(word[0].isupper() or word in _NAME_PARTICLES for word in before)


def _title_twice(shown: str, start: int) -> bool:
    """Tell whether the title stands twice in a row, with more text behind: scraped with its heading."""
    text = " ".join(shown[start:].split())
    again = text.find(text[:_TITLE_START], _TITLE_START)
    if len(text) < 3 * _TITLE_START or again < 0:
        return False
    title = text[:again].rstrip(" .")
    return text.startswith(title, again) and len(text) - again - len(title) >= _TITLE_START


def _lower_share(shown: str, start: int) -> float:
    """Give the share of words that start in lower case: low in lists of names and in headlines."""
    words: list[str] = _WORD.findall(shown, start)
    return sum(word[0].islower() for word in words) / len(words)


def _is_chinese_passage(shown: str, start: int, annotated: bool) -> bool:
    letters = len(_CJK.findall(shown, start))
    if letters < _MIN_CJK * (3 if annotated else 1):
        return False
    return len(_CJK_STOP.findall(shown, start)) >= 2 and len(_CJK_SENTENCE_WORD.findall(shown, start)) >= 4
