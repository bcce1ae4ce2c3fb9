"""How a work is cited in the text, and how its entry is written: the ways that the reports use.

Belongs here: marks and entries of sound form. Does not belong here: cutting and soiling them (``faults``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from .model import SLOT, Work

NUMBERED = ("bracket", "lenticular", "footnote", "named_footnote")
STYLES = (*NUMBERED, "author_year", "link", "title", "none")


@dataclass
class Citer:
    """Puts the marks of one style into texts; ``cited`` collects the works by first appearance.

    ``shown`` says which title stands in a 《…》 or link (default: the whole one); works outside ``only`` are
    named without being cited, and ``numbers`` overrides the number that a work gets.
    """

    style: str
    language: str
    works: Mapping[str, Work]
    shown: Callable[[Work], str] = lambda work: work.title
    only: frozenset[str] | None = None
    numbers: Mapping[str, int] | None = None
    cited: list[str] = field(default_factory=list)

    def render(self, text: str) -> str:
        """``text`` with every slot replaced."""
        return SLOT.sub(self._slot, text)

    def label(self, key: str) -> str:
        """The number or name under which a work is cited and listed."""
        if self.style == "named_footnote":
            return name_of(self.works[key])
        number = self.numbers[key] if self.numbers is not None else self.cited.index(key) + 1
        return str(number)

    def _slot(self, match: re.Match[str]) -> str:
        keys = match["keys"].split(",")
        marked = [key for key in keys if self.style != "none" and (self.only is None or key in self.only)]
        for key in marked:
            if key not in self.cited:
                self.cited.append(key)
        lead = " " if match.group().startswith(" ") else ""
        if match["subject"]:
            return lead + self._subject(self.works[keys[0]], keys[0], bool(marked)) + match["stop"]
        return self._behind(marked, lead) + match["stop"] if marked else match["stop"]

    def _subject(self, work: Work, key: str, marked: bool) -> str:
        if not marked:
            return self._people(work)
        if self.style == "title":
            return f"《{self.shown(work)}》"
        if self.style == "author_year":
            return (
                f"{self._people(work)} ({work.year})"
                if not self._chinese
                else f"{self._people(work)}（{work.year}）"
            )
        gap = "" if self._chinese or "footnote" in self.style else " "
        return self._people(work) + gap + self._mark([key])

    def _behind(self, keys: list[str], lead: str) -> str:
        if "footnote" in self.style:
            return self._mark(keys)
        return lead + self._mark(keys)

    def _mark(self, keys: list[str]) -> str:
        opened, closed, between = ("（", "）", "；") if self._chinese else ("(", ")", "; ")
        if self.style == "bracket":
            return f"[{', '.join(self.label(key) for key in keys)}]"
        if self.style == "lenticular":
            return f"【{'，'.join(self.label(key) for key in keys)}】"
        if "footnote" in self.style:
            return "".join(f"[^{self.label(key)}]" for key in keys)
        if self.style == "title":
            return opened + between.join(f"《{self.shown(self.works[key])}》" for key in keys) + closed
        if self.style == "link":
            return (
                opened
                + between.join(f"[{self.works[k].title}]({self.works[k].address})" for k in keys)
                + closed
            )
        comma = "，" if self._chinese else ", "
        return (
            opened
            + between.join(f"{self._names(self.works[k])}{comma}{self.works[k].year}" for k in keys)
            + closed
        )

    @property
    def _chinese(self) -> bool:
        return self.language == "zh"

    def _people(self, work: Work) -> str:
        """Authors as the subject of a sentence."""
        names = [surname(name) for name in work.authors]
        if not names:
            return "有研究" if self._chinese else "One study"
        if len(names) == 1:
            return names[0]
        return f"{names[0]}等" if self._chinese else f"{names[0]} and {names[1]}"

    def _names(self, work: Work) -> str:
        """Authors in brackets."""
        names = [surname(name) for name in work.authors]
        if len(names) == 1:
            return names[0]
        return f"{names[0]}等" if work.is_chinese else f"{names[0]} & {names[1]}"


def surname(name: str) -> str:
    """The surname of an English author, the whole name of a Chinese one or of an office."""
    return (
        name
        if (not name.isascii() and not re.search(r"[A-Za-z]", name)) or name.endswith("Board")
        else name.rsplit(maxsplit=1)[-1]
    )


def initials(name: str) -> str:
    """``Ines Halvorsen`` as ``Halvorsen, I.``."""
    if surname(name) == name:
        return name
    *given, last = name.split()
    return f"{last}, {' '.join(part[0] + '.' for part in given)}"


def name_of(work: Work) -> str:
    """A short ASCII name for a footnote: ``halvorsen21``, or the id where the author has none."""
    last = surname(work.authors[0]).lower()
    return (
        f"{last}{(work.year or 0) % 100:02d}"
        if last.isascii() and last.isalpha()
        else work.id.replace("-", "")
    )


def entry_of(work: Work, *, marked: bool = False) -> str:
    """The content of a sound entry, in the layout of the work's language; ``marked`` puts the title into 《…》."""
    where = locator_of(work)
    if work.is_chinese and marked:
        return f"《{work.title}》，{'、'.join(work.authors)}，{work.venue}，{work.year}。{where}"
    if work.is_chinese:
        return f"{', '.join(work.authors)}. {work.title}[{'J' if work.doi else 'EB/OL'}]. {work.venue}, {work.year}. {where}"
    return (
        f"{', '.join(map(initials, work.authors))} ({work.year}). {work.title}. {work.venue}. {where}".strip()
    )


def locator_of(work: Work) -> str:
    """The identifier or address that an entry ends with."""
    if work.doi:
        shown = f"doi:{work.doi}" if work.is_chinese else f"https://doi.org/{work.doi}"
        return f"{shown} PMID {work.pmid}" if work.pmid else shown
    if work.arxiv_id:
        return f"arXiv:{work.arxiv_id}"
    return work.url or (f"ISBN {work.isbn}" if work.isbn else "")


def line_of(style: str, label: str, content: str) -> str:
    """One line of the reference list."""
    if style == "bracket":
        return f"[{label}] {content}"
    if style == "lenticular":
        return f"【{label}】{content}"
    if "footnote" in style:
        return f"[^{label}]: {content}"
    return f"- {content}"
