"""Are quoted passages in the source that they are quoted from: ``quote_rate``.

Belongs here: finding quoted passages that carry a citation, and looking them up verbatim in stored texts.
Does not belong here: stored texts (``texts``), resolving citations (``quality.sources``).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from quality.errors import Undetermined
from quality.metrics.definition import Definition, Metric, Subject, Value, share
from quality.metrics.depth import NO_TEXTS
from quality.metrics.prose import stretches
from quality.model import Mark, Stage
from quality.text import fold, is_cjk

MIN_WORDS = 5
"""Words from which a quotation is a passage; a shorter one is a term, or a word in scare quotes."""
MIN_HAN = 10
REACH = 160
"""Characters after a quotation within which its citation stands, in the same line."""
_QUOTE = re.compile(
    r"“([^“”\n]{12,1500})”|(?<![\w\"])\"(?=\S)([^\"\n]{12,1500})(?<=\S)\"(?![\w\"])|「([^「」\n]{8,1500})」|『([^『』\n]{8,1500})』"
)
_ELLIPSIS = re.compile(r"\s*(?:\[\s*)?(?:\.{3,}|…+)(?:\s*\])?\s*|\s*\[[^\[\]\n]{1,60}\]\s*")
_MARKUP = re.compile(r"[*_`]+")
_EDGE = " .,;:!?-'\""
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Quote:
    """One quoted passage with its place in the body (without the quotation marks), and the marks that cite it."""

    text: str
    start: int
    end: int
    marks: tuple[Mark, ...]


def find_quotes(subject: Subject) -> Iterator[Quote]:
    """Find the quoted passages of the prose that are followed by a citation in their line."""
    starts = [mark.start for mark in subject.reading.marks]
    for start, end in stretches(subject.body, subject.reading.segments):
        for match in _QUOTE.finditer(subject.body, start, end):
            text = next(group for group in match.groups() if group is not None)
            if _is_passage(text):
                marks = _marks_after(subject, starts, match.end())
                if marks:
                    yield Quote(text, match.start() + 1, match.end() - 1, marks)


def quote_rate(subject: Subject) -> Value:
    """Share of the quoted passages that stand verbatim in a stored text of a source that they cite.

    Raises:
        Undetermined: passages are quoted, and no source of any of them has a stored text.
    """
    if subject.texts is None or subject.resolutions is None:
        return Value(None, detail=NO_TEXTS)
    source_of = {
        (cited.family, cited.scope, cited.key): resolution.source_id
        for cited, resolution in zip(subject.v3.cited, subject.resolutions, strict=True)
    }
    found = checked = quoted = 0
    for quote in find_quotes(subject):
        quoted += 1
        keys = [(mark.family, mark.scope, key) for mark in quote.marks for key in mark.keys]
        texts = [text for key in keys if (text := _text(subject, source_of.get(key)))]
        checked += bool(texts)
        found += any(is_verbatim(quote.text, text) for text in texts)
    if quoted and not checked:
        raise Undetermined(f"no stored text of the sources of {quoted} quoted passages")
    return share(found, checked, "the report quotes no passage with a citation")


def is_verbatim(quote: str, text: str) -> bool:
    """Tell whether a passage stands in a folded text; what an ellipsis or brackets leave out is passed over."""
    at = 0
    for part in _ELLIPSIS.split(quote):
        plain = fold(_MARKUP.sub("", part)).strip(_EDGE)
        if plain:
            at = text.find(plain, at)
            if at < 0:
                return False
            at += len(plain)
    return True


def _text(subject: Subject, source_id: str | None) -> str | None:
    text = subject.texts.get(source_id) if source_id is not None and subject.texts is not None else None
    return _folded(text) if text else None


@lru_cache(maxsize=256)
def _folded(text: str) -> str:
    """Fold a stored text; the same sources are cited by many reports of a batch."""
    return fold(_MARKUP.sub("", text))


def _is_passage(text: str) -> bool:
    han = sum(map(is_cjk, text))
    return han >= MIN_HAN or (han < 2 and len(_WORD.findall(text)) >= MIN_WORDS)


def _marks_after(subject: Subject, starts: Sequence[int], end: int) -> tuple[Mark, ...]:
    """Give the marks that stand together behind a quotation: the first one in reach, and those that touch it."""
    line_end = subject.body.find("\n", end)
    limit = min(end + REACH, len(subject.body) if line_end < 0 else line_end)
    found: list[Mark] = []
    for mark in subject.reading.marks[bisect_left(starts, end) :]:
        if mark.start >= limit or (found and mark.start > found[-1].end + 2):
            break
        found.append(mark)
    return tuple(found)


METRICS = (
    Metric(
        Definition(
            id="quote_rate",
            version="v1",
            title="Quotations found",
            unit="share",
            formula=f"quoted passages (at least {MIN_WORDS} words or {MIN_HAN} Chinese characters in quotation marks, with a "
            f"citation within {REACH} characters) that stand verbatim, apart from width, case, quotes, dashes and blanks, in "
            "the stored text of a source that they cite / quoted passages whose source has a stored text",
            stages=(Stage.SHADOW,),
            absent_when="the report quotes no passage with a citation, or the catalogue holds no text of any source (then the "
            "metric is off); unknown when no source of its quotations has a stored text",
            statistics=("p10", "p50", "mean", "min"),
            owner="quality.metrics.quotes",
            says_not="The stored text may be a part of the work: a passage that is not found in it may be genuine.",
        ),
        quote_rate,
    ),
)
