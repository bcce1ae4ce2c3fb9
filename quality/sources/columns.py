"""Keys of many titles at once.

Belongs here: the strict and loose keys of ``quality.sources.keys`` over a whole column of titles, and which characters a
title holds. Does not belong here: any rule of its own. What becomes of a character is asked of ``keys.words`` the first
time that it is seen, and remembered in a table; a title with a character that cannot be told alone (a combining mark, a
ligature, an ampersand) is ``hard`` and left to the rule itself. So a column cannot say anything else than one title.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from quality.sources.decorations import MAY_END_A_CUT, surface
from quality.sources.keys import ACCENTED, loose_keys, weighs, words

# A character is described by its image, the code of what it becomes in a key, and by traits in the bits above.
_IMAGE = 0x1FFFFF
_BLANK, _ROW_END = 0x20, 0x0A
_DIGIT, _ACCENT = 1 << 21, 1 << 22
HARD, SITE, BRACKET, QUOTE, VARIES, UNUSUAL, ADDRESS, ENDS_A_CUT = (1 << bit for bit in range(23, 31))
_UNSEEN = 1 << 31
_JAMO = range(0x1100, 0x1200)
_LEAST_WITHOUT_ARTICLES = 12


class _Surfaces(dict[int, str]):
    """Character table, filled on demand: the surface form of a title that is not hard, character by character."""

    def __missing__(self, code: int) -> str:
        self[code] = plain = surface(chr(code))
        return plain


SURFACES = _Surfaces()

Codes = NDArray[np.uint32]
Places = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Column:
    """Keys and traits of titles, by row.

    ``traits`` has the bits HARD (the key is not known), VARIES (``loose`` does not know the loose keys), SITE, BRACKET
    and QUOTE (such a mark stands in the title or in its surface form), UNUSUAL (the surface form is another one),
    ADDRESS (an address may stand in it) and ENDS_A_CUT (its last character may follow an ellipsis or be one). ``loose``
    holds the loose keys that differ from the strict ones.
    """

    keys: list[str]
    traits: Codes
    loose: dict[int, str]

    def hard(self) -> list[int]:
        """Rows whose key has to be asked of the rule."""
        return np.flatnonzero(self.traits & HARD).tolist()

    def loose_keys(self, row: int, title: str) -> tuple[str, ...]:
        """Loose keys of a row, whose title is ``title``."""
        if self.traits[row] & (HARD | VARIES):
            return loose_keys(words(title), self.keys[row])
        return (self.loose.get(row, self.keys[row]),)


def fold_column(titles: Sequence[str]) -> Column:
    """Return the keys of ``titles``, equal to those of ``keys.strict_key`` and ``keys.loose_keys`` one by one."""
    if not titles:
        return Column([], np.empty(0, np.uint32), {})
    codes = _codes("\n".join(titles) + "\n")
    ends = np.cumsum(np.fromiter(map(len, titles), np.int64, len(titles)) + 1) - 1
    described = _described(codes)
    last = np.where(np.diff(ends, prepend=-1) > 1, described[ends - 1] & ENDS_A_CUT, 0)
    described &= ~np.uint32(ENDS_A_CUT)
    described[ends] = _ROW_END
    traits = np.bitwise_or.reduceat(described, np.concatenate(([0], ends[:-1] + 1))) & ~np.uint32(_IMAGE)
    traits |= last.astype(np.uint32)
    places = np.flatnonzero((described & _IMAGE) != _BLANK)
    described = described[places]
    letters: Codes = (described & _IMAGE).astype(np.uint32, copy=False)
    words_begin = np.concatenate(([True], (np.diff(places) > 1) | (letters[:-1] == _ROW_END)))
    text = _Letters(letters, words_begin)
    gaps = _gaps(np.flatnonzero(described & _DIGIT), words_begin)
    traits[traits & _ACCENT != 0] |= VARIES
    for kept in (gaps, _roman(text)):
        traits[np.searchsorted(ends, places[kept])] |= VARIES
    keys = _text(np.insert(letters, gaps, _BLANK).astype(np.uint32, copy=False) if len(gaps) else letters)
    return Column(keys, traits, _without_articles(keys, text, traits))


class _Letters:
    """Letters of a column without blanks: each with a few zeros behind, and where words and rows end."""

    def __init__(self, letters: Codes, words_begin: Mask) -> None:
        row_ends = letters == _ROW_END
        self.closes = np.flatnonzero(row_ends)
        self.codes = np.concatenate((letters, np.zeros(5, np.uint32)))
        self.ends = np.concatenate((words_begin | row_ends, np.ones(5, np.bool_)))
        self.words = np.flatnonzero(words_begin & ~row_ends)
        self.first = self.codes[self.words]


def _gaps(digits: Places, words_begin: Mask) -> Places:
    """Digits before which a blank is kept: it stands between two of them."""
    kept: Places = digits[1:][(np.diff(digits) == 1) & words_begin[digits[1:]]]
    return kept


def _codes(text: str) -> Codes:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def _text(letters: Codes) -> list[str]:
    """Rows of a column of letters, each closed by a row end."""
    return letters.tobytes().decode("utf-32-le", "surrogatepass").split("\n")[:-1]


@cache
def _table() -> Codes:
    return np.full(0x110000, _UNSEEN, np.uint32)


def _described(codes: Codes) -> Codes:
    """Image and traits of each character."""
    table = _table()
    described = table[codes]
    if (unseen := described == _UNSEEN).any():
        for code in np.unique(codes[unseen]):
            table[code] = _describe(chr(code))
        described = table[codes]
    return described


def _describe(c: str) -> int:
    """Ask the rule what becomes of a character, by putting it between two letters."""
    plain = surface(c)
    traits = SITE if any(mark in plain for mark in "-|_·•»") or (":" in plain and c != ":") else 0
    traits |= BRACKET if "]" in plain or "】" in plain else 0
    traits |= QUOTE if any(mark in plain for mark in '《“"') else 0
    traits |= UNUSUAL if plain != c else 0
    traits |= ADDRESS if c == "/" else 0
    traits |= ENDS_A_CUT if c in MAY_END_A_CUT else 0
    parts = words(f"a{c}a")
    if not _stands_alone(c) or not (parts == ["a", "a"] or (len(parts) == 1 and len(parts[0]) == 3)):
        return traits | HARD | ord("a")
    if len(parts) == 2:
        return traits | _BLANK
    image = parts[0][1]
    traits |= _DIGIT if image.isdecimal() else 0
    traits |= _ACCENT if ACCENTED.match(image) else 0
    return traits | ord(image)


def _stands_alone(c: str) -> bool:
    """Whether a character is folded the same whatever stands beside it."""
    folded = unicodedata.normalize("NFKC", c).casefold()
    if not unicodedata.is_normalized("NFKC", folded):
        return False
    if any(unicodedata.category(x)[0] == "M" or unicodedata.category(x) == "Cs" for x in (*folded, c)):
        return False
    if any(x.isdecimal() and not x.isascii() for x in folded):
        return False  # patterns for page numbers and years accept them, the hints of the cascade do not
    return not any(ord(x) in _JAMO for x in (*folded, c))


def _roman(text: _Letters) -> Places:
    """Where words of at most four letters begin that are written with i, v and x alone."""
    found = [np.empty(0, np.int64)]
    first, at = text.first, text.words
    for length in range(4):
        at = at[(first == ord("i")) | (first == ord("v")) | (first == ord("x"))]
        over = text.ends[at + length + 1]
        found.append(at[over])
        at = at[~over]
        first = text.codes[at + length + 1]
    return np.concatenate(found)


def _without_articles(keys: list[str], text: _Letters, traits: Codes) -> dict[int, str]:
    """Loose keys of the rows that hold an article, where they are long enough to do without it."""
    at, length = _articles(text)
    rows = np.searchsorted(text.closes, at)
    starts = np.concatenate(([0], text.closes[:-1] + 1))
    left_out = traits[rows] & (VARIES | HARD) != 0
    loose: dict[int, str] = {}
    run_together: set[int] = set()
    columns = (rows.tolist(), (at - starts[rows]).tolist(), length.tolist(), left_out.tolist())
    for row, place, n, out in zip(*columns, strict=True):
        if out:
            continue
        key = loose.get(row) or keys[row]
        before, after = key[:place], key[place + n :]
        if before[-1:].isdecimal() and after[:1].isdecimal():
            run_together.add(row)
        loose[row] = before + after
    for row in run_together:
        traits[row] |= VARIES
    return {
        row: key
        for row, key in loose.items()
        if row not in run_together and weighs(key, _LEAST_WITHOUT_ARTICLES)
    }


def _articles(text: _Letters) -> tuple[Places, Places]:
    """Where articles begin and how long they are, from the last to the first, so that the places before one stay."""
    codes, ends = text.codes, text.ends
    the = text.words[text.first == ord("t")]
    the = the[(codes[the + 1] == ord("h")) & (codes[the + 2] == ord("e"))]
    the = the[~ends[the + 1] & ~ends[the + 2] & ends[the + 3]]
    an = text.words[text.first == ord("a")]
    a = an[ends[an + 1]]
    an = an[(codes[an + 1] == ord("n")) & ~ends[an + 1] & ends[an + 2]]
    a = a[(a == 0) | (codes[a - 1] == _ROW_END)]
    at = np.concatenate((the, an, a))
    length = np.repeat([3, 2, 1], [len(the), len(an), len(a)])
    order = np.argsort(at)[::-1]
    return at[order], length[order]
