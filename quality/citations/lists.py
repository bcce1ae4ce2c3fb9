"""Reference lists: which stretches of a body are lists.

Belongs here: finding lists under headings, without headings and as footnote definitions, and the proof
that what a heading announced is there. Does not belong here: cutting a section into entries (``items``),
what an entry says (``entries``), which list a citation is judged against (``scopes``).
"""

from __future__ import annotations

import re

from quality.citations.headings import PLAIN_LEVEL, Announces, Heading
from quality.citations.items import TABLE_RULE, URL, continues, cut_items
from quality.citations.labels import Label
from quality.citations.page import KEYLESS, FoundList, Item, Page

_MARK = re.compile(
    r"\[\[\d{1,4}\]\]\(|(?<!\])\[\^?\d{1,4}(?:[,–-] ?\d{1,4})*\](?!\()|【\d{1,4}[^】\n]{0,20}】"
)
_CITED_WORK = re.compile(
    r"[(（](?:1[6-9]|20)\d\d[a-z]?[)）,，]|\bet al\b|[,.] ?(?:1[6-9]|20)\d\d[a-z]?[.)]?\s*$|《|“|\""
    r"|\[[JMDCRNPSO](?:/OL)?\]"
)
_ADDRESS = re.compile(r"\]\([^)\s]*\)|https?://\S+")
_DECORATION = " \t\n\x00*_:：#|>-=+•"
_REMARK = 600  # characters that may follow the last list of a report
_LONG_ENTRY = 320  # characters beside addresses; what is longer talks instead of naming a source


def find_lists(page: Page) -> list[FoundList]:
    """All reference lists of a body in order of appearance."""
    taken = [False] * len(page.lines)
    found: list[FoundList] = []
    for grade in (Announces.SURELY, Announces.LIKELY, Announces.PERHAPS):
        if grade is Announces.PERHAPS and found:
            break
        for index, heading in enumerate(page.headings):
            if heading.announces != grade or taken[heading.line]:
                continue
            candidate = _headed(page, heading, _section_end(page, index), taken)
            if candidate and _proves(page, candidate, grade):
                found.append(candidate)
                _take(page, candidate, taken)
    found = _without_pointers(page, found)
    taken = [False] * len(page.lines)
    for one in found:
        _take(page, one, taken)
    found += _headless(page, taken)
    return sorted(found, key=lambda f: f.start)


def _take(page: Page, found: FoundList, taken: list[bool]) -> None:
    number = found.heading.line if found.heading else found.items[0].first_line
    while number < len(page.lines) and page.lines[number][0] < found.end:
        taken[number] = True
        number += 1


def _section_end(page: Page, index: int) -> int:
    """Find the line before which the section of a heading ends."""
    heading = page.headings[index]
    for number in range(index + 1, len(page.headings)):
        later = page.headings[number]
        if later.announces >= Announces.LIKELY and later.level <= heading.level:
            return later.line
        if later.level <= heading.level and later.level < PLAIN_LEVEL:
            return later.line
    return len(page.lines)


def _headed(page: Page, heading: Heading, last: int, taken: list[bool]) -> FoundList | None:
    first = heading.line + 1
    if first < len(page.lines) and TABLE_RULE.match(page.line(first)) and "|" not in page.line(first):
        first += 1
    last = next((n for n in range(first, last) if taken[n]), last)
    form, items = cut_items(page, first, last)
    if not items or (
        heading.level == PLAIN_LEVEL
        and page.text[page.lines[heading.line][1] : items[0].start].strip(_DECORATION)
    ):
        return None
    return FoundList(heading, form, items)


def _share(page: Page, found: FoundList, pattern: re.Pattern[str]) -> float:
    return sum(bool(pattern.search(page.text, i.content, i.end)) for i in found.items) / len(found.items)


def _talks(page: Page, found: FoundList) -> bool:
    """Tell prose in bullets from entries: half of the items cite, or say much beside their address."""
    talking = 0
    for item in found.items:
        content = page.text[item.content : item.end]
        talking += bool(_MARK.search(content)) or len(_ADDRESS.sub("", content)) > _LONG_ENTRY
    return talking * 2 >= len(found.items)


