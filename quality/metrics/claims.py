"""Method claims: sentences in which a report says what was done for it.

Belongs here: finding them by the grammar in ``claims.toml``, and telling them from what is negated, planned,
hypothetical, generic or somebody else's.
Does not belong here: what the producing run really did (``manifest``), the metric (``honesty``).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache

from quality.metrics import lexicon
from quality.metrics.counts import NO_COUNT, claimed_number
from quality.metrics.prose import Sentence, has_mark, split, stretches, without_marks
from quality.model import Reading
from quality.text import fold

_BEFORE = 60  # characters before a claim in which a negation or a condition governs it
_BEHIND = 50  # characters behind a claim within which its number may stand
_CLAUSE = re.compile(r"[.;:!?()]| - |\bbut\b|但是?|然而")
_QUOTED = re.compile(r"\"[^\"]{12,}\"")
_LABEL = re.compile(r"^(?:[\w /&'-]{2,40}|[\u3400-\u9fff]{2,12}):\s+(?=\S)")
_DATED = re.compile(
    r"\((?:[^()]{1,60},? )?(?:19|20)\d\d[a-z]?\)|\b(?:in|during|since|between|from) (?:19|20)\d\d\b"
)
_FIRST_PERSON = re.compile(r"\b(?:we|i|our|my|i've|we've)\b|我们|我|笔者")
_FOR_THIS = re.compile(r"\b(?:for|as part of|of|in) this \w+|本|此次|这次")
_BY = re.compile(r"[^.;]{0,80}? by (?!the authors? of this|us\b|our\b|me\b|telephone|phone|email|post|video)")
_HAN = re.compile(r"[\u3400-\u9fff]")


class Standing(StrEnum):
    """Whose claim a sentence is, and whether it says that something was done."""

    OWN = "own_claim"
    NEGATED = "negated"
    PLANNED = "planned"
    HYPOTHETICAL = "hypothetical"
    ATTRIBUTED = "attributed"


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim: what was done (``kind``), how many it names (None: no number), and how it stands."""

    kind: str
    standing: Standing
    number: int | None
    text: str
    start: int = 0  # of the sentence in the body
    end: int = 0


@dataclass(frozen=True, slots=True)
class _Family:
    """The rules of one kind, those in English and those in Chinese apart."""

    kind: str
    copied: bool  # such sentences are often copied from abstracts
    words: re.Pattern[str]
    numbers: re.Pattern[str] | None
    english: tuple[re.Pattern[str], ...]
    chinese: tuple[re.Pattern[str], ...]


def own_claims(body: str, reading: Reading) -> list[Claim]:
    """Give the report's own method claims, in order; one per sentence and kind.

    Only prose counts: no headings, code or entries of the reference list.
    """
    return [claim for claim in all_claims(body, reading) if claim.standing is Standing.OWN]


def all_claims(body: str, reading: Reading) -> Iterator[Claim]:
    """Give every sentence of the prose that has the form of a method claim, whatever its standing."""
    for sentence, cites in _candidates(body, reading):
        for claim in judge(sentence.text, line_cites=cites):
            yield replace(claim, start=sentence.start, end=sentence.end)


def judge(text: str, *, line_cites: bool = False) -> list[Claim]:
    """Judge one sentence: its claims, one per kind; those that are the report's own come first.

    Args:
        text: the sentence as written.
        line_cites: whether a citation mark stands elsewhere in its paragraph.
    """
    plain = _plain(text)
    if plain.endswith("?") or not plain:
        return []
    cites = has_mark(text)
    claims = [
        claim
        for family in _families()
        if (claim := _claim(family, plain, text, cites=cites or (line_cites and family.copied)))
    ]
    return sorted(claims, key=lambda claim: claim.standing is not Standing.OWN)


def _claim(family: _Family, plain: str, text: str, *, cites: bool) -> Claim | None:
    """Give what a sentence claims of one kind: the first rule that makes it the report's own, else the first."""
    if not family.words.search(plain):
        return None
    best: Claim | None = None
    for match in _matches(family, plain):
        number = _number(family, plain, match)
        if number == NO_COUNT:
            continue
        standing = _standing(plain, match, cites=cites)
        if best is None or standing is Standing.OWN:
            best = Claim(family.kind, standing, number, text)
        if standing is Standing.OWN:
            break
    return best


def _number(family: _Family, plain: str, match: re.Match[str]) -> int | None:
    """Give the number that a claim names: the one that its rule captured, else one in it or shortly behind it."""
    written = _numbers_before(family, plain, match) or match.groupdict().get("n")
    number = claimed_number(written) if written else None
    if number is None and family.numbers is not None:
        near = family.numbers.search(plain, match.start(), min(len(plain), match.end() + _BEHIND))
        number = claimed_number(near[0]) if near else None
        return None if number == NO_COUNT else number
    return number


def _numbers_before(family: _Family, plain: str, match: re.Match[str]) -> str | None:
    """Give the last number that stands in a Chinese claim before its method: 对其中十八户进行了访谈."""
    if family.numbers is None or "n" not in match.groupdict() or not _HAN.search(match[0]):
        return None
    end = match.start("n") if match["n"] else match.end()
    found = family.numbers.findall(plain, match.start(), end)
    return str(found[-1]) if found else None


