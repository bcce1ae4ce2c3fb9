"""What a report names: the identifiers of its entries, and those that stand in its prose and links.

Belongs here: from a reading to references with their claims. Does not belong here: finding identifiers in text
(``identifiers``), reading reports (``quality.citations``).
"""

from __future__ import annotations

from collections.abc import Iterator

from quality.model import Entry, Identifier, Reading
from quality.registries.check import Reference
from quality.registries.compare import Claim
from quality.registries.identifiers import find_identifiers

_NO_PROSE = frozenset({"code", "math", "comment", "list"})


def references_of(body: str, reading: Reading) -> tuple[Reference, ...]:
    """Every entry, and every identifier in the prose that no entry has, in their order."""
    entries = [entry_reference(entry) for entry in reading.entries]
    listed = {one for reference in entries for one in reference.identifiers}
    return (*entries, *_in_prose(body, reading, listed))


def entry_reference(entry: Entry) -> Reference:
    """What an entry says about the work that it names."""
    claim = Claim(entry.title, entry.authors, entry.year, text=entry.text)
    label = f"[{entry.key}]" if entry.key else f"entry {entry.ordinal + 1}"
    return Reference(label, entry.identifiers, claim, entry.ordinal, entry.start, entry.end)


def _in_prose(body: str, reading: Reading, listed: set[Identifier]) -> Iterator[Reference]:
    for segment in reading.segments:
        if segment.kind in _NO_PROSE:
            continue
        for one in find_identifiers(body[segment.start : segment.end]):
            if one not in listed:
                listed.add(one)
                at = body.lower().find(one.value.lower(), segment.start, segment.end)
                at = at if at >= 0 else segment.start
                yield Reference(f"{one.kind} in the text", (one,), None, None, at, at)
