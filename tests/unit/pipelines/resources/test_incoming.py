"""A frame becomes a temporary table with the types of its target."""

import duckdb
import polars as pl
import pytest

from pipelines.resources.incoming import incoming
from quality.errors import StorageError

COLUMNS = {"id": "VARCHAR", "n": "INTEGER", "it's": "VARCHAR[]", "moment": "TIMESTAMP WITH TIME ZONE"}


@pytest.fixture
def connection():
    with duckdb.connect() as opened:
        opened.execute("SET TimeZone = 'UTC'; BEGIN")
        yield opened


def rows(connection, frame):
    with incoming(connection, COLUMNS, frame) as name:
        return connection.execute(f"SELECT * EXCLUDE (moment), moment::VARCHAR FROM {name}").fetchall()


def test_columns_have_the_order_and_types_of_the_target(connection):
    frame = pl.DataFrame({"moment": ["2026-03-01T23:30:00-05:00"], "it's": [["x"]], "n": [7], "id": ["a"]})
    assert rows(connection, frame) == [("a", 7, ["x"], "2026-03-02 04:30:00+00")]


def test_missing_columns_are_null_and_no_rows_are_no_rows(connection):
    assert rows(connection, pl.DataFrame({"id": ["a"]})) == [("a", None, None, None)]
    assert rows(connection, pl.DataFrame({"id": ["a"]}).clear()) == []
    assert rows(connection, pl.DataFrame()) == []


def test_a_value_that_does_not_fit_is_an_error(connection):
    with pytest.raises(StorageError, match="ConversionException"):
        rows(connection, pl.DataFrame({"n": ["seven"]}))


def test_a_number_that_is_not_finite_is_refused_before_anything_is_made(connection):
    with pytest.raises(StorageError, match="not finite in n, m"):
        rows(connection, pl.DataFrame({"n": [float("nan")], "m": [float("inf")], "id": ["a"]}))
    assert connection.execute("SELECT count(*) FROM duckdb_tables()").fetchall() == [(0,)]


def test_nothing_stays_behind(connection):
    rows(connection, pl.DataFrame({"id": ["a"]}))
    with pytest.raises(ZeroDivisionError), incoming(connection, COLUMNS, pl.DataFrame({"id": ["b"]})):
        raise ZeroDivisionError
    assert rows(connection, pl.DataFrame({"id": ["c"]})) == [("c", None, None, None)]
    assert connection.execute("SELECT count(*) FROM duckdb_tables()").fetchall() == [(0,)]
