"""Reference lists: which lines of a body are entries, and to which list they belong.

Belongs here: finding lists under headings, without headings and as footnote definitions, and cutting them into items.
Does not belong here: what an item says (``entries``), and which list a citation is judged against (``scopes``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from quality.citations.headings import Announces, Heading
from quality.citations.labels import Label, label_at

LABELLED = ("bracket", "named", "footnote", "ordered", "superscript")

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_RULE = re.compile(r"[ ]{0,3}(?:-[ \t]*){3,}$|[ ]{0,3}(?:\*[ \t]*){3,}$|[ ]{0,3}(?:_[ \t]*){3,}$")
_URL = re.compile(r"https?://|www\.|\bdoi\.org/|\b10\.\d{4,9}/|\barXiv:", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(?:1[6-9]|20)\d\d[a-z]?(?!\d)")
_ONLY_URLS = re.compile(r"(?:[ \t]*<?https?://\S+>?[ \t]*)+$")
_TABLE_ROW = re.compile(r"[ ]{0,3}\|.*\|[ \t]*$")
_TABLE_RULE = re.compile(r"[ ]{0,3}\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*$")


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
        """The text of a line without its break."""
        start, end = self.lines[number]
        return self.text[start:end]


def cut_lines(text: str) -> list[tuple[int, int]]:
    """Spans of the lines without their line breaks."""
    return [(m.start(), m.end() - 1 if text[m.end() - 1] == "\n" else m.end()) for m in _LINE.finditer(text)]


def make_page(text: str, lines: list[tuple[int, int]], headings: list[Heading]) -> Page:
    """Label every line that is no heading."""
    heading_at = {h.line: h for h in headings}
    labels = [None if n in heading_at else label_at(text, *span) for n, span in enumerate(lines)]
    return Page(text, lines, labels, headings, heading_at)


def find_lists(page: Page) -> list[FoundList]:
    """All reference lists of a body in order of appearance."""
    taken = [False] * len(page.lines)
    found: list[FoundList] = []
    for grade in (Announces.SURELY, Announces.LIKELY, Announces.PERHAPS):
        for index, heading in enumerate(page.headings):
            if heading.announces != grade or taken[heading.line]:
                continue
            if grade is Announces.PERHAPS and any(f.heading for f in found):
                continue
            last = _section_end(page, index)
            candidate = _headed(page, heading, last, taken)
            if candidate and _proves(page, candidate, grade):
                found.append(candidate)
                _take(page, candidate, taken)
    found += _headless(page, taken)
    return sorted(found, key=lambda f: f.start)


def _take(page: Page, found: FoundList, taken: list[bool]) -> None:
    number = found.heading.line if found.heading else found.items[0].first_line
    while number < len(page.lines) and page.lines[number][0] < found.end:
        taken[number] = True
        number += 1


def _section_end(page: Page, index: int) -> int:
    """The line before which the section of a heading ends."""
    heading = page.headings[index]
    for later in page.headings[index + 1 :]:
        if later.announces >= Announces.LIKELY and later.level <= heading.level:
            return later.line
        if later.level <= heading.level and later.level < 7:
            return later.line
    return len(page.lines)


def _headed(page: Page, heading: Heading, last: int, taken: Sequence[bool]) -> FoundList | None:
    first = heading.line + 1
    if first < len(page.lines) and _TABLE_RULE.match(page.line(first)) and "|" not in page.line(first):
        first += 1
    for number in range(first, last):
        if taken[number]:
            last = number
            break
    form = _form_of(page, first, last)
    if form is None:
        return None
    if form == "table":
        items = _table_items(page, first, last)
    elif form == "para":
        items = _paragraph_items(page, first, last)
    else:
        items = _labelled_items(page, first, last, form)
    return FoundList(heading, form, items) if items else None


def _form_of(page: Page, first: int, last: int) -> str | None:
    """Tell how the entries of a section are labelled: by its first labelled line, else not at all (``para``).

    None: the section is prose, in which a list without a heading follows.
    """
    looked = 0
    for number in range(first, last):
        if page.blank(number) or number in page.heading_at:
            continue
        label = page.labels[number]
        if label:
            return label.form
        if _TABLE_ROW.match(page.line(number)):
            return "table"
        looked += 1
        if looked >= 4:
            break
    labelled = sum(
        label is not None
        and label.form in LABELLED
        and bool(_URL.search(page.text, label.end, page.lines[n][1]))
        for n, label in enumerate(page.labels[first:last], first)
    )
    return None if labelled >= 2 else "para"


def _labelled_items(page: Page, first: int, last: int, form: str) -> list[Item]:
    items: list[Item] = []
    after_blank = closed = False
    for number in range(first, last):
        start, end = page.lines[number]
        if page.blank(number):
            after_blank = True
            continue
        if number in page.heading_at or _RULE.match(page.text, start, end):
            closed = after_blank = True
            continue
        label = page.labels[number]
        if label and _opens_item(items, label, form, start):
            items.append(Item(form, label.keys, label.start, label.end, end, number, label.start - start))
            closed = False
        elif items and not closed and _continues(page, number, items[-1], after_blank):
            items[-1].end = end
        elif items:
            closed = True
            if label is None and not _short(page.text[start:end]):
                break
        after_blank = False
    return items


def _short(line: str) -> bool:
    return len(line.strip()) <= 60 or line.strip().endswith((":", "："))


def _opens_item(items: list[Item], label: Label, form: str, line_start: int) -> bool:
    if label.form != form:
        return False
    if not items:
        return True
    indent = label.start - line_start
    if form == "bullet":
        return indent <= items[0].indent + 1
    return form != "ordered" or indent <= items[0].indent + 2


def _continues(page: Page, number: int, item: Item, after_blank: bool) -> bool:
    start, end = page.lines[number]
    line = page.text[start:end]
    indented = len(line) - len(line.lstrip(" \t")) > item.indent
    if not after_blank:
        return indented or item.form != "footnote" or page.labels[number] is None
    return indented or bool(_ONLY_URLS.match(line))


def _paragraph_items(page: Page, first: int, last: int) -> list[Item]:
    """Entries without labels: one a line where the lines show evidence, else one a paragraph."""
    items: list[Item] = []
    paragraph: list[int] = []
    for number in [*range(first, last), -1]:
        if number >= 0 and not page.blank(number) and number not in page.heading_at:
            paragraph.append(number)
            continue
        if not paragraph:
            continue
        spans = [page.lines[n] for n in paragraph]
        proven = [_evident(page.text[a:b]) for a, b in spans]
        if any(proven) and (len(spans) == 1 or sum(proven) * 2 >= len(spans)):
            items += (Item("para", (), a, a, b, n) for n, (a, b) in zip(paragraph, spans, strict=True))
        elif any(proven):
            items.append(Item("para", (), spans[0][0], spans[0][0], spans[-1][1], paragraph[0]))
        elif items:
            break
        paragraph = []
    return items


def _table_items(page: Page, first: int, last: int) -> list[Item]:
    items: list[Item] = []
    for number in range(first, last):
        start, end = page.lines[number]
        line = page.text[start:end]
        if not _TABLE_ROW.match(line):
            if items and line.strip():
                break
            continue
        following = page.line(number + 1) if number + 1 < last else ""
        if _TABLE_RULE.match(line) or _TABLE_RULE.match(following):
            continue
        at = start + line.index("|") + 1
        stop = page.text.find("|", at, end)
        label = label_at(page.text, at, stop) if stop > at else None
        cell = page.text[at:stop].strip()
        if label and label.keys:
            items.append(Item("table", label.keys, start, label.end, end, number))
        elif cell.isdecimal():
            items.append(Item("table", (str(int(cell)),), start, stop, end, number))
        else:
            items.append(Item("table", (), start, at, end, number))
    return items


def _evident(text: str) -> bool:
    return bool(_URL.search(text) or _YEAR.search(text))


def _share(page: Page, found: FoundList, pattern: re.Pattern[str]) -> float:
    return sum(bool(pattern.search(page.text, i.start, i.end)) for i in found.items) / len(found.items)


def _proves(page: Page, found: FoundList, grade: Announces) -> bool:
    """Whether the entries themselves carry out what the heading announced."""
    if grade is Announces.SURELY and found.form != "para":
        return True
    links = _share(page, found, _URL)
    if found.form in ("bracket", "footnote", "named"):
        return grade > Announces.PERHAPS or links >= 0.5
    if grade is Announces.PERHAPS:
        return links >= 0.6 and len(found.items) >= 2
    return max(links, _share(page, found, _YEAR)) >= 0.5


def _headless(page: Page, taken: list[bool]) -> list[FoundList]:
    """Footnote definitions wherever they stand, and runs of labelled lines that nothing announces."""
    found: list[FoundList] = []
    run: FoundList | None = None
    for number in range(len(page.lines)):
        label = page.labels[number]
        if taken[number] or number in page.heading_at:
            _closed(page, run, found)
            run = None
            continue
        start, end = page.lines[number]
        if (
            label
            and label.form in ("footnote", "bracket", "named")
            and label.end < end
            and _defines(page, number, label)
        ):
            if run is None or run.form != label.form:
                _closed(page, run, found)
                run = FoundList(None, label.form)
            run.items.append(
                Item(label.form, label.keys, label.start, label.end, end, number, label.start - start)
            )
        elif run and not page.blank(number):
            after_blank = page.blank(number - 1)
            if _continues(page, number, run.items[-1], after_blank):
                run.items[-1].end = end
            else:
                _closed(page, run, found)
                run = None
    _closed(page, run, found)
    return found


def _defines(page: Page, number: int, label: Label) -> bool:
    """A footnote is defined with a colon; a bracket may open a sentence, so the run decides."""
    if label.form == "footnote":
        return ":" in page.text[label.start : label.end] or "：" in page.text[label.start : label.end]
    return True


def _closed(page: Page, run: FoundList | None, found: list[FoundList]) -> None:
    """Keep a finished run if it is a list."""
    if run is None:
        return
    if run.form == "footnote":
        previous = next((f for f in reversed(found) if f.form == "footnote" and not f.heading), None)
        if previous and not previous.keys & run.keys:
            previous.items += run.items
        else:
            found.append(run)
        return
    links = _share(page, run, _URL)
    if (len(run.items) >= 2 and links >= 0.5) or (
        len(run.items) >= 1 and links == 1 and _is_definition(page, run)
    ):
        found.append(run)


def _is_definition(page: Page, run: FoundList) -> bool:
    item = run.items[0]
    return ":" in page.text[item.start : item.content]
