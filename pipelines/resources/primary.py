"""The private primary: opening it, and bringing its schema and views up to date.

Belongs here: connections to the primary, migrations, views and comments. Does not belong here: rows of the
line, locking (whoever calls holds the lock), publishing.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import duckdb

import sql.loader
from pipelines.resources.files import replacing, sweep_unfinished
from quality.errors import StorageError
from sql.loader import SqlFile, literal

STORAGE_VERSION = "v1.5.0"
"""Written so that DuckDB 1.5 opens it too; newer formats are unreadable to it."""

_COMMENT = re.compile(r"--[^\n]*")


class DamagedLogError(StorageError):
    """The database is closed by a write-ahead log that cannot be replayed."""


@contextmanager
def connect(path: Path, *, read_only: bool = False) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open the primary as the default database of a connection in UTC; close it at the end, whatever happens.

    Raises:
        StorageError: the file is damaged, no DuckDB file, or of a newer format.
    """
    config: dict[str, str | bool | int | float | list[str]] = {
        "python_enable_replacements": "false",
        "temp_directory": str(path.parent / "spill"),
    }
    connection = duckdb.connect(config=config)
    try:
        options = "READ_ONLY" if read_only else f"STORAGE_VERSION {literal(STORAGE_VERSION)}"
        try:
            connection.execute(f"ATTACH {literal(str(path))} AS warehouse ({options})")
        except duckdb.Error as error:
            damaged_log = "WAL" in str(error) and path.with_name(f"{path.name}.wal").exists()
            raise (DamagedLogError if damaged_log else StorageError)(
                f"The warehouse {path} cannot be opened: {error}.",
                remedy="Close other programs that have it open; if it is damaged, put a publication there.",
            ) from error
        connection.execute("USE warehouse")
        connection.execute("SET TimeZone = 'UTC'")
        yield connection
    finally:
        connection.close()


def ensure(path: Path, *, bodies_glob: str, now: datetime) -> int:
    """Make the primary if there is none, and bring its schema, views and comments up to date.

    A new file gets its name only when it is whole, so that a kill leaves none that cannot be opened. What killed
    writers left beside it is removed: whoever calls holds the lock.

    Returns:
        The primary's data version.

    Raises:
        StorageError: the file was written by a newer version, or under a different schema.
        DamagedLogError: its write-ahead log cannot be replayed.
    """
    sweep_unfinished(path.parent)
    if path.exists():
        with connect(path) as connection:
            return _bring_up_to_date(connection, bodies_glob, now)
    with replacing(path) as fresh, connect(fresh) as connection:
        return _bring_up_to_date(connection, bodies_glob, now)


def _bring_up_to_date(connection: duckdb.DuckDBPyConnection, bodies_glob: str, now: datetime) -> int:
    missing = _missing(_applied(connection))
    objects = sql.loader.objects(bodies_glob)
    if missing or _views_digest(connection) != _digest(objects):
        connection.execute("BEGIN")
        for file in missing:
            _migrate(connection, file, now)
        for text in objects:
            _make(connection, text)
        _count_change(connection, _digest(objects), now)
        connection.execute("COMMIT")
    checkpoint(connection)
    return data_version(connection)


def state(connection: duckdb.DuckDBPyConnection) -> str:
    """Name the last write by its number and instant; the number alone could come again after a loss."""
    query = "SELECT data_version || ' ' || updated_at FROM warehouse_state"
    ((found,),) = connection.execute(query).fetchall()
    return str(found)


def checkpoint(connection: duckdb.DuckDBPyConnection) -> None:
    """Bring all that was committed from the log into the file, and empty the log.

    Raises:
        StorageError: the disk is full or refuses; what was committed stays in the log.
    """
    try:
        connection.execute("CHECKPOINT warehouse")
    except duckdb.Error as error:
        raise StorageError(
            f"What was committed cannot be brought into the file: {error}.",
            remedy="Free space, then run again.",
        ) from error


