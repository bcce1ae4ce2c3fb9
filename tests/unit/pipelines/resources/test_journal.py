"""The journal: rows that vanish are noticed once, with the batches to run again."""

import logging

import pytest

from pipelines.resources.journal import REMEMBERED, Journal, set_log_aside
from pipelines.resources.warehouse import Warehouse


@pytest.fixture
def journal(tmp_path, clock):
    return Journal(tmp_path / "commits.json", clock=clock)


def test_nothing_is_lost_while_the_database_keeps_up(journal, tmp_path):
    assert journal.compare(1, tmp_path) is None
    journal.record(2, "audit", ["b1"])
    assert journal.compare(2, tmp_path) is None
    assert journal.compare(3, tmp_path) is None  # killed between commit and journal
    assert journal.losses() == ()


def test_a_loss_is_noticed_once(journal, tmp_path, caplog):
    journal.record(2, "audit of b1", ["b1"])
    journal.record(3, "audit of b3", ["b3"])
    journal.record(4, "audit of b2", ["b2", "b3"])
    with caplog.at_level(logging.WARNING):
        loss = journal.compare(2, tmp_path / "db")
    assert loss.batches == ("b2", "b3")
    assert loss.holders == ("audit of b3", "audit of b2")
    assert loss.file == str(tmp_path / "db")
    assert "run these batches again: 'b2', 'b3'" in caplog.text
    assert journal.compare(2, tmp_path) is None
    assert journal.losses() == (loss,)
    journal.record(3, "audit of b2", ["b2"])
    assert journal.losses() == (loss,)


def test_only_the_last_commits_are_remembered(journal, tmp_path):
    for number in range(REMEMBERED + 5):
        journal.record(number, "x", [str(number)])
    assert len(journal.compare(-1, tmp_path).holders) == REMEMBERED


@pytest.mark.parametrize("content", ["", "{", "[]", '{"commits": [{}], "losses": []}'])
def test_a_broken_journal_is_begun_anew(journal, tmp_path, content):
    (tmp_path / "commits.json").write_text(content)
    assert journal.compare(1, tmp_path) is None
    journal.record(2, "x", [])
    assert journal.compare(1, tmp_path).holders == ("x",)


def test_a_log_is_moved_and_not_deleted(tmp_path, clock):
    primary = tmp_path / "primary.duckdb"
    assert set_log_aside(primary, now=clock()) is None
    (tmp_path / "primary.duckdb.wal").write_text("log")
    aside = set_log_aside(primary, now=clock())
    assert aside.name == "primary.duckdb.wal.damaged-20260301T120000"
    assert aside.read_text() == "log"
    assert not (tmp_path / "primary.duckdb.wal").exists()


KILLED_BEFORE_CHECKPOINT = """
    import os, signal, sys
    from pathlib import Path
    import polars as pl
    from pipelines.resources.journal import Journal
    from pipelines.resources.warehouse import Warehouse

    record = Journal.record
    def record_and_die(*arguments):
        record(*arguments)
        os.kill(os.getpid(), signal.SIGKILL)

    def put(batch):
        row = {"reports_path": "in", "status": "loaded", "n_reports": 2, "n_unreadable": 0}
        with Warehouse(Path(sys.argv[1])).write(f"load {batch}") as tx:
            tx.replace("batches", pl.DataFrame([row]), where={"batch_id": batch})

    put("b0")
    Journal.record = record_and_die
    put("b1")
"""


def batches(warehouse):
    with warehouse.read_primary() as look:
        return look.query("SELECT batch_id FROM batches ORDER BY 1")["batch_id"].to_list()


@pytest.fixture
def killed(home, process):
    process(KILLED_BEFORE_CHECKPOINT, home).communicate()
    log = home / "private" / "primary.duckdb.wal"
    assert log.stat().st_size > 0
    return log


def test_a_log_that_a_kill_left_is_replayed(killed, home, clock):
    warehouse = Warehouse(home, clock=clock)
    assert batches(warehouse) == ["b0", "b1"]
    assert warehouse.losses() == ()
    assert not killed.exists()


def test_a_damaged_log_is_set_aside_and_its_batches_are_named(killed, home, clock):
    data = bytearray(killed.read_bytes())
    data[len(data) // 2] ^= 0xFF
    killed.write_bytes(data)
    warehouse = Warehouse(home, clock=clock)
    assert batches(warehouse) == ["b0"]
    (loss,) = warehouse.losses()
    assert loss.batches == ("b1",)
    assert loss.holders == ("load b1",)
    aside = home / "private" / "primary.duckdb.wal.damaged-20260301T120000"
    assert loss.file == str(aside)
    assert aside.read_bytes() == bytes(data)
    assert batches(warehouse) == ["b0"]
    assert warehouse.losses() == (loss,)


def test_a_log_cut_short_does_not_lose_rows_silently(killed, home, clock, caplog):
    killed.write_bytes(killed.read_bytes()[:-5])
    warehouse = Warehouse(home, clock=clock)
    assert batches(warehouse) == ["b0"]
    (loss,) = warehouse.losses()
    assert loss.batches == ("b1",)
    assert "run these batches again: 'b1'" in caplog.text


def test_a_missing_primary_is_a_loss(killed, home, clock):
    for path in (killed, killed.with_suffix("")):
        path.unlink()
    warehouse = Warehouse(home, clock=clock)
    assert batches(warehouse) == []
    (loss,) = warehouse.losses()
    assert loss.batches == ("b0", "b1")
