"""The real reports and catalogue beside the project: every one is read, and none is changed on the way."""

import json
from pathlib import Path

import pytest

from quality.intake.catalogue import load_sources
from quality.intake.reports import load_reports
from quality.model import Report

DATA = Path(__file__).parents[5] / "shared" / "data"

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(
        not DATA.is_dir(), reason="the real data does not lie beside the project (../shared/data)"
    ),
]


def test_every_report_is_read_as_it_was_written():
    files = sorted((DATA / "reports").glob("*.jsonl"))
    assert files
    for path in files:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
        loaded = load_reports(path)
        assert loaded.written_ids == {}
        assert len(loaded.reports) == len(rows)
        for row, report in zip(rows, loaded.reports, strict=True):
            assert isinstance(report, Report)
            assert (report.report_id, report.body, report.flags) == (row["id"], row["body"], ())
            assert len(report.sources) == len(row["sources"] or [])
            assert report.extra["dataset"] == row["dataset"]


def test_the_catalogue_is_read_but_for_a_challenge_page():
    loaded = load_sources(DATA / "kb" / "sources.jsonl")
    assert len(loaded.sources) == 6474
    assert [item.reason for item in loaded.refused] == ["error_page"]
    assert sum(source.text is not None for source in loaded.sources) == 1178 - 1  # the page's own text
