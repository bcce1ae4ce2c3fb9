"""How a report writes its reference list, and where the rebuilt one goes.

Belongs here: the label template and the separator taken from the report's own list, the spans that the rebuilt list
replaces, and the heading of a list that did not exist. Does not belong here: what the entries say.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

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
_TEMPLATE_OF_MARK = {"footnote": "[^{}]: ", "lenticular": "【{}】 "}


@dataclass(frozen=True, slots=True)
class Layout:
    """``template`` holds ``{}`` for the label, or nothing where the list has bullets; ``after`` closes an entry."""

    template: str
    separator: str
    after: str = ""

    @property
    def labelled(self) -> bool:
        """Whether entries carry a label."""
        return "{}" in self.template

    def line(self, label: str, content: str) -> str:
        """Write one entry."""
        return (self.template.replace("{}", label) if self.labelled else self.template) + content + self.after


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace ``body[start:end]`` by ``text``."""

    start: int
    end: int
    text: str


def layout_of(body: str, entries: Sequence[Entry], marks: Sequence[Mark], *, needs_labels: bool) -> Layout:
    """Take the layout from the report's own entries, else from the style of its marks."""
    ordered = [e for e in entries if e.start >= 0]
    keyed = [e for e in ordered if e.key is not None and not e.aliases]
    pattern = (keyed or ordered)[:1]
    separator = _separator(body, ordered)
    if pattern and (keyed or not needs_labels):
        prefix = body[pattern[0].start : pattern[0].label_end]
        table = body[pattern[0].start : pattern[0].end].lstrip().startswith("|")
        template = _with_hole(prefix, pattern[0].key) if pattern[0].key is not None else prefix
        if template is not None:
            return Layout(template, separator or "\n", " |" if table else "")
    if not needs_labels:  # nothing in the body refers to a number, and a number could be taken for a label
        return Layout("- ", separator or "\n")
    template = next((_TEMPLATE_OF_MARK.get(m.style, "[{}] ") for m in marks if m.family == "label"), "[{}] ")
    return Layout(template, separator or "\n\n")


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
        if (items := _items(reading, found)) and (not keep_foreign or _belongs(reading, found, cited))
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
    gap = "" if body.endswith("\n\n") or not body else "\n" if body.endswith("\n") else "\n\n"
    return [Edit(len(body), len(body), f"{gap}## {heading}\n\n{table}\n")]


def apply(body: str, edits: Sequence[Edit]) -> str:
    """Apply edits that do not overlap, in one pass."""
    pieces: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        pieces += [body[at : edit.start], edit.text]
        at = edit.end
    return "".join([*pieces, body[at:]])


def _items(reading: Reading, found: ReferenceList) -> list[tuple[int, int]]:
    """Spans of the entries of a list; a list that repeats another has no entries of its own in the reading."""
    return [
        (s.start, s.end) for s in reading.segments if s.kind == "list" and found.start <= s.start < found.end
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
    edits = [Edit(items[0][0], items[0][1], table)]
    for (_, before), (start, end) in zip(items, items[1:], strict=False):
        edits.append(Edit(start if body[before:start].strip() else before, end, ""))
    return edits


def _without_list(body: str, found: ReferenceList, items: Sequence[tuple[int, int]]) -> list[Edit]:
    edits = _without_items(body, items, "")
    between = any(body[a:b].strip() for (_, a), (b, _) in zip(items, items[1:], strict=False))
    heading_alone = "\n" not in body[found.start : items[0][0]].strip()
    if between or not heading_alone:
        return edits
    return [Edit(found.start, items[-1][1], "")]


def _separator(body: str, entries: Sequence[Entry]) -> str | None:
    for before, after in zip(entries, entries[1:], strict=False):
        between = body[before.end : after.start]
        if between and not between.strip() and "\n" in between:
            return between
    return None


def _with_hole(prefix: str, key: str | None) -> str | None:
    """Template of a label: the key in ``prefix`` replaced by ``{}``; None when it does not stand there as written."""
    for match in re.finditer(r"[^\W_]+(?:[_.:-][^\W_]+)*|\d+", prefix):
        if key is not None and plain_key(match.group()) == plain_key(key):
            return prefix[: match.start()] + "{}" + prefix[match.end() :]
    return None
