"""Whether two entries of one list name one work.

Belongs here: that question, from what the entries themselves say. Does not belong here: catalogues and similarity
(``quality.sources``): two spellings of a title are two titles here, so that a doubt is told and not decided.
"""

from __future__ import annotations

from collections.abc import Sequence

from quality.model import Entry
from quality.registries.urls import url_key
from quality.text import fold

_TITLE_OF_PASSAGES = 40


def same_work(one: Entry, other: Entry) -> bool:
    """Tell whether two entries have an address, an identifier, a title, or all their words in common.

    Entries without addresses that open with the same long title are passages of one work.
    """
    if one.url and other.url and url_key(one.url.replace("\\", "")) == url_key(other.url.replace("\\", "")):
        return True
    if set(one.identifiers) & set(other.identifiers):
        return True
    if one.title and other.title:
        first, second = fold(one.title), fold(other.title)
        alike = first[:_TITLE_OF_PASSAGES] == second[:_TITLE_OF_PASSAGES] and len(first) >= _TITLE_OF_PASSAGES
        return first == second or (alike and not (one.url and other.url))
    return fold(_content(one)) == fold(_content(other))


def distinct_works(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Give the first entry of every work, in order."""
    found: list[Entry] = []
    for entry in entries:
        if not any(same_work(entry, known) for known in found):
            found.append(entry)
    return tuple(found)


def _content(entry: Entry) -> str:
    return entry.text[entry.label_end - entry.start :] if 0 <= entry.start <= entry.label_end else entry.text
