"""Evidence: which styles this report uses, decided from the report itself.

Belongs here: the rules that accept or reject the candidates of each style, and the sentence that records why.
Does not belong here: patterns (``styles``) and lists (``lists``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from quality.citations.lists import FoundList
from quality.model import Mark


@dataclass(frozen=True, slots=True)
class Context:
    """What the report's lists say: their labels by name space, and whether there is any list."""

    text: str
    plain_keys: frozenset[str]
    caret_keys: frozenset[str]
    has_list: bool

    @property
    def keys(self) -> frozenset[str]:
        """All labels."""
        return self.plain_keys | self.caret_keys


@dataclass(frozen=True, slots=True)
class Accepted:
    """The marks of a report, the reason for each style, and oddities worth a flag."""

    marks: tuple[Mark, ...]
    decisions: dict[str, str]
    flags: tuple[str, ...]


_INTERVAL_BEFORE = re.compile(
    r"(?:[=∈<>≤≥≈~∼±+*/^_(\[{|]|\b(?:interval|range|ranges|ranging|between|within|values? in|domain|scaled? to|normali[sz]ed to|index|array"
    r"|vector|shape|size|clip(?:ped)?|rescaled)|区间|范围|取值|数组)[\s:：为是在]*$",
    re.IGNORECASE,
)
_UNIT_BEFORE = re.compile(
    r"(?:^|[\s\d(/·*−-])(?:[kcmdnµμ]?m|[kcmdnµμ]?s|km|cm|mm|nm|in|ft|mi|Hz|kHz|[mk]?g|[mk]?L|K|V|A|W|N|J|x|y|z|r|R|n|N|χ|σ|p|t|e|10|ft|sq)$"
)


def context_of(text: str, lists: list[FoundList]) -> Context:
    """Sum up the labels of the lists."""
    caret = {k for found in lists if found.form == "footnote" for k in found.keys}
    plain = {k for found in lists if found.form != "footnote" for k in found.keys}
    return Context(text, frozenset(plain), frozenset(caret), bool(lists))


def accept(found: dict[str, list[Mark]], context: Context) -> Accepted:
    """Accept or reject the candidates of every style."""
    kept: list[Mark] = []
    decisions: dict[str, str] = {}
    flags: list[str] = []
    for name, marks in found.items():
        good = [m for m in (_judge(mark, context, flags) for mark in marks) if m is not None]
        decisions[name] = f"{len(good)} of {len(marks)} candidates read as citations"
        kept += good
    kept.sort(key=lambda m: (m.start, m.end))
    kept = _titles_if_used(kept, context, decisions)
    return Accepted(tuple(kept), decisions, tuple(dict.fromkeys(flags)))


def _judge(mark: Mark, context: Context, flags: list[str]) -> Mark | None:
    if mark.style in ("superscript", "sup_tag"):
        return _superscript(mark, context)
    if mark.style in ("bracket", "lenticular"):
        return _bracket(mark, context, flags)
    return mark


def _bracket(mark: Mark, context: Context, flags: list[str]) -> Mark | None:
    before = context.text[max(0, mark.start - 24) : mark.start]
    known = [k in context.keys for k in mark.keys]
    if (
        _INTERVAL_BEFORE.search(before)
        and (len(mark.keys) > 1 or not any(known))
        and not before.endswith(("(", "["))
    ):
        return None
    keys = tuple(
        k for k, is_known in zip(mark.keys, known, strict=True) if is_known or not _impossible(k, context)
    )
    if len(keys) < len(mark.keys):
        flags.append("invalid_marker")
    return replace(mark, keys=keys) if keys else None


def _impossible(key: str, context: Context) -> bool:
    if not key.isdecimal():
        return bool(context.keys)
    number = int(key)
    return number >= 1000 or (number == 0 and context.has_list)


def _superscript(mark: Mark, context: Context) -> Mark | None:
    """A superscript cites after a word or a stop; on a unit, a number or before a symbol it does not."""
    before, after = context.text[max(0, mark.start - 12) : mark.start], context.text[mark.end : mark.end + 1]
    if not all(k in context.keys for k in mark.keys) and (context.has_list or mark.style == "superscript"):
        return None
    if after.isalnum() or not before.strip() or before[-1].isspace() or before[-1].isdigit():
        return None
    return None if _UNIT_BEFORE.search(before) else mark


def _titles_if_used(marks: list[Mark], context: Context, decisions: dict[str, str]) -> list[Mark]:
    titles = [m for m in marks if m.family == "title"]
    if not titles:
        return marks
    labels = sum(m.family == "label" for m in marks)
    if labels or not context.has_list:
        decisions["book_title"] = "titles in the prose: the report cites by label or has no list"
        return [m for m in marks if m.family != "title"]
    return marks
