"""The private primary: made whole or not at all, brought up to date, refused when it is someone else's."""

from datetime import UTC, datetime

import duckdb
import pytest

import sql.loader
from pipelines.resources import primary
from quality.errors import StorageError
from sql.loader import SqlFile, literal

NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def seed(tmp_path):
    file = tmp_path / "seed.parquet"
    duckdb.execute(f"COPY (SELECT '' AS report_id, '' AS stage, '' AS body LIMIT 0) TO {literal(str(file))}")
    return str(file)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "private" / "primary.duckdb"


def ensure(path, seed):
    return primary.ensure(path, bodies_glob=seed, now=NOW)


def one(path, query):
    with primary.connect(path, read_only=True) as connection:
        return connection.execute(query).fetchall()


def test_a_new_primary_has_tables_views_and_comments(path, seed):
    assert ensure(path, seed) == 1
    numbers = [int(f.name[:3]) for f in sql.loader.schema() if "repeatable" not in f.facts]
    assert one(path, "SELECT number FROM schema_versions ORDER BY 1") == [(n,) for n in numbers]
    assert one(path, "SELECT data_version FROM warehouse_state") == [(1,)]
    bare = "SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal AND comment IS NULL"
    assert one(path, bare) == []
    assert one(path, "SELECT view_name FROM duckdb_views() WHERE NOT internal AND comment IS NULL") == []
    assert [p.name for p in path.parent.iterdir()] == ["primary.duckdb"]


def test_bringing_up_to_date_twice_changes_nothing(path, seed):
    ensure(path, seed)
    before = path.read_bytes()
    ensure(path, seed)
    assert path.read_bytes() == before


def test_storage_can_be_read_by_duckdb_1_5(path, seed):
    ensure(path, seed)
    assert one(path, "SELECT tags FROM duckdb_databases() WHERE database_name = 'warehouse'") == [
        ({"storage_version": "v1.5.0+"},)
    ]


def test_instants_are_in_utc(path, seed):
    ensure(path, seed)
    assert one(path, "SELECT current_setting('TimeZone')") == [("UTC",)]
    assert one(path, "SELECT updated_at FROM warehouse_state") == [(NOW,)]


def test_new_views_are_made_when_they_change(path, seed, tmp_path):
    ensure(path, seed)
    moved = tmp_path / "moved.parquet"
    moved.write_bytes((tmp_path / "seed.parquet").read_bytes())
    assert ensure(path, str(moved)) == 2
    assert "moved.parquet" in str(
        one(path, "SELECT sql FROM duckdb_views() WHERE view_name = 'report_bodies'")
    )
    assert one(path, "SELECT data_version FROM warehouse_state") == [(2,)]
    assert one(path, "SELECT comment IS NULL FROM duckdb_views() WHERE view_name = 'report_bodies'") == [
        (False,)
    ]


def test_a_damaged_file_of_bodies_is_named(path, seed, tmp_path):
    ensure(path, seed)
    damaged = tmp_path / "damaged.parquet"
    damaged.write_bytes(b"PAR1 nothing PAR1")
    with pytest.raises(StorageError, match=r"(?s)damaged\.parquet.*run its batch again"):
        ensure(path, str(damaged))
    assert ensure(path, seed) == 1


def test_a_migration_is_applied_once_and_keeps_rows(path, seed, monkeypatch):
    ensure(path, seed)
    with primary.connect(path) as connection:
        connection.execute(
            "INSERT INTO contract_versions (contract_version, content, first_used_at) VALUES ('c1', 'x', ?)",
            [NOW],
        )
    added = SqlFile("901_more", "ALTER TABLE contract_versions ADD COLUMN note VARCHAR;")
    monkeypatch.setattr(sql.loader, "schema", lambda real=sql.loader.schema: (*real(), added))
    assert [ensure(path, seed), ensure(path, seed)] == [2, 2]
    assert one(path, "SELECT contract_version, note FROM contract_versions") == [("c1", None)]
    assert one(path, "SELECT count(*) FROM schema_versions WHERE number = 901") == [(1,)]


