"""Rows on their way in: a frame as a temporary table with exactly the columns and types of its target.

Belongs here: bringing a frame into that form, and refusing numbers that are not finite. Does not belong here:
what becomes of the rows. From here on DuckDB compares like with like.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import duckdb
import polars as pl
import polars.selectors as cs

from pipelines.resources.statements import run
from quality.errors import StorageError
from sql.loader import identifier

NAME = "temp.incoming"


@contextmanager
def incoming(
    connection: duckdb.DuckDBPyConnection, columns: Mapping[str, str], frame: pl.DataFrame
) -> Iterator[str]:
    """Give the name of a temporary table that holds ``frame``; columns that it lacks are NULL.

    Args:
        connection: a connection with an open transaction.
        columns: column -> type of the target, in order; the frame has no others.
        frame: the rows, may be empty.

    Raises:
        StorageError: a value does not fit its column's type, or a number is not finite.
    """
    _refuse_not_finite(frame)
    declared = ", ".join(f"{identifier(name)} {kind}" for name, kind in columns.items())
    _drop(connection)
    run(connection, f"CREATE TEMP TABLE incoming ({declared})")
    if frame.height:
        connection.register("incoming_frame", frame.to_arrow())
        run(connection, f"INSERT INTO {NAME} BY NAME FROM incoming_frame")
    yield NAME
    # not after a fault: the transaction may be aborted, which allows nothing but its rollback
    _drop(connection)


def _drop(connection: duckdb.DuckDBPyConnection) -> None:
    connection.unregister("incoming_frame")
    run(connection, f"DROP TABLE IF EXISTS {NAME}")


def _refuse_not_finite(frame: pl.DataFrame) -> None:
    bad = [s.name for s in frame.select(cs.float()).iter_columns() if not s.is_finite().all()]
    if bad:
        raise StorageError(
            f"Numbers are not finite in {', '.join(bad)}.",
            remedy="A value that could not be measured is NULL, with its validity.",
        )
