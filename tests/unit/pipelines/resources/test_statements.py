"""Single statements: one or none, of the kind that is wanted, with their faults named."""

import duckdb
import pytest

from pipelines.resources.statements import number, plain, run, short, single
from quality.errors import StorageError


@pytest.fixture
def connection():
    with duckdb.connect() as opened:
        yield opened


@pytest.mark.parametrize(
    ("sql", "select"),
    [
        ("SELECT 1", True),
        ("-- a word first\nWITH a AS (SELECT 1) FROM a;", True),
        ("SHOW TABLES", True),
        ("CREATE TABLE t (i INTEGER)", False),
        ("COPY (SELECT 1) TO 'x'", False),
        ("EXPLAIN ANALYZE SELECT 1", False),
    ],
)
def test_one_statement_of_the_kind_wanted(connection, sql, select):
    assert single(connection, sql, select=select) is not None
    assert single(connection, sql, select=not select) is None


@pytest.mark.parametrize("sql", ["", ";", "-- nothing", "SELECT 1; SELECT 2"])
def test_none_or_several_are_no_statement(connection, sql):
    assert single(connection, sql, select=True) is None
    assert single(connection, sql, select=False) is None


def test_parameters_by_position_and_by_name(connection):
    assert number(connection, "SELECT ? + ?", (1, 2)) == 3
    assert number(connection, "SELECT $a + $b", {"a": 1, "b": 2}) == 3
    assert number(connection, "SELECT 3") == 3
    assert (plain(None), plain((1,)), plain({"a": 1})) == (None, [1], {"a": 1})


def test_a_fault_names_its_statement(connection):
    with pytest.raises(StorageError, match="CatalogException in `SELECT \\* FROM nothing`"):
        run(connection, "SELECT *\n  FROM nothing")


def test_a_long_statement_is_cut():
    assert short("SELECT\n\n  1") == "SELECT 1"
    assert len(short("x" * 1000)) == 200
