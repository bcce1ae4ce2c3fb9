"""The line on a real batch: 187 reports of one producer pass under the default contract; with half of their entries they do not."""

import json
from pathlib import Path

import duckdb
import pytest

from pipelines.run import run_batch
from quality.citations.reader import read
from tests.pipeline.corpus import described

DATA = Path(__file__).parents[2].parent / "shared" / "data"
REPORTS = DATA / "reports" / "open_deep_research.jsonl"
CATALOGUE = DATA / "kb" / "sources.jsonl"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not REPORTS.is_file(), reason=f"the real reports are not at {DATA}"),
]


def ask(settings, question):
    with duckdb.connect(str(settings.home / "warehouse.duckdb"), read_only=True) as connection:
        return connection.execute(question).fetchall()


def test_real_batch_passes_and_is_ingested_and_breaks_with_half_of_its_entries(settings, tmp_path):
    outcome = run_batch(settings, described(settings, REPORTS, CATALOGUE, "whole"))
    assert (outcome.faults, outcome.summary.verdict, outcome.summary.n_reports) == ({}, "pass", 187)
    assert outcome.summary.delivered == 187
    # three cite nothing, and one cites 593 distinct numbers of which 82 have an entry
    assert outcome.summary.held == 4
    assert outcome.summary.in_kb == 183
    # the catalogue holds the text of some sources only: what is quoted from the others cannot be checked
    unknown = ask(
        settings, "SELECT metric, count(*) FROM report_metrics WHERE validity = 'unknown' GROUP BY ALL"
    )
    assert unknown == [("quote_rate", 32)]

    halved = tmp_path / "halved.jsonl"
    with REPORTS.open(encoding="utf-8") as given, halved.open("w", encoding="utf-8") as out:
        for line in given:
            out.write(json.dumps(without_every_other_entry(json.loads(line)), ensure_ascii=False) + "\n")
    outcome = run_batch(settings, described(settings, halved, CATALOGUE, "halved"))
    assert (outcome.faults, outcome.summary.verdict) == ({}, "breach")
    assert (outcome.summary.delivered, outcome.summary.in_kb, outcome.summary.held) == (187, 0, 187)
    [(observed,)] = ask(
        settings,
        "SELECT observed FROM latest_results WHERE batch_id = 'halved' AND clause = 'inbound_rate_p10'",
    )
    assert observed < 0.6
    assert ask(settings, "SELECT DISTINCT batch_id FROM kb_documents") == [("whole",)]


def without_every_other_entry(report: dict) -> dict:
    """The report as it would be if every second line of its list were lost."""
    body = report["body"]
    for entry in reversed(read(body).entries[::2]):
        if entry.start >= 0:
            body = body[: entry.start] + body[entry.end :]
    return {**report, "body": body}
