"""What counts as a drop, and what a drop becomes."""

import os
from datetime import UTC, datetime, timedelta

import pytest

from assets.batches import batch_file
from pipelines.inbox import known_batches, take_inbox

NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
LONG_AGO = (NOW - timedelta(hours=1)).timestamp()


@pytest.fixture
def home(tmp_path):
    (tmp_path / "inbox").mkdir()
    return tmp_path


def settle(home):
    for path in [*(home / "inbox").rglob("*")]:
        os.utime(path, (LONG_AGO, LONG_AGO))


def test_folder_of_markdown_becomes_a_batch_of_its_name(home):
    drop = home / "inbox" / "monday"
    drop.mkdir()
    (drop / "a.md").write_text("A.")
    (drop / "sources.csv").write_text("source_id,title\ns1,Tides\n")
    settle(home)
    assert take_inbox(home, now=NOW) == (["monday"], [])
    batch = batch_file(home, "monday")
    assert (batch.reports, batch.sources) == (drop, drop / "sources.csv")
    assert batch.created_at == NOW - timedelta(hours=1)
    assert known_batches(home) == (["monday"], [])


def test_sub_folder_and_single_file(home):
    inner = home / "inbox" / "tuesday" / "reports"
    inner.mkdir(parents=True)
    (home / "inbox" / "wednesday.jsonl").write_text("{}\n")
    (home / "inbox" / "notes.txt").write_text("not a batch")
    settle(home)
    assert take_inbox(home, now=NOW) == (["tuesday", "wednesday"], [])
    assert batch_file(home, "tuesday").reports == inner
    assert batch_file(home, "wednesday").reports == home / "inbox" / "wednesday.jsonl"


def test_own_batch_file_is_read_and_its_paths_count_from_the_drop(home):
    drop = home / "inbox" / "x"
    drop.mkdir()
    (drop / "batch.toml").write_text(
        'id = "named inside"\nreports = "in.jsonl"\nproducer = "p"\ncreated_at = 2026-05-01T00:00:00Z\n'
    )
    settle(home)
    assert take_inbox(home, now=NOW) == (["named inside"], [])
    batch = batch_file(home, "named inside")
    assert (batch.reports, batch.producer, batch.sources) == (drop / "in.jsonl", "p", None)


def test_copy_in_progress_is_left_alone_until_it_settles(home):
    drop = home / "inbox" / "slow"
    drop.mkdir()
    (drop / "a.md").write_text("A.")
    settle(home)
    just_now = (NOW - timedelta(seconds=2)).timestamp()
    os.utime(drop / "a.md", (just_now, just_now))
    assert take_inbox(home, now=NOW) == ([], [])
    assert take_inbox(home, now=NOW + timedelta(seconds=10)) == (["slow"], [])


def test_broken_or_clashing_drop_is_refused_and_costs_only_itself(home):
    for name, text in (
        ("a", "id = 3"),
        ("b", 'id = "good"\nreports = "r"\ncreated_at = 2026-05-01T00:00:00Z\n'),
    ):
        (home / "inbox" / name).mkdir()
        (home / "inbox" / name / "batch.toml").write_text(text)
    (home / "inbox" / "c").mkdir()
    (home / "inbox" / "c" / "batch.toml").write_text(
        'id = "good"\nreports = "s"\ncreated_at = 2026-05-01T00:00:00Z\n'
    )
    settle(home)
    taken, refused = take_inbox(home, now=NOW)
    assert taken == ["good"]
    assert [r.path.name for r in refused] == ["a", "c"]
    assert "exists already" in refused[1].reason


def test_taken_again_it_changes_nothing(home):
    (home / "inbox" / "m").mkdir()
    settle(home)
    take_inbox(home, now=NOW)
    file = home / "batches" / "m" / "batch.toml"
    before = (file.read_bytes(), file.stat().st_mtime_ns)
    take_inbox(home, now=NOW + timedelta(days=1))
    assert (file.read_bytes(), file.stat().st_mtime_ns) == before
