"""Evidence: which styles this report uses, decided from the report itself.

Belongs here: the rules that accept or reject the candidates of each style, and the sentence that records why.
Does not belong here: patterns (``styles``, ``bare_numbers``, ``author_year``) and lists (``lists``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from quality.citations.author_year import entry_names, entry_years, split_key
from quality.citations.page import FoundList
from quality.citations.styles import Rank, Scanner
from quality.model import Entry, Mark
from quality.text import fold

STRONG_LABELS = (
    "cite_tag",
    "cite_word",
    "double_bracket_link",
    "number_link",
    "footnote",
    "bracket_span",
    "worded_bracket",
    "bracket",
    "lenticular",
)
_JUDGED_BY_NEIGHBOURS = ("bracket_span", "worded_bracket", "bracket", "lenticular")
BARE_NUMBERS = ("glued_number", "spaced_number", "table_number")
SUPERSCRIPTS = ("sup_tag", "superscript")


@dataclass(frozen=True, slots=True)
class Context:
    """What the report's lists say: their labels by name space, and whether there is any list."""

    text: str
    plain_keys: frozenset[str]
    caret_keys: frozenset[str]
    ordered_keys: frozenset[str]
    has_list: bool
    entries: tuple[Entry, ...] = ()

    @property
    def keys(self) -> frozenset[str]:
        """All labels."""
        return self.plain_keys | self.caret_keys


@dataclass(slots=True)
class Verdicts:
    """The marks kept so far, the reason for each style, and oddities worth a flag."""

    marks: list[Mark] = field(default_factory=list)
    decisions: dict[str, str] = field(default_factory=dict)
    flags: list[str] = field(default_factory=list)

    def keep(self, style: str, marks: Sequence[Mark], candidates: int, why: str) -> None:
        """Record the decision about one style."""
        self.marks += marks
        self.decisions[style] = f"{len(marks)} of {candidates} candidates cite: {why}"

    def count(self, styles: Sequence[str]) -> int:
        """Count the marks kept of these styles."""
        return sum(m.style in styles for m in self.marks)


_OPERATOR_BEFORE = re.compile(
    r"(?:[=∈<>≤≥≈~∼±+^]|\b(?:index|array|vector|list|tensor|slice)|数组|索引)[ \t]*$", re.IGNORECASE
)
_INTERVAL_BEFORE = re.compile(
    r"(?:\b(?:interval|ranges?|ranging|between|within|values? in|domain|scaled? to|normali[sz]ed to|shape"
    r"|size"
    r"|clip(?:ped)?|rescaled|lies in|from|over)|区间|范围|取值|介于)[\s:：为是在内于]*$",
    re.IGNORECASE,
)
_UNIT_BEFORE = re.compile(
    r"(?:^|[\s\d(/·*−\-\u4e00-\u9fff])(?:[kcmdnµμ]?m|[kcmdnµμ]?s|in|ft|mi|[kMG]?Hz|[mkµμ]?g|[mµμ]?L|K|V|A|W"
    r"|N|J"
    r"|[xyzrRntpσχeAχ]|10|sq)$"
)
_POWER_BEFORE = re.compile(r"(?:(?<![^\W\d_])[^\W\d_]|\b(?:cos|sin|tan|log|ln|exp|cosh|sinh|tanh|sec))$")
_OPERATOR_AFTER = re.compile(r"[ \t]*[×*/=+<>≤≥≈·−-]")
_GLUED_TO_URL = re.compile(r"(?P<url>.*[A-Za-z/])\.(?P<key>[1-9]\d{0,2})")
_SITE_ROOT = re.compile(r"(?i)https?://[^/\s]+/?$")

Judge = Callable[[Mark, Context, Verdicts], Mark | None]


def context_of(text: str, lists: Sequence[FoundList], entries: Sequence[Entry]) -> Context:
    """Sum up the labels of the lists; ``text`` is the masked body without their entries."""
    caret = {k for found in lists if found.form == "footnote" for k in found.keys}
    plain = {k for found in lists if found.form != "footnote" for k in found.keys}
    ordered = {k for found in lists if found.form in ("ordered", "superscript", "table") for k in found.keys}
    return Context(
        text, frozenset(plain), frozenset(caret), frozenset(ordered), bool(lists), entries=tuple(entries)
    )


