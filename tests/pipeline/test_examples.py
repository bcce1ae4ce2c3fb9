"""``make run`` as a user starts it: every batch ends as its story says, and the README prints what it came to."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from examples.story import CHAPTERS, Chapter, figures, markdown, surprises_of
from pipelines.resources.reader import reader
from pipelines.run import Outcome
from pipelines.summary import Summary

ROOT = Path(__file__).parents[2]
README = ROOT / "examples" / "README.md"


@pytest.fixture(scope="module")
def told(tmp_path_factory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    home = tmp_path_factory.mktemp("examples") / "home"
    done = subprocess.run(
        [sys.executable, "examples/run.py"],
        cwd=ROOT,
        env={**os.environ, "SLUICEGATE_HOME": str(home), "COLUMNS": "120"},
        capture_output=True,
        text=True,
        timeout=280,
    )
    return home, done


@pytest.mark.slow
def test_every_batch_ends_as_it_should(told):
    home, done = told
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    with reader(home) as connection:
        rows = {row["batch_id"]: row for row in figures(connection)}
        kept = connection.query("SELECT DISTINCT batch_id FROM kb_documents").to_series().to_list()
    assert list(rows) == [chapter.batch for chapter in CHAPTERS]
    assert kept == ["02-after"]
    assert rows["02-after"]["held"] == ["13-swifts-and-hedges", "19-quiet-ward"]
    assert rows["02-after"]["ingested"] + len(rows["02-after"]["held"]) == 24
    assert rows["01-before"]["clauses_breached"] == ["method_honesty_share"]
    assert rows["03-regression"]["clauses_breached"] == ["inbound_rate_p10"]
    assert len(rows["03-regression"]["held"]) == 24
    for batch in rows:
        assert len(list((home / "delivered" / batch).glob("*.md"))) >= 24


@pytest.mark.slow
def test_the_registry_knows_what_exists_and_what_was_taken_back(told):
    home, _ = told
    with reader(home) as connection:
        rows = connection.query(
            "SELECT batch_id, standing, list_sort(list(DISTINCT report_id)) AS reports FROM identifier_checks "
            "WHERE standing <> 'found' AND covered GROUP BY ALL ORDER BY ALL"
        ).rows()
        off = (
            connection.query("SELECT DISTINCT unnest(not_checked) AS name FROM latest_decisions")
            .to_series()
            .to_list()
        )
    assert rows == [
        ("01-before", "not_found", ["01-rewetted-bogs", "22-jiaqu-zhangce"]),
        ("02-after", "retracted", ["19-quiet-ward"]),
    ]
    assert "identifiers" not in off
    assert not (home / "sluicegate.toml").exists()


@pytest.mark.slow
def test_the_story_names_numbers_and_where_to_look_next(told):
    _, done = told
    assert "What happened" in done.stdout
    assert "Alert  Sluicegate: batch 02-after recovers (method_honesty_share)" in done.stdout
    assert "Alert  Sluicegate: batch 03-regression breaks its contract (inbound_rate_p10)" in done.stdout
    assert "All 24 reports are delivered, and the whole batch is kept out" in done.stdout
    assert "inbound_rate_p10: inbound_rate v3 (rebuilt) P10 is 0.20, needs >= 0.60" in done.stdout
    assert "explain 13-swifts-and-hedges --batch 02-after" in done.stdout
    assert "make ui" in done.stdout


@pytest.mark.slow
def test_the_readme_prints_the_numbers_of_a_real_run(told):
    """``python examples/run.py --update-readme`` puts the numbers there."""
    home, _ = told
    with reader(home) as connection:
        table = markdown(figures(connection))
    assert table in README.read_text(encoding="utf-8"), "\n" + table


def outcome(chapter: Chapter, verdict: str, *, in_kb: int, delivered: int = 24, faults=None) -> Outcome:
    summary = Summary(
        batch_id=chapter.batch,
        status="done",
        verdict=verdict,
        contract_version=None,
        clauses=(),
        lines=(),
        n_reports=24,
        n_unreadable=0,
        delivered=delivered,
        to_ingest=23,
        held=1,
        held_by_gate=1,
        in_kb=in_kb,
        warehouse=Path("w"),
        delivered_folder=Path("d"),
    )
    return Outcome(summary, "run", faults or {})


@pytest.mark.parametrize(
    ("number", "verdict", "in_kb", "delivered", "faults", "said"),
    [
        (0, "breach", 0, 24, None, None),
        (0, "breach", 23, 24, None, "23 reports are in the knowledge base, not 0"),
        (0, "unknown", 0, 24, None, "ended in unknown"),
        (1, "pass", 23, 24, None, None),
        (1, "pass", 22, 24, None, "22 reports are in the knowledge base, not 23"),
        (1, "breach", 0, 24, None, "ended in breach, not in pass"),
        (2, "breach", 0, 24, None, None),
        (2, "breach", 0, 23, None, "23 of 24 reports were delivered"),
        (2, "breach", 0, 24, {"sources": "gone"}, "sources failed: gone"),
        (2, "pass", 23, 24, None, "ended in pass, not in breach"),
    ],
)
def test_what_counts_as_a_surprise(number, verdict, in_kb, delivered, faults, said):
    chapter = CHAPTERS[number]
    found = surprises_of(chapter, outcome(chapter, verdict, in_kb=in_kb, delivered=delivered, faults=faults))
    assert len(found) == (0 if said is None else 1), found
    assert said is None or said in found[0]
