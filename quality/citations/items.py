"""Items: a section under a heading cut into the entries of a list.

Belongs here: telling how entries are labelled, and where each begins and ends. Does not belong here:
whether the section is a reference list at all (``lists``).
"""

from __future__ import annotations

import re
from dataclasses import replace

from quality.citations.labels import Label, label_at
from quality.citations.page import LABELLED, Item, Page

URL = re.compile(r"https?://|www\.|\bdoi\.org/|\b10\.\d{4,9}/|\barXiv:", re.IGNORECASE)
YEAR = re.compile(r"(?<!\d)(?:1[6-9]|20)\d\d[a-z]?(?!\d)")
RULE = re.compile(r"[ ]{0,3}(?:-[ \t]*){3,}$|[ ]{0,3}(?:\*[ \t]*){3,}$|[ ]{0,3}(?:_[ \t]*){3,}$")

_ONLY_URLS = re.compile(r"(?:[ \t]*<?https?://\S+>?[ \t]*)+$")
_TABLE_ROW = re.compile(r"[ ]{0,3}\|.*\|[ \t]*$")
TABLE_RULE = re.compile(r"[ ]{0,3}\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*$")


def cut_items(page: Page, first: int, last: int) -> tuple[str, list[Item]]:
    """Cut the lines ``first`` to ``last`` (exclusive) into items; tells the form of their labels as well."""
    form = _form_of(page, first, last)
    if form is None:
        return "para", []
    if form == "table":
        return form, _table_items(page, first, last)
    if form == "para":
        return form, _paragraph_items(page, first, last)
    return form, _labelled_items(page, first, last, form)


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
        and bool(URL.search(page.text, label.end, page.lines[n][1]))
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
        if number in page.heading_at or RULE.match(page.text, start, end):
            closed = after_blank = True
            continue
        label = page.labels[number]
        if label and _opens_item(items, label, form, start):
            items.append(Item(form, label.keys, label.start, label.end, end, number, label.start - start))
            closed = False
        elif items and not closed and continues(page, number, items[-1], after_blank):
            items[-1].end = end
        elif items:
            closed = True
            if label is None and not _short(page.text[start:end]):
                break
        after_blank = False
    return _renumbered(_split_lines(page, items))


def _renumbered(items: list[Item]) -> list[Item]:
    """Give items the numbers of a rendered list where all are written ``1.``."""
    if len(items) > 1 and items[0].form == "ordered" and {i.keys for i in items} == {items[0].keys}:
        first = int(items[0].keys[0])
        for n, item in enumerate(items):
            item.keys = (str(first + n),)
    return items


def _split_lines(page: Page, items: list[Item]) -> list[Item]:
    """Cut items in whose line the next one begins, as in ``[1] One. 2001. [2] Two. 2002.``."""
    if not items or items[0].form != "bracket":
        return items
    own = {key for item in items for key in item.keys}
    done: list[Item] = []
    for whole in items:
        item = whole
        while (at := _next_label(page, item, own)) and (label := label_at(page.text, at, item.end)):
            done.append(replace(item, end=at))
            item = Item(item.form, label.keys, label.start, label.end, item.end, item.first_line, item.indent)
            own |= set(item.keys)
        done.append(item)
    return done


def _next_label(page: Page, item: Item, own: set[str]) -> int | None:
    """Find the label that follows an item's number inside its own text, if no line of the list has it."""
    if not item.keys or not item.keys[-1].isdecimal():
        return None
    following = str(int(item.keys[-1]) + 1)
    if following in own:
        return None
    match = re.compile(rf"(?<=[\s.;>]) ?\[{following}\] (?=\S)").search(page.text, item.content, item.end)
    return match.start() + len(match[0]) - len(match[0].lstrip()) if match else None


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


def continues(page: Page, number: int, item: Item, after_blank: bool) -> bool:
    """Tell whether a line without a label of its own belongs to the item before it."""
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
        if TABLE_RULE.match(line) or TABLE_RULE.match(following):
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
    return bool(URL.search(text) or YEAR.search(text))
