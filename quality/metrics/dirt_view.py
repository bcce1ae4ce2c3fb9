"""What a person sees of a reference entry: its content without label, addresses and access notes.

Belongs here: masking, with every offset kept, and the stretches of an entry that can be its title.
Does not belong here: any judgement about dirt (``dirt`` and its rules).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from quality.model import Entry

Spans = Iterator[tuple[int, int]]
"""Offsets in an entry's text, end exclusive."""

_LABEL = re.compile(
    r"\s*(?:[-*+•·]\s+)?(?:\\?\[\^?[\w.:-]{1,24}\^?\\?\][:.]?|【\d{1,4}】|\(\d{1,4}\)|（\d{1,4}）|"
    r"\d{1,4}\\?[.)、．](?!\d))?\s*"
)
_ADDRESS = re.compile(r"(?:https?://|ftp://|www\.[^\s/]{1,80}/)[^\s\[\]<>\"，。；）】]*")
_LINK_TARGET = re.compile(r"\]\([^()\n]*\)")
_HOSTED = re.compile(r"https?://[^\s/.]{1,63}[./]|www\.")
_ACCESS_NOTE = re.compile(
    r"(?:accessed|retrieved|visited|viewed)(?: on| at)?:? (?:[a-z]{3,9}\.? \d{1,2},? \d{4}"
    r"|\d{1,2} [a-z]{3,9}\.?,? \d{4}|\d{4}[-/.]\d{1,2}[-/.]\d{1,2})"
    r"|(?:檢索日期|检索日期|訪問日期|访问日期|访问时间|訪問時間|存取日期|查阅日期|引用日期)[：:]? "
    r"?[\d年月日/.,， -]{4,24}"
)
_ACCESS_HINTS = ("accessed", "retrieved", "visited", "viewed", "日期", "时间", "時間")
_TRIM = " \t\n\r\u00a0\u3000,.;:，。；：、-–—*_\"'“”‘’`[]()（）<>\\"


@dataclass(frozen=True, slots=True)
class View:
    """An entry as its rules look at it. All offsets are in the entry's text."""

    text: str
    start: int  # where the content begins, after the labels
    label_end: int  # where the first label ends; more of them can follow
    shown: str  # as long as the text; label, addresses, link targets and access notes are blanks
    lower: str  # ``shown`` in lower case, as long as it
    titles: tuple[tuple[int, int], ...]  # stretches that can be the title, trimmed, none of them empty
    addresses: tuple[str, ...]  # URLs in the order of the text
    first_address: int  # offset of the first of them; the length of the text without one
    table_row: bool  # pipes are cell borders
    authored: bool  # the reader found authors
    identified: bool  # the reader found an identifier


def view(entry: Entry) -> View:
    """Look at an entry. Linear in the length of its text."""
    text = entry.text
    start = content_start(entry)
    lower = lowered(text)
    addresses = []
    if "://" in lower or "www." in lower:
        addresses = [m.span() for m in _ADDRESS.finditer(lower, start) if _HOSTED.match(m.group())]
    hidden = [(0, start), *addresses]
    lower = _blank(lower, hidden)
    if "](" in lower:
        targets = [(m.start() + 1, m.end()) for m in _LINK_TARGET.finditer(lower, start)]
        hidden, lower = hidden + targets, _blank(lower, targets)
    if any(hint in lower for hint in _ACCESS_HINTS):
        notes = [m.span() for m in _ACCESS_NOTE.finditer(lower, start)]
        hidden, lower = hidden + notes, _blank(lower, notes)
    shown = _blank(text, _merged(hidden))
    return View(
        text=text,
        start=start,
        label_end=min(_first_label_end(text), start),
        shown=shown,
        lower=lower,
        titles=tuple(_titles(entry, text, shown, start)),
        addresses=tuple(text[a:b] for a, b in addresses),
        first_address=addresses[0][0] if addresses else len(text),
        table_row=text.lstrip().startswith("|"),
        authored=entry.authors is not None,
        identified=bool(entry.identifiers),
    )


def lowered(shown: str) -> str:
    """Lower the case without changing the length (a few letters would become two)."""
    lower = shown.lower()
    return (
        lower if len(lower) == len(shown) else "".join(c.lower() if len(c.lower()) == 1 else c for c in shown)
    )


def content_start(entry: Entry) -> int:
    """Give the offset in ``entry.text`` at which the label ends: the reader's, else that of a label there."""
    if 0 <= entry.start <= entry.label_end:
        return min(entry.label_end - entry.start, len(entry.text))
    return _first_label_end(entry.text)


def _first_label_end(text: str) -> int:
    match = _LABEL.match(text)
    return match.end() if match else 0


def holds_any(text: str, hints: tuple[str, ...]) -> bool:
    """Tell whether one of the hints is in the text; a loop, as it runs for every entry and rule."""
    for hint in hints:  # noqa: SIM110 - a generator costs twice the time here
        if hint in text:
            return True
    return False


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Take blanks, quotes, brackets and separators off both ends of a span."""
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip(_TRIM))
    return start + left, max(start + left, start + len(piece.rstrip(_TRIM)))


def _titles(entry: Entry, text: str, shown: str, start: int) -> list[tuple[int, int]]:
    spans = []
    if entry.title and (at := text.find(entry.title, start)) >= 0:
        spans.append((at, at + len(entry.title)))
    opened = shown.find("[", start)
    if opened >= 0 and (closed := shown.find("]", opened)) > 0 and text[closed + 1 : closed + 2] == "(":
        spans.append((opened, closed))
    spans.append((start, len(text)))
    found = [trimmed(shown, *span) for span in spans]
    return list(dict.fromkeys((a, b) for a, b in found if a < b))


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Order spans, and join those that overlap: a link's target holds an address."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _blank(text: str, spans: list[tuple[int, int]]) -> str:
    """Replace each span by as many blanks. The spans ascend and do not overlap."""
    parts, last = [], 0
    for start, end in spans:
        parts += [text[last:start], " " * (end - start)]
        last = end
    return "".join([*parts, text[last:]])
