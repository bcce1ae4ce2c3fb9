"""SIGKILL in the middle: readers find a whole state, and the next run converges to the same rows."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from tests.pipeline.corpus import WORKS, sound, write_reports

POINTS = 10
SEED = 20261130
TIMED = {
    "evaluated_at",
    "decided_at",
    "ingested_at",
    "first_used_at",
    "updated_at",
    "data_version",
    "content",
}
pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


def command(home: Path, reports: Path, sources: Path) -> tuple[list[str], dict[str, str]]:
    arguments = ["run", "--reports", str(reports), "--sources", str(sources), "--batch", "b"]
    code = "import sys; from pipelines.cli.main import main; main(sys.argv[1:])"
    environment = {**os.environ, "SLUICEGATE_HOME": str(home), "PYTHONUNBUFFERED": "1"}
    return [sys.executable, "-c", code, *arguments], environment


def rows(home: Path) -> dict[str, list[str]]:
    with duckdb.connect(str(home / "warehouse.duckdb"), read_only=True) as connection:
        found = {}
        for (table,) in connection.execute(
            "SELECT table_name FROM duckdb_tables() WHERE NOT internal ORDER BY 1"
        ).fetchall():
            columns = [c for c, *_ in connection.execute(f"DESCRIBE {table}").fetchall() if c not in TIMED]
            found[table] = sorted(
                map(repr, connection.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall())
            )
        return found


def inputs(folder: Path) -> tuple[Path, Path]:
    sources = folder / "sources.jsonl"
    sources.write_text(
        "".join(json.dumps({"source_id": i, "title": t, "url": u}) + "\n" for i, t, u in WORKS), "utf-8"
    )
    return write_reports(folder / "in", sound()), sources


def test_killed_anywhere_it_stays_readable_and_converges(tmp_path):
    reports, sources = inputs(tmp_path)
    home = tmp_path / "home"
    arguments, environment = command(home, reports, sources)
    started = time.monotonic()
    assert subprocess.run(arguments, env=environment, capture_output=True, timeout=240).returncode == 0
    took = time.monotonic() - started
    whole = rows(home)
    steps = [
        "reports",
        "shadow_audit",
        "rebuilt_references",
        "batch_metrics",
        "contract_results",
        "ingestion_decisions",
        "end of run",
    ]
    picks = random.Random(SEED)
    for point in range(POINTS):
        (reports / "brief-00.md").write_text(f"{sound()['brief-00']}\nNote {point}.\n", encoding="utf-8")
        run = subprocess.Popen(
            arguments, env=environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
        )
        wait_for(run, picks.choice(steps))
        time.sleep(picks.uniform(0, took / 40))
        run.send_signal(signal.SIGKILL)
        run.wait()
        run.stderr.close()
        found = rows(home)  # raises if the publication cannot be read
        assert len(found["reports"]) == 12, point
        assert len(found["kb_entries"]) == 12, point
    write_reports(reports, sound())
    assert subprocess.run(arguments, env=environment, capture_output=True, timeout=240).returncode == 0
    after = rows(home)
    for table in whole.keys() - {"ingestion_decisions", "contract_results"}:
        assert after[table] == whole[table], table
    with duckdb.connect(str(home / "warehouse.duckdb"), read_only=True) as connection:
        assert connection.execute(
            "SELECT count(*), count(DISTINCT report_id) FROM kb_documents"
        ).fetchall() == [(12, 12)]
        assert connection.execute(
            "SELECT count(*) FROM latest_decisions WHERE decision = 'ingest'"
        ).fetchall() == [(12,)]


def wait_for(run: subprocess.Popen, step: str) -> None:
    """Read the run's progress until it reaches a step (or ends)."""
    for line in run.stderr:
        if line.strip() == f"b: {step}":
            return


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
