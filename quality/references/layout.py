"""How a report writes its reference list, and where the rebuilt one goes.

Belongs here: the label template and the separator taken from the report's own list, the spans that the rebuilt list
replaces, and the heading of a list that did not exist. Does not belong here: what the entries say.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from quality.citations.labels import plain_key
from quality.model import Entry, Mark, Reading, ReferenceList, Report

_HEADINGS = {
    "zh": "参考文献",
    "ja": "参考文献",
    "ko": "참고문헌",
    "de": "Quellen",
    "fr": "Références",
    "es": "Referencias",
    "pt": "Referências",
    "it": "Riferimenti",
}
_GROUP = re.compile(
    r"\s*(?:#{1,6}\s.*|(?:\*\*|__)[^*_]{1,80}(?:\*\*|__)[:：]?|[-*_]{3,}|[^\n]{0,60}[:：])?\s*"
)
_BULLET = re.compile(r"[ \t>]*(?:[-*+•·][ \t]+)?")
_TEMPLATE_OF_MARK = {"footnote": "[^{}]: ", "lenticular": "【{}】 "}


@dataclass(frozen=True, slots=True)
class Layout:
    """``template`` holds ``{}`` for the label; ``row``: table rows; ``linked``: links on titles."""

    template: str
    separator: str
    row: bool = False
    linked: bool = False

    def line(self, label: str, content: str) -> str:
        """Write one entry."""
        body = f"| {content} |" if self.row and not content.startswith("|") else content
        return self.template.replace("{}", label) + body


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace ``body[start:end]`` by ``text``."""

    start: int
    end: int
    text: str


def layout_of(
    body: str, entries: Sequence[Entry], cited: Collection[int], marks: Sequence[Mark], *, needs_labels: bool
) -> Layout:
    """Take the layout from the report's own entries, cited ones first, else from the style of its marks."""
    written = [e for e in entries if e.start >= 0]
    pattern = _pattern(written, cited, needs_labels=needs_labels)
    newline = newline_of(body)
    separator = _separator(body, [e for e in written if pattern is None or e.scope == pattern.scope])
    if pattern is not None:
        prefix = body[line_start(body, pattern.start) : pattern.label_end]
        template = _with_hole(prefix, pattern.key) if pattern.key is not None else prefix
        if template is not None:
            row = prefix.lstrip().startswith("|")
            return Layout(template, separator or newline, row=row, linked=_linked(written))
    if not needs_labels:  # nothing in the body refers to a number, and a number could be taken for a label
        return Layout("- ", separator or newline)
    template = next((_TEMPLATE_OF_MARK.get(m.style, "[{}] ") for m in marks if m.family == "label"), "[{}] ")
    return Layout(template, separator or newline * 2)


def newline_of(body: str) -> str:
    """How most lines of a body end."""
    return "\r\n" if body.count("\r\n") * 2 > body.count("\n") else "\n"


def text_end(body: str, end: int) -> int:
    """Where an entry's text ends: a line end of two characters is not part of it."""
    return end - 1 if body[end - 1 : end + 1] == "\r\n" else end


def _linked(entries: Sequence[Entry]) -> bool:
    links = sum(1 for e in entries if e.title and e.url and f"[{e.title}](" in e.text)
    return links * 2 > len(entries)


def _pattern(entries: Sequence[Entry], cited: Collection[int], *, needs_labels: bool) -> Entry | None:
    """Return the entry to imitate: one with a single label, and a cited one, if there is any such."""
    keyed = [e for e in entries if e.key is not None and not e.aliases]
    pool = keyed or ([] if needs_labels else list(entries))
    return next((e for e in pool if e.ordinal in cited), pool[0] if pool else None)


def heading_of(report: Report) -> str:
    """Heading of a new list, in the language of the report."""
    language = (report.language or "").lower()[:2]
    if not language:
        han = len(re.findall(r"[\u4e00-\u9fff]", report.body))
        language = "zh" if han * 4 > len(report.body) else "en"
    return _HEADINGS.get(language, "References")


