"""Residue in reference entries: ``find_dirt`` names every reason with its place.

Belongs here: the rules, one function per reason, each linear in the length of the entry.
Does not belong here: counting (``entries``), what machines leave (``dirt_markers``), titles that are
none (``dirt_titles``, ``dirt_queries``,
``quality.error_pages``), prose (``dirt_passages``).

Clean, on purpose: a long title; a bare address; one pipe before a site name or in a headline; a site name
after a dash or an underscore; a title cut with an ellipsis; an annotation behind a link; table borders.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable

from quality.error_pages import is_error_page, is_spoilt
from quality.metrics.dirt_markers import internal_marker, markup_residue, tool_call_leak
from quality.metrics.dirt_passages import is_passage
from quality.metrics.dirt_queries import is_query, is_results_title, is_search_address
from quality.metrics.dirt_titles import fill_in, is_example, is_host_of, is_nameless, is_producer_default
from quality.metrics.dirt_view import Spans, View, trimmed, view
from quality.model import DirtyFinding, Entry

_CJK = r"\u2e80-\u9fff\uff00-\uffef"
_PIPE = re.compile(
    rf"(?<=[\s{_CJK}])\\?[|｜¦]|\\?[|｜¦](?=[\s{_CJK}]|$)|(?<=[A-Za-z][A-Za-z])\\?\|(?=[A-Za-z]{{2}})|｜"
)
_SITE_CHAIN = re.compile(rf"[{_CJK}]_\S|\S_[{_CJK}]")
_TRAILING_NUMBER = re.compile(
    r"(?<=\S)[ \u00a0]?(?:\\?\[\^?(?!(?:1[5-9]|20)\d\d)\d{1,4}(?:[,，、;–-] ?\d{1,4})*\\?\]|【\d{1,4}】)+[ "
    r".。,，;；]*$"
)
_DOUBLED_NUMBER = re.compile(r"\d{1,3}\\?\. (?=[A-Z\"“\u3400-\u9fff])")
_FILLER = re.compile(
    r"\b(?:https?|www|doi|urls?|links?|sources?|references?|available|retrieved|accessed|online|at|on|from|"
    r"in|pp?|vol|no|n\.?d|eds?"
    r"|et al|(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6})\b|(?<!\d)\d{1,4}(?!\d)"
    r"|来源|來源|链接|鏈接|网址|地址|检索|檢索|访问|訪問|引用|日期|时间|出处|参见|年|月|日"
)
_DOI = re.compile(r"\b10\.\d{4,9}/\S")
_LINK_TEXT = re.compile(r"\[([^\[\]\n]*)\]\(")
_HEADLINE_LEAD = 6  # characters; a shorter lead ("Exclusive｜…") is the headline's own
_MAX_EMPTY = 80
_TAIL = 200  # characters at the end in which a left-over number is looked for
_MIN_PASSAGE = 70  # characters
_ANNOTATED_WITHIN = 250  # characters in which the address of an annotated entry comes


def find_dirt(entry: Entry) -> list[DirtyFinding]:
    """Name every reason why an entry is dirty, with the span in ``entry.text``; a clean entry has none.

    Reasons: ``empty``, ``tool_call_leak``, ``internal_marker``, ``markup_residue``, ``placeholder``,
    ``error_page_title``, ``pipe_residue``, ``numbering_residue``, ``section_fragment``.
    """
    seen = view(entry)
    return [
        DirtyFinding(entry.ordinal, reason, start, end)
        for reason, rule in _RULES
        for start, end in rule(seen)
    ]


def _empty(seen: View) -> Spans:
    """Find nothing but punctuation, years, and words that announce an address that does not come."""
    if seen.addresses or seen.identified or _DOI.search(seen.shown, seen.start):
        return
    content = seen.lower[seen.start :].strip()
    if len(content) <= _MAX_EMPTY and not any(c.isalnum() for c in _FILLER.sub(" ", content)):
        yield 0, len(seen.text)


def _placeholder(seen: View) -> Spans:
    for start, end in seen.titles:
        title = seen.text[start:end]
        if (
            is_nameless(title)
            or is_host_of(title, seen.addresses)
            or is_producer_default(title, seen.addresses)
        ):
            yield start, end
            return
    if span := fill_in(seen.text, seen.lower, seen.start):
        yield span
        return
    if span := _search(seen):
        yield span
        return
    for address in seen.addresses:
        if is_example(address):
            start = seen.text.index(address)
            yield start, start + len(address)
            return


def _search(seen: View) -> tuple[int, int] | None:
    """Find a search that is named as the source: its results' title or address, or its query alone."""
    for start, end in seen.titles:
        if is_results_title(seen.text[start:end]):
            return start, end
    start, end = trimmed(seen.shown, seen.start, len(seen.shown))
    if start < end:
        alone = not (
            seen.addresses or seen.identified or seen.authored or _DOI.search(seen.shown, seen.start)
        )
        written = seen.shown[seen.start :].strip()  # with its quotes, which a query may need
        return (start, end) if alone and (is_query(seen.text[start:end]) or is_query(written)) else None
    if seen.addresses and all(map(is_search_address, seen.addresses)):
        start = seen.text.index(seen.addresses[0])
        return start, start + len(seen.addresses[0])
    return None


