"""Version 3 of ``inbound_rate`` for title citations: the safe tiers against the report's own table.

Belongs here: which entry a cited title means. Does not belong here: the other versions (``quality.citations.titles``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from quality.model import Entry
from quality.sources.titles import TitleIndex


def match_own_table(title: str, entries: Sequence[Entry]) -> int | None:
    """Return the ordinal of the one entry that ``title`` safely means, or None when there is none or a tie.

    Entries that repeat one title are one work, so the first of them is meant.
    """
    table = tuple((entry.title or "", entry.ordinal) for entry in entries)
    index = _index(tuple(written for written, _ in table))
    hit = index.find(title)
    if hit is None or not hit.safe:
        return None
    if len({index.keys[row] for row in hit.rows}) > 1:
        return None
    return table[min(hit.rows)][1]


@lru_cache(maxsize=4)
def _index(titles: tuple[str, ...]) -> TitleIndex:
    return TitleIndex(titles)
