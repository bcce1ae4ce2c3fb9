"""What changed between two states of a catalogue: sources retitled, vanished, merged.

Belongs here: a pure comparison of two snapshots. Does not belong here: deciding anything about a batch; a batch stays with
the snapshot that was recorded for it, so drift never turns into a regression.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from quality.model import Identifier, Source
from quality.sources.identity import source_identifiers
from quality.sources.keys import strict_key


class DriftKind(StrEnum):
    """How a source changed."""

    RETITLED = "retitled"
    VANISHED = "vanished"
    MERGED = "merged"


@dataclass(frozen=True, slots=True)
class Drift:
    """One changed source. ``now`` is the source that carries the work today; None when it vanished."""

    kind: DriftKind
    source_id: str
    title_before: str
    title_now: str | None
    now: str | None


def drift(snapshot_old: Iterable[Source], snapshot_new: Iterable[Source]) -> tuple[Drift, ...]:
    """Return the changed sources of ``snapshot_old``, in the order of their ids.

    *Retitled*: the same source with a title that is not just another spelling. *Merged*: the source is gone, and one
    other source of the new state carries its identifier or address. *Vanished*: gone, and nothing carries it. A source
    that is only new is no drift: nothing can have been resolved to it.
    """
    new = {source.source_id: source for source in snapshot_new}
    carriers = _carriers(new.values())
    found = (_compare(old, new, carriers) for old in sorted(snapshot_old, key=lambda s: s.source_id))
    return tuple(one for one in found if one is not None)


def _carriers(sources: Iterable[Source]) -> dict[Identifier, str]:
    carriers: dict[Identifier, str] = {}
    for source in sorted(sources, key=lambda s: s.source_id):
        for identifier in source_identifiers(source):
            carriers.setdefault(identifier, source.source_id)
    return carriers


def _compare(old: Source, new: dict[str, Source], carriers: dict[Identifier, str]) -> Drift | None:
    same = new.get(old.source_id)
    if same is not None:
        if strict_key(same.title) == strict_key(old.title):
            return None
        return Drift(DriftKind.RETITLED, old.source_id, old.title, same.title, same.source_id)
    into = next((carriers[i] for i in source_identifiers(old) if i in carriers), None)
    if into is None:
        return Drift(DriftKind.VANISHED, old.source_id, old.title, None, None)
    return Drift(DriftKind.MERGED, old.source_id, old.title, new[into].title, into)
