"""A command line that can be killed at any point, and what a home holds afterwards.

The command runs in a process of its own, forked from one that has the libraries imported: a kill costs what the run costs, and
not the imports before it. Great Expectations compares in that process too; its helper process has tests of its own.
"""

import contextlib
import hashlib
import multiprocessing
import os
import re
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import duckdb

import sql.loader

INSTANT = re.compile(rb"\d{4}\\?-\d\d\\?-\d\dT\d\d\\?:\d\d\\?:\d\dZ")
UNTOLD = ("warehouse_state",)  # counts writes, and names the home's path


def _command_line(arguments: list[str], home: str, said) -> None:
    import pipelines.run
    from pipelines.cli.main import call

    os.environ["SLUICEGATE_HOME"] = home
    os.environ.pop("DAGSTER_HOME", None)
    os.dup2(said.fileno(), 2)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.stderr = os.fdopen(2, "w", buffering=1, closefd=False)
    pipelines.run.shared_judge = lambda: None
    os._exit(call(arguments))


@dataclass
class Started:
    """A run of the command line, and when each of its steps began, in seconds from its start."""

    process: multiprocessing.Process
    lines: object
    at: float = field(default_factory=time.monotonic)
    began: dict[str, float] = field(default_factory=dict)

    def wait_for(self, step: str | None) -> bool:
        """Read the progress until a step begins, or (None) until the end; whether it came to that."""
        for line in self.lines:
            if line.startswith("b: "):
                self.began.setdefault(line[3:].strip(), time.monotonic() - self.at)
            if step is not None and line.strip() == f"b: {step}":
                return True
        return step is None

    def end(self) -> int:
        """Wait for the end; the exit code, negative for a signal."""
        with contextlib.suppress(ValueError):
            self.wait_for(None)
        self.process.join(120)
        self.lines.close()
        code = self.process.exitcode
        self.process.close()
        return code


class Runner:
    """Starts command lines."""

    def __init__(self) -> None:
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["tests.pipeline.crash_preload"])

    def start(self, home: Path, *arguments: str) -> Started:
        heard, said = self._context.Pipe(duplex=False)
        process = self._context.Process(target=_command_line, args=(list(arguments), str(home), said))
        process.start()
        said.close()
        lines = os.fdopen(os.dup(heard.fileno()), encoding="utf-8", errors="replace")
        heard.close()
        return Started(process, lines)


def held(home: Path) -> dict[str, tuple[int, str]] | None:
    """Number and hash of the rows of every published table and of the delivered files; None: nothing is published.

    Instants are left out, and so is the state of the file itself.
    """
    if not (home / "warehouse.duckdb").exists():
        return None
    found = {}
    with duckdb.connect(str(home / "warehouse.duckdb"), read_only=True) as connection:
        columns = connection.execute(
            "SELECT table_name, list(column_name ORDER BY column_index) FROM duckdb_columns() c JOIN duckdb_tables() t"
            " USING (table_name) WHERE NOT t.internal AND data_type <> 'TIMESTAMP WITH TIME ZONE' GROUP BY ALL"
        ).fetchall()
        for table, names in columns:
            if table not in UNTOLD:
                chosen = ", ".join(map(sql.loader.identifier, names))
                rows = sorted(map(repr, connection.execute(f"SELECT {chosen} FROM {table}").fetchall()))
                found[table] = (len(rows), _hash(rows))
    files = sorted(p for p in (home / "delivered").rglob("*") if p.is_file())
    texts = (INSTANT.sub(b"", p.read_bytes()) for p in files)  # a withdrawn report's file says when it left
    told = (f"{p.relative_to(home)}{text!r}" for p, text in zip(files, texts, strict=True))
    found["(delivered files)"] = (len(files), _hash(told))
    return found


def faults(home: Path) -> dict[str, list]:
    """The promises of ``sql/checks`` that the published warehouse breaks."""
    with duckdb.connect(str(home / "warehouse.duckdb"), read_only=True) as connection:
        told = {check.name: connection.execute(check.text).fetchall() for check in sql.loader.checks()}
    return {name: rows for name, rows in told.items() if rows}


def _hash(texts) -> str:
    digest = hashlib.sha256()
    for text in texts:
        digest.update(f"{len(text)}:{text}".encode())
    return digest.hexdigest()[:16]
