"""Killed at any point: readers find a whole state, and the next write converges."""

import random

import polars as pl
import pytest

from pipelines.resources.reader import reader
from pipelines.resources.warehouse import Warehouse

ROWS = 50
POINTS = 6

RUNNER = """
    import os, signal, sys, time
    from pathlib import Path
    import polars as pl
    from pipelines.resources.warehouse import Warehouse

    def generation(warehouse, number):
        ids = [f"r{i}" for i in range(50)]
        same = {"report_id": ids, "stage": ["shadow"] * 50}
        file = warehouse.write_bodies("b1", pl.DataFrame(same | {"body": [f"text {number}"] * 50}))
        with warehouse.write("crash test") as tx:
            numbers = pl.DataFrame(same | {"value": [float(number)] * 50, "validity": ["measured"] * 50})
            numbers = numbers.with_columns(metric=pl.lit("cited"), metric_version=pl.lit("v1"))
            tx.replace("report_metrics", numbers, where={"batch_id": "b1"})
            reports = pl.DataFrame(same).drop("stage").with_columns(
                written_id="report_id", ordinal=1, status=pl.lit("read"), has_evidence=False,
                content_fingerprint=pl.lit(str(number)), body_file=pl.lit(file),
                flags=pl.lit([], dtype=pl.List(pl.String)))
            tx.replace("reports", reports, where={"batch_id": "b1"})
        warehouse.publish()

    def counted(warehouse, number, last):
        calls = 0
        def count(frame, event, argument):
            # calls from the storage's own modules into anything: files, locks, DuckDB
            nonlocal calls
            if event in ("c_call", "c_return") and "pipelines/resources" in frame.f_code.co_filename:
                calls += 1
                if calls == last:
                    os.kill(os.getpid(), signal.SIGKILL)
        sys.setprofile(count)
        generation(warehouse, number)
        sys.setprofile(None)
        print(calls, flush=True)

    def endless(warehouse, number):
        while True:
            number += 1
            generation(warehouse, number)

    # a fork for each run: what matters dies with it, and the imports are paid once
    for line in sys.stdin:
        home, kind, number, limit = line.rstrip().split("|")
        child = os.fork()
        if not child:
            warehouse = Warehouse(Path(home))
            if kind == "counted":
                counted(warehouse, int(number), int(limit))
            else:
                endless(warehouse, int(number))
            os._exit(0)
        if kind == "endless":
            time.sleep(float(limit))
            os.kill(child, signal.SIGKILL)
        print("ended", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class Runner:
    """Runs generations in processes of their own."""

    def __init__(self, child):
        self._child = child

    def finish(self, home, number):
        """A generation that nobody disturbs; gives how many points it has."""
        self._send(home, "counted", number, 0)
        points = int(self._child.stdout.readline())
        assert self._child.stdout.readline() == "ended 0\n"
        return points

    def kill(self, home, number, point):
        """A generation that is killed at one of its points."""
        self._send(home, "counted", number, point)
        assert self._child.stdout.readline() == "ended -9\n"

    def kill_after(self, home, number, seconds):
        """Generations from the one after ``number`` on, killed in the middle of something."""
        self._send(home, "endless", number, seconds)
        assert self._child.stdout.readline() == "ended -9\n"

    def _send(self, *words):
        self._child.stdin.write("|".join(map(str, words)) + "\n")
        self._child.stdin.flush()


@pytest.fixture
def runner(process):
    return Runner(process(RUNNER))


def states(home):
    """What a reader sees: the generations of numbers and of texts, with their count of rows."""
    with reader(home) as look:
        numbers = look.query(
            "SELECT value::INTEGER AS g, count(*) AS n FROM report_metrics GROUP BY ALL"
        ).rows()
        texts = look.query("SELECT body AS g, count(*) AS n FROM report_bodies GROUP BY ALL").rows()
    return numbers, texts


def assert_whole(home, generations):
    ((number, n),), ((text, m),) = states(home)
    assert (n, m) == (ROWS, ROWS)
    assert number in generations
    assert text == f"text {number}"
    return number


def assert_tidy(home):
    assert len(list((home / "published").glob("*.duckdb"))) <= 3
    left = [path for path in home.rglob(".*.unfinished*") if home / "bodies" not in path.parents]
    assert left == []  # unfinished bodies may belong to a run without the lock: they go when they are old
    assert sorted(p.name for p in (home / "private").iterdir()) == [
        "commits.json",
        "primary.duckdb",
        "warehouse.lock",
    ]


@pytest.mark.slow
def test_killed_between_any_two_steps(home, runner):
    runner.finish(home, 1)
    points = runner.finish(home, 2)
    assert points > 100
    number = 2
    for point in sorted(random.Random(20260301).sample(range(1, points + 1), POINTS)):
        runner.kill(home, number + 1, point)
        number = max(number, assert_whole(home, {number, number + 1})) + 1
        runner.finish(home, number)
        assert assert_whole(home, {number}) == number
        assert_tidy(home)


@pytest.mark.slow
def test_killed_at_the_very_beginning(tmp_path, runner):
    points = runner.finish(tmp_path / "whole", 1)
    for point in sorted(random.Random(7).sample(range(1, points + 1), POINTS)):
        home = tmp_path / f"home{point}"
        runner.kill(home, 1, point)
        runner.finish(home, 2)
        assert_whole(home, {2})
        assert_tidy(home)


@pytest.mark.slow
def test_killed_at_any_moment(home, runner):
    number = 0
    runner.finish(home, number)
    chance = random.Random(11)
    for _ in range(POINTS):
        runner.kill_after(home, number, chance.uniform(0.05, 0.8))
        assert_whole(home, range(number, number + 1000))
        with Warehouse(home).read_primary() as look:
            inside = look.query(
                "SELECT value::INTEGER AS g, count(*) AS n FROM report_metrics GROUP BY ALL"
            ).rows()
        ((number, rows),) = inside
        assert rows == ROWS
        number += 1
        runner.finish(home, number)
        assert assert_whole(home, {number}) == number
        assert_tidy(home)


@pytest.mark.slow
def test_killed_while_others_read(home, runner):
    """A reader in this process has the old state open all the while."""
    runner.finish(home, 1)
    with reader(home) as look:
        for point in (40, 80, 120):
            runner.kill(home, 2, point)
        assert look.query("SELECT DISTINCT value FROM report_metrics").rows() == [(1.0,)]
    runner.finish(home, 3)
    assert_whole(home, {3})


def test_the_texts_of_a_killed_run_are_swept_later(home, warehouse, clock):
    file = warehouse.write_bodies(
        "b1", pl.DataFrame({"report_id": ["r"], "stage": ["shadow"], "body": ["lost"]})
    )
    clock.move(days=2)
    warehouse.publish()
    assert not (home / file).exists()
