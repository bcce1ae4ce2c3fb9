"""Matching title citations (《…》) to the report's own entries: versions 1 and 2 of ``inbound_rate``.

Belongs here: exact and containment matching. Does not belong here: version 3, the safe tiers
(``quality.sources.own_table``), and anything against a catalogue.
"""

from __future__ import annotations

from collections.abc import Sequence

from quality.model import Entry
from quality.text import fold

CONTAINED_LENGTH = 4  # characters of the prefix that must be contained (DESIGN section 7, v2)


def match_exact(title: str, entries: Sequence[Entry]) -> int | None:
    """Version 1: the entry whose title equals the citation's after normalisation."""
    wanted = fold(title)
    for entry in entries:
        if entry.title is not None and fold(_bare(entry.title)) == wanted:
            return entry.ordinal
    return None


def match_contained(title: str, entries: Sequence[Entry]) -> int | None:
    """Version 2: the citation contains the first four characters of an entry's title, or the other way round.

    Generous on purpose, and shown only: see the metric's definition.
    """
    exact = match_exact(title, entries)
    if exact is not None:
        return exact
    wanted = fold(title)
    if len(wanted) < CONTAINED_LENGTH:
        return None
    for entry in entries:
        own = fold(_bare(entry.title)) if entry.title else ""
        if len(own) < CONTAINED_LENGTH:
            continue
        if own[:CONTAINED_LENGTH] in wanted or wanted[:CONTAINED_LENGTH] in own:
            return entry.ordinal
    return None


def _bare(title: str) -> str:
    """Take the title marks off a title."""
    stripped = title.strip()
    return stripped[1:-1] if stripped.startswith("《") and stripped.endswith("》") else stripped
