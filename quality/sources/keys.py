"""Keys under which titles are equal, prefixes of each other, or near.

Belongs here: turning a title into a compact key, and what can be read off it (its weight, its words). Does not belong here:
looking a key up (``quality.sources.titles``) or taking decorations off (``quality.sources.decorations``).

A *strict* key is the folded title without punctuation and blanks: hyphen, blank and nothing are the same (``long-term``,
``long term``), and a blank stays only between two digits (``2.1`` is not ``21``). Loose keys also ignore what spellings
of one work disagree about: accents and letters that do not decompose (with German and Nordic digraphs as a second form),
the articles *the* and *an* and a leading *a*, and Roman numerals after a word for a part. Letters of other scripts, marks
included, are all kept.
"""

from __future__ import annotations

import re
import unicodedata

from quality.text import fold, unescape

ARTICLES = frozenset({"the", "an"})
PART_WORDS = frozenset(
    [
        "part",
        "parts",
        "vol",
        "volume",
        "book",
        "chapter",
        "phase",
        "section",
        "stage",
        "type",
        "teil",
        "band",
        "tome",
        "partie",
        "parte",
        "no",
        "number",
    ]
)
_LONG_ENOUGH_FOR_ARTICLES = 12  # "The sire" and "Sire" may be two works
_VARYING = ARTICLES | PART_WORDS
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f]")
_ROMAN = {
    r: str(i)
    for i, r in enumerate(
        ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv"],
        start=1,
    )
}
_PLAIN_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "ı": "i", "đ": "d", "ð": "d", "ħ": "h", "æ": "ae", "œ": "oe", "þ": "th", "ŧ": "t"}
)
_DIGRAPHS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})
_ASCII_PUNCTUATION = str.maketrans(
    {c: " " for c in map(chr, range(128)) if not c.isalnum() and c not in "+&"} | {"&": " and "}
)
_DIGIT_GAP = re.compile(r"\d \d")
_INNER_GAP = re.compile(r"(?<!\d) | (?!\d)")
ACCENTED = re.compile("[\u00c0-\u024f\u0300-\u058f\u1e00-\u1fff]")
_SHARP = re.compile(r"(?<=[A-Za-z])#")


class _Punctuation(dict[int, str]):
    """Character table, filled on demand: letters, marks and digits of any script stay, the rest becomes a blank.

    Invisible characters vanish. Unlike ``fold`` it need not tell dashes and quotes apart, so one pass does.
    """

    def __missing__(self, code: int) -> str:
        c = chr(code)
        category = unicodedata.category(c)
        kept = c if c == "+" or category[0] in "LMN" else "" if category == "Cf" else " "
        self[code] = kept
        return kept


_PUNCTUATION = _Punctuation({ord("&"): " and "})


def words(title: str) -> list[str]:
    """Folded words of a title without punctuation. Han and kana stretches are one word each."""
    if "&" in title:
        title = unescape(title)
    if "#" in title:
        title = _SHARP.sub("sharp", title)
    if title.isascii():
        return title.lower().translate(_ASCII_PUNCTUATION).split()
    folded = unicodedata.normalize("NFKC", title).casefold()
    if not unicodedata.is_normalized("NFKC", folded):
        folded = fold(title)
    return folded.translate(_PUNCTUATION).split()


def join(parts: list[str]) -> str:
    """Key of a list of words: joined without blanks, except between two digits."""
    key = "".join(parts)
    if key.isalpha():
        return key
    text = " ".join(parts)
    return _INNER_GAP.sub("", text) if _DIGIT_GAP.search(text) else key


def strict_key(title: str) -> str:
    """Compact key of ``title``; empty when it has no letter or digit."""
    return join(words(title))


def loose_keys(parts: list[str], key: str) -> tuple[str, ...]:
    """Further keys of a title given as ``words`` and strict key: one, or two where a digraph spelling exists."""
    if not _VARYING.isdisjoint(parts) or parts[:1] == ["a"]:
        kept = [w for i, w in enumerate(parts) if w not in ARTICLES and not (i == 0 and w == "a")]
        plain = join(_arabic(kept))
        key = plain if weighs(plain, _LONG_ENOUGH_FOR_ARTICLES) else join(_arabic(parts))
    if key.isascii() or not ACCENTED.search(key):
        return (key,)
    plain, digraphs = _without_accents(key), _without_accents(key.translate(_DIGRAPHS))
    return (plain,) if plain == digraphs else (plain, digraphs)


def weight(key: str) -> int:
    """Letters of a key, a Chinese character or syllable counted as two: 12 is long enough to cut a title at."""
    return len(key) if key.isascii() else len(key) + len(_CJK.findall(key))


def weighs(key: str, least: int) -> bool:
    """Whether ``weight`` reaches ``least``; most keys show it by their length alone."""
    return len(key) >= least or (2 * len(key) >= least and weight(key) >= least)


def _arabic(parts: list[str]) -> list[str]:
    if PART_WORDS.isdisjoint(parts):
        return parts
    return [_ROMAN.get(w, w) if i and parts[i - 1] in PART_WORDS else w for i, w in enumerate(parts)]


def _without_accents(text: str) -> str:
    decomposed = unicodedata.normalize("NFD", text)
    out: list[str] = []
    base_takes_accents = False
    for c in decomposed:
        if "\u0300" <= c <= "\u036f":
            if not base_takes_accents:
                out.append(c)
            continue
        base_takes_accents = c < "\u0590"  # Latin, Greek, Cyrillic: elsewhere a mark is a letter
        out.append(c)
    return unicodedata.normalize("NFC", "".join(out).translate(_PLAIN_LETTERS))
