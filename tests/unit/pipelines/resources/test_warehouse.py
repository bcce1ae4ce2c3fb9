"""The warehouse as a whole: one writer, whole states, publications that nobody can block or poison."""

import errno
import os
import signal
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import polars as pl
import pytest

from pipelines.resources.reader import reader
from pipelines.resources.warehouse import Warehouse
from quality.errors import LockTimeout, StorageError, UsageError


def put(warehouse, frame, batch="b1"):
    with warehouse.write("test") as tx:
        tx.replace("report_metrics", frame, where={"batch_id": batch})


def seen(home):
    with reader(home) as look:
        return look.query("SELECT value FROM report_metrics ORDER BY batch_id, report_id")["value"].to_list()


def version(warehouse):
    with warehouse.read_primary() as look:
        return look.query("SELECT data_version FROM warehouse_state").item()


class TestWrite:
    def test_commits_at_the_end(self, warehouse, metrics):
        put(warehouse, metrics(0.5))
        with warehouse.read_primary() as look:
            assert look.query("SELECT value FROM report_metrics").item() == 0.5

    @pytest.mark.parametrize("fault", [ZeroDivisionError, KeyboardInterrupt, SystemExit])
    def test_an_exception_leaves_nothing(self, warehouse, metrics, fault):
        with pytest.raises(fault), warehouse.write("test") as tx:
            tx.replace("report_metrics", metrics(0.5), where={"batch_id": "b1"})
            raise fault
        with warehouse.read_primary() as look:
            assert look.query("SELECT count(*) AS n FROM report_metrics").item() == 0

    def test_a_failed_statement_that_was_swallowed_commits_nothing(self, warehouse, metrics):
        with pytest.raises(StorageError, match="cannot be committed"), warehouse.write("test") as tx:
            tx.replace("report_metrics", metrics(0.5), where={"batch_id": "b1"})
            with pytest.raises(StorageError):
                tx.replace("report_metrics", metrics(None), where={"batch_id": "b1"})
        with warehouse.read_primary() as look:
            assert look.query("SELECT count(*) AS n FROM report_metrics").item() == 0

    def test_counts_only_what_changed(self, warehouse, metrics):
        put(warehouse, metrics(0.5))
        before = version(warehouse)
        put(warehouse, metrics(0.5))
        assert version(warehouse) == before
        put(warehouse, metrics(0.6))
        assert version(warehouse) == before + 1

    def test_leaves_no_log_behind(self, warehouse, metrics, home):
        put(warehouse, metrics(0.5))
        assert sorted(p.name for p in (home / "private").iterdir()) == [
            "commits.json",
            "primary.duckdb",
            "warehouse.lock",
        ]

    def test_a_look_inside_a_transaction_does_not_wait_for_itself(self, warehouse):
        with warehouse.write("audit"), pytest.raises(StorageError, match="'audit' of its own thread"):  # noqa: SIM117
            with warehouse.read_primary():
                pass


class TestReadPrimary:
    def test_makes_an_empty_warehouse_when_there_is_none(self, warehouse):
        with warehouse.read_primary() as look:
            assert look.query("FROM batch_contract").height == 0

    def test_changes_nothing(self, warehouse):
        with warehouse.read_primary() as look, pytest.raises(StorageError, match="exactly one SELECT"):
            look.query("DELETE FROM reports")


@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Asia/Shanghai"])
def test_an_instant_is_the_same_whatever_the_zone_of_the_host(home, process, zone):
    script = """
        import os, sys, time
        os.environ["TZ"] = sys.argv[2]
        time.tzset()
        from datetime import datetime
        from pathlib import Path
        import polars as pl
        from pipelines.resources.reader import reader
        from pipelines.resources.warehouse import Warehouse
        home = Path(sys.argv[1])
        row = {"reports_path": "in", "status": "loaded", "n_reports": 0, "n_unreadable": 0}
        text = "2026-03-01T23:30:00-05:00"
        rows = {"text": text, "value": datetime.fromisoformat(text)}
        with Warehouse(home).write("test") as tx:
            for batch, at in rows.items():
                tx.replace("batches", pl.DataFrame([{**row, "created_at": at}]), where={"batch_id": batch})
            tx.execute("UPDATE batches SET created_at = ? WHERE batch_id = 'value'", [rows["value"]])
        Warehouse(home).publish()
        with reader(home) as look:
            found = look.query("SELECT created_at::VARCHAR || ' ' || created_at::DATE AS at FROM batches")
            print(*found["at"], sep="|")
    """
    out, err = process(script, home, zone).communicate()
    assert err == ""
    assert out == "2026-03-02 04:30:00+00 2026-03-02|2026-03-02 04:30:00+00 2026-03-02\n"


