"""Users' questions to the published warehouse: read-only, with no way out of it.

Belongs here: opening the publication for a question, and what a question may be. Does not belong here: the
private primary, and how answers are shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import polars as pl

from pipelines.resources.bodies import FOLDER
from pipelines.resources.publication import Publications
from pipelines.resources.statements import Params, plain, single
from pipelines.resources.warehouse import utc_now
from quality.errors import StorageError, UsageError
from sql.loader import literal

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]  # it ships no types


class Reader:
    """A connection that answers SELECTs over one publication."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def execute(self, sql: str, params: Params = None) -> duckdb.DuckDBPyConnection:
        """Run one SELECT (or DESCRIBE, SHOW, SUMMARIZE); its rows come from the result's ``fetchall``.

        The views may read files of bodies, so DuckDB would let COPY write beside them: nothing else passes.

        Raises:
            UsageError: it is something else, or more than one statement.
            duckdb.Error: the statement fails.
        """
        return self._connection.execute(self._one_select(sql), plain(params))

    def query(self, sql: str, params: Params = None) -> pl.DataFrame:
        """Give the rows of one SELECT as a frame; errors as in ``execute``."""
        relation = self._connection.sql(self._one_select(sql), params=plain(params))
        frame: pl.DataFrame = relation.pl()
        return frame

    def arrow(self, sql: str, params: Params = None, *, rows: int) -> pa.RecordBatchReader:
        """Give the rows of one SELECT as an Arrow reader, so many rows at a time; errors as in ``execute``."""
        return self._connection.sql(self._one_select(sql), params=plain(params)).to_arrow_reader(rows)

    def _one_select(self, sql: str) -> duckdb.Statement:
        statement = single(self._connection, sql, select=True)
        if statement is None:
            raise UsageError(
                "The published warehouse answers one SELECT at a time.",
                remedy="`SHOW TABLES` lists what there is; for anything else use DuckDB's own shell.",
            )
        return statement


@contextmanager
def reader(home: Path) -> Iterator[Reader]:
    """Open the latest publication of a home for questions.

    Files other than the bodies, the network and extensions are out of reach, and no setting can change that.

    Raises:
        StorageError: nothing was published, or another program holds the file open for writing.
    """
    path = Publications(home.resolve(), clock=utc_now).latest()
    # a database of its own for each reader: opened directly, two in one process would share their settings
    connection = duckdb.connect(
        config={"python_enable_replacements": "false", "autoload_known_extensions": "false"}
    )
    try:
        _attach(connection, path)
        connection.execute("SET TimeZone = 'UTC'")
        connection.execute(f"SET allowed_directories = [{literal(str(home.resolve() / FOLDER))}]")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")
        yield Reader(connection)
    finally:
        connection.close()


def _attach(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    try:
        connection.execute(f"ATTACH {literal(str(path))} AS warehouse (READ_ONLY)")
        connection.execute("USE warehouse")
    except duckdb.Error as error:
        raise StorageError(
            f"The published warehouse {path} cannot be opened: {error}.",
            remedy="Close the program that has it open for writing (`duckdb -readonly` disturbs nobody).",
        ) from error
