"""What the storage relies on in DuckDB: a test that fails here after an upgrade names what it breaks."""

import os
import shutil
import signal
import subprocess
import sys
import textwrap
from datetime import UTC, datetime

import duckdb
import polars as pl
import pytest

WRITER = """
    import sys, duckdb
    shell = duckdb.connect(sys.argv[1])
    shell.execute("PRAGMA disable_checkpoint_on_shutdown")
    shell.execute("CREATE TABLE IF NOT EXISTS scratch (i INTEGER)")
    shell.execute("INSERT INTO scratch VALUES (1)")
    print("open", flush=True)
    sys.stdin.readline()
"""
READER = """
    import sys, duckdb
    shell = duckdb.connect(sys.argv[1], read_only=True)
    print("open", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def shell():
    """Another process that holds a database open."""
    started = []

    def start(script, path):
        command = [sys.executable, "-c", textwrap.dedent(script), str(path)]
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        started.append(child)
        assert child.stdout.readline() == "open\n"
        return child

    yield start
    for child in started:
        child.kill()
        child.communicate()


def make(path, rows):
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE t AS SELECT i::INTEGER AS i FROM range(?) r (i)", [rows])
    return path


def count(path):
    with duckdb.connect(str(path), read_only=True) as connection:
        return connection.execute("SELECT count(*) FROM t").fetchall()[0][0]


class TestPublication:
    """Why a publication gets a new name and a link, and never takes the place of a file."""

    def test_a_file_under_the_name_of_one_with_a_dirty_log_cannot_be_opened(self, tmp_path, shell):
        live, fresh = make(tmp_path / "live.duckdb", 1), make(tmp_path / "fresh.duckdb", 2)
        child = shell(WRITER, live)
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        fresh.replace(live)
        with pytest.raises(duckdb.Error, match="WAL"):
            count(live)

    def test_the_log_lies_beside_the_file_that_a_link_names(self, tmp_path, shell):
        (tmp_path / "published").mkdir()
        old, new = make(tmp_path / "published" / "1.duckdb", 1), make(tmp_path / "published" / "2.duckdb", 2)
        link = tmp_path / "warehouse.duckdb"
        link.symlink_to(old)
        child = shell(WRITER, link)
        logs = [p.name for p in tmp_path.rglob("*.wal")]
        other = tmp_path / "other"
        other.symlink_to(new)
        other.replace(link)
        assert count(link) == 2
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        assert count(link) == 2
        assert logs == ["1.duckdb.wal"]

    def test_open_for_writing_blocks_other_processes_and_open_for_reading_blocks_writers(
        self, tmp_path, shell
    ):
        path = make(tmp_path / "a.duckdb", 1)
        writer = shell(WRITER, path)
        with pytest.raises(duckdb.IOException, match="lock"):
            count(path)
        writer.communicate("\n")
        shell(READER, path)
        assert count(path) == 1
        with pytest.raises(duckdb.IOException, match="lock"):
            duckdb.connect(str(path))


class TestLog:
    """Why every write ends with a checkpoint, and the log is not trusted after a kill."""

    @pytest.fixture
    def logged(self, tmp_path, shell):
        path = make(tmp_path / "a.duckdb", 1)
        child = shell(WRITER, path)
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        return path, path.with_name("a.duckdb.wal")

    def test_a_checkpoint_empties_it(self, logged):
        path, log = logged
        with duckdb.connect(str(path)) as connection:
            connection.execute("CHECKPOINT")
            assert connection.execute("SELECT count(*) FROM scratch").fetchall() == [(1,)]
        assert not log.exists()

    def test_a_log_that_was_cut_opens_without_a_word_and_rows_are_gone(self, logged):
        path, log = logged
        log.write_bytes(log.read_bytes()[:-5])
        with duckdb.connect(str(path)) as connection:
            assert connection.execute("SELECT count(*) FROM scratch").fetchall() == [(0,)]

    def test_a_log_with_a_flipped_byte_does_not_open(self, logged):
        path, log = logged
        data = bytearray(log.read_bytes())
        data[len(data) // 2] ^= 0xFF
        log.write_bytes(data)
        with pytest.raises(duckdb.Error, match="WAL"):
            duckdb.connect(str(path))


class TestStorageVersion:
    def test_a_file_can_be_written_for_1_5(self, tmp_path):
        with duckdb.connect() as connection:
            connection.execute(f"ATTACH '{tmp_path}/a.duckdb' AS a (STORAGE_VERSION 'v1.5.0')")
            tags = connection.execute(
                "SELECT tags FROM duckdb_databases() WHERE database_name = 'a'"
            ).fetchall()
        assert tags == [({"storage_version": "v1.5.0+"},)]

    def test_it_stays_so_when_opened_plainly(self, tmp_path):
        self.test_a_file_can_be_written_for_1_5(tmp_path)
        with duckdb.connect(f"{tmp_path}/a.duckdb") as connection:
            connection.execute("CREATE TABLE t (i INTEGER)")
            tags = connection.execute(
                "SELECT tags FROM duckdb_databases() WHERE database_name = 'a'"
            ).fetchall()
        assert tags == [({"storage_version": "v1.5.0+"},)]

    def test_a_newer_file_is_not_lowered(self, tmp_path):
        make(tmp_path / "new.duckdb", 1)
        with duckdb.connect() as connection, pytest.raises(duckdb.Error, match="cannot be lowered"):
            connection.execute(f"ATTACH '{tmp_path}/new.duckdb' AS a (STORAGE_VERSION 'v1.5.0')")


class TestRows:
    def test_insert_matches_by_position_unless_by_name(self):
        with duckdb.connect() as connection:
            connection.execute("CREATE TABLE t (report_id VARCHAR, n_cited INTEGER, n_dangling INTEGER)")
            connection.execute("INSERT INTO t SELECT 'r1' AS report_id, 1 AS n_dangling, 9 AS n_cited")
            connection.execute(
                "INSERT INTO t BY NAME SELECT 'r1' AS report_id, 1 AS n_dangling, 9 AS n_cited"
            )
            assert connection.execute("FROM t").fetchall() == [("r1", 1, 9), ("r1", 9, 1)]
            with pytest.raises(duckdb.BinderException, match="n_unknown"):
                connection.execute("INSERT INTO t BY NAME SELECT 'r2' AS report_id, 2 AS n_unknown")

    def test_nan_is_below_no_threshold_and_a_check_can_refuse_it(self):
        with duckdb.connect() as connection:
            assert connection.execute("SELECT 'nan'::DOUBLE < 0.6").fetchall() == [(False,)]
            connection.execute("CREATE TABLE t (v DOUBLE CHECK (v IS NULL OR isfinite(v)))")
            with pytest.raises(duckdb.ConstraintException):
                connection.execute("INSERT INTO t VALUES ('nan')")

    def test_one_call_runs_several_statements(self):
        with duckdb.connect() as connection:
            connection.execute("CREATE TABLE t (i INTEGER)")
            connection.execute("SELECT 1; DROP TABLE t")
            assert connection.execute("SHOW TABLES").fetchall() == []
            kinds = [
                s.type for s in connection.extract_statements("SELECT 1; COPY (SELECT 1) TO 'x'; SHOW TABLES")
            ]
        select, copy = duckdb.StatementType.SELECT, duckdb.StatementType.COPY
        assert kinds == [select, copy, select]

    def test_a_result_that_was_not_read_to_its_end_blocks_the_connection(self):
        with duckdb.connect() as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
            with pytest.raises(duckdb.Error, match="unfinished result"):
                connection.register("frame", pl.DataFrame({"a": [1]}).to_arrow())

    def test_ddl_is_rolled_back(self):
        with duckdb.connect() as connection:
            connection.execute("BEGIN; CREATE TABLE t (i INTEGER); CREATE VIEW v AS FROM t; ROLLBACK")
            assert connection.execute("SHOW TABLES").fetchall() == []

    def test_a_failed_statement_aborts_its_transaction(self):
        with duckdb.connect() as connection:
            connection.execute("CREATE TABLE t (i INTEGER NOT NULL); BEGIN; INSERT INTO t VALUES (1)")
            with pytest.raises(duckdb.ConstraintException):
                connection.execute("INSERT INTO t VALUES (NULL)")
            with pytest.raises(duckdb.TransactionException, match="aborted"):
                connection.execute("SELECT 1")
            connection.execute("ROLLBACK")
            assert connection.execute("FROM t").fetchall() == []

    def test_except_all_compares_nulls_and_lists_as_values(self):
        with duckdb.connect() as connection:
            rows = "SELECT * FROM (VALUES (NULL, ['a', NULL], 0.5), (NULL, ['a', NULL], 0.5)) v (n, l, d)"
            assert connection.execute(f"({rows}) EXCEPT ALL ({rows})").fetchall() == []
            assert len(connection.execute(f"({rows}) EXCEPT ALL ({rows} LIMIT 1)").fetchall()) == 1

    def test_quantile_cont_interpolates_and_leaves_nulls_out(self):
        with duckdb.connect() as connection:
            query = "SELECT quantile_cont(v, 0.1) FROM (VALUES (0.0::DOUBLE), (1.0), (NULL)) t (v)"
            assert connection.execute(query).fetchall() == [(0.1,)]

    def test_instants_come_back_in_the_zone_of_the_session(self):
        with duckdb.connect() as connection:
            connection.execute("SET TimeZone = 'UTC'")
            frame = connection.sql("SELECT TIMESTAMPTZ '2026-03-01 23:30:00-05:00' AS t").pl()
        assert frame.schema["t"] == pl.Datetime("us", "UTC")
        assert frame["t"].to_list() == [datetime(2026, 3, 2, 4, 30, tzinfo=UTC)]

    def test_json_parquet_and_time_zones_come_with_the_package(self):
        with duckdb.connect() as connection:
            loaded = connection.execute(
                "SELECT extension_name FROM duckdb_extensions() WHERE loaded"
            ).fetchall()
        assert {("json",), ("parquet",), ("icu",)} <= set(loaded)


class TestViews:
    def test_columns_of_views_keep_their_comments(self, tmp_path):
        with duckdb.connect(str(tmp_path / "a.duckdb")) as connection:
            connection.execute("CREATE VIEW v AS SELECT 1 AS a")
            connection.execute("COMMENT ON VIEW v IS 'view'; COMMENT ON COLUMN v.a IS 'column'")
        query = "SELECT comment FROM duckdb_columns() WHERE table_name = 'v'"
        with duckdb.connect(str(tmp_path / "a.duckdb")) as connection:
            assert connection.execute(query).fetchall() == [("column",)]
            connection.execute("CREATE OR REPLACE VIEW v AS SELECT 1 AS a")
            assert connection.execute(query).fetchall() == [(None,)]

    def test_a_view_over_no_file_cannot_be_made(self, tmp_path):
        with duckdb.connect() as connection, pytest.raises(duckdb.IOException, match="No files found"):
            connection.execute(f"CREATE VIEW v AS FROM read_parquet('{tmp_path}/*.parquet')")

    def test_files_of_one_pattern_may_have_more_columns_than_the_view_reads(self, tmp_path):
        pl.DataFrame({"a": ["1"], "more": [b"x"]}).write_parquet(tmp_path / "1.parquet")
        pl.DataFrame({"b": ["x"], "a": ["2"]}).write_parquet(tmp_path / "2.parquet")
        with duckdb.connect() as connection:
            query = f"SELECT a FROM read_parquet('{tmp_path}/*.parquet', filename = true) ORDER BY a"
            assert connection.execute(query).fetchall() == [("1",), ("2",)]


class TestReaders:
    @pytest.fixture
    def closed(self, tmp_path):
        for folder in ("inside", "outside"):
            (tmp_path / folder).mkdir()
            (tmp_path / folder / "a.csv").write_text("a\n1\n")
        with duckdb.connect() as connection:
            connection.execute(f"SET allowed_directories = ['{tmp_path}/inside']")
            connection.execute("SET enable_external_access = false")
            connection.execute("SET lock_configuration = true")
            yield connection, tmp_path

    def test_allowed_folders_stay_open_and_others_do_not(self, closed):
        connection, path = closed
        assert connection.execute(f"FROM '{path}/inside/a.csv'").fetchall() == [(1,)]
        for name in ("outside/a.csv", "inside/../outside/a.csv"):
            with pytest.raises(duckdb.PermissionException):
                connection.execute(f"FROM '{path}/{name}'")

    def test_copy_may_write_into_an_allowed_folder(self, closed):
        """Why the reader lets nothing but SELECT pass."""
        connection, path = closed
        connection.execute(f"COPY (SELECT 1) TO '{path}/inside/b.csv'")
        assert (path / "inside" / "b.csv").exists()

    def test_settings_stay_as_they_are(self, closed):
        connection, _ = closed
        with pytest.raises(duckdb.InvalidInputException, match="locked"):
            connection.execute("SET enable_external_access = true")

    def test_folders_cannot_be_allowed_afterwards(self, tmp_path):
        with duckdb.connect() as connection:
            connection.execute("SET enable_external_access = false")
            with pytest.raises(duckdb.InvalidInputException):
                connection.execute(f"SET allowed_directories = ['{tmp_path}']")

    def test_two_connections_to_one_file_share_their_settings_and_attached_ones_do_not(self, tmp_path):
        path = make(tmp_path / "a.duckdb", 1)
        with (
            duckdb.connect(str(path), read_only=True) as one,
            duckdb.connect(str(path), read_only=True) as two,
        ):
            one.execute("SET lock_configuration = true")
            with pytest.raises(duckdb.InvalidInputException, match="locked"):
                two.execute("SET TimeZone = 'UTC'")
        with duckdb.connect() as one, duckdb.connect() as two:
            for connection in (one, two):
                connection.execute(f"ATTACH '{path}' AS a (READ_ONLY)")
                connection.execute("SET TimeZone = 'UTC'")
                connection.execute("SET lock_configuration = true")

    def test_a_variable_is_no_table_when_replacements_are_off(self):
        frame = pl.DataFrame({"a": [1]})
        closed = duckdb.connect(config={"python_enable_replacements": "false"})
        with closed as connection, pytest.raises(duckdb.CatalogException):
            connection.execute("FROM frame")
        assert frame.height == 1


def test_a_copy_of_a_checkpointed_file_is_whole(tmp_path):
    path = make(tmp_path / "a.duckdb", 1000)
    with duckdb.connect(str(path)) as connection:
        connection.execute("INSERT INTO t SELECT i FROM range(1000) r (i)")
        connection.execute("CHECKPOINT")
    shutil.copyfile(path, tmp_path / "b.duckdb")
    assert count(tmp_path / "b.duckdb") == 2000
