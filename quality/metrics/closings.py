"""Closings: the last sentence of a report's prose, and whether it is a stock one.

Belongs here: finding it, the known kinds by the lexicon ``closings.toml``, and the two keys by which the same
closing is recognised in other reports of a batch.
Does not belong here: counting over a batch (SQL: ``sql/statements/fixed_closing.sql``), cutting prose
(``prose``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from quality.metrics import lexicon
from quality.metrics.prose import Sentence, has_mark, last_lines, split, without_marks
from quality.model import Reading, Report
from quality.text import fold

LISTED_KINDS = ("sign_off", "offer", "disclaimer")
GENERIC = "generic_conclusion"
OWN_WORDS = 0.18
"""Share of words of its own above which a formula is no stock closing any more."""
OWN_WORDS_WEAK = 0.06
"""The same where the form alone says little."""
MIN_KEPT = 5
"""Words (or half as many Chinese phrases) that a frame keeps at least; a shorter one would fit anything."""
_MAX_STOCK = 700  # characters; a longer sentence is no stock one
_LOOK_BACK = 12  # lines from the end in which the closing is looked for

_OUTER = " \t\r\n*_~`#>|.,;:!?()[]{}<>\"'-—–·•●【】「」『』（）"
_WORD = re.compile(r"[a-z\u00c0-\u024f][a-z\u00c0-\u024f'-]*|\d+(?:[.,]\d+)*|[\u3400-\u9fff]+")
_LETTER = re.compile(r"[^\W\d_]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_ENTRY_LIKE = re.compile(
    r"\s*(?:[-*+]\s+)?(?:\\?\[\^?\w{1,8}\\?\]:?|\d{1,3}[.)])\s.*https?://|\s*\[\^[^\]]+\]:"
)
_LABEL = re.compile(r"[*_]{2}[^*_]{1,80}[*_]{2}[:：]?|[^.!?。！？]{1,60}[:：]")


@dataclass(frozen=True, slots=True)
class Closing:
    """The closing sentence of one report.

    ``key`` is the sentence folded, with numbers and dates as ``0``; ``frame`` keeps its everyday words and puts
    one blank for whatever names the subject (None where too little is left to be told apart).
    """

    text: str
    start: int
    end: int
    kind: str | None  # of the known list; None: not on it
    key: str
    frame: str | None


def find_closing(report: Report, reading: Reading) -> Closing | None:
    """Find the last sentence of the prose; None where the report has no prose.

    Headings, tables and entries of a list are passed over. Where the last line is the item of a list that is
    introduced as an offer ("If you want, I can:"), the introduction decides its kind.
    """
    lines = last_lines(report.body, reading.segments, 2 * _LOOK_BACK)
    topic = topic_words(report)
    for position in range(len(lines) - 1, max(-1, len(lines) - 1 - _LOOK_BACK), -1):
        sentences = list(split(report.body, *lines[position]))
        if not sentences or _ENTRY_LIKE.match(report.body[slice(*lines[position])]):
            continue
        if not _LETTER.search(plain_closing(sentences[-1].text)):
            continue
        last = sentences[-1]
        kind = stock_kind(last.text, topic)
        if kind is None and _LABEL.fullmatch(last.text.strip()) and len(sentences) == 1:
            continue
        if kind is None and last.bullet:
            kind = _introduced(report.body, lines, position)
        return _closing(last, kind, topic)
    return None


def _closing(sentence: Sentence, kind: str | None, topic: frozenset[str]) -> Closing:
    key = closing_key(sentence.text)
    return Closing(sentence.text, sentence.start, sentence.end, kind, key, closing_frame(key, topic))


def _introduced(body: str, lines: Sequence[tuple[int, int]], position: int) -> str | None:
    """Give ``offer`` where the list that ends with this line is introduced as one."""
    for before in range(position - 1, max(-1, position - _LOOK_BACK), -1):
        sentences = list(split(body, *lines[before]))
        if not sentences or sentences[-1].bullet:
            continue
        return "offer" if _listed("offer", plain_closing(sentences[-1].text)) else None
    return None


def stock_kind(text: str, topic: frozenset[str] = frozenset()) -> str | None:
    """Name the kind of stock closing that a sentence is, or None.

    Args:
        text: the sentence as written.
        topic: folded words of the report's title, which count as nobody's own.
    """
    plain = plain_closing(text)
    if not plain or len(plain) > _MAX_STOCK:
        return None
    cites = has_mark(text)
    for kind in LISTED_KINDS:
        if _listed(kind, plain) and not (cites and kind == "disclaimer"):
            return kind
    if cites:
        return None
    share = own_share(plain, topic)
    strong = share <= OWN_WORDS and _listed("formula", plain)
    return GENERIC if strong or (share <= OWN_WORDS_WEAK and _weak_form().search(plain)) else None


def plain_closing(text: str) -> str:
    """Give a sentence without marks, emphasis and outer punctuation, folded."""
    return fold(without_marks(text)).strip(_OUTER)


def own_share(plain: str, topic: frozenset[str] = frozenset()) -> float:
    """Share of a folded sentence's words that belong to its subject; Chinese is counted by characters.

    Words of the title count half: a sentence with only the subject's name filled in is still a formula, one
    that is made of the subject is not.
    """
    han = len(_HAN.findall(plain))
    if han * 2 > len(plain.replace(" ", "")):
        own = len(_HAN.findall(_generic_chinese().sub("", plain)))
        rest = len(_HAN.findall(_generic_chinese().sub("", _without_topic(plain, topic))))
        return (own + rest) / 2 / han
    words = _WORD.findall(plain)
    own_words = [w for w in words if w not in _generic_english()]
    named = sum(w.removesuffix("'s") in topic for w in own_words)
    return (len(own_words) - named / 2) / len(words) if words else 1.0


def closing_key(text: str) -> str:
    """Give the sentence in the form in which it is compared: folded, dates and numbers as ``0``."""
    plain = _dates().sub("0", plain_closing(text))
    return re.sub(r"\d+(?:[.,:/-]\d+)*", "0", plain)


def closing_frame(key: str, topic: frozenset[str] = frozenset()) -> str | None:
    """Give the key with a blank for each stretch that names a subject; None where too little stays."""
    kept = 0
    parts: list[str] = []
    for word in _WORD.findall(_without_topic(key, topic)):
        for part, generic in _phrases(word):
            kept += generic
            shown = part if generic else "_"
            if not (shown == "_" and parts and parts[-1] == "_"):
                parts.append(shown)
    return " ".join(parts) if kept >= MIN_KEPT and kept >= len(parts) * 0.6 else None


def topic_words(report: Report) -> frozenset[str]:
    """Words of a report's title, folded; for Chinese every run of its characters from two on."""
    words: set[str] = set()
    for word in _WORD.findall(fold(report.title or "")):
        if _HAN.match(word):
            words |= {word[i : i + n] for n in range(2, 9) for i in range(len(word) - n + 1)}
        elif len(word) > 2:
            words |= {word, word.removesuffix("s"), f"{word}s"}
    return frozenset(words)


