"""What can be done inside one look at, or one transaction on, the warehouse.

Belongs here: rows in and out, with the rules that hold for every table. Does not belong here: opening,
locking and committing (``warehouse``), and what the rows mean.

Values always travel as parameters. Names of tables and columns are checked against the schema, then quoted.
"""
# ruff: noqa: S608 - see above: no value and no unchecked name is ever part of a statement's text

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import duckdb
import polars as pl

from pipelines.resources.incoming import incoming
from pipelines.resources.statements import Params, failed, number, plain, run, short, single
from quality.errors import StorageError
from sql.loader import identifier


@dataclass(frozen=True, slots=True)
class AppendOnly:
    """How a table grows.

    ``id`` numbers its rows, ``subject`` says what a row speaks about, ``instant`` is no difference. Rows of one
    ``round`` (a batch under one contract in one state) stand together: a row of an earlier round stands no more,
    so it is no reason to leave its like out.
    """

    id: str
    subject: tuple[str, ...]
    instant: str
    round: tuple[str, ...] = ()


APPEND_ONLY: Mapping[str, AppendOnly] = {
    "contract_results": AppendOnly(
        "result_id", ("batch_id", "clause"), "evaluated_at", ("contract_version", "batch_fingerprint")
    ),
    "ingestion_decisions": AppendOnly("decision_id", ("batch_id", "report_id"), "decided_at"),
    "batch_snapshots": AppendOnly("seen_id", ("batch_id",), "seen_at"),
    "releases": AppendOnly("release_id", ("batch_id", "report_id", "input_fingerprint"), "recorded_at"),
    "alert_states": AppendOnly("alert_state_id", ("alert_id",), "changed_at"),
}
"""Tables whose rows are never changed; the rest hold the present state of their subject."""