def weigh(scanner: Scanner, context: Context) -> Verdicts:
    """Accept or reject the candidates of every style; strong styles first, for they decide about weak ones.

    Numbers without brackets are not looked for where brackets cite much of the list, nor names beside labels.
    """
    verdicts = Verdicts()
    found = scanner.scan(Rank.WRITTEN)
    for style, marks in found.items():
        if style in STRONG_LABELS:
            judged = (
                (_bracket(m, context, verdicts) for m in marks) if style in _JUDGED_BY_NEIGHBOURS else marks
            )
            kept = [m for m in judged if m is not None]
            verdicts.keep(style, kept, len(marks), "written as a citation")
    _named(found.get("named_bracket", []), context, verdicts)
    _pandoc(found.get("pandoc", []), context, verdicts)
    for style in SUPERSCRIPTS:
        _superscripts(style, found.get(style, []), context, verdicts)
    if not _cites_list(verdicts, context):
        _bare_numbers(scanner.scan(Rank.NUMBER), context, verdicts)
    _links(found, context, verdicts)
    _placeholders(found, verdicts)
    if not any(m.family == "label" for m in verdicts.marks):
        names = scanner.scan(Rank.NAME)
        _author_year(names.get("author_year", []), names.get("narrative", []), context, verdicts)
    _titles(found.get("book_title", []), context, verdicts)
    verdicts.marks.sort(key=lambda m: (m.start, m.end))
    return verdicts


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
    if _is_pair(mark, context) and _INTERVAL_BEFORE.search(before):
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


def _named(marks: Sequence[Mark], context: Context, verdicts: Verdicts) -> None:
    """Keep keys such as ``[S3]`` that a list names, and keys that look like those of the list."""
    if not marks:
        return
    stems = {_stem(k) for k in context.plain_keys if not k.isdecimal()}
    kept = [m for m in marks if all(k in context.plain_keys or _stem(k) in stems for k in m.keys)]
    verdicts.keep("named_bracket", kept, len(marks), "shaped like the labels of a list")


def _stem(key: str) -> str:
    return key.rstrip("0123456789abcdefghijklmnopqrstuvwxyz") if key[-1:].isdigit() else key


def _pandoc(marks: Sequence[Mark], context: Context, verdicts: Verdicts) -> None:
    """Keep bracketed groups; a key in the sentence needs them beside it, or an entry of its own."""
    if not marks:
        return
    groups = [m for m in marks if m.style == "pandoc"]
    known = {k for m in groups for k in m.keys} | context.plain_keys
    kept = groups + [
        m
        for m in marks
        if m.style != "pandoc" and (m.keys[0] in known or (groups and any(c.isdigit() for c in m.keys[0])))
    ]
    tangled = [", ".join(m.keys[1:]) for m in groups if m.text]
    if tangled:
        verdicts.flags.append("malformed_group")
    why = f"keys in brackets; no semicolon before {'; '.join(tangled)}" if tangled else "keys in brackets"
    verdicts.keep("pandoc", [replace(m, text=None) for m in kept], len(marks), why)


def _superscripts(style: str, marks: Sequence[Mark], context: Context, verdicts: Verdicts) -> None:
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
    if not all(k in context.keys for k in mark.keys) and (context.has_list or mark.style == "superscript"):
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


def _bare_numbers(found: dict[str, list[Mark]], context: Context, verdicts: Verdicts) -> None:
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
    if not context.ordered_keys or others * 3 > len(kept) + len(spaced):
        for style in BARE_NUMBERS:
            if found.get(style):
                verdicts.keep(style, (), len(found[style]), "no numbered list, or other labels cite it")
        return
    after_blank = [m for m in (_listed(m, context.ordered_keys) for m in spaced) if m is not None]
    if len(kept) >= len(after_blank) and len(kept) < 3:
        kept, after_blank = [], []
    elif len(kept) >= len(after_blank):
        after_blank = [m for m in after_blank if _ends_clause(m, context.text)]
    elif len(after_blank) < 8:
        kept, after_blank = [], []
    verdicts.keep("glued_number", kept, len(glued), "glued to a sentence, with an entry of that number")
    verdicts.keep(
        "spaced_number", after_blank, len(spaced), "at the end of a clause, with an entry of that number"
    )
    if kept or after_blank:
        filled = [m for m in (_listed(m, context.ordered_keys) for m in cells) if m is not None]
        verdicts.keep("table_number", filled, len(cells), "in a column of sources")


def _listed(mark: Mark, keys: frozenset[str]) -> Mark | None:
    """Keep the leading keys that have an entry; ``.12, 200`` may be a citation and a quantity."""
    good: list[str] = []
    for key in mark.keys:
        if key not in keys:
            break
        good.append(key)
    return replace(mark, keys=tuple(good)) if good else None


def _ends_clause(mark: Mark, text: str) -> bool:
    """In a report that glues its numbers, let one after a blank cite only before a table's bar or a list."""
    after = text[mark.end : mark.end + 3]
    before = text[max(0, mark.start - 2) : mark.start - 1]
    return (after.lstrip(" ").startswith("|") and (before.islower() or before == ")")) or after.startswith(
        ":\n"
    )


