"""The promises of the rebuild on the real reports, which lie beside the project."""

import json
from pathlib import Path

import pytest

from quality.citations.reader import read
from quality.citations.reconcile import reconcile
from quality.metrics.dirt import find_dirt
from quality.model import RebuildPath, Report, Source
from quality.references.rebuild import rebuild
from quality.sources.index import SourceIndex
from quality.sources.own_table import match_own_table

DATA = Path(__file__).parents[5] / "shared" / "data"
EVERY = 12
pytestmark = [
    pytest.mark.shared,
    pytest.mark.slow,
    pytest.mark.skipif(not DATA.is_dir(), reason=f"the real reports are not at {DATA}"),
]


def load(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def index():
    rows = load(DATA / "kb" / "sources.jsonl")
    return SourceIndex([Source(r["source_id"], r["title"], url=r.get("url")) for r in rows])


def run(body, index):
    reading = read(body)
    reconciliation = reconcile(reading, match_own_table)
    return reading, rebuild(
        Report("r", body), reading, reconciliation, index, is_dirty=lambda e: bool(find_dirt(e))
    )


@pytest.mark.parametrize("path", sorted((DATA / "reports").glob("*.jsonl")), ids=lambda p: p.stem)
def test_each_twelfth_report_of_a_producer(path, index):
    for row in load(path)[::EVERY]:
        before, once = run(row["body"], index)
        if once.path is RebuildPath.LEFT:
            assert once.body == row["body"]
            continue
        after, twice = run(once.body, index)
        assert twice.body == once.body
        assert len(after.marks) == len(before.marks) - once.n_repeats
        assert not any(find_dirt(e) for e in after.entries) or once.path is RebuildPath.MERGED
        assert all(e.source_id or e.kind == "as_written" for e in once.entries)