def data_version(connection: duckdb.DuckDBPyConnection) -> int:
    """Give the number that grows with every transaction that writes."""
    ((version,),) = connection.execute("SELECT data_version FROM warehouse_state").fetchall()
    return int(version)


def _migrate(connection: duckdb.DuckDBPyConnection, file: SqlFile, now: datetime) -> None:
    try:
        connection.execute(file.text)
    except duckdb.Error as error:
        raise StorageError(
            f"The migration {file.name} failed, nothing was changed: {error}.",
            remedy="Use the version that made this warehouse, and report this message.",
        ) from error
    row = [_number(file), file.name, _digest([file.text]), now]
    connection.execute("INSERT INTO schema_versions VALUES (?, ?, ?, ?)", row)


def _make(connection: duckdb.DuckDBPyConnection, text: str) -> None:
    try:
        connection.execute(text)
    except duckdb.Error as error:
        raise StorageError(
            f"A view or comment cannot be made: {error}.",
            remedy="A damaged file of bodies does this: move the named file away, run its batch again.",
        ) from error


def _count_change(connection: duckdb.DuckDBPyConnection, views_digest: str, now: datetime) -> None:
    state = [views_digest, now]
    update = "UPDATE warehouse_state SET views_digest = ?, data_version = data_version + 1, updated_at = ?"
    if connection.execute(update, state).fetchall() == [(0,)]:
        connection.execute("INSERT INTO warehouse_state VALUES (1, ?, ?)", state)


def _number(file: SqlFile) -> int:
    return int(file.name.split("_")[0])


def _missing(applied: dict[int, tuple[str, str]]) -> list[SqlFile]:
    """Give the migrations that were not applied yet; refuse a primary that went another way."""
    known = {_number(f): f for f in sql.loader.schema() if "repeatable" not in f.facts}
    if newer := sorted(set(applied) - set(known)):
        raise StorageError(
            f"The warehouse has schema version {newer[-1]}; this Sluicegate knows {max(known)} at most.",
            remedy="Upgrade Sluicegate, or use another home.",
        )
    for number, (name, digest) in applied.items():
        if digest != _digest([known[number].text]):
            raise StorageError(
                f"The warehouse was made with another {name} than this Sluicegate has.",
                remedy="Use the version that made it, or another home, and run the batches again.",
            )
    return [file for number, file in sorted(known.items()) if number not in applied]


def _applied(connection: duckdb.DuckDBPyConnection) -> dict[int, tuple[str, str]]:
    if not _has_table(connection, "schema_versions"):
        if foreign := connection.execute(
            "SELECT table_name FROM duckdb_tables() WHERE NOT internal"
        ).fetchall():
            names = ", ".join(sorted(name for (name,) in foreign)[:5])
            raise StorageError(
                f"The file holds tables of another program: {names}.",
                remedy="Choose another home.",
            )
        return {}
    rows = connection.execute("SELECT number, name, digest FROM schema_versions").fetchall()
    return {number: (name, digest) for number, name, digest in rows}


def _views_digest(connection: duckdb.DuckDBPyConnection) -> str | None:
    if not _has_table(connection, "warehouse_state"):
        return None
    rows = connection.execute("SELECT views_digest FROM warehouse_state").fetchall()
    return str(rows[0][0]) if rows else None


def _has_table(connection: duckdb.DuckDBPyConnection, name: str) -> bool:
    query = "SELECT count(*) FROM duckdb_tables() WHERE database_name = 'warehouse' AND table_name = ?"
    return connection.execute(query, [name]).fetchall() == [(1,)]


def _digest(texts: list[str]) -> str:
    """Hash SQL by what it says: comments and spacing do not count."""
    said = "\n".join(" ".join(_COMMENT.sub("", text).split()) for text in texts)
    return hashlib.sha256(said.encode()).hexdigest()
