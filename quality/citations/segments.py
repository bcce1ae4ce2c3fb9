"""Segments: a tiling of the body by what each stretch was read as.

Belongs here: turning zones, lists, headings and the rest into stretches that start at 0, touch and end
at the length. Does not belong here: deciding what any of them is.
"""

from __future__ import annotations

from collections.abc import Iterable

from quality.model import Segment


def tile(length: int, layers: Iterable[Segment]) -> tuple[Segment, ...]:
    """Cover ``[0, length)``: the given segments (the earlier start wins overlaps), prose in between."""
    tiles: list[Segment] = []
    at = 0
    for segment in sorted(layers, key=lambda s: (s.start, -s.end)):
        start, end = max(segment.start, at), min(segment.end, length)
        if end <= start:
            continue
        if start > at:
            tiles.append(Segment("prose", at, start))
        tiles.append(Segment(segment.kind, start, end))
        at = end
    if at < length:
        tiles.append(Segment("prose", at, length))
    return tuple(tiles)
