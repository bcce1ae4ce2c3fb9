"""Single statements on a DuckDB connection: their parameters, their kind, and their faults as ours.

Belongs here: what is the same for every statement. Does not belong here: any statement.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import duckdb

from quality.errors import StorageError

Params = Sequence[object] | Mapping[str, object] | None


def plain(params: Params) -> list[object] | dict[str, object] | None:
    """Give parameters in the containers that DuckDB takes."""
    if params is None:
        return None
    return dict(params) if isinstance(params, Mapping) else list(params)


def single(connection: duckdb.DuckDBPyConnection, sql: str, *, select: bool) -> duckdb.Statement | None:
    """Give the one statement of a text, or None when it is not one, or not of the kind wanted.

    Args:
        connection: the connection that it is for.
        sql: the text; a syntax error raises ``duckdb.Error``.
        select: whether it must be a SELECT (DESCRIBE, SHOW and SUMMARIZE are), or must not be one.
    """
    statements = connection.extract_statements(sql)
    if len(statements) != 1 or (statements[0].type == duckdb.StatementType.SELECT) is not select:
        return None
    return statements[0]


def run(connection: duckdb.DuckDBPyConnection, sql: str, params: Params = None) -> duckdb.DuckDBPyConnection:
    """Run a statement of our own making.

    Raises:
        StorageError: it fails.
    """
    try:
        return connection.execute(sql, plain(params))
    except duckdb.Error as error:
        raise failed(sql, error) from error


def number(connection: duckdb.DuckDBPyConnection, sql: str, params: Params = None) -> int:
    """Give the one number that a SELECT of our own making yields; errors as in ``run``."""
    # fetchone would leave the result open, and DuckDB refuses the next statement then
    ((found,),) = run(connection, sql, params).fetchall()
    return int(found)


def short(sql: str) -> str:
    """Give the start of a statement on one line, for messages."""
    return " ".join(sql.split())[:200]


def failed(sql: str, error: duckdb.Error) -> StorageError:
    """Make DuckDB's fault ours, with the statement that it happened in."""
    return StorageError(f"{type(error).__name__} in `{short(sql)}`: {error}")
