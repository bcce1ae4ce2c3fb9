"""Bulk text beside the warehouse: Parquet files under content-addressed names.

Belongs here: writing, reading and sweeping those files. Does not belong here: which file is the live one of a
report; ``reports.body_file`` and its like say so.

``bodies/<safe batch>/<fingerprint>.parquet`` holds report_id, stage, body and whatever else comes with them;
``bodies/_sources/<fingerprint>.parquet`` holds source_id, text.
The same rows, in any order, give the same name.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from pathlib import Path

import polars as pl

from pipelines.resources.files import replacing, sweep_unfinished
from quality.errors import StorageError, UsageError
from quality.names import safe_name

FOLDER = "bodies"
_SOURCES = "_sources"
_SEED = pl.Schema({"report_id": pl.String, "stage": pl.String, "body": pl.String})


class BodyStore:
    """The bulk text of one home.

    Args:
        home: the home; names of files are relative to it.
        clock: gives the current instant; a file's age is counted from the last time it was written or reused.
    """

    def __init__(self, home: Path, *, clock: Callable[[], datetime]) -> None:
        self._home = home
        self._root = home / FOLDER
        self._clock = clock

    @property
    def glob(self) -> str:
        """Give the pattern of every file with bodies; at least the empty seed file matches."""
        return f"{self._root}/[!_]*/*.parquet"

    def seed(self) -> None:
        """Write the empty file that keeps views over bodies valid while there is none."""
        target = self._root / "empty" / "seed.parquet"
        if not target.exists():
            with replacing(target) as fresh:
                pl.DataFrame(schema=_SEED).write_parquet(fresh)

    def write(self, batch_id: str, frame: pl.DataFrame) -> str:
        """Keep rows of report_id, stage, body (and more), or of source_id, text.

        Returns:
            The file's name, relative to the home.
        """
        if "source_id" in frame.columns:
            return self._write(_SOURCES, frame, ("source_id", "text"))
        folder = safe_name(batch_id)
        # names that start with "_" are this module's own
        return self._write(f"b{folder}" if folder.startswith("_") else folder, frame, tuple(_SEED))

    def read(self, relative: str) -> pl.DataFrame:
        """Give the rows of a file.

        Raises:
            UsageError: the name leads out of the folder of bodies.
            StorageError: the file is missing or damaged.
        """
        path = self._home / relative
        if not path.resolve().is_relative_to(self._root.resolve()):
            raise UsageError(
                f"{relative!r} is no file of bodies.", remedy="Use the name that the warehouse gives."
            )
        try:
            return pl.read_parquet(path)
        except (OSError, pl.exceptions.PolarsError) as error:
            raise StorageError(
                f"The bodies in {path} cannot be read: {error}.",
                remedy="Run the batch again from its own input; its text is stored anew.",
            ) from error

    def sweep(self, keep: Collection[str], *, older_than: timedelta) -> list[str]:
        """Remove files that ``keep`` does not name and that nobody wrote or reused within ``older_than``.

        The age spares the file of a run that has written its text and is about to record it.
        """
        deadline = (self._clock() - older_than).timestamp()
        removed = []
        for path in sorted(self._root.glob("*/*.parquet")):
            relative = path.relative_to(self._home).as_posix()
            if relative not in keep and path.parent.name != "empty" and path.stat().st_mtime < deadline:
                path.unlink(missing_ok=True)
                removed.append(relative)
        for folder in self._root.glob("*"):
            sweep_unfinished(folder, before=deadline)
        return removed

    def _write(self, folder: str, frame: pl.DataFrame, key: tuple[str, ...]) -> str:
        if missing := [name for name in key if name not in frame.columns]:
            raise UsageError(f"Bulk text lacks the columns {', '.join(missing)}.", remedy="Give them.")
        ordered = frame.sort([name for name in key if name not in {"body", "text"}], maintain_order=True)
        target = self._root / folder / f"{fingerprint(ordered)}.parquet"
        while not self._renewed(target):
            with replacing(target) as fresh:
                ordered.write_parquet(fresh, compression="zstd")
        return target.relative_to(self._home).as_posix()

    def _renewed(self, target: Path) -> bool:
        """Count the file's age from now on, if it is there."""
        now = self._clock().timestamp()
        try:
            os.utime(target, (now, now))
        except FileNotFoundError:
            return False
        return True


def fingerprint(frame: pl.DataFrame) -> str:
    """Hash names and values of a frame of strings and bytes; unlike values never run together."""
    digest = hashlib.sha256()
    for series in frame.select(sorted(frame.columns)).iter_columns():
        digest.update(f"{len(series)}:{series.name}\n".encode())
        for value in series:
            data = value.encode() if isinstance(value, str) else value
            digest.update(b"-" if data is None else b"%d:" % len(data) + data)
    return digest.hexdigest()[:40]