def _error_page_title(seen: View) -> Spans:
    """Find the title of an error page, or one that a message or a default site name has spoilt."""
    for start, end in seen.titles:
        title = seen.text[start:end]
        if is_error_page(title, authored=seen.authored) or is_spoilt(title):
            yield start, end
            return


def _pipe_residue(seen: View) -> Spans:
    """Find two pipes or more, a pipe at an end, or one with a tail of more site parts behind it.

    The pipes of each link's text count apart, and so do those outside of links.
    """
    if seen.table_row or not any(pipe in seen.shown for pipe in "|｜¦"):
        return
    links = [m.span(1) for m in _LINK_TEXT.finditer(seen.text, seen.start)] if "](" in seen.text else []
    whole = trimmed(seen.shown, seen.start, len(seen.shown))
    groups: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for pipe in _PIPE.finditer(seen.shown, seen.start):
        place = bisect_right(links, (pipe.start(), len(seen.text))) - 1
        inside = place >= 0 and pipe.start() < links[place][1]
        groups.setdefault(links[place] if inside else whole, []).append(pipe.span())
    for (start, end), pipes in groups.items():
        if _is_residue(seen, start, end, pipes):
            yield pipes[0][0], max(end, pipes[-1][1])
            return


def _is_residue(seen: View, start: int, end: int, pipes: list[tuple[int, int]]) -> bool:
    """Tell whether the pipes of one stretch are more than one site name or a headline needs."""
    (first, _), (_, last) = pipes[0], pipes[-1]
    if len(pipes) >= 2 or last >= end or first <= start:
        return True
    tail = seen.shown[last:end]
    return first - start >= _HEADLINE_LEAD and (" > " in tail or _SITE_CHAIN.search(tail) is not None)


def _numbering_residue(seen: View) -> Spans:
    """Find a citation number left at the end, or a second list number behind the first."""
    tail_start = max(seen.start, len(seen.shown) - _TAIL)
    tail = seen.shown[tail_start:].rstrip()
    if tail.rstrip(" .。,，;；")[-1:] in {"]", "】"} and (match := _TRAILING_NUMBER.search(tail)):
        if seen.shown[seen.start : tail_start + match.start()].strip():
            yield tail_start + match.start(), tail_start + match.end()
    elif seen.text[: seen.start].strip()[:1].isdigit() and (
        match := _DOUBLED_NUMBER.match(seen.shown, seen.start)
    ):
        yield match.span()


def _section_fragment(seen: View) -> Spans:
    start, end = trimmed(seen.shown, seen.start, len(seen.shown))
    annotated = bool(seen.addresses) and seen.first_address <= start + _ANNOTATED_WITHIN
    if end - start >= _MIN_PASSAGE and is_passage(seen.shown, start, annotated=annotated):
        yield start, end


_RULES: tuple[tuple[str, Callable[[View], Spans]], ...] = (
    ("empty", _empty),
    ("tool_call_leak", tool_call_leak),
    ("internal_marker", internal_marker),
    ("markup_residue", markup_residue),
    ("placeholder", _placeholder),
    ("error_page_title", _error_page_title),
    ("pipe_residue", _pipe_residue),
    ("numbering_residue", _numbering_residue),
    ("section_fragment", _section_fragment),
)
