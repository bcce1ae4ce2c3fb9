"""SIGKILL in the middle: readers find a whole state, and the next run converges to the same rows."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.pipeline.corpus import WORKS, body, sound, write_reports
from tests.pipeline.crash import Runner, faults, held

POINTS = 10
SEED = 20261130
pytestmark = [pytest.mark.slow, pytest.mark.timeout(7200)]


def command(home: Path, reports: Path, sources: Path) -> tuple[list[str], dict[str, str]]:
    arguments = ["run", "--reports", str(reports), "--sources", str(sources), "--batch", "b"]
    code = "import sys; from pipelines.cli.main import main; main(sys.argv[1:])"
    environment = {**os.environ, "SLUICEGATE_HOME": str(home), "PYTHONUNBUFFERED": "1"}
    return [sys.executable, "-c", code, *arguments], environment


def inputs(folder: Path) -> tuple[Path, Path]:
    sources = folder / "sources.jsonl"
    sources.write_text(
        "".join(json.dumps({"source_id": i, "title": t, "url": u}) + "\n" for i, t, u in WORKS), "utf-8"
    )
    return write_reports(folder / "in", sound()), sources


def before_and_after() -> tuple[dict, dict]:
    """A batch, and the same one later: one report changed, one lost its sources, one left."""
    later = {**sound(11), "brief-01": body(1, dangling=True)}
    later["brief-00"] = f"{sound()['brief-00']}\nA note.\n"
    return sound(), later


def test_killed_anywhere_it_stays_readable_and_converges(tmp_path):
    """SIGKILL at random points of a first run and of a second one, ten here, as many as POINTS says with `make crash`.

    Afterwards readers find the state before or the one after, whole, or nothing where nothing was published yet. The next run
    comes to what an undisturbed home holds: the same rows in every table, the same delivered files, no promise broken.
    """
    points = int(os.environ.get("SLUICEGATE_CRASH_POINTS", POINTS))
    picks, runner = random.Random(SEED), Runner()
    reports, sources = inputs(tmp_path)
    home, base = tmp_path / "home", tmp_path / "base"
    arguments = ["run", "--reports", str(reports), "--sources", str(sources), "--batch", "b"]
    first, later = before_and_after()

    undisturbed = runner.start(home, *arguments)
    assert undisturbed.end() == 0
    steps = {False: undisturbed.began}
    wanted = {False: held(home)}
    shutil.copytree(home, base, symlinks=True)
    write_reports(reports, later)
    undisturbed = runner.start(home, *arguments)
    assert undisturbed.end() == 0
    steps[True], wanted[True] = undisturbed.began, held(home)
    assert wanted[True] != wanted[False]
    assert faults(home) == {}

    killed = 0
    for point in range(points):
        again = picks.random() < 0.7
        write_reports(reports, later if again else first)
        shutil.rmtree(home)
        if again:
            shutil.copytree(base, home, symlinks=True)
        run = runner.start(home, *arguments)
        step, wait = moment(picks, steps[again])
        run.wait_for(step)
        time.sleep(wait)
        run.process.kill()
        code = run.end()
        killed += code == -signal.SIGKILL
        where = (point, again, step, round(wait, 3), code)
        allowed = (wanted[False], wanted[True]) if again else (None, wanted[False])
        assert untold(held(home)) in map(untold, allowed), where
        assert runner.start(home, *arguments).end() == 0, where
        assert held(home) == wanted[again], where
        assert faults(home) == {}, where
        if (point + 1) % 10 == 0:
            print(f"{point + 1} of {points} points, {killed} killed before their end", flush=True)
    assert killed >= points * 0.8


def moment(picks: random.Random, began: dict[str, float]) -> tuple[str, float]:
    """A step, and a time within it, in seconds."""
    named = list(began)
    chosen = picks.randrange(len(named))
    following = [*began.values(), began[named[-1]] + 0.4]
    return named[chosen], picks.uniform(0, following[chosen + 1] - following[chosen])


def untold(state: dict | None) -> dict | None:
    """What is published: the delivered files are written before it."""
    return state and {name: rows for name, rows in state.items() if name != "(delivered files)"}


def test_user_with_a_dirty_shell_blocks_nobody_and_poisons_nothing(tmp_path):
    reports, sources = inputs(tmp_path)
    home = tmp_path / "home"
    arguments, environment = command(home, reports, sources)
    assert subprocess.run(arguments, env=environment, capture_output=True, timeout=240).returncode == 0
    shell = subprocess.Popen(
        [sys.executable, "-c", DIRTY_SHELL, str(home / "warehouse.duckdb")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert shell.stdout.readline().strip() == "dirty"
    write_reports(reports, sound(13))
    assert subprocess.run(arguments, env=environment, capture_output=True, timeout=240).returncode == 0
    assert reports_seen(home) == 13
    shell.send_signal(signal.SIGKILL)
    shell.wait()
    shell.stdin.close()
    shell.stdout.close()
    assert reports_seen(home) == 13
    write_reports(reports, sound(14))
    assert subprocess.run(arguments, env=environment, capture_output=True, timeout=240).returncode == 0
    assert reports_seen(home) == 14


DIRTY_SHELL = """
import sys, duckdb
connection = duckdb.connect(sys.argv[1])
connection.execute("PRAGMA disable_checkpoint_on_shutdown")
connection.execute("CREATE TABLE scratch AS SELECT 1 AS x")
connection.execute("INSERT INTO scratch VALUES (2)")
print("dirty", flush=True)
sys.stdin.readline()
"""


def reports_seen(home: Path) -> int:
    code = "import sys, duckdb; print(duckdb.connect(sys.argv[1], read_only=True).execute('SELECT count(*) FROM reports').fetchone()[0])"
    done = subprocess.run(
        [sys.executable, "-c", code, str(home / "warehouse.duckdb")],
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout)