class Look:
    """A consistent look at the primary."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def query(self, sql: str, params: Params = None) -> pl.DataFrame:
        """Give the rows of one SELECT; instants come in UTC.

        Raises:
            StorageError: the statement fails, is more than one, or is no SELECT.
        """
        try:
            if single(self._connection, sql, select=True) is None:
                raise StorageError(
                    f"`query` runs exactly one SELECT, not: {short(sql)}", remedy="Use `execute`."
                )
            frame: pl.DataFrame = self._connection.sql(sql, params=plain(params)).pl()
        except duckdb.Error as error:
            raise failed(sql, error) from error
        return frame


class Transaction(Look):
    """One transaction of the one writer; it is committed as a whole, or leaves nothing."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        super().__init__(connection)
        self.changed = False
        """Whether anything was written: only then is there a new state to publish."""
        self._tables: dict[str, dict[str, str]] = {}
        self.batches: set[str] = set()
        """Batches whose rows were replaced or added to."""

    def execute(self, sql: str, params: Params = None) -> None:
        """Run one statement that changes rows.

        Raises:
            StorageError: the statement fails, is more than one, or is a SELECT, which would change nothing.
        """
        try:
            statement = single(self._connection, sql, select=False)
            if statement is None:
                raise StorageError(
                    f"`execute` runs exactly one statement that changes rows, not: {short(sql)}",
                    remedy="Use `query` for a SELECT, and one call for each statement.",
                )
            self._connection.execute(statement, plain(params))
        except duckdb.Error as error:
            raise failed(sql, error) from error
        self.changed = True

    def replace(self, table: str, frame: pl.DataFrame, *, where: Mapping[str, object]) -> None:
        """Make ``frame`` all the rows of ``table`` for one subject; the same rows change nothing.

        Args:
            table: a table that is not append-only.
            frame: its rows, may be empty; columns are matched by name, left-out ones become NULL, and columns
                of ``where`` are filled in when the frame lacks them.
            where: column -> value of the subject, or a list of values (then rows of each); at least one. A
                row that says otherwise is an error.

        Raises:
            StorageError: unknown table or column, a number that is not finite, a row outside the subject, or
                a constraint of the schema that does not hold.
        """
        if table in APPEND_ONLY:
            raise StorageError(f"{table} only grows.", remedy="Use `append_changed`.")
        if not where:
            raise StorageError(f"Replacing all of {table} is not offered.", remedy="Name the subject.")
        columns = self._check_columns(table, [*where, *frame.columns])
        condition = " AND ".join(_is(column, value) for column, value in where.items())
        values = list(where.values())
        target = identifier(table)
        with incoming(self._connection, columns, _filled(frame, where)) as fresh:
            if number(
                self._connection,
                f"SELECT count(*) FROM {fresh} WHERE NOT coalesce({condition}, false)",
                values,
            ):
                raise StorageError(
                    f"Rows for {table} lie outside of {str(dict(where))[:200]}.",
                    remedy="Give the subject's rows only.",
                )
            present = f"SELECT * FROM {target} WHERE {condition}"
            different = number(
                self._connection,
                f"SELECT count(*) FROM ((FROM {fresh} EXCEPT ALL {present}) UNION ALL"
                f" ({present} EXCEPT ALL FROM {fresh}))",
                [*values, *values],
            )
            if different:
                run(self._connection, f"DELETE FROM {target} WHERE {condition}", values)
                run(self._connection, f"INSERT INTO {target} BY NAME FROM {fresh}")
                self._note_change([where.get("batch_id")])

    def append_changed(self, table: str, frame: pl.DataFrame) -> int:
        """Append the rows that differ from their subject's latest row, numbered on in the order of ``frame``.

        The number and the instant make no difference (``APPEND_ONLY`` names them); the frame gives the
        instant, and leaves the number out.

        Returns:
            How many rows were appended.

        Raises:
            StorageError: the table is not append-only, or the frame has two rows for one subject; else as
                ``replace``.
        """
        if table not in APPEND_ONLY:
            raise StorageError(f"{table} holds the present state.", remedy="Use `replace`.")
        rule = APPEND_ONLY[table]
        target, count = identifier(table), identifier(rule.id)
        subject = ", ".join(identifier(name) for name in rule.subject)
        rest = f"EXCLUDE ({count}, {identifier(rule.instant)})"
        columns = self._check_columns(table, frame.columns)
        numbered = frame.with_row_index(rule.id, offset=1).cast({rule.id: pl.Int64})
        with incoming(self._connection, columns, numbered) as fresh:
            if number(
                self._connection,
                f"SELECT count(*) FROM (FROM {fresh} SELECT {subject} GROUP BY ALL HAVING count(*) > 1)",
            ):
                raise StorageError(
                    f"Two rows for {table} speak about one {subject}.", remedy="Give one row for each."
                )
            latest = (
                f"FROM {target} QUALIFY {count} = max({count}) OVER (PARTITION BY {subject}){_in_round(rule)}"
            )
            run(
                self._connection,
                f"DELETE FROM {fresh} WHERE ({subject}) IN (SELECT ({subject}) FROM"
                f" (SELECT * {rest} FROM {fresh} INTERSECT SELECT * {rest} FROM ({latest})))",
            )
            appended = number(self._connection, f"SELECT count(*) FROM {fresh}")
            if appended:
                last = number(self._connection, f"SELECT coalesce(max({count}), 0) FROM {target}")
                order = f"row_number() OVER (ORDER BY {count})"
                run(
                    self._connection,
                    f"INSERT INTO {target} BY NAME SELECT * REPLACE (? + {order} AS {count}) FROM {fresh}",
                    [last],
                )
                self._note_change(frame["batch_id"])
        return appended

    def _note_change(self, batches: Iterable[object]) -> None:
        self.changed = True
        self.batches |= {str(batch) for batch in batches if batch is not None}

    def _check_columns(self, table: str, wanted: Iterable[str]) -> dict[str, str]:
        """Give the table's columns with their types, in order; refuse unknown ones."""
        if not self._tables:
            self._tables = self._read_tables()
        if table not in self._tables:
            raise StorageError(f"There is no table {table!r}.", remedy="Use a table of sql/schema.")
        known = self._tables[table]
        if unknown := [name for name in wanted if name not in known]:
            raise StorageError(
                f"{table} has no column {', '.join(map(repr, unknown))}; it has {', '.join(known)}.",
                remedy="Use these names; a new column needs a migration in sql/schema.",
            )
        return known

    def _read_tables(self) -> dict[str, dict[str, str]]:
        rows = run(
            self._connection,
            "SELECT t.table_name, column_name, data_type FROM duckdb_columns() c"
            " JOIN duckdb_tables() t USING (database_name, table_oid)"
            " WHERE database_name = 'warehouse' ORDER BY table_oid, column_index",
        ).fetchall()
        tables: dict[str, dict[str, str]] = {}
        for table, column, kind in rows:
            tables.setdefault(table, {})[column] = kind
        return tables


def _is(column: str, value: object) -> str:
    """Give the condition that a column has the value, or one of a list, in the next parameter."""
    if isinstance(value, list):
        return f"list_contains(?, {identifier(column)})"
    return f"{identifier(column)} IS NOT DISTINCT FROM ?"


def _in_round(rule: AppendOnly) -> str:
    """Give the condition that a row belongs to the last round of its batch."""
    if not rule.round:
        return ""
    columns = ", ".join(identifier(name) for name in rule.round)
    return f" AND row({columns}) = max_by(row({columns}), {identifier(rule.id)}) OVER (PARTITION BY batch_id)"


def _filled(frame: pl.DataFrame, where: Mapping[str, object]) -> pl.DataFrame:
    single = {name: value for name, value in where.items() if not isinstance(value, list)}
    missing = {name: value for name, value in single.items() if name not in frame.columns}
    return (
        frame.with_columns(**{name: pl.lit(value) for name, value in missing.items()})
        if frame.height
        else frame
    )