def test_hostile_ids_are_stored_as_they_are(warehouse, metrics, home):
    ids = [
        "r1'); DROP TABLE report_metrics; --",
        'r"2',
        "r3; COPY report_metrics TO '/tmp/x.csv'",
        "ʼ OR 1=1",
    ]
    frame = metrics(0.1, 0.2, 0.3, 0.4).with_columns(report_id=pl.Series(ids))
    for batch in ids:
        put(warehouse, frame.with_columns(batch_id=pl.lit(batch)), batch)
        warehouse.write_bodies(batch, pl.DataFrame({"report_id": ids, "stage": ["shadow"] * 4, "body": ids}))
    warehouse.publish()
    with reader(home) as look:
        found = look.query("SELECT DISTINCT batch_id, report_id FROM report_metrics")
    assert sorted(found.rows()) == sorted((b, r) for b in ids for r in ids)
    assert not Path("/tmp/x.csv").exists()


@pytest.mark.parametrize("char", "*?[")
def test_a_home_that_duckdb_would_read_as_a_pattern_is_refused(tmp_path, char):
    with pytest.raises(UsageError, match="Choose a home"):
        Warehouse(tmp_path / f"a{char}b")


def test_a_home_with_quotes_and_blanks_works(tmp_path, metrics, clock):
    home = tmp_path / "my team's 仓库"
    warehouse = Warehouse(home, clock=clock)
    put(warehouse, metrics(0.5))
    warehouse.publish()
    assert seen(home) == [0.5]


class TestPublish:
    def test_shows_the_rows_and_the_bodies(self, warehouse, metrics, home):
        put(warehouse, metrics(0.5))
        file = warehouse.write_bodies(
            "b1", pl.DataFrame({"report_id": ["r0"], "stage": ["shadow"], "body": ["text"]})
        )
        with warehouse.write("test") as tx:
            report = {
                "report_id": "r0",
                "written_id": "r0",
                "ordinal": 0,
                "status": "read",
                "body_file": file,
            }
            rest = {"content_fingerprint": "c", "has_evidence": False, "flags": []}
            tx.replace("reports", pl.DataFrame([report | rest]), where={"batch_id": "b1"})
        path = warehouse.publish()
        assert path == home / "published" / "warehouse-000001.duckdb"
        assert seen(home) == [0.5]
        with reader(home) as look:
            assert look.query("SELECT body FROM report_bodies").item() == "text"

    def test_writes_nothing_anew_while_nothing_changed(self, warehouse, metrics):
        put(warehouse, metrics(0.5))
        first = warehouse.publish()
        assert warehouse.publish() == first
        put(warehouse, metrics(0.5))
        assert warehouse.publish() == first

    def test_writes_nothing_anew_when_the_rows_are_what_they_were(self, warehouse, metrics):
        put(warehouse, metrics(0.5))
        first = warehouse.publish()
        put(warehouse, metrics(0.6))
        put(warehouse, metrics(0.5))
        assert warehouse.publish() == first

    def test_any_change_makes_a_new_one(self, warehouse, metrics):
        put(warehouse, metrics(0.5))
        first = warehouse.publish()
        put(warehouse, metrics(0.6))
        second = warehouse.publish()
        assert second != first
        assert warehouse.publish() == second

    def test_a_number_that_comes_again_after_a_loss_is_another_state(self, warehouse, metrics, home, clock):
        put(warehouse, metrics(0.5))
        first = warehouse.publish()
        number = version(warehouse)
        (home / "private" / "primary.duckdb").unlink()
        clock.move(seconds=1)
        put(warehouse, metrics(0.6))
        assert version(warehouse) == number
        assert warehouse.publish() != first
        assert seen(home) == [0.6]

    def test_a_full_disk_leaves_the_last_publication(self, warehouse, metrics, home, monkeypatch):
        put(warehouse, metrics(0.5))
        warehouse.publish()
        put(warehouse, metrics(0.6))
        with monkeypatch.context() as patch:

            def full(source, target):
                Path(target).write_bytes(b"half")
                raise OSError(errno.ENOSPC, "No space left on device")

            patch.setattr("shutil.copyfile", full)
            with pytest.raises(StorageError, match="No space left"):
                warehouse.publish()
        assert seen(home) == [0.5]
        assert sorted(p.suffix for p in (home / "published").iterdir()) == [".duckdb", ".json"]
        warehouse.publish()
        assert seen(home) == [0.6]

    def test_one_that_somebody_changed_is_replaced(self, warehouse, metrics, home):
        put(warehouse, metrics(0.5))
        first = warehouse.publish()
        with duckdb.connect(str(home / "warehouse.duckdb")) as shell:
            shell.execute("DELETE FROM report_metrics")
        assert warehouse.publish() != first
        assert seen(home) == [0.5]

    def test_a_moved_home_is_published_anew_with_its_own_paths(self, warehouse, home, clock):
        file = warehouse.write_bodies(
            "b1", pl.DataFrame({"report_id": ["r"], "stage": ["shadow"], "body": ["text"]})
        )
        with warehouse.write("test") as tx:
            report = {"report_id": "r", "written_id": "r", "ordinal": 0, "status": "read", "body_file": file}
            rest = {"content_fingerprint": "c", "has_evidence": False, "flags": []}
            tx.replace("reports", pl.DataFrame([report | rest]), where={"batch_id": "b1"})
        first = warehouse.publish().name
        moved = Warehouse(home.rename(home.with_name("moved")), clock=clock)
        assert moved.publish().name != first
        with reader(moved.home) as look:
            assert look.query("SELECT body FROM report_bodies").item() == "text"

    def test_an_empty_warehouse_can_be_published(self, warehouse, home):
        warehouse.publish()
        assert seen(home) == []

    def test_keeps_three_and_the_bodies_that_they_name(self, warehouse, clock, home):
        files = []
        for text in "abcde":
            frame = pl.DataFrame({"report_id": ["r"], "stage": ["shadow"], "body": [text]})
            files.append(warehouse.write_bodies("b1", frame))
            with warehouse.write("test") as tx:
                report = {
                    "report_id": "r",
                    "written_id": "r",
                    "ordinal": 0,
                    "status": "read",
                    "body_file": files[-1],
                }
                rest = {"content_fingerprint": text, "has_evidence": False, "flags": []}
                tx.replace("reports", pl.DataFrame([report | rest]), where={"batch_id": "b1"})
            clock.move(days=2)
            warehouse.publish()
        assert len(list((home / "published").glob("*.duckdb"))) == 3
        assert [(home / f).exists() for f in files] == [False, False, True, True, True]
        assert warehouse.sweep_bodies(older_than=timedelta()) == []

    def test_spares_text_that_a_run_is_about_to_record(self, warehouse, home):
        file = warehouse.write_bodies(
            "b1", pl.DataFrame({"report_id": ["r"], "stage": ["shadow"], "body": ["x"]})
        )
        warehouse.publish()
        assert (home / file).exists()
        assert warehouse.sweep_bodies(older_than=timedelta(seconds=-1)) == [file]