def _proves(page: Page, found: FoundList, grade: Announces) -> bool:
    """Tell whether the entries themselves carry out what the heading announced."""
    if found.form in KEYLESS and _talks(page, found):
        return False
    if grade is Announces.SURELY and found.form != "para":
        return True
    links = _share(page, found, URL)
    if grade is Announces.PERHAPS and found.form in ("bracket", "linked", "footnote", "named"):
        return not _talks(page, found)
    if grade is Announces.PERHAPS:
        return links >= 0.75 and len(found.items) >= 2 and not _talks(page, found)
    if found.form in ("bracket", "linked", "footnote", "named"):
        return True
    return links >= 0.5 or (_share(page, found, _CITED_WORK) >= 0.5 and not _talks(page, found))


def _without_pointers(page: Page, found: list[FoundList]) -> list[FoundList]:
    """Drop ``Sources:`` lines that stand below each paragraph: they cite, they are no table.

    They are plain lines, their items have no labels, and there are several or the report goes on behind them.
    """
    pointers = [f for f in found if f.heading and f.heading.level == PLAIN_LEVEL and f.form in KEYLESS]
    if len(pointers) == 1 and _closes_report(page, pointers[0]):
        return found
    dropped = {id(f) for f in pointers}
    return [f for f in found if id(f) not in dropped]


def _closes_report(page: Page, found: FoundList) -> bool:
    """Tell whether nothing but a remark follows a list."""
    last = found.items[-1].first_line
    return not any(h.line > last and h.level < PLAIN_LEVEL for h in page.headings) and (
        len(page.text) - found.end < max(_REMARK, len(page.text) // 10)
    )


def _headless(page: Page, taken: list[bool]) -> list[FoundList]:
    """Footnote definitions wherever they stand, and runs of labelled lines that nothing announces."""
    found: list[FoundList] = []
    run: FoundList | None = None
    for number, label in enumerate(page.labels):
        start, end = page.lines[number]
        if taken[number] or number in page.heading_at:
            _close(page, run, found)
            run = None
        elif (
            label
            and label.form in ("footnote", "bracket", "named", "superscript")
            and label.end < end
            and _defines(page, label)
        ):
            if run is None or run.form != label.form:
                _close(page, run, found)
                run = FoundList(None, label.form)
            run.items.append(
                Item(label.form, label.keys, label.start, label.end, end, number, label.start - start)
            )
        elif run and not page.blank(number):
            if continues(page, number, run.items[-1], page.blank(number - 1)):
                run.items[-1].end = end
            else:
                _close(page, run, found)
                run = None
    _close(page, run, found)
    return found or _closing_run(page, taken)


def _closing_run(page: Page, taken: list[bool]) -> list[FoundList]:
    """Find a numbered list of addresses that ends a report without any heading."""
    numbered = [
        n
        for n, label in enumerate(page.labels)
        if label and label.form == "ordered" and not taken[n] and label.end < page.lines[n][1]
    ]
    items: list[Item] = []
    for n in reversed(numbered):
        label = page.labels[n]
        start, end = page.lines[n]
        gap_end = items[-1].start if items else len(page.text)
        between = page.text[end:gap_end].strip()
        if (
            label is None
            or (between if items else len(between) > _REMARK)
            or not URL.search(page.text, label.end, end)
        ):
            break
        items.append(Item("ordered", label.keys, label.start, label.end, end, n, label.start - start))
        if label.keys[0] in ("0", "1"):
            break
    run = FoundList(None, "ordered", items[::-1])
    return [run] if len(items) >= 3 and items[-1].keys[0] in ("0", "1") and not _talks(page, run) else []


def _defines(page: Page, label: Label) -> bool:
    """Tell a footnote's definition: it has a colon and is no mere mark. For brackets the run decides."""
    if label.form == "footnote" and _MARK.fullmatch(
        page.text[label.end : page.text.find("\n", label.end)].strip()
    ):
        return False
    return label.form != "footnote" or page.text[label.start : label.end].rstrip().endswith((":", "："))


def _close(page: Page, run: FoundList | None, found: list[FoundList]) -> None:
    """Keep a finished run if it is a list; footnotes of one report are one list unless a label returns."""
    if run is None:
        return
    if run.form == "footnote":
        previous = next((f for f in reversed(found) if f.form == "footnote"), None)
        if previous and not previous.keys & run.keys:
            previous.items += run.items
        else:
            found.append(run)
    elif _share(page, run, URL) >= (0.5 if len(run.items) >= 2 else 1) and (
        len(run.items) >= 2 or page.text[run.items[0].start : run.items[0].content].rstrip().endswith(":")
    ):
        found.append(run)