def replace_lists(
    body: str, reading: Reading, cited: Collection[int], table: str, *, keep_foreign: bool
) -> list[Edit] | None:
    """Return the edits that put ``table`` where the last cited list stood and take the others away.

    With ``keep_foreign`` a list without labels of which nothing is cited stays: it may be no reference table at all. None
    when there is no list to replace.
    """
    moved = [
        (found, items)
        for found in reading.lists
        if (items := _items(body, reading, found)) and (not keep_foreign or _belongs(reading, found, cited))
    ]
    if not moved:
        return None
    target = _target(reading, moved, cited)
    edits: list[Edit] = []
    for found, items in moved:
        if found is target:
            edits += _without_items(body, items, table)
        else:
            edits += _without_list(body, found, items)
    return edits


def append_list(body: str, heading: str, table: str) -> list[Edit]:
    """Return the edit that puts a list under a heading of its own at the end."""
    newline = newline_of(body)
    ends = 2 if body.endswith(newline * 2) or not body else 1 if body.endswith("\n") else 0
    text = f"{newline * (2 - ends)}## {heading}{newline * 2}{table}{newline}"
    return [Edit(len(body), len(body), text)]


def apply(body: str, edits: Sequence[Edit]) -> str:
    """Apply edits that do not overlap, in one pass."""
    pieces: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        pieces += [body[at : edit.start], edit.text]
        at = edit.end
    return "".join([*pieces, body[at:]])


def line_start(body: str, start: int) -> int:
    """Where the line of an entry begins, if nothing but a bullet or a quote mark stands before its label."""
    begins = body.rfind("\n", 0, start) + 1
    return begins if _BULLET.fullmatch(body, begins, start) else start


def _items(body: str, reading: Reading, found: ReferenceList) -> list[tuple[int, int]]:
    """Spans of the entries of a list; a list that repeats another has no entries of its own in the reading."""
    return [
        (line_start(body, s.start), text_end(body, s.end))
        for s in reading.segments
        if s.kind == "list" and found.start <= s.start < found.end
    ]


def _entries_in(reading: Reading, found: ReferenceList) -> list[Entry]:
    return [e for e in reading.entries if e.origin == "body" and found.start <= e.start < found.end]


def _belongs(reading: Reading, found: ReferenceList, cited: Collection[int]) -> bool:
    entries = _entries_in(reading, found)
    return not entries or any(e.key is not None or e.ordinal in cited for e in entries)


def _target(
    reading: Reading, moved: Sequence[tuple[ReferenceList, list[tuple[int, int]]]], cited: Collection[int]
) -> ReferenceList:
    holding = [found for found, _ in moved if any(e.ordinal in cited for e in _entries_in(reading, found))]
    return (holding or [found for found, _ in moved])[-1]


def _without_items(body: str, items: Sequence[tuple[int, int]], table: str) -> list[Edit]:
    """Put ``table`` in the place of the first entry and take the others away, with the group headings between them."""
    edits = [Edit(items[0][0], items[0][1], table)]
    for (_, before), (start, end) in pairwise(items):
        edits.append(Edit(before if _only_groups(body[before:start]) else start, end, ""))
    return edits


def _without_list(body: str, found: ReferenceList, items: Sequence[tuple[int, int]]) -> list[Edit]:
    edits = _without_items(body, items, "")
    between = any(not _only_groups(body[a:b]) for (_, a), (b, _) in pairwise(items))
    heading_alone = _only_groups(body[found.start : items[0][0]].partition("\n")[2])
    if between or not heading_alone:
        return edits
    return [Edit(found.start, items[-1][1], "")]


def _only_groups(between: str) -> bool:
    """Whether text between two entries is nothing but blanks, rules and headings of groups of entries."""
    return all(_GROUP.fullmatch(line) for line in between.splitlines())


def _separator(body: str, entries: Sequence[Entry]) -> str | None:
    """Blanks between two entries, those at the end of a line (a hard break in Markdown) included."""
    for before, after in pairwise(entries):
        last = before.start + len(body[before.start : before.end].rstrip())
        between = body[last : line_start(body, after.start)]
        if between and not between.strip() and "\n" in between:
            return between
    return None


def _with_hole(prefix: str, key: str | None) -> str | None:
    """Template of a label: the key in ``prefix`` replaced by ``{}``; None when it does not stand there as written.

    Raised and full-width digits are not as written: a plain number in their place would run into the text.
    """
    for match in re.finditer(r"[^\W_]+(?:[_.:-][^\W_]+)*|\d+", prefix):
        token = match.group()
        if key is not None and plain_key(token) == plain_key(key) and token.isascii() == key.isascii():
            return prefix[: match.start()] + "{}" + prefix[match.end() :]
    return None