def test_a_home_from_before_acceptances_keeps_its_contracts_and_results(path, seed, monkeypatch):
    first = tuple(file for file in sql.loader.schema() if int(file.name.split("_")[0]) < 3)
    with monkeypatch.context() as patch:
        patch.setattr(sql.loader, "schema", lambda: first)
        patch.setattr(sql.loader, "views", lambda: ())
        ensure(path, seed)
    with primary.connect(path) as connection:
        connection.execute("INSERT INTO contract_versions VALUES ('c1', 'x', NULL, NULL, ?)", [NOW])
    ensure(path, seed)
    assert one(path, "SELECT contract_version, first_used_at, why FROM contract_versions") == [
        ("c1", NOW, None)
    ]
    with primary.connect(path) as connection:
        connection.execute("INSERT INTO contract_versions (contract_version, content) VALUES ('c2', 'y')")


def test_a_migration_that_fails_leaves_the_primary_as_it_was(path, seed, monkeypatch):
    ensure(path, seed)
    broken = SqlFile("901_more", "CREATE TABLE more (a INTEGER); ALTER TABLE nothing ADD COLUMN b INTEGER;")
    with monkeypatch.context() as patch:
        patch.setattr(sql.loader, "schema", lambda real=sql.loader.schema: (*real(), broken))
        with pytest.raises(StorageError, match=r"901_more.*nothing"):
            ensure(path, seed)
    assert one(path, "SELECT count(*) FROM duckdb_tables() WHERE table_name = 'more'") == [(0,)]
    assert ensure(path, seed) == 1


def test_a_newer_schema_is_refused(path, seed):
    ensure(path, seed)
    with primary.connect(path) as connection:
        connection.execute("INSERT INTO schema_versions VALUES (99, '099_future', 'x', ?)", [NOW])
    with pytest.raises(StorageError, match=r"schema version 99.*Upgrade Sluicegate"):
        ensure(path, seed)


def test_another_schema_under_the_same_number_is_refused(path, seed):
    ensure(path, seed)
    with primary.connect(path) as connection:
        connection.execute("UPDATE schema_versions SET digest = 'x' WHERE number = 1")
    with pytest.raises(StorageError, match="another 001_core"):
        ensure(path, seed)


def test_comments_in_the_schema_are_no_change(path, seed, monkeypatch):
    ensure(path, seed)
    real = sql.loader.schema()
    said = tuple(SqlFile(f.name, f"-- more words\n\n{f.text}", f.facts) for f in real)
    monkeypatch.setattr(sql.loader, "schema", lambda: said)
    assert ensure(path, seed) == 1


def test_the_tables_of_another_program_are_refused(path, seed):
    path.parent.mkdir()
    with primary.connect(path) as connection:
        connection.execute("CREATE TABLE somebody (a INTEGER)")
    with pytest.raises(StorageError, match="another program: somebody"):
        ensure(path, seed)


def test_a_file_that_is_no_warehouse_is_a_clear_error(path, seed):
    path.parent.mkdir()
    path.write_bytes(b"not a database" * 1000)
    with pytest.raises(StorageError, match="cannot be opened"):
        ensure(path, seed)


def test_what_killed_writers_left_is_removed(path, seed):
    ensure(path, seed)
    (path.parent / ".commits.json.1-2.unfinished").write_bytes(b"half")
    ensure(path, seed)
    assert [p.name for p in path.parent.iterdir()] == ["primary.duckdb"]


def test_what_a_killed_beginning_left_does_not_disturb(path, seed):
    path.parent.mkdir()
    for name in (".primary.duckdb.1.unfinished", ".primary.duckdb.1.unfinished.wal"):
        (path.parent / name).write_bytes(b"half")
    ensure(path, seed)
    assert [p.name for p in path.parent.iterdir()] == ["primary.duckdb"]


def test_a_path_with_a_quote_is_no_problem(tmp_path, seed):
    path = tmp_path / "it's" / "primary.duckdb"
    ensure(path, seed)
    assert one(path, "SELECT count(*) FROM reports") == [(0,)]
