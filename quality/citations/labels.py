"""Labels: the number, key or bullet that opens an entry, and the keys inside a citation bracket.

Belongs here: reading one label at the start of a line, and unfolding a list such as ``1, 3-5``. Does not
belong here: deciding whether a line is an entry of a list (``lists``), or a bracket a citation
(``evidence``).
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

MAX_RANGE = 200  # members of one range; longer ones are no citation

_DASH = r"[-–—−‑‒~～]"
_NUMBER = r"[0-9０-９]{1,4}"
_ITEM = rf"\^?(?:[a-zA-Z]{{1,8}}_)?{_NUMBER}[a-z]?\^?"
_WORD = r"(?:(?:[Ss]ource|[Rr]ef(?:erence)?|[Dd]oc(?:ument)?|来源|资料|文献|参考)[ #:：_-]{0,2})?"
_PREFIX = re.compile(
    r"[ \t\x00]*(?:>[ \t]?)*(?P<bullet>[-*+•·‣▪●◦–][ \t]+)?(?:<(?:a|span)\b[^<>\n]*>(?:</(?:a"
    r"|span)>)?[ \t]*)?"
    r"(?:[0-9]{1,4}[.)][ \t]+(?=\\?\[[0-9]{1,4}\\?\][ \t:.]))?"
)
_JOINT = rf"(?:[,，、;；&]|{_DASH}|(?:\\?\][ \t]*[,，、]?[ \t]*\\?\[))"
_BRACKETED = re.compile(
    rf"(?:\*\*|__)?\\?[\[［【〔]{{1,2}}[ \t]*{_WORD}(?P<keys>{_ITEM}(?:[ \t]*{_JOINT}[ \t]*{_ITEM})*)"
    r"[ \t]*\\?[\]］】〕]{1,2}(?:\*\*|__)?(?P<tail>[ \t]*[:：.]?)(?:\*\*|__)?(?=\s|$|[^\[\](【】.,;。，；])"
)
_LINKED = re.compile(
    rf"\\?\[[ \t]*(?:\\?\[)?[ \t]*(?P<keys>{_ITEM})[ \t]*(?:\\?\])?[ \t]*\]"
    r"(?=\([^\s()]*(?:\([^\s()]*\)[^\s()]*)*\)[:：.]?[ \t]+[^\s\[–-])"
)
_NAMED = re.compile(
    r"\\?\[(?P<keys>[A-Za-z][A-Za-z0-9_+.-]{0,30}\d{1,4}[a-z]?"
    r"|[A-Z]{1,3}-?\d{1,3})\\?\](?!\()(?P<tail>[ \t]*[:：.]?)(?=[ \t])"
)
_FOOTNOTE = re.compile(r"(?:\*\*)?\\?\[\^(?P<keys>[^\]\s^]{1,60})\^?\\?\](?P<tail>[ \t]*[:：.]?)(?:\*\*)?")
_ORDERED = re.compile(
    rf"(?:\*\*)?(?:(?P<keys>{_NUMBER})[ \t]*(?:[.)．）:：](?=[ \t\\*]|$|[^\d\s.])|、|\\\.)"
    rf"|[(（](?P<keys2>{_NUMBER})[)）][.:：]?)(?:\*\*)?(?=[ \t]|$|[^\d])"
)
_SUPER = re.compile(
    r"(?:<sup>[ \t]*\[?(?P<keys>[0-9]{1,4})\]?[ \t]*</sup>|(?P<keys2>[¹²³⁰⁴-⁹]{1,4})"
    r"|\^(?P<keys3>[0-9]{1,4})\^)(?=[ \t]*\S)"
)
_NUMBERS = re.compile(rf"(?P<prefix>[a-zA-Z]{{1,8}}_)?(?P<a>{_NUMBER})(?P<letter>[a-z])?")
_RANGE = re.compile(
    rf"[ \t]*(?:{_DASH}|to(?= )|至|到)[ \t]*\^?\\?\[?[ \t]*\^?(?:[a-zA-Z]{{1,8}}_)?(?P<b>{_NUMBER})(?![0-9])"
)


@dataclass(frozen=True, slots=True)
class Label:
    """A label as written: its form, the keys it names (a bullet names none) and where the content starts."""

    form: str  # bracket, linked ([[1]](url)), named, footnote, ordered, superscript, bullet
    keys: tuple[str, ...]
    start: int
    end: int


def label_at(text: str, start: int, end: int) -> Label | None:
    """Read the label that opens the line ``text[start:end]``, if there is one."""
    prefix = _PREFIX.match(text, start, end)
    at = prefix.end() if prefix else start
    if at >= end:
        return None
    first = text[at]
    if first in "[\\［【〔*_" and (label := _bracketed(text, at, end)):
        return label
    if first in "0123456789０１２３４５６７８９(（*" and (match := _ORDERED.match(text, at, end)):
        return Label(
            "ordered", (plain_key(match["keys"] or match["keys2"]),), at, _skip(text, match.end(), end)
        )
    if first in "<^¹²³⁰⁴⁵⁶⁷⁸⁹" and (match := _SUPER.match(text, at, end)):
        key = plain_key(match["keys"] or match["keys2"] or match["keys3"])
        return Label("superscript", (key,), at, _skip(text, match.end(), end))
    if prefix and prefix["bullet"]:
        return Label("bullet", (), prefix.start("bullet"), at)
    return None


def _bracketed(text: str, at: int, end: int) -> Label | None:
    if match := _FOOTNOTE.match(text, at, end):
        return Label("footnote", (plain_key(match["keys"]),), at, _skip(text, match.end(), end))
    if match := _LINKED.match(text, at, end):
        return Label("linked", unfold(match["keys"]), at, match.end())
    if match := _BRACKETED.match(text, at, end):
        return Label("bracket", unfold(match["keys"]), at, _skip(text, match.end(), end))
    if match := _NAMED.match(text, at, end):
        return Label("named", (match["keys"],), at, _skip(text, match.end(), end))
    return None


def _skip(text: str, at: int, end: int) -> int:
    while at < end and text[at] in " \t":
        at += 1
    return at


def plain_key(key: str) -> str:
    """Bring a key into its plain form: half-width, composed, without carets or leading zeros."""
    plain = unicodedata.normalize("NFKC", key).strip("^ \t")
    return str(int(plain)) if plain.isdecimal() else plain


def unfold(text: str) -> tuple[str, ...]:
    """Unfold the keys of a citation bracket: ``1, 3-5`` gives 1, 3, 4, 5; prefixes (``id_3``) are dropped.

    A range that falls or has more than ``MAX_RANGE`` members gives nothing: it is not a citation.
    """
    keys: list[str] = []
    at = 0
    while match := _NUMBERS.search(text, at):
        first = int(unicodedata.normalize("NFKC", match["a"]))
        at = match.end()
        span = None if match["letter"] else _RANGE.match(text, at)
        if span is None:
            keys.append(f"{first}{match['letter'] or ''}")
            continue
        last = int(unicodedata.normalize("NFKC", span["b"]))
        if not first < last <= first + MAX_RANGE:
            return ()
        keys += (str(n) for n in range(first, last + 1))
        at = span.end()
    return tuple(keys)
