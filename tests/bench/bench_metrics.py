"""All metrics of a large batch: CPU time and memory of the audit as written, its growth, and the statistics in SQL.

Run with ``python -m tests.bench.bench_metrics [REPORTS]`` (10,000 unless given). Real reports are those beside the project,
repeated under new ids; where they are missing a text is made up. Two processes share the reports, as two cores would.
"""

from __future__ import annotations

import dataclasses
import resource
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import cycle, islice
from pathlib import Path

import duckdb

import sql.loader
from quality.intake.reports import load_reports
from quality.kernel import Supplied, guarded
from quality.model import Report, Stage

REPORTS = Path(__file__).parents[2].parent / "shared" / "data" / "reports"
WANTED = 10_000
WORKERS = 2
CHUNK = 50
SUPPLIED = Supplied(manifests=True)
MADE_UP = Report(
    "m",
    "# Tides\n\n"
    + "Mixing sets the pace of the estuary [1]. " * 300
    + "\n\n## References\n\n[1] Tides. https://papers.test/a\n",
)


def corpus(count: int) -> list[Report]:
    """Give so many reports, repeated under new ids."""
    real = [
        r for f in sorted(REPORTS.glob("*.jsonl")) for r in load_reports(f).reports if isinstance(r, Report)
    ]
    return [
        dataclasses.replace(r, report_id=f"{i}")
        for i, r in enumerate(islice(cycle(real or [MADE_UP]), count))
    ]


def measured(reports: Sequence[Report]) -> tuple[float, list[tuple[str, str, str, float | None, str]]]:
    """Audit some reports; gives CPU seconds and the rows of their numbers."""
    started = time.process_time()
    audits = [guarded(r, None, Stage.SHADOW, supplied=SUPPLIED) for r in reports]
    rows = [
        (a.report_id, m.metric, m.version, m.value, m.validity.value) for a in audits for m in a.measurements
    ]
    return time.process_time() - started, rows


def run(count: int) -> tuple[float, float, list[tuple[str, str, str, float | None, str]]]:
    """Audit ``count`` reports in two processes; gives elapsed and CPU seconds, and all rows."""
    reports = corpus(count)
    chunks = [reports[i : i + CHUNK] for i in range(0, count, CHUNK)]
    started = time.perf_counter()
    with ProcessPoolExecutor(WORKERS) as pool:
        parts = list(pool.map(measured, chunks))
    return (
        time.perf_counter() - started,
        sum(cpu for cpu, _ in parts),
        [row for _, rows in parts for row in rows],
    )


def statistics_seconds(rows: Sequence[tuple[str, str, str, float | None, str]]) -> float:
    """Time the one statement that computes every statistic of the batch."""
    connection = duckdb.connect()
    for file in sql.loader.schema():
        if "repeatable" not in file.facts:
            connection.execute(file.text)
    ids = sorted({row[0] for row in rows})
    connection.execute(
        "INSERT INTO reports BY NAME SELECT 'b' AS batch_id, i AS report_id, i AS written_id, 0 AS ordinal, 'read' AS status, "
        "'' AS content_fingerprint, false AS has_evidence, []::VARCHAR[] AS flags FROM (SELECT unnest(?::VARCHAR[]) AS i)",
        [ids],
    )
    columns = [list(column) for column in zip(*rows, strict=True)]
    connection.execute(
        "INSERT INTO report_metrics BY NAME SELECT 'b' AS batch_id, 'shadow' AS stage, unnest(?::VARCHAR[]) AS report_id, "
        "unnest(?::VARCHAR[]) AS metric, unnest(?::VARCHAR[]) AS metric_version, unnest(?::DOUBLE[]) AS value, "
        "unnest(?::VARCHAR[]) AS validity",
        columns,
    )
    started = time.perf_counter()
    found = connection.execute(sql.loader.statement("batch_metrics"), {"batch_id": "b"}).fetchall()
    seconds = time.perf_counter() - started
    assert {row[6] + row[7] + row[8] for row in found} == {len(ids)}
    return seconds


def main() -> None:
    """Measure a fifth and the whole, and print what each costs."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1].isdigit() else WANTED
    small = max(CHUNK, wanted // 5)
    assert measured(corpus(20))[1] == measured(corpus(20))[1], "two audits of one report differ"
    _, small_cpu, _ = run(small)
    elapsed, cpu, rows = run(wanted)
    memory = (
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        + WORKERS * resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    ) / 1e6
    growth = (cpu / wanted) / (small_cpu / small)
    print(
        f"{wanted} reports: {elapsed:.1f} s elapsed, {cpu:.1f} s of CPU in {WORKERS} processes, {memory:.2f} GB at most"
    )
    print(f"growth: a report of {wanted} costs {growth:.2f} times what one of {small} does (1 is linear)")
    print(f"statistics of {len(rows)} numbers in one statement: {statistics_seconds(rows):.2f} s")


if __name__ == "__main__":
    main()
