"""Questions to the publication: SELECT only, and nothing outside of it."""

from pathlib import Path

import duckdb
import polars as pl
import pytest

from pipelines.resources.reader import reader
from quality.errors import StorageError, UsageError


@pytest.fixture
def published(warehouse, metrics, home):
    with warehouse.write("test") as tx:
        tx.replace("report_metrics", metrics(0.5, 0.7), where={"batch_id": "b1"})
        file = warehouse.write_bodies(
            "b1", pl.DataFrame({"report_id": ["r"], "stage": ["shadow"], "body": ["text"]})
        )
        report = {"report_id": "r", "written_id": "r", "ordinal": 0, "status": "read", "body_file": file}
        rest = {"content_fingerprint": "c", "has_evidence": False, "flags": []}
        tx.replace("reports", pl.DataFrame([report | rest]), where={"batch_id": "b1"})
    warehouse.publish()
    (home / "secret.csv").write_text("a\n1\n")
    return home


@pytest.fixture
def look(published):
    with reader(published) as opened:
        yield opened


def test_answers_with_rows_and_names(look):
    result = look.execute("SELECT report_id, value FROM report_metrics WHERE value > ? ORDER BY 1", [0.6])
    assert [column[0] for column in result.description] == ["report_id", "value"]
    assert result.fetchall() == [("r1", 0.7)]
    assert look.query("SELECT max(value) AS v FROM report_metrics").to_dicts() == [{"v": 0.7}]


@pytest.mark.parametrize(
    "question", ["SHOW TABLES", "DESCRIBE reports", "SUMMARIZE report_metrics", "FROM reports;"]
)
def test_other_forms_of_looking_pass(look, question):
    assert look.execute(question).fetchall() != []


def test_views_reach_the_bodies(look):
    assert look.query("SELECT body FROM report_bodies").item() == "text"


@pytest.mark.parametrize(
    "question",
    [
        "FROM read_csv('{home}/secret.csv')",
        "FROM read_text('{home}/secret.csv')",
        "FROM '{home}/secret.csv'",
        "FROM read_text('{home}/bodies/../secret.csv')",
        "FROM read_blob('{home}/private/primary.duckdb')",
        "FROM glob('{home}/*')",
        "FROM read_text('/etc/hostname')",
        "FROM 'http://127.0.0.1:9/x.parquet'",
        "FROM query('SELECT * FROM read_csv(''{home}/secret.csv'')')",
    ],
)
def test_files_and_network_are_out_of_reach(look, published, question):
    with pytest.raises(duckdb.Error, match="disabled by configuration"):
        look.execute(question.format(home=published)).fetchall()


@pytest.mark.parametrize(
    "question",
    [
        "COPY (SELECT 1) TO '{home}/bodies/x.csv'",
        "COPY (SELECT 1) TO '{home}/x.csv'",
        "EXPLAIN ANALYZE COPY (SELECT 1) TO '{home}/bodies/x.csv'",
        "EXPORT DATABASE '{home}/bodies/x'",
        "ATTACH '{home}/private/primary.duckdb' AS p",
        "ATTACH '{home}/bodies/x.duckdb' AS p",
        "INSERT INTO reports FROM reports",
        "CREATE TABLE x (a INTEGER)",
        "CREATE TEMP TABLE x (a INTEGER)",
        "DELETE FROM reports",
        "SET enable_external_access = true",
        "RESET lock_configuration",
        "INSTALL httpfs",
        "LOAD httpfs",
        "PRAGMA database_list",
        "CALL pragma_version()",
        "SELECT 1; SELECT 2",
        "SELECT 1; DELETE FROM reports",
        "",
        "-- nothing",
    ],
)
def test_anything_but_one_select_is_refused(look, published, question):
    before = sorted(published.rglob("*"))
    for ask in (look.execute, look.query):
        with pytest.raises(UsageError, match="one SELECT at a time"):
            ask(question.format(home=published))
    assert sorted(published.rglob("*")) == before


@pytest.mark.parametrize("setting", ["enable_external_access", "lock_configuration", "allowed_directories"])
def test_duckdb_itself_holds_the_door_shut(look, setting):
    with pytest.raises(duckdb.Error, match="locked"):
        look._connection.execute(f"SET {setting} = DEFAULT")


def test_duckdb_itself_refuses_to_write_outside(look, published):
    with pytest.raises(duckdb.Error, match="disabled by configuration"):
        look._connection.execute(f"COPY (SELECT 1) TO '{published}/x.csv'")
    with pytest.raises(duckdb.Error, match="read-only"):
        look._connection.execute("DELETE FROM reports")


def test_variables_of_the_program_are_no_tables(look):
    hidden = pl.DataFrame({"a": [1]})
    with pytest.raises(duckdb.Error, match="hidden does not exist"):
        look.query("SELECT * FROM hidden")
    assert hidden.height == 1


def test_a_syntax_error_is_duckdbs(look):
    with pytest.raises(duckdb.ParserException):
        look.execute("SELEC 1")


def test_nothing_published_is_a_clear_error(home):
    with pytest.raises(StorageError, match="Run a batch first"), reader(home):
        pass


def test_many_readers_at_once(published):
    with reader(published) as one, reader(published) as two:
        assert (
            one.query("SELECT count(*) AS n FROM reports").item()
            == two.query("SELECT count(*) AS n FROM reports").item()
        )


def test_a_relative_home_works(published, monkeypatch):
    monkeypatch.chdir(published.parent)
    with reader(Path(published.name)) as look:
        assert look.query("SELECT body FROM report_bodies").item() == "text"
