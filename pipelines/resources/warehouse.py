"""The warehouse of one home: one writer, consistent looks, publications, and the bulk text beside it.

Belongs here: the order of lock, connection, transaction, checkpoint and publication. Does not belong here:
what the rows mean, and how each of those parts works (its own module each).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import polars as pl

from pipelines.resources import primary
from pipelines.resources.bodies import BodyStore
from pipelines.resources.journal import Journal, Loss, set_log_aside
from pipelines.resources.lock import WarehouseLock
from pipelines.resources.publication import Publications
from pipelines.resources.transaction import Look, Transaction
from quality.errors import StorageError, UsageError
from sql.loader import identifier

ORPHAN_AGE = timedelta(days=1)
"""Bulk text that no publication names is spared this long: its run may be about to record it."""

_BODY_COLUMNS = (("reports", "body_file"), ("rebuilds", "body_file"), ("kb_entries", "body_file"),
                 ("report_versions", "body_file"), ("source_snapshots", "text_file"), ("llm_calls", "text_file"),
                 ("drafts", "body_file"))  # fmt: skip


def utc_now() -> datetime:
    """Give the present instant."""
    return datetime.now(UTC)


class Warehouse:
    """The storage of one home.

    Args:
        home: the folder that everything lies in; made when missing.
        lock_wait: how long to wait for another writer, in seconds.
        clock: gives the current instant, with its zone.

    Raises:
        UsageError: DuckDB would read the home's path as a pattern.
    """

    def __init__(
        self, home: Path, *, lock_wait: float = 60.0, clock: Callable[[], datetime] = utc_now
    ) -> None:
        self._home = home.resolve()
        if any(char in str(self._home) for char in "*?["):
            raise UsageError(
                f"The home {self._home} has one of * ? [ in its path, which DuckDB reads as a pattern.",
                remedy="Choose a home without them.",
            )
        self._clock = clock
        self._primary = self._home / "private" / "primary.duckdb"
        self._lock = WarehouseLock(self._home / "private" / "warehouse.lock", wait=lock_wait, clock=clock)
        self._journal = Journal(self._home / "private" / "commits.json", clock=clock)
        self._bodies = BodyStore(self._home, clock=clock)
        self._publications = Publications(self._home, clock=clock)

    @property
    def home(self) -> Path:
        """The home, absolute."""
        return self._home

    @contextmanager
    def write(self, holder: str) -> Iterator[Transaction]:
        """Open one transaction as the only writer: committed at the end, rolled back on any exception.

        Args:
            holder: who writes and what for; shown to those who wait.

        Raises:
            LockTimeout: another writer did not finish in time.
            StorageError: the primary is damaged or of a foreign version.
        """
        with self._lock.hold(holder):
            self._ensure()
            with primary.connect(self._primary) as connection:
                connection.execute("BEGIN")
                transaction = Transaction(connection)
                try:
                    yield transaction
                    self._commit(connection, transaction, holder)
                except BaseException:
                    with suppress(duckdb.Error):  # closing rolls back as well
                        connection.execute("ROLLBACK")
                    raise
                primary.checkpoint(connection)

    def _commit(self, connection: duckdb.DuckDBPyConnection, transaction: Transaction, holder: str) -> None:
        try:
            if transaction.changed:
                sql = "UPDATE warehouse_state SET data_version = data_version + 1, updated_at = ?"
                connection.execute(sql, [self._clock()])
            version = primary.data_version(connection)
            connection.execute("COMMIT")
        except duckdb.Error as error:
            raise StorageError(f"The transaction cannot be committed: {error}.") from error
        if transaction.changed:
            self._journal.record(version, holder, transaction.batches)

    @contextmanager
    def read_primary(self, holder: str = "a look at the warehouse") -> Iterator[Look]:
        """Look at the primary as it is, with no writer beside; nothing can be changed.

        Raises:
            LockTimeout, StorageError: as ``write``.
        """
        with self._lock.hold(holder):
            self._ensure()
            with primary.connect(self._primary, read_only=True) as connection:
                yield Look(connection)

    def publish(self) -> Path:
        """Publish the primary as it stands, unless the latest publication already shows the same.

        Returns:
            The published file; ``warehouse.duckdb`` in the home links to it.

        Raises:
            LockTimeout, StorageError: as ``write``.
        """
        with self._lock.hold("publishing the warehouse"):
            self._ensure()
            note = self._publications.latest_note()
            with primary.connect(self._primary) as connection:
                primary.checkpoint(connection)
                state = primary.state(connection)
                content = note.content if note and note.state == state else _content(connection)
                files = _body_files(connection)
            if note is None or note.content != content:
                self._publications.add(
                    self._primary, state=state, content=content, body_files=tuple(sorted(files))
                )
            self._sweep(files, ORPHAN_AGE)
            return self._publications.latest()

    def write_bodies(self, batch_id: str, frame: pl.DataFrame) -> str:
        """Keep bulk text: report_id, stage, body and more of a batch, or source_id, text of a catalogue.

        Returns:
            Its name, relative to the home; the same rows always have the same name.
        """
        return self._bodies.write(batch_id, frame)

    def read_bodies(self, relative: str) -> pl.DataFrame:
        """Give bulk text back.

        Raises:
            StorageError: the file is missing or damaged.
        """
        return self._bodies.read(relative)

    def sweep_bodies(self, *, older_than: timedelta = ORPHAN_AGE) -> list[str]:
        """Remove bulk text that neither the primary nor a kept publication names; gives the names removed."""
        with self._lock.hold("sweeping bulk text"):
            self._ensure()
            with primary.connect(self._primary, read_only=True) as connection:
                files = _body_files(connection)
            return self._sweep(files, older_than)

    def losses(self) -> tuple[Loss, ...]:
        """Give what damage to the files has ever cost, with the batches to run again; see ``journal``."""
        return self._journal.losses()

    def _sweep(self, live: set[str], older_than: timedelta) -> list[str]:
        named = self._publications.sweep()
        return [] if named is None else self._bodies.sweep(named | live, older_than=older_than)

    def _ensure(self) -> None:
        self._bodies.seed()
        now, place = self._clock(), self._primary
        try:
            version = primary.ensure(self._primary, bodies_glob=self._bodies.glob, now=now)
        except primary.DamagedLogError:
            place = set_log_aside(self._primary, now=now) or place
            version = primary.ensure(self._primary, bodies_glob=self._bodies.glob, now=now)
        self._journal.compare(version, place)


def _body_files(connection: duckdb.DuckDBPyConnection) -> set[str]:
    parts = [f"SELECT {column} FROM {table} WHERE {column} <> ''" for table, column in _BODY_COLUMNS]  # noqa: S608
    return {str(row[0]) for row in connection.execute(" UNION ".join(parts)).fetchall()}


def _content(connection: duckdb.DuckDBPyConnection) -> str:
    """Digest what a reader can see: the rows of every table, in any order, and the views."""
    ((views,),) = connection.execute("SELECT views_digest FROM warehouse_state").fetchall()
    digest = hashlib.sha256(views.encode())
    tables = connection.execute(
        "SELECT table_name FROM duckdb_tables()"
        " WHERE database_name = 'warehouse' AND table_name <> 'warehouse_state' ORDER BY table_name"
    ).fetchall()
    for (table,) in tables:
        rows = connection.execute(
            f"SELECT count(*), sum(hash(t)::HUGEINT) FROM {identifier(table)} t"  # noqa: S608 - a name from the catalogue
        ).fetchall()
        digest.update(f"{table}:{rows}".encode())
    return digest.hexdigest()
