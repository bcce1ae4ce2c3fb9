"""Batches from outside: what was dropped into the inbox, and what already has a folder.

Belongs here: finding new batches and writing their ``batch.toml``. Does not belong here: Dagster (sensors/inbox.py),
reading reports.

A drop is a sub-folder of ``<home>/inbox`` or a single JSONL or Parquet file in it. It counts once nothing in it was
touched for ``SETTLE_SECONDS``, so that a copy in progress is not taken for a batch. A drop may carry its own
``batch.toml``; without one its name is the batch's id, its reports are the file, or the folder's ``reports`` (a
folder, JSONL or Parquet file) or else the folder itself, and its catalogue is the folder's
``sources.jsonl | .csv | .parquet`` if there is one. A folder with ``leads.jsonl`` and no ``reports`` is a batch that our
own loop drafts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from assets.batches import Batch, batch_folder, batches_folder, drafts_file, load_batch_file
from quality.errors import SluicegateError, UsageError
from quality.intake.batch import FILE_NAME, BatchFile, write_batch

SETTLE_SECONDS = 5.0
CATALOGUES = ("sources.jsonl", "sources.csv", "sources.parquet")
REPORTS = ("reports", "reports.jsonl", "reports.parquet")
LEADS = "leads.jsonl"
SINGLE_FILES = (".jsonl", ".parquet")


@dataclass(frozen=True, slots=True)
class Refused:
    """A drop that is no batch, and why."""

    path: Path
    reason: str


def take_inbox(home: Path, *, now: datetime) -> tuple[list[str], list[Refused]]:
    """Give every settled drop its batch folder; returns the ids of all drops, and what was refused."""
    taken: list[str] = []
    refused: list[Refused] = []
    for drop in _drops(home / "inbox"):
        if now.timestamp() - _last_touch(drop) < SETTLE_SECONDS:
            continue
        try:
            batch = _batch_of(home, drop)
            _keep(home, batch, drop)
        except SluicegateError as error:
            refused.append(Refused(drop, str(error)))
        else:
            taken.append(batch.id)
    return taken, refused


def known_batches(home: Path) -> tuple[list[str], list[Refused]]:
    """Ids of all batches that have a folder, oldest name first, and folders whose file cannot be read."""
    ids: list[str] = []
    refused: list[Refused] = []
    for file in sorted(batches_folder(home).glob(f"*/{FILE_NAME}")):
        try:
            ids.append(load_batch_file(file).id)
        except SluicegateError as error:
            refused.append(Refused(file, str(error)))
    return ids, refused


def keep_batch(home: Path, batch: Batch) -> Path:
    """Write a batch's file into its folder, unless the same stands there already; returns the file."""
    file = batch_folder(home, batch.id) / FILE_NAME
    if file.is_file() and _same(load_batch_file(file), batch):
        return file
    return write_batch(
        file.parent,
        BatchFile(
            id=batch.id,
            reports=str(batch.reports),
            sources=str(batch.sources) if batch.sources else None,
            leads=str(batch.leads) if batch.leads else None,
            producer=batch.producer,
            created_at=batch.created_at,
        ),
    )


def _keep(home: Path, batch: Batch, drop: Path) -> None:
    """Keep a drop's batch, unless its id belongs to a batch from elsewhere.

    Raises:
        UsageError: it does.
    """
    file = batch_folder(home, batch.id) / FILE_NAME
    if file.is_file() and not _same(load_batch_file(file), batch):
        raise UsageError(
            f"{drop}: a batch {batch.id!r} exists already, with other reports or sources.",
            remedy="Rename the drop, or give it a batch.toml with another id.",
        )
    keep_batch(home, batch)


def _same(one: Batch, other: Batch) -> bool:
    """Whether two files name the same inputs, whenever they were written."""
    return (one.id, one.reports, one.sources, one.producer, one.leads) == (
        other.id,
        other.reports,
        other.sources,
        other.producer,
        other.leads,
    )


def _drops(inbox: Path) -> Iterator[Path]:
    for path in sorted(inbox.glob("*")):
        if path.name.startswith("."):
            continue
        if path.is_dir() or path.suffix in SINGLE_FILES:
            yield path


def _last_touch(drop: Path) -> float:
    return max((p.lstat().st_mtime for p in [drop, *drop.rglob("*")]), default=0.0)


def _batch_of(home: Path, drop: Path) -> Batch:
    own = drop / FILE_NAME
    if own.is_file():
        return load_batch_file(own)
    created = datetime.fromtimestamp(int(_last_touch(drop)), tz=UTC)
    if drop.is_file():
        return Batch(id=drop.stem, reports=drop.resolve(), sources=None, producer=None, created_at=created)
    reports = next((drop / name for name in REPORTS if (drop / name).exists()), drop)
    sources = next((drop / name for name in CATALOGUES if (drop / name).is_file()), None)
    leads = drop / LEADS if reports == drop and (drop / LEADS).is_file() else None
    return Batch(
        id=drop.name,
        reports=drafts_file(home, drop.name) if leads else reports.resolve(),
        sources=sources.resolve() if sources else None,
        producer=None,
        created_at=created,
        leads=leads.resolve() if leads else None,
    )
