"""A batch's catalogue then and now: what changed, and what of it the batch cites.

Belongs here: finding the two catalogues, and putting the comparison together. Does not belong here: comparing
(quality/sources), printing, and changing anything: nothing here is written.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from assets.batches import require_batch
from assets.ports import Reader, Store
from assets.stored import load_batch, load_sources_of
from quality.errors import Undetermined, UsageError
from quality.intake.catalogue import load_sources
from quality.model import Report, Source
from quality.sources.drift import Drift, drift
from quality.sources.index import SourceIndex
from quality.sources.redirects import Redirect, redirects
from quality.sources.snapshots import snapshot_id

NEWEST = "newest"


@dataclass(frozen=True, slots=True)
class Catalogue:
    """One state of a catalogue: its identity, what it is called, and how many sources it holds."""

    snapshot_id: str
    name: str
    n_sources: int


@dataclass(frozen=True, slots=True)
class DriftReport:
    """What changed between the snapshot of a batch and another state of its catalogue.

    ``cited_by`` holds the reports that mean a changed source; ``redirects`` are pairs of report id and redirect.
    """

    batch_id: str
    recorded: Catalogue
    against: Catalogue
    changes: tuple[Drift, ...]
    cited_by: dict[str, tuple[str, ...]]
    redirects: tuple[tuple[str, Redirect], ...]
    n_new: int

    @property
    def touches_the_batch(self) -> bool:
        """Whether anything that the batch cites or lists is concerned."""
        return bool(self.redirects or any(self.cited_by.values()))


def drift_of(store: Store, batch_id: str, against: str | None = None) -> DriftReport:
    """Compare the snapshot recorded for a batch with another state of its catalogue.

    Args:
        store: of the home.
        batch_id: the batch.
        against: a catalogue file, a snapshot's id, or ``newest`` for the snapshot that was taken last; None is the file
            that the batch's catalogue came from, else the newest snapshot.

    Raises:
        UsageError: an unknown batch, or nothing of that name to compare with.
        Undetermined: the batch has no catalogue.
        InputError: the file cannot be read as a catalogue.
    """
    with store.read_primary() as reader:
        batch = require_batch(reader, batch_id)
        if batch["snapshot_id"] is None or batch["sources_path"] is None:
            raise Undetermined(
                f"Batch {batch_id!r} was audited without a catalogue: nothing can have drifted.",
                remedy="Run it with --sources.",
            )
        recorded_id = str(batch["snapshot_id"])
        then = load_sources_of(reader, recorded_id)
        today, now = _against(reader, against, Path(str(batch["sources_path"])))
        reports = load_batch(store, reader, batch_id)
    return _compared(
        batch_id, Catalogue(recorded_id, recorded_id, len(then)), today, then, now,
        [r for r in reports if isinstance(r, Report)],
    )  # fmt: skip


def _against(reader: Reader, wanted: str | None, own: Path) -> tuple[Catalogue, tuple[Source, ...]]:
    """The state to compare with, and its sources."""
    if wanted is None:
        wanted = str(own) if own.is_file() else NEWEST
    if wanted == NEWEST:
        found = reader.query("SELECT snapshot_id FROM batch_snapshots ORDER BY seen_id DESC LIMIT 1")
        if found.is_empty():
            raise UsageError(
                "No snapshot was recorded with its time yet.", remedy="Name a file with --against."
            )
        wanted = str(found.item())
    if reader.query("SELECT count(*) FROM source_snapshots WHERE snapshot_id = ?", [wanted]).item():
        stored = load_sources_of(reader, wanted)
        return Catalogue(wanted, wanted, len(stored)), stored
    if not Path(wanted).is_file():
        raise UsageError(
            f"{wanted!r} is neither a catalogue file nor a snapshot of this home.",
            remedy='`sluicegate sql "FROM batch_snapshots"` lists the snapshots.',
        )
    loaded = load_sources(Path(wanted)).sources
    return Catalogue(snapshot_id(loaded), wanted, len(loaded)), loaded


def _compared(
    batch_id: str,
    recorded: Catalogue,
    against: Catalogue,
    then: tuple[Source, ...],
    now: tuple[Source, ...],
    reports: list[Report],
) -> DriftReport:
    changes = drift(then, now)
    by_id = {one.source_id: one for one in changes}
    cited_by: dict[str, list[str]] = defaultdict(list)
    changed: list[tuple[str, Redirect]] = []
    before, today = SourceIndex(then), SourceIndex(now)
    for report in reports if recorded.snapshot_id != against.snapshot_id else ():
        found = redirects(report, before, today, by_id)
        for source_id in sorted(found.meant & by_id.keys()):
            cited_by[source_id].append(report.report_id)
        changed += [(report.report_id, one) for one in found.changed]
    known = {source.source_id for source in then}
    return DriftReport(
        batch_id=batch_id,
        recorded=recorded,
        against=against,
        changes=changes,
        cited_by={one.source_id: tuple(cited_by[one.source_id]) for one in changes},
        redirects=tuple(changed),
        n_new=sum(source.source_id not in known for source in now),
    )