def _unglued(mark: Mark, context: Context) -> list[Mark]:
    """Split ``https://x/report.12`` where the report glues its numbers and 12 has an entry."""
    match = _GLUED_TO_URL.fullmatch(mark.keys[0])
    if not match or match["key"] not in context.ordered_keys:
        return [mark]
    at = mark.start + match.end("url")
    url = replace(mark, end=at, keys=(match["url"],), locator=match["url"])
    return [url, Mark(at + 1, mark.end, "glued_number", "label", (match["key"],))]


def _links(found: dict[str, list[Mark]], context: Context, verdicts: Verdicts) -> None:
    labels = verdicts.count(STRONG_LABELS) + verdicts.count(BARE_NUMBERS)
    for style in ("link", "html_link", "doi"):
        if links := found.get(style):
            verdicts.keep(style, links, len(links), "carries its own address")
    if bare := found.get("bare_url"):
        if any(m.style == "glued_number" for m in verdicts.marks):
            bare = [part for m in bare for part in _unglued(m, context)]
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


def _author_year(
    groups: Sequence[Mark], in_sentence: Sequence[Mark], context: Context, verdicts: Verdicts
) -> None:
    """Decide about ``(Doe, 2020)``: by entries with that author and year, or by unmistakable forms."""
    candidates = len(groups) + len(in_sentence)
    if not candidates:
        return
    links = sum(m.family == "link" for m in verdicts.marks)
    known = {(name, year[:4]) for e in context.entries for name in entry_names(e) for year in entry_years(e)}
    kept = [m for m in groups if _is_plain_author_year(m, known)]
    met = sum(_in_entries(m, known) for m in (*groups, *in_sentence))
    strict = sum(m.style == "author_year_strict" for m in groups)
    if links >= candidates:
        verdicts.keep(
            "author_year", (), candidates, "names of works in the prose, the report cites otherwise"
        )
        return
    if not met and not strict:
        verdicts.keep("author_year", (), candidates, "no entry by such an author, no unmistakable form")
        return
    cited = {k for m in kept for k in m.keys}
    for candidate in in_sentence:
        mark = _cut_name(candidate, known) if candidate.style == "narrative_han" else candidate
        if _in_entries(mark, known) or mark.style == "narrative_strict" or cited & set(mark.keys):
            kept.append(mark)
    kept = [replace(m, style="author_year") for m in kept]
    verdicts.keep(
        "author_year",
        kept,
        candidates,
        "authors and years of entries" if met else "several authors and a year",
    )


def _is_plain_author_year(mark: Mark, known: set[tuple[str, str]]) -> bool:
    """Let an acronym pass only with an entry: ``(ICLR 2025)`` is a venue, ``(WHO, 2020)`` an author."""
    return (
        mark.style == "author_year_strict"
        or _in_entries(mark, known)
        or not mark.keys[0].split(" ")[0].isupper()
    )


def _in_entries(mark: Mark, known: set[tuple[str, str]]) -> bool:
    return any(split_key(k)[:2] in known for k in mark.keys)


def _cut_name(mark: Mark, known: set[tuple[str, str]]) -> Mark:
    """Find where a Chinese name begins: the longest ending that is an author."""
    for cut in range(len(mark.keys[0]) - 6):
        keys = tuple(k[cut:] for k in mark.keys)
        if any(split_key(k)[:2] in known for k in keys):
            return replace(mark, start=mark.start + cut, keys=keys)
    return mark


def _titles(titles: Sequence[Mark], context: Context, verdicts: Verdicts) -> None:
    """Decide about 《…》: it marks any title, so the report's own list must show that it cites."""
    if not titles:
        return
    others = sum(m.family == "link" for m in verdicts.marks)
    if any(m.family == "label" for m in verdicts.marks) or others >= len(titles):
        verdicts.keep("book_title", (), len(titles), "titles in the prose, the report cites otherwise")
    elif not _lists_titles({fold(m.keys[0]) for m in titles}, context.entries):
        verdicts.keep("book_title", (), len(titles), "titles in the prose, no list holds them")
    else:
        verdicts.keep("book_title", titles, len(titles), "the report's list holds such titles")


def _lists_titles(titles: set[str], entries: Sequence[Entry]) -> bool:
    """Tell whether a list is made of titles in 《》, or holds at least a tenth of the titles in the text."""
    if sum("《" in e.text for e in entries) * 2 > len(entries):
        return True
    own = [fold(e.title) for e in entries if e.title]
    met = sum(any(_same_work(t, o) for o in own) for t in titles)
    return met > 0 and met * 10 >= len(titles)


def _same_work(one: str, other: str) -> bool:
    """Tell titles of which one begins with the other: enough to see a habit, far too little to resolve by."""
    shorter, longer = sorted((one, other), key=len)
    return shorter == longer or (
        len(shorter) >= (12 if shorter.isascii() else 4) and longer.startswith(shorter)
    )
