"""What a changed catalogue would do to the citations and entries of one report.

Belongs here: resolving one report through two states of a catalogue and naming the differences. Does not belong here: the
comparison of the catalogues themselves (``drift``), and judging: a batch stays with the snapshot recorded for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from quality.citations.recent import read_recent
from quality.citations.reconcile import reconcile
from quality.kernel import resolve_citation
from quality.model import Reading, Reconciliation, Report, Resolution
from quality.sources.drift import Drift
from quality.sources.index import SourceIndex
from quality.sources.own_table import match_own_table


class Effect(StrEnum):
    """What became of a resolution."""

    FOLLOWED = "followed"  # its source was merged into another one, and it means that one now
    LOST = "lost"  # it meant a source and means none now
    GAINED = "gained"  # it meant none and means a source now
    MOVED = "moved"  # it means another source than before


@dataclass(frozen=True, slots=True)
class Redirect:
    """One citation or entry that resolves otherwise than before; ``ordinal`` counts within its subject."""

    subject: str  # citation, entry
    ordinal: int
    key: str | None
    effect: Effect
    before: Resolution
    now: Resolution


@dataclass(frozen=True, slots=True)
class Redirects:
    """The two looks at one report: the sources that it meant before, and what resolves otherwise now."""

    meant: frozenset[str]
    changed: tuple[Redirect, ...]


def redirects(
    report: Report, before: SourceIndex, now: SourceIndex, changes: Mapping[str, Drift]
) -> Redirects:
    """Resolve a report through two states of a catalogue.

    Args:
        report: as it was written.
        before: the snapshot that is recorded for its batch.
        now: the catalogue of today.
        changes: the drift between the two by source id.
    """
    reading = read_recent(report.body, report.sources)
    reconciliation = reconcile(reading, match_own_table)
    old, new = (_resolved(reading, reconciliation, index) for index in (before, now))
    meant = frozenset(r.source_id for _, _, _, r in old if r.source_id is not None)
    changed = []
    for (subject, ordinal, key, was), (*_, is_now) in zip(old, new, strict=True):
        if effect := _effect(was.source_id, is_now.source_id, changes):
            changed.append(Redirect(subject, ordinal, key, effect, was, is_now))
    return Redirects(meant, tuple(changed))


def _resolved(
    reading: Reading, reconciliation: Reconciliation, index: SourceIndex
) -> list[tuple[str, int, str | None, Resolution]]:
    """Every citation and entry with what it means by one index."""
    entries = tuple(index.resolve_entry(entry) for entry in reading.entries)
    cited = (
        ("citation", n, c.key, resolve_citation(c, index, entries))
        for n, c in enumerate(reconciliation.cited)
    )
    listed = (
        ("entry", e.ordinal, e.key or e.title or e.url, r)
        for e, r in zip(reading.entries, entries, strict=True)
    )
    return [*cited, *listed]


def _effect(before: str | None, now: str | None, changes: Mapping[str, Drift]) -> Effect | None:
    if before == now:
        return None
    if before is None:
        return Effect.GAINED
    if now is None:
        return Effect.LOST
    merged = changes.get(before)
    return Effect.FOLLOWED if merged is not None and merged.now == now else Effect.MOVED
