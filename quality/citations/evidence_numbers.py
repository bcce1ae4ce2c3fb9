"""Evidence for numbers without brackets: superscripts, numbers glued to a sentence, numbers in tables.

Belongs here: the rules for these styles. Does not belong here: their patterns (``styles``, ``bare_numbers``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from quality.citations.context import BARE_NUMBERS, STRONG_LABELS, SUPERSCRIPTS, Context, Verdicts
from quality.citations.entries import has_access_date
from quality.model import Mark

_UNIT_BEFORE = re.compile(
    r"(?:^|[\s\d(/·*−\-\u4e00-\u9fff])(?:[kcmdnµμ]?m|[kcmdnµμ]?s|in|ft|mi|[kMG]?Hz|[mkµμ]?g|[mµμ]?L|K|V|A|W"
    r"|N|J"
    r"|[xyzrRntpσχeAχ]|10|sq)$"
)
_POWER_BEFORE = re.compile(r"(?:(?<![^\W\d_])[^\W\d_]|\b(?:cos|sin|tan|log|ln|exp|cosh|sinh|tanh|sec))$")
_OPERATOR_AFTER = re.compile(r"[ \t]*[×*/=+<>≤≥≈·−-]")
_CLAUSE_BEFORE = re.compile(r"(?:(?<![\w-])[a-z]{4,}|[a-z]\)|[a-z”’\"]\*{0,2}[”\"]?)$")
_CLAUSE_AFTER = re.compile(r"[,;] [a-z]|\)[ ,.;]|\. [A-Z]")
_GLUED_TO_URL = re.compile(r"(?P<url>.*[A-Za-z/])\.(?P<key>[1-9]\d{0,2})")


def weigh_superscripts(style: str, marks: Sequence[Mark], context: Context, verdicts: Verdicts) -> None:
    """Keep raised numbers that cite, unless the report plainly cites in brackets."""
    if not marks:
        return
    kept = [m for m in marks if _superscript_cites(m, context)]
    others = verdicts.count(STRONG_LABELS)
    if others > 3 * len(kept):
        verdicts.keep(style, (), len(marks), "the report cites in brackets")
    else:
        verdicts.keep(style, kept, len(marks), "after a word or stop, with an entry of that number")


def _superscript_cites(mark: Mark, context: Context) -> bool:
    """Let a superscript cite after a word or a stop, not on a unit or a number, not before a symbol."""
    before, after = context.text[max(0, mark.start - 12) : mark.start], context.text[mark.end : mark.end + 1]
    if not all(k in context.keys for k in mark.keys) and (context.has_list or mark.style != "sup_tag"):
        return False
    if (
        after.isalnum()
        or not before.strip()
        or before[-1].isspace()
        or before[-1].isdigit()
        or before[-1] in "⁻⁺⁽"
    ):
        return False
    if _POWER_BEFORE.search(before) or _UNIT_BEFORE.search(before):
        return False
    return not (before[-1] == ")" and _OPERATOR_AFTER.match(context.text, mark.end))


def weigh_bare_numbers(
    found: dict[str, list[Mark]], links: int, context: Context, verdicts: Verdicts
) -> None:
    """Decide about bare numbers: only a numbered list, or a habit that cannot be chance, proves them."""
    glued, spaced, cells = (found.get(style, []) for style in BARE_NUMBERS)
    if not glued and not spaced and not cells:
        return
    others = verdicts.count(STRONG_LABELS) + verdicts.count(SUPERSCRIPTS)
    known = [_listed(m, context.ordered_keys) for m in glued]
    kept = [m for m in known if m is not None]
    if (
        not context.has_list
        and not others
        and len(glued) >= 10
        and len({k for m in glued for k in m.keys}) >= 3
    ):
        verdicts.keep("glued_number", glued, len(glued), "a habit, though the report has no list")
        return
    if not context.ordered_keys or max(others * 3, links * 2) > len(kept) + len(spaced):
        for style in BARE_NUMBERS:
            if found.get(style):
                verdicts.keep(style, (), len(found[style]), "no numbered list, or labels and links cite it")
        return
    after_blank = [m for m in (_listed(m, context.ordered_keys) for m in spaced) if m is not None]
    least_glued, least_spaced = (1, 3) if _is_dated(context) else (2, 8)
    if len(kept) >= len(after_blank) and len(kept) < least_glued:
        kept, after_blank = [], []
    elif len(kept) >= len(after_blank):
        after_blank = [m for m in after_blank if _ends_clause(m, context.text)]
    elif len(after_blank) < least_spaced:
        kept, after_blank = [], []
    verdicts.keep("glued_number", kept, len(glued), "glued to a sentence, with an entry of that number")
    verdicts.keep(
        "spaced_number", after_blank, len(spaced), "at the end of a clause, with an entry of that number"
    )
    if kept or after_blank:
        filled = [m for m in (_listed(m, context.ordered_keys) for m in cells) if m is not None]
        verdicts.keep("table_number", filled, len(cells), "in a column of sources")


def _is_dated(context: Context) -> bool:
    """Tell a list of the assistants that number their sentences this way: most entries have a date of access."""
    return sum(has_access_date(e.text) for e in context.entries) * 2 > len(context.entries)


def _listed(mark: Mark, keys: frozenset[str]) -> Mark | None:
    """Keep the leading keys that have an entry; ``.12, 200`` may be a citation and a quantity."""
    good: list[str] = []
    for key in mark.keys:
        if key not in keys:
            break
        good.append(key)
    return replace(mark, keys=tuple(good)) if good else None


def _ends_clause(mark: Mark, text: str) -> bool:
    """In a report that glues its numbers, let one after a blank cite where a clause of lower-case words ends."""
    after = text[mark.end : mark.end + 3]
    before = text[max(0, mark.start - 24) : mark.start - 1]
    if after.startswith(":\n") or (
        after.lstrip(" ").startswith("|") and (before[-1:].islower() or before[-1:] == ")")
    ):
        return True
    return bool(_CLAUSE_BEFORE.search(before) and _CLAUSE_AFTER.match(text, mark.end))


def unglued(mark: Mark, context: Context) -> list[Mark]:
    """Split ``https://x/report.12`` where the report glues its numbers and 12 has an entry."""
    match = _GLUED_TO_URL.fullmatch(mark.keys[0])
    if not match or match["key"] not in context.ordered_keys:
        return [mark]
    at = mark.start + match.end("url")
    url = replace(mark, end=at, keys=(match["url"],), locator=match["url"])
    return [url, Mark(at + 1, mark.end, "glued_number", "label", (match["key"],))]
