"""A publication as a folder of files: one for each table and view, and a manifest that says what they hold.

Belongs here: which rows go into which file, the manifest, and that the folder appears whole or not at all.
Does not belong here: how a CSV cell is written (csv_cells.py), what tables mean (their comments).
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Literal

import duckdb
import pyarrow as pa  # type: ignore[import-untyped]  # it ships no types
import pyarrow.parquet as pq  # type: ignore[import-untyped]  # likewise

from pipelines.csv_cells import line
from pipelines.resources.publication import Publications
from pipelines.resources.reader import Reader, reader
from pipelines.resources.warehouse import utc_now
from quality.errors import StorageError, UsageError
from sql.loader import identifier

Format = Literal["parquet", "csv"]
MANIFEST = "manifest.json"
KIND = "sluicegate export"
TEXT_VIEWS = ("report_bodies", "kb_bodies")
ROWS = 10_000  # rows in memory at a time
THINGS = """
SELECT table_name AS name, 'table' AS kind, coalesce(comment, '') AS comment FROM duckdb_tables()
WHERE NOT internal AND database_name = current_database()
UNION ALL
SELECT view_name, 'view', coalesce(comment, '') FROM duckdb_views()
WHERE NOT internal AND database_name = current_database()
ORDER BY kind, name
"""
COLUMNS = """
SELECT column_name AS name, data_type AS type, coalesce(comment, '') AS comment FROM duckdb_columns()
WHERE NOT internal AND database_name = current_database() AND table_name = ? ORDER BY column_index
"""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of an exported file."""

    name: str
    type: str
    comment: str