def _without_topic(plain: str, topic: frozenset[str]) -> str:
    """Take the title's Chinese phrases out, longest first; English words are looked up one by one."""
    phrases = [t for t in topic if _HAN.match(t) and t in plain and not _generic_chinese().fullmatch(t)]
    for phrase in sorted(phrases, key=len, reverse=True):
        plain = plain.replace(phrase, " ")
    return plain


def _phrases(word: str) -> list[tuple[str, bool]]:
    """Cut a run into generic phrases and the rest (Chinese), or judge one word."""
    if not _HAN.match(word):
        return [(word, word == "0" or word in _generic_english())]
    parts, at = [], 0
    for match in _generic_chinese().finditer(word):
        if match.start() > at:
            parts.append((word[at : match.start()], False))
        parts.append((match[0], True))
        at = match.end()
    if at < len(word):
        parts.append((word[at:], False))
    return parts


def _listed(kind: str, plain: str) -> bool:
    starts, anywhere = _rules(kind)
    return starts.match(plain) is not None or anywhere.search(plain) is not None


@cache
def _rules(kind: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    table = lexicon.load("closings")[kind]
    return lexicon.pattern("closings", table["starts"]), lexicon.pattern("closings", table["anywhere"])


@cache
def _weak_form() -> re.Pattern[str]:
    return lexicon.pattern("closings", lexicon.load("closings")["formula"]["weak"])


@cache
def _dates() -> re.Pattern[str]:
    return lexicon.pattern("closings", [r"(?<![a-z])(?:{date})(?![a-z])"])


@cache
def _generic_english() -> frozenset[str]:
    return frozenset(str(lexicon.load("closings")["generic"]["english"]).split())


@cache
def _generic_chinese() -> re.Pattern[str]:
    words = set(str(lexicon.load("closings")["generic"]["chinese"]).split())
    return re.compile("|".join(map(re.escape, sorted(words, key=lambda w: (-len(w), w)))))
