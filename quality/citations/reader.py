"""The reader: a body in, its citations, reference lists and segments out.

Belongs here: the order of the steps. Does not belong here: any step itself. Reading is pure, never
raises on any text, takes time linear in the length, and is independent of line breaks, byte-order mark
and the width of digits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from quality.citations.context import STRONG_LABELS, Verdicts, context_of
from quality.citations.entries import split_entry
from quality.citations.evidence import weigh
from quality.citations.flags import flags_of
from quality.citations.headings import find_headings
from quality.citations.labels import label_at
from quality.citations.lists import find_lists
from quality.citations.masking import blank, keep_only, mask
from quality.citations.page import FoundList, Item, cut_lines, make_page
from quality.citations.passages import is_passage, passage_titles
from quality.citations.scopes import Scopes, assign_scopes
from quality.citations.segments import tile
from quality.citations.styles import Scanner
from quality.citations.unicode_form import carry_back, compose, is_composed
from quality.model import Entry, ListedSource, Mark, Reading, ReferenceList, Segment
from quality.registries.identifiers import find_identifiers


def read(body: str, listed: Sequence[ListedSource] = ()) -> Reading:
    """Read one body.

    Args:
        body: the report exactly as loaded; all offsets of the result are characters of it.
        listed: the ``sources`` that the producer kept outside the body: the report's own table where the body
            has none.

    """
    if is_composed(body):
        return _read(body, listed)
    composed, offsets = compose(body)
    return carry_back(_read(composed, listed), offsets, body)


def _read(body: str, listed: Sequence[ListedSource]) -> Reading:
    masked = mask(body)
    lines = cut_lines(masked.text)
    headings = find_headings(masked.text, lines)
    found = find_lists(make_page(masked.text, lines, headings))
    entries = [entry for n, one in enumerate(found) for entry in _list_entries(body, one, n)]
    outside = [] if entries else [_listed_entry(item) for item in listed]
    verdicts, scopes = _marks(masked.text, found, [*entries, *outside])
    marks = tuple(_placed(m, scopes) for m in verdicts.marks)
    kept = _numbered(entries, scopes) or tuple(replace(e, ordinal=n) for n, e in enumerate(outside))
    layers = [
        *(Segment("list", i.start, i.end) for f in found for i in f.items),
        *masked.zones,
        *(Segment("heading", h.start, h.end) for h in headings),
    ]
    return Reading(
        length=len(body),
        marks=marks,
        entries=kept,
        lists=tuple(_list(f, s) for f, s in zip(found, scopes.of_list, strict=True)),
        segments=tile(len(body), layers),
        decisions=verdicts.decisions,
        flags=flags_of(marks, kept, scopes, verdicts.flags),
    )


def _marks(text: str, found: Sequence[FoundList], entries: Sequence[Entry]) -> tuple[Verdicts, Scopes]:
    """Weigh the candidates outside of the lists; a list that nobody means may cite another."""
    prose = blank(text, sorted((i.start, i.end) for f in found for i in f.items))
    context = context_of(prose, found, entries)
    verdicts = weigh(Scanner(prose), context)
    scopes = assign_scopes(text, found, verdicts.marks)
    if scopes.silent and any(m.family == "label" for m in verdicts.marks):
        silent = sorted((i.content, i.end) for n in scopes.silent for i in found[n].items)
        within = weigh(Scanner(keep_only(text, silent)), context)
        verdicts.marks += [m for m in within.marks if m.style in STRONG_LABELS]
        verdicts.marks.sort(key=lambda m: (m.start, m.end))
    return verdicts, scopes


def _placed(mark: Mark, scopes: Scopes) -> Mark:
    if mark.family != "label" or not any(scopes.of_list):
        return mark
    return replace(mark, scope=scopes.of_mark(mark.start, caret=mark.style == "footnote"))


def _numbered(entries: Sequence[Entry], scopes: Scopes) -> tuple[Entry, ...]:
    """Give entries their ordinals and scopes (``scope`` held the index of the list); drop repeated lists."""
    kept = [e for e in entries if e.scope not in scopes.repeated]
    return tuple(
        replace(e, ordinal=n, scope=scopes.of_list[e.scope], by_number=e.scope not in scopes.silent)
        for n, e in enumerate(kept)
    )


def _list_entries(body: str, found: FoundList, list_index: int) -> list[Entry]:
    """Entries of one list; where most hold passages, titles are cut with the whole list in view."""
    entries = [_entry(body, item, list_index) for item in found.items]
    contents = {n: body[e.label_end : e.end] for n, e in enumerate(entries)}
    long = [n for n in contents if is_passage(contents[n])]
    if len(long) * 2 > len(entries):
        for n, title in zip(long, passage_titles([contents[n] for n in long]), strict=True):
            entries[n] = replace(entries[n], title=title, url=None, authors=None, identifiers=())
    return entries


def _entry(body: str, item: Item, list_index: int) -> Entry:
    content = body[item.content : item.end]
    parts = split_entry(content)
    return Entry(
        ordinal=-1,
        key=item.keys[0] if item.keys else None,
        text=body[item.start : item.end],
        title=parts.title,
        url=parts.url,
        identifiers=find_identifiers(content),
        authors=parts.authors,
        year=parts.year,
        scope=list_index,
        start=item.start,
        end=item.end,
        label_end=item.content,
        aliases=item.keys[1:],
    )


def _listed_entry(item: ListedSource) -> Entry:
    """Make an entry of an out-of-body source; a whole written entry is cut like a line of a list."""
    key, title, url, year = item.key, item.title, item.url, item.year
    text = item.entry if item.entry is not None else " ".join(p for p in (title, url) if p)
    authors = None
    if item.entry is not None:
        label = label_at(item.entry, 0, len(item.entry))
        content = item.entry[label.end :] if label else item.entry
        parts = split_entry(content)
        key = key or (label.keys[0] if label and label.keys else None)
        title, url, year, authors = title or parts.title, url or parts.url, year or parts.year, parts.authors
    return Entry(
        ordinal=-1,
        key=key,
        text=text,
        title=title,
        url=url,
        identifiers=find_identifiers(text),
        authors=authors,
        year=year,
        origin="sources",
    )


def _list(found: FoundList, scope: int) -> ReferenceList:
    heading = found.heading.text if found.heading else None
    return ReferenceList(scope, found.start, found.end, heading, found.form)
