"""The page: a masked body as lines, each with its label or heading, and the shapes that lists are made of.

Belongs here: data structures that list finding shares. Does not belong here: any decision.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from quality.citations.headings import Announces, Heading, announcement
from quality.citations.labels import Label, label_at

LABELLED = ("bracket", "linked", "named", "footnote", "ordered", "superscript")
KEYLESS = ("bullet", "para")

_INLINE_LIST = re.compile(
    r"[ \t*_]{0,4}(?P<word>[^\[\]\n:：*_]{2,30})[*_]{0,2}[:：][*_]{0,2}[ \t]*"
    r"(?=\\?\[1\\?\][ \t]*[^\s\[,;][^\n]*[\s.;>]\\?\[2\\?\][ \t]*[^\s\[,;])"
)
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(slots=True)
class Item:
    """One entry as lines: its label, the span of its text and whether its content shows where to look."""

    form: str
    keys: tuple[str, ...]
    start: int
    content: int
    end: int
    first_line: int
    indent: int = 0


@dataclass(slots=True)
class FoundList:
    """A list before it has a scope."""

    heading: Heading | None
    form: str
    items: list[Item] = field(default_factory=list)

    @property
    def start(self) -> int:
        """Where the list begins, its heading included."""
        return self.heading.start if self.heading else self.items[0].start

    @property
    def end(self) -> int:
        """Where its last entry ends."""
        return self.items[-1].end

    @property
    def keys(self) -> set[str]:
        """All labels."""
        return {key for item in self.items for key in item.keys}


@dataclass(slots=True)
class Page:
    """A masked body cut into lines, with the label and heading of each line."""

    text: str
    lines: list[tuple[int, int]]
    labels: list[Label | None]
    headings: list[Heading]
    heading_at: dict[int, Heading]

    def blank(self, number: int) -> bool:
        """Whether the line holds nothing."""
        start, end = self.lines[number]
        return not self.text[start:end].strip()

    def line(self, number: int) -> str:
        """Give the text of a line without its break."""
        start, end = self.lines[number]
        return self.text[start:end]


def cut_lines(text: str) -> list[tuple[int, int]]:
    """Give the spans of the lines without their breaks; ``References: [1] … [2] …`` is cut behind its colon."""
    spans: list[tuple[int, int]] = []
    for match in _LINE.finditer(text):
        start = match.start()
        end = match.end() - 1 if text[match.end() - 1] == "\n" else match.end()
        inline = _INLINE_LIST.match(text, start, end)
        if inline and announcement(inline["word"]) is Announces.SURELY:
            spans.append((start, inline.end()))
            start = inline.end()
        spans.append((start, end))
    return spans


def make_page(text: str, lines: list[tuple[int, int]], headings: list[Heading]) -> Page:
    """Label every line that is no heading."""
    heading_at = {h.line: h for h in headings}
    labels = [None if n in heading_at else label_at(text, *span) for n, span in enumerate(lines)]
    return Page(text, lines, labels, headings, heading_at)
