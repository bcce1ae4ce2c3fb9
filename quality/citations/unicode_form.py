"""Unicode form: a body with decomposed letters is read in composed form, and its places are given in its own.

Belongs here: composing a text while keeping track of offsets, and carrying a reading back. Does not
belong here: folding for comparison (``quality.text``).
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Iterator
from dataclasses import replace

from quality.model import Entry, Reading

_FOREIGN = re.compile(r"[\x00-\x7f]?[^\x00-\x7f]+")


def is_composed(body: str) -> bool:
    """Tell a body that needs no translation."""
    return unicodedata.is_normalized("NFC", body)


def compose(body: str) -> tuple[str, array[int]]:
    """Compose a body; the second value gives, for each offset of the result and its end, the offset in ``body``."""
    parts: list[str] = []
    offsets = array("q")
    at = 0
    for match in _FOREIGN.finditer(body):
        parts.append(body[at : match.start()])
        offsets.extend(range(at, match.start()))
        for start, end in _clusters(body, match.start(), match.end()):
            composed = unicodedata.normalize("NFC", body[start:end])
            parts.append(composed)
            offsets.extend([start] * len(composed))
        at = match.end()
    parts.append(body[at:])
    offsets.extend(range(at, len(body) + 1))
    return "".join(parts), offsets


def _clusters(body: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Cut a stretch before every character that begins a new letter."""
    opened = start
    for at in range(start + 1, end):
        char = body[at]
        if not unicodedata.combining(char) and not "\u1160" <= char <= "\u11ff":
            yield opened, at
            opened = at
    yield opened, end


def carry_back(reading: Reading, offsets: array[int], body: str) -> Reading:
    """Give a reading of the composed text the places and entry texts of ``body``."""
    segments = (replace(s, start=offsets[s.start], end=offsets[s.end]) for s in reading.segments)
    return replace(
        reading,
        length=len(body),
        marks=tuple(replace(m, start=offsets[m.start], end=offsets[m.end]) for m in reading.marks),
        entries=tuple(_moved(e, offsets, body) for e in reading.entries),
        lists=tuple(replace(one, start=offsets[one.start], end=offsets[one.end]) for one in reading.lists),
        segments=tuple(s for s in segments if s.start < s.end),
    )


def _moved(entry: Entry, offsets: array[int], body: str) -> Entry:
    if entry.start < 0:
        return entry
    start, end = offsets[entry.start], offsets[entry.end]
    return replace(entry, start=start, end=end, label_end=offsets[entry.label_end], text=body[start:end])
