"""Context and verdicts: what a report's lists say, and what has been decided about its marks so far.

Belongs here: the two values that weighing passes around. Does not belong here: any rule (``evidence`` and its
neighbours).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from quality.citations.page import FoundList
from quality.model import Entry, Mark

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
BARE_NUMBERS = ("glued_number", "spaced_number", "table_number")
SUPERSCRIPTS = ("sup_tag", "caret", "superscript")


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


def context_of(text: str, lists: Sequence[FoundList], entries: Sequence[Entry]) -> Context:
    """Sum up the labels of the lists; ``text`` is the masked body without their entries."""
    caret = {k for found in lists if found.form == "footnote" for k in found.keys}
    plain = {k for found in lists if found.form != "footnote" for k in found.keys}
    ordered = {k for found in lists if found.form in ("ordered", "superscript", "table") for k in found.keys}
    return Context(
        text, frozenset(plain), frozenset(caret), frozenset(ordered), bool(lists), entries=tuple(entries)
    )