SHELL = """
    import sys
    import duckdb
    shell = duckdb.connect(sys.argv[1])
    shell.execute("PRAGMA disable_checkpoint_on_shutdown")
    shell.execute("CREATE TABLE scratch AS FROM range(1000)")
    shell.execute("DELETE FROM report_metrics")
    print("open", flush=True)
    sys.stdin.readline()
"""


def test_a_shell_with_unsaved_changes_neither_blocks_nor_poisons(warehouse, metrics, home, process):
    put(warehouse, metrics(0.1))
    old = warehouse.publish()
    shell = process(SHELL, home / "warehouse.duckdb")
    assert shell.stdout.readline() == "open\n"

    with pytest.raises(StorageError, match="Close the program"):
        seen(home)
    put(warehouse, metrics(0.2))
    new = warehouse.publish()
    assert new != old
    assert seen(home) == [0.2]

    os.kill(shell.pid, signal.SIGKILL)
    shell.wait()
    assert seen(home) == [0.2]
    put(warehouse, metrics(0.3))
    warehouse.publish()
    assert seen(home) == [0.3]


def test_a_reader_keeps_its_state_while_others_publish(warehouse, metrics, home):
    put(warehouse, metrics(0.1))
    warehouse.publish()
    with reader(home) as look:
        for value in (0.2, 0.3, 0.4, 0.5, 0.6):
            put(warehouse, metrics(value))
            warehouse.publish()
        assert look.query("SELECT value FROM report_metrics").item() == 0.1
    assert seen(home) == [0.6]


WRITER = """
    import sys
    from pathlib import Path
    import polars as pl
    from pipelines.resources.warehouse import Warehouse
    warehouse = Warehouse(Path(sys.argv[1]), lock_wait=60)
    print("ready", flush=True)
    sys.stdin.readline()
    for _ in range(15):
        with warehouse.write(sys.argv[2]) as tx:
            n = tx.query("SELECT coalesce(max(n_reports), 0) AS n FROM batches").item()
            row = {"reports_path": sys.argv[2], "status": "loaded", "n_reports": n + 1, "n_unreadable": 0}
            tx.replace("batches", pl.DataFrame([row]), where={"batch_id": "counter"})
"""


@pytest.mark.slow
def test_two_writers_never_interleave(warehouse, home, process):
    writers = [process(WRITER, home, name) for name in ("one", "two")]
    for writer in writers:
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        _, err = writer.communicate()
        assert (writer.returncode, err) == (0, "")
    with warehouse.read_primary() as look:
        assert look.query("SELECT n_reports FROM batches").item() == 30


def test_a_timeout_names_the_holder(home, process, clock):
    script = """
        import sys
        from pathlib import Path
        from pipelines.resources.warehouse import Warehouse
        with Warehouse(Path(sys.argv[1])).write("shadow_audit of batch 'b1'"):
            print("held", flush=True)
            sys.stdin.readline()
    """
    child = process(script, home)
    assert child.stdout.readline() == "held\n"
    waiting = Warehouse(home, lock_wait=0.1, clock=clock)
    for attempt in (waiting.publish, waiting.read_primary().__enter__):
        with pytest.raises(
            LockTimeout, match=rf"process {child.pid} holds the lock for .*shadow_audit of batch 'b1'"
        ):
            attempt()


def test_the_clock_is_the_one_that_was_given(home):
    at = datetime(2020, 1, 1, tzinfo=UTC)
    warehouse = Warehouse(home, clock=lambda: at)
    with warehouse.read_primary() as look:
        assert look.query("SELECT updated_at FROM warehouse_state").item() == at