@dataclass(frozen=True, slots=True)
class Exported:
    """One file of an export. ``restricted_by`` names the column that kept the rows of the wanted batches apart."""

    name: str
    kind: str  # table, view
    file: str
    rows: int
    bytes: int
    sha256: str
    restricted_by: str | None
    comment: str
    columns: tuple[Column, ...]


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an export holds; the same publication gives the same bytes."""

    kind: str
    version: str
    format: Format
    publication: int
    published_at: str | None
    batches: tuple[str, ...] | None  # None: all of them
    formulas: str | None
    files: tuple[Exported, ...]


def export(
    home: Path,
    target: Path,
    *,
    form: Format = "parquet",
    batches: Sequence[str] = (),
    with_text: bool = True,
    force: bool = False,
) -> Manifest:
    """Write the published warehouse into a folder.

    Args:
        home: the home.
        target: the folder; must not exist, or be empty, or (with ``force``) be an earlier export.
        form: of the files.
        batches: only rows of these batches, and the catalogues that they point at; none means everything.
        with_text: whether the texts of reports are exported too.
        force: replace an earlier export.

    Raises:
        UsageError: the folder stands in the way, or a batch is unknown.
        StorageError: nothing was published, or the disk refuses.
    """
    _check_target(target, force=force)
    publications = Publications(home.resolve(), clock=utc_now)
    note = publications.latest_note()
    number = re.search(r"\d+", publications.latest().name)
    with reader(home) as source, _appearing(target) as folder:
        _check_batches(source, batches)
        things = [t for t in source.query(THINGS).to_dicts() if with_text or t["name"] not in TEXT_VIEWS]
        files = tuple(_written(source, folder, thing, form, batches) for thing in things)
        manifest = Manifest(
            kind=KIND,
            version=version("sluicegate"),
            format=form,
            publication=int(number[0]) if number else 0,
            published_at=note.published_at if note else None,
            batches=tuple(batches) or None,
            formulas="texts that a spreadsheet would take for a formula begin with an apostrophe"
            if form == "csv"
            else None,
            files=files,
        )
        text = json.dumps(asdict(manifest), ensure_ascii=False, indent=1) + "\n"
        (folder / MANIFEST).write_text(text, encoding="utf-8")
    return manifest


def is_export(folder: Path) -> bool:
    """Whether a folder was written by ``export``."""
    try:
        found = json.loads((folder / MANIFEST).read_text("utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and found.get("kind") == KIND


def _check_target(target: Path, *, force: bool) -> None:
    if not target.exists() and not target.is_symlink():
        return
    if target.is_symlink() or not target.is_dir():
        raise UsageError(f"{target} is no folder.", remedy="Name a folder that does not exist yet.")
    if not any(target.iterdir()):
        return
    if not is_export(target):
        raise UsageError(
            f"{target} holds something else than an export; it is never overwritten.",
            remedy="Name a folder that does not exist yet.",
        )
    if not force:
        raise UsageError(f"{target} holds an export already.", remedy="Replace it with --force.")


def _check_batches(source: Reader, batches: Sequence[str]) -> None:
    known = set(source.query("SELECT batch_id FROM batches")["batch_id"])
    if unknown := [batch for batch in batches if batch not in known]:
        raise UsageError(
            f"There is no batch {', '.join(map(repr, unknown))}.", remedy="`sluicegate batches` lists them."
        )


@contextmanager
def _appearing(target: Path) -> Iterator[Path]:
    """Give a hidden folder beside the target that takes its place at the end, or vanishes.

    Raises:
        StorageError: the disk is full or refuses.
    """
    place = target.absolute()
    fresh = place.with_name(f".{place.name}.{os.getpid()}.unfinished")
    old = place.with_name(f".{place.name}.{os.getpid()}.replaced")
    try:
        fresh.mkdir(parents=True)
        yield fresh
        if place.exists():
            place.rename(old)
        try:
            fresh.rename(place)
        except OSError:
            if old.exists():
                old.rename(place)
            raise
    except OSError as error:
        raise StorageError(
            f"{target} cannot be written: {error}.", remedy="Free or allow the space."
        ) from error
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def _written(
    source: Reader, folder: Path, thing: dict[str, str], form: Format, batches: Sequence[str]
) -> Exported:
    """Write one table or view, in an order that its rows alone decide."""
    name = thing["name"]
    columns = tuple(Column(**row) for row in source.query(COLUMNS, [name]).to_dicts())
    names = {column.name for column in columns}
    condition, restricted_by = _restriction(names) if batches else ("", None)
    order = "batch_id, report_id" if name in TEXT_VIEWS else "ALL"
    question = f"SELECT * FROM {identifier(name)} {condition} ORDER BY {order}"  # noqa: S608 - quoted names only
    file = folder / f"{name}.{form}"
    params = {"batches": list(batches)} if restricted_by else None
    if form == "parquet":
        rows = _as_parquet(source.arrow(question, params, rows=ROWS), file)
    else:
        rows = _as_csv(source.execute(question, params), file)
    with file.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    size = file.stat().st_size
    return Exported(
        name, thing["kind"], file.name, rows, size, digest, restricted_by, thing["comment"], columns
    )


def _restriction(names: set[str]) -> tuple[str, str | None]:
    if "batch_id" in names:
        return "WHERE list_contains($batches, batch_id)", "batch_id"
    if "snapshot_id" in names:
        wanted = "SELECT snapshot_id FROM batches WHERE list_contains($batches, batch_id)"
        return f"WHERE snapshot_id IN ({wanted})", "snapshot_id"
    return "", None


def _as_parquet(batches: pa.RecordBatchReader, file: Path) -> int:
    rows = 0
    with pq.ParquetWriter(file, batches.schema, compression="zstd") as writer:
        for batch in batches:
            writer.write_batch(batch)
            rows += batch.num_rows
    return rows


def _as_csv(found: duckdb.DuckDBPyConnection, file: Path) -> int:
    rows = 0
    with file.open("w", encoding="utf-8", newline="") as out:
        out.write(line(str(column[0]) for column in found.description or []))
        while chunk := found.fetchmany(ROWS):
            out.writelines(map(line, chunk))
            rows += len(chunk)
    return rows
