"""Author lists: reading them as they are written, and telling whether two of them name the same people.

Belongs here: splitting, initials, order of family and given name, accents, "et al.". Does not belong here: any other field.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from quality.text import is_cjk, unescape

_OPEN_END = re.compile(
    r"[\s,;(]*(?:\bet\.?\s+al\b\.?|\band\s+(?:others|\d+\s+more)\b|\bothers\b|…|\.{3}|等)[\s.)]*$",
    re.IGNORECASE,
)
_AND = re.compile(r"\s*(?:,\s*)?(?:\band\b|&|;|\bund\b|\bet\b|\by\b)\s*", re.IGNORECASE)
_CJK_SEPARATORS = re.compile(r"[，、；;,]\s*")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*", re.UNICODE)
_SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv", "phd", "md", "dr", "prof"})
_INITIALS = re.compile(r"(?:[A-Z]\.?[\s-]?){1,4}")
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "ı": "i", "đ": "d", "ð": "d", "ħ": "h", "æ": "ae", "œ": "oe", "þ": "th", "ß": "ss"}
)
_DIGRAPHS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})


@dataclass(frozen=True, slots=True)
class Name:
    """One person: folded words, initials included. ``forms`` also holds spellings with digraphs for umlauts."""

    words: tuple[str, ...]
    forms: tuple[frozenset[str], ...]  # parallel to ``words``


@dataclass(frozen=True, slots=True)
class Authors:
    """A list of people. ``open_ended``: it says itself that it leaves some out."""

    names: tuple[Name, ...]
    open_ended: bool = False


def read_authors(written: str | Sequence[str]) -> Authors:
    """Read a list of names, or the one text that holds them all."""
    if isinstance(written, str):
        text = unescape(written).strip()
        cut = _OPEN_END.sub("", text)
        return Authors(_names(_split(cut)), cut != text)
    kept = [n for n in written if not _OPEN_END.fullmatch(f" {n}")]
    return Authors(_names(kept), len(kept) != len(written))


def same_people(claimed: Authors, known: Authors, *, complete: bool) -> bool | None:
    """Whether the claimed people are the known ones; None when that cannot be told.

    Args:
        claimed: as a report writes them.
        known: as a registry holds them.
        complete: whether a list without "et al." has to name everybody.
    """
    if not claimed.names or not known.names or _scripts(claimed) != _scripts(known):
        return None
    left = list(known.names)
    strangers = loose = 0
    for name in claimed.names:
        match = next((k for k in left if _same(name, k)), None) or next(
            (k for k in left if _related(name, k)), None
        )
        if match is None:
            strangers += 1
            continue
        loose += not _same(name, match)
        left.remove(match)
    if strangers or 2 * loose > len(claimed.names):
        return False
    return not (complete and left and not claimed.open_ended and not known.open_ended)


def any_named(people: Authors, text: str) -> bool:
    """Whether a text holds a longer word of one of these names: what was read as its authors may have been cut wrongly."""
    words = set(_name(text).words) | {form for forms in _name(text).forms for form in forms}
    return any(
        len(w) > 2 and forms & words for n in people.names for w, forms in zip(n.words, n.forms, strict=True)
    )


def _split(text: str) -> list[str]:
    if any(is_cjk(c) for c in text):
        return [part for part in _CJK_SEPARATORS.split(text) if part.strip()]
    pieces = re.split(r"\s+and\s+", text)
    if len(pieces) > 1 and ("," not in text or all(p.count(",") == 1 or len(p.split()) == 1 for p in pieces)):
        return pieces  # BibTeX: "A B and C D", "B, A and D, C"
    parts = [p for piece in _AND.split(text) for p in _commas(piece)]
    return [p for p in parts if p.strip()]


def _commas(piece: str) -> list[str]:
    """Split at commas, except between a family name and what is given before or behind it."""
    parts = [p.strip() for p in piece.split(",") if p.strip()]
    names: list[str] = []
    for part in parts:
        bare = part.strip(" .")
        given_only = bool(_INITIALS.fullmatch(part)) or bare.lower() in _SUFFIXES
        if given_only and names:
            names[-1] = f"{names[-1]} {part}"
        else:
            names.append(part)
    if len(parts) == 2 and len(names) == 2 and all(len(p.split()) == 1 for p in parts):
        return [" ".join(parts)]  # "Family, Given"
    return names


def _names(written: Sequence[str]) -> tuple[Name, ...]:
    return tuple(name for text in written if (name := _name(text)).words)


def _name(text: str) -> Name:
    lowered = unicodedata.normalize("NFKC", unescape(text).replace("’", "'")).casefold()
    words = [w for w in _WORD.findall(lowered) if w not in _SUFFIXES]
    return Name(
        tuple(_plain(w) for w in words),
        tuple(frozenset({_plain(w), _plain(w.translate(_DIGRAPHS))}) for w in words),
    )


def _plain(word: str) -> str:
    decomposed = unicodedata.normalize("NFD", word.translate(_LETTERS))
    return "".join(c for c in decomposed if not unicodedata.combining(c)).replace("'", "")


def _scripts(authors: Authors) -> bool:
    return any(is_cjk(c) for name in authors.names for word in name.words for c in word)


def _same(a: Name, b: Name) -> bool:
    """Whether every word of the shorter name stands in the longer one, whole or as an initial, and one of them whole."""
    short, long = (a, b) if len(a.words) <= len(b.words) else (b, a)
    left = list(zip(long.words, long.forms, strict=True))
    whole = False
    for word, forms in sorted(zip(short.words, short.forms, strict=True), key=lambda pair: -len(pair[0])):
        match = next((p for p in left if forms & p[1]), None)
        if match is not None:
            whole = whole or len(word) > 1
        else:
            match = next((p for p in left if _abbreviates(word, p[0])), None)
        if match is None:
            return _joined(a) == _joined(b)
        left.remove(match)
    return whole


def _joined(name: Name) -> str:
    """Letters of a name whatever its hyphens: Jean Francois and Jeanfrancois."""
    return "".join(sorted("".join(name.words)))


def _abbreviates(a: str, b: str) -> bool:
    short, long = sorted((a, b), key=len)
    return (len(short) <= 2 or (len(short) >= 3 and len(long) - len(short) >= 1)) and long.startswith(short)


def _related(a: Name, b: Name) -> bool:
    """Whether two names share a whole word: the same family, given names spelt otherwise."""
    return any(
        len(word) > 1 and any(forms & f for f in b.forms)
        for word, forms in zip(a.words, a.forms, strict=True)
    )
