"""Evidence: which styles this report uses, decided from the report itself.

Belongs here: the order in which styles are weighed, and the rules for brackets, links and placeholders; the
sentence that records each decision. Does not belong here: patterns (``styles``) and lists (``lists``).
"""

from __future__ import annotations

import re
from dataclasses import replace

from quality.citations.context import BARE_NUMBERS, STRONG_LABELS, SUPERSCRIPTS, Context, Verdicts
from quality.citations.evidence_names import weigh_author_year, weigh_named, weigh_pandoc, weigh_titles
from quality.citations.evidence_numbers import unglued, weigh_bare_numbers, weigh_superscripts
from quality.citations.styles import Rank, Scanner
from quality.model import Mark

_JUDGED_BY_NEIGHBOURS = ("bracket_span", "worded_bracket", "bracket", "lenticular")
_OPERATOR_BEFORE = re.compile(
    r"(?:[=∈<>≤≥≈~∼±+^]|\b(?:index|array|vector|list|tensor|slice)|数组|索引)[ \t]*$", re.IGNORECASE
)
_INTERVAL_BEFORE = re.compile(
    r"(?:\b(?:interval|ranges?|ranging|between|within|values? in|domain|scaled? to|normali[sz]ed to|shape"
    r"|size"
    r"|clip(?:ped)?|rescaled|lies in|from|over)|区间|范围|取值|介于)[\s:：为是在内于]*$",
    re.IGNORECASE,
)
_PLAIN_INTERVAL_BEFORE = re.compile(
    r"(?:\b(?:interval|between|within|values? in|domain|scaled? to|normali[sz]ed to)|区间"
    r"|介于)[\s:：为是在内于]*$",
    re.IGNORECASE,
)
_SITE_ROOT = re.compile(r"(?i)https?://[^/\s]+/?$")


def weigh(scanner: Scanner, context: Context) -> Verdicts:
    """Accept or reject the candidates of every style; strong styles first, for they decide about weak ones.

    Numbers without brackets are not looked for where brackets cite much of the list, nor names beside labels.
    """
    verdicts = Verdicts()
    found = scanner.scan(Rank.WRITTEN)
    for style, candidates in found.items():
        if style in STRONG_LABELS:
            marks = _without_literal(candidates, context.text)
            judged = (
                (_bracket(m, context, verdicts) for m in marks) if style in _JUDGED_BY_NEIGHBOURS else marks
            )
            kept = [m for m in judged if m is not None]
            verdicts.keep(style, kept, len(marks), "written as a citation")
    weigh_named(found.get("named_bracket", []), context, verdicts)
    weigh_pandoc(found.get("pandoc", []), context, verdicts)
    for style in SUPERSCRIPTS:
        weigh_superscripts(style, found.get(style, []), context, verdicts)
    if not _cites_list(verdicts, context):
        weigh_bare_numbers(scanner.scan(Rank.NUMBER), len(found.get("link", ())), context, verdicts)
    _links(found, context, verdicts)
    _placeholders(found, verdicts)
    if not any(m.family == "label" for m in verdicts.marks):
        scanner.release(verdicts.marks)
        names = scanner.scan(Rank.NAME)
        weigh_author_year(names.get("author_year", []), names.get("narrative", []), context, verdicts)
    weigh_titles(found.get("book_title", []), context, verdicts)
    verdicts.marks.sort(key=lambda m: (m.start, m.end))
    return verdicts


def _without_literal(marks: list[Mark], text: str) -> list[Mark]:
    """Leave out escaped brackets where most are plain: there the writer says that they are text, and no citation.

    Where all or most are escaped, a converter wrote them so.
    """
    plain = [m for m in marks if not text.startswith("\\", m.start)]
    return plain if len(plain) * 2 > len(marks) else marks


def _cites_list(verdicts: Verdicts, context: Context) -> bool:
    """Tell whether strong labels alone are this report's system."""
    cited = {k for m in verdicts.marks for k in m.keys}
    return len(verdicts.marks) >= 5 and (
        not context.has_list or len(cited & context.keys) * 3 >= len(context.keys)
    )


def _bracket(mark: Mark, context: Context, verdicts: Verdicts) -> Mark | None:
    before = context.text[max(0, mark.start - 24) : mark.start]
    known = [k in context.keys for k in mark.keys]
    if _OPERATOR_BEFORE.search(before) and not (len(mark.keys) == 1 and all(known)):
        return None
    interval = _PLAIN_INTERVAL_BEFORE if all(known) else _INTERVAL_BEFORE
    if _is_pair(mark, context) and interval.search(before):
        return None
    if (len(set(mark.keys)) < len(mark.keys) and not all(known)) or _is_doubled(mark, context.text):
        return None  # an array or a code: no one cites a source twice in one bracket
    keys = tuple(
        k for k, is_known in zip(mark.keys, known, strict=True) if is_known or not _impossible(k, context)
    )
    if "0" in mark.keys and "0" not in keys:
        verdicts.flags.append("invalid_marker")
    return replace(mark, keys=keys) if keys else None


def _is_doubled(mark: Mark, text: str) -> bool:
    """Tell ``[[7, 1, 3]]``: two brackets around several numbers name a code, around one they cite."""
    return (
        len(mark.keys) > 1
        and text[mark.start - 1 : mark.start] == "["
        and text[mark.end : mark.end + 1] == "]"
    )


def _is_pair(mark: Mark, context: Context) -> bool:
    """Tell whether a bracket holds two numbers with a comma, as an interval does."""
    return len(mark.keys) == 2 and "," in context.text[mark.start : mark.end]


def _impossible(key: str, context: Context) -> bool:
    """Tell labels that no list has and that are no small number: a year, zero in a list from one."""
    if not key.isdecimal():
        return True
    return int(key) >= 1000 or (int(key) == 0 and context.has_list)


def _links(found: dict[str, list[Mark]], context: Context, verdicts: Verdicts) -> None:
    labels = verdicts.count(STRONG_LABELS) + verdicts.count(BARE_NUMBERS)
    for style in ("link", "html_link", "doi"):
        if links := found.get(style):
            verdicts.keep(style, links, len(links), "carries its own address")
    if bare := found.get("bare_url"):
        if any(m.style == "glued_number" for m in verdicts.marks):
            bare = [part for m in bare for part in unglued(m, context)]
        kept = [m for m in bare if not (labels and m.family == "link" and _SITE_ROOT.match(m.keys[0]))]
        verdicts.keep(
            "bare_url",
            kept,
            len(bare),
            "carries its own address; a site's front page beside labels is a name",
        )


def _placeholders(found: dict[str, list[Mark]], verdicts: Verdicts) -> None:
    for style in ("placeholder", "leaked_token"):
        if marks := found.get(style):
            verdicts.keep(style, marks, len(marks), "a citation was meant, none is named")
