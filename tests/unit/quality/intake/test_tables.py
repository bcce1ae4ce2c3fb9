"""JSONL and Parquet to reports."""

import json

import polars as pl
import pytest

from quality.intake import tables
from quality.intake.tables import read_jsonl, read_parquet
from quality.model import ListedSource, Report, UnreadableReport


def lines(tmp_path, *rows):
    path = tmp_path / "r.jsonl"
    path.write_bytes(
        b"".join((row if isinstance(row, bytes) else json.dumps(row).encode()) + b"\n" for row in rows)
    )
    return read_jsonl(path)


def test_a_row(tmp_path):
    (report,) = lines(
        tmp_path,
        {
            "id": 7,
            "body": "# A\r\n[1]",
            "title": None,
            "sources": [{"entry": "[1] x"}],
            "evidence": {"datasets": 2},
            "dataset": "d",
        },
    )
    assert report == Report(
        report_id="7",
        body="# A\r\n[1]",
        title="A",
        sources=(ListedSource(entry="[1] x"),),
        evidence={"datasets": 2},
        extra={"dataset": "d"},
    )


def test_bad_lines_cost_themselves_and_keep_their_bytes(tmp_path):
    bad = b'{"id": "b", "body": '
    reports = lines(
        tmp_path, {"id": "a", "body": "# A"}, bad, b"", b"[1]", b'{"id":"\xe9"}', {"id": "z", "body": "# Z"}
    )
    assert [(r.report_id, getattr(r, "reason", "read")) for r in reports] == [
        ("a", "read"),
        ("line-2", "bad_json"),
        ("line-4", "bad_json"),
        ("line-5", "not_utf8"),
        ("z", "read"),
    ]
    assert isinstance(reports[1], UnreadableReport)
    assert reports[1].original == bad
    assert "line 2" in reports[1].detail
    assert "Remedy" in reports[1].detail


def test_missing_ids_and_bodies(tmp_path):
    reports = lines(
        tmp_path, {"body": "# A"}, {"id": "", "body": "# B"}, {"id": "c", "text": "# C"}, {"body": 5}
    )
    assert [(r.report_id, getattr(r, "reason", None), getattr(r, "flags", None)) for r in reports] == [
        ("line-1", None, ("id_missing",)),
        ("line-2", None, ("id_missing",)),
        ("c", "no_body", None),
        ("line-4", "no_body", None),
    ]
    assert isinstance(reports[2], UnreadableReport)
    assert "Its fields: id, text." in reports[2].detail
    assert reports[2].original == b'{"id": "c", "text": "# C"}'


def test_lone_surrogates_and_nul_in_json(tmp_path):
    first, second = lines(
        tmp_path, b'{"id": "a\\ud800", "body": "# A \\ud83d"}', b'{"id": "b", "body": "a\\u0000"}'
    )
    assert isinstance(first, Report)
    assert (first.report_id, first.body, first.flags) == ("a\ufffd", "# A \ufffd", ("surrogate_replaced",))
    assert isinstance(second, UnreadableReport)
    assert second.reason == "not_text"


def test_utf16_file(tmp_path):
    path = tmp_path / "r.jsonl"
    path.write_text('{"id": "a", "body": "# 报告"}\n{"id": "b", "body": "# B"}\n', encoding="utf-16")
    assert [(r.report_id, r.title) for r in read_jsonl(path)] == [("a", "报告"), ("b", "B")]


def test_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "MAX_BYTES", 5)
    (report,) = lines(tmp_path, {"id": "a", "body": "123456"})
    assert isinstance(report, UnreadableReport)
    assert report.reason == "too_large"


def test_parquet_with_nested_and_json_columns(tmp_path):
    path = tmp_path / "r.parquet"
    pl.DataFrame(
        {
            "id": ["a", "b"],
            "body": ["# A", None],
            "sources": [[{"title": "T", "url": None}], None],
            "evidence": ['{"datasets": 1}', None],
        }
    ).write_parquet(path)
    first, second = read_parquet(path)
    assert isinstance(first, Report)
    assert first.sources == (ListedSource(title="T"),)
    assert first.evidence == {"datasets": 1}
    assert isinstance(second, UnreadableReport)
    assert (second.report_id, second.reason) == ("b", "no_body")
    assert json.loads(second.original) == {"id": "b", "body": None, "sources": None, "evidence": None}


@pytest.mark.parametrize("number", ["1" * 5000, "[" * 100_000])
def test_hostile_json_costs_itself(tmp_path, number):
    (report,) = lines(tmp_path, b'{"id": ' + number.encode() + b"}")
    assert isinstance(report, UnreadableReport)
    assert report.reason == "bad_json"