def _matches(family: _Family, plain: str) -> Iterator[re.Match[str]]:
    rules = (*family.english, *family.chinese) if _HAN.search(plain) else family.english
    for start in _starts(plain):
        for rule in rules:
            match = rule.search(plain) if start == 0 else rule.match(plain, start)
            if match is not None:
                yield match


def _starts(plain: str) -> list[int]:
    """Where anchored forms may begin: the sentence, and what follows a label such as "Method:"."""
    label = _LABEL.match(plain)
    return [0, label.end()] if label else [0]


def _standing(plain: str, match: re.Match[str], *, cites: bool) -> Standing:
    before = _CLAUSE.split(plain[max(0, match.start() - _BEFORE) : match.start()])[-1]
    governed = before + match[0]
    for standing, pattern in _governing():
        if pattern.search(governed):
            return standing
    return Standing.ATTRIBUTED if _somebody_else(plain, match, cites=cites) else Standing.OWN


def _somebody_else(plain: str, match: re.Match[str], *, cites: bool) -> bool:
    """Tell whether the claim is quoted or reported.

    "This report" is the report whatever it cites; "we" beside a citation mark is copied from the source; a
    claim without anybody who makes it is the report's own only where nothing points elsewhere.
    """
    said = match.groupdict().get("self") or ""
    if _attributed().search(plain[: match.end()]):
        return True
    if _report_itself().fullmatch(said):
        return False
    if cites:
        return True
    if said or _FIRST_PERSON.search(match[0]) or _FOR_THIS.search(match[0]):
        return False
    return bool(_DATED.search(plain) or _BY.match(plain, match.end()))


def _plain(text: str) -> str:
    """Fold a sentence without marks; a quotation keeps its quotes and loses its words."""
    plain = fold(without_marks(text)).lstrip(" -*+•>#_(\"'").rstrip(" *_)\"'")
    return _QUOTED.sub('""', plain)


def _candidates(body: str, reading: Reading) -> Iterator[tuple[Sentence, bool]]:
    """Cut out the sentences in which a word stands that a claim needs, and whether their line cites.

    Lines without such a word are passed over unread: plain text is looked for, which is some ten times
    faster than any pattern. An abstract that was copied sentence by sentence often carries its citation once.
    """
    lowered = body.lower()
    if len(lowered) != len(body):  # a letter that grows; offsets must hold
        lowered = body
    triggers = _triggers(_HAN.search(body) is not None)
    hits = _hits(lowered, triggers)
    for start, end in stretches(body, reading.segments) if hits else ():
        for line, stop in _hit_lines(body, start, end, hits):
            if body.startswith("|", line):
                continue
            cites = has_mark(body[line:stop])
            for sentence in split(body, line, stop):
                if bisect_left(hits, sentence.start) < bisect_left(hits, sentence.end):
                    yield sentence, cites


def _hits(lowered: str, triggers: tuple[str, ...]) -> list[int]:
    """Give the places of all triggers, ascending."""
    found: list[int] = []
    for word in triggers:
        at = lowered.find(word)
        while at >= 0:
            found.append(at)
            at = lowered.find(word, at + len(word))
    return sorted(found)


def _hit_lines(body: str, start: int, end: int, hits: list[int]) -> Iterator[tuple[int, int]]:
    """Give the spans of the lines of a stretch in which a trigger stands."""
    at = start
    while (position := bisect_left(hits, at)) < len(hits) and hits[position] < end:
        line = max(start, body.rfind("\n", start, hits[position]) + 1)
        stop = body.find("\n", hits[position], end)
        at = end if stop < 0 else stop
        yield line, at
        at += 1


@cache
def _families() -> tuple[_Family, ...]:
    return tuple(
        _Family(
            str(entry["kind"]),
            bool(entry.get("copied", False)),
            re.compile(entry["words"]),
            lexicon.pattern("claims", entry["numbers"]) if "numbers" in entry else None,
            tuple(lexicon.pattern("claims", [p]) for p in entry["patterns"] if not _is_chinese(p)),
            tuple(lexicon.pattern("claims", [p]) for p in entry["patterns"] if _is_chinese(p)),
        )
        for entry in lexicon.load("claims")["claims"]
    )


def _is_chinese(pattern: str) -> bool:
    return _HAN.search(pattern) is not None or "{zh_" in pattern


@cache
def _governing() -> tuple[tuple[Standing, re.Pattern[str]], ...]:
    words = lexicon.load("claims")["not_own"]
    return tuple(
        (Standing(name), lexicon.pattern("claims", words[name]))
        for name in ("hypothetical", "planned", "negated")
    )


@cache
def _attributed() -> re.Pattern[str]:
    return lexicon.pattern("claims", lexicon.load("claims")["not_own"]["attributed"])


@cache
def _report_itself() -> re.Pattern[str]:
    return lexicon.pattern("claims", lexicon.load("claims")["not_own"]["report_itself"])


@cache
def _triggers(han: bool) -> tuple[str, ...]:
    """Give the texts of which one stands in every claim; the Chinese ones where the body has such letters."""
    words = lexicon.load("claims")["trigger"]
    return (*words["english"], *words["chinese"]) if han else tuple(words["english"])
