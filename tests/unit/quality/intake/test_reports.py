"""Paths to reports: the three kinds of input, empty ones, wrong ones."""

import json
import os

import polars as pl
import pytest

from quality.errors import InputError, UsageError
from quality.intake.reports import load_reports
from quality.model import Report, UnreadableReport


def test_folder_in_the_order_of_paths(tmp_path):
    for name in ("b.md", "a.md", "sub/c.md"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"# {name}\n")
    loaded = load_reports(tmp_path)
    assert [(r.report_id, r.title) for r in loaded.reports] == [
        ("a", "a.md"),
        ("b", "b.md"),
        ("sub/c", "sub/c.md"),
    ]
    assert loaded.written_ids == {}
    assert loaded.reports[0].original == b"# a.md\n"


def test_one_bad_report_costs_one_report(tmp_path):
    (tmp_path / "r1.md").write_text("# One\n")
    (tmp_path / "r2.md").write_bytes(b"%PDF-1.7 \x00\x01 renamed to .md")
    (tmp_path / "r3.md").write_text("# Three\n")
    one, two, three = load_reports(tmp_path).reports
    assert isinstance(one, Report)
    assert isinstance(three, Report)
    assert isinstance(two, UnreadableReport)
    assert (two.report_id, two.reason, two.original) == (
        "r2",
        "not_text",
        b"%PDF-1.7 \x00\x01 renamed to .md",
    )


def test_repeated_ids_lose_nothing(tmp_path):
    rows = [{"id": name, "body": f"# {n}"} for n, name in enumerate(["a", "a", "a~2", "a"])]
    path = tmp_path / "r.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    loaded = load_reports(path)
    assert [(r.report_id, r.title, r.flags) for r in loaded.reports] == [
        ("a", "0", ()),
        ("a~3", "1", ("duplicate_id",)),
        ("a~2", "2", ()),
        ("a~4", "3", ("duplicate_id",)),
    ]
    assert loaded.written_ids == {"a~3": "a", "a~4": "a"}
    assert [loaded.written_id(r.report_id) for r in loaded.reports] == ["a", "a", "a~2", "a"]


def test_an_unreadable_report_shares_the_ids(tmp_path):
    path = tmp_path / "r.jsonl"
    path.write_text('{"id": "line-2", "body": "# A"}\n{broken\n{"id": "line-2", "body": ""}\n')
    loaded = load_reports(path)
    assert [(r.report_id, type(r)) for r in loaded.reports] == [
        ("line-2", Report),
        ("line-2~2", UnreadableReport),
        ("line-2~3", UnreadableReport),
    ]
    assert loaded.written_id("line-2~2") == "line-2"


@pytest.mark.parametrize(
    "report_id",
    [
        "../../evil",
        "..",
        "/etc/cron.d/x",
        "отчёт-1.md",
        "r1'); DROP TABLE x; --",
        "a\nb",
        "ʼ OR 1=1",
        "x" * 300,
    ],
)
def test_ids_stay_verbatim(tmp_path, report_id):
    path = tmp_path / "r.jsonl"
    path.write_text(json.dumps({"id": report_id, "body": "# A"}) + "\n")
    assert load_reports(path).reports[0].report_id == report_id


def test_parquet(tmp_path):
    path = tmp_path / "r.parquet"
    pl.DataFrame({"id": ["a", None], "body": ["# A", "# B"], "score": [0.5, None]}).write_parquet(path)
    first, second = load_reports(path).reports
    assert (first.report_id, first.extra, first.original) == ("a", {"score": 0.5}, None)
    assert (second.report_id, second.flags) == ("row-2", ("id_missing",))


def test_single_file(tmp_path):
    path = tmp_path / "one.md"
    path.write_text("---\nid: x\n---\n# A\n")
    assert [r.report_id for r in load_reports(path).reports] == ["x"]


def test_empty_inputs_are_empty_batches(tmp_path):
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "blank.jsonl").write_text("\n \n")
    pl.DataFrame(schema={"id": pl.String, "body": pl.String}).write_parquet(tmp_path / "empty.parquet")
    (tmp_path / "folder").mkdir()
    for name in ("empty.jsonl", "blank.jsonl", "empty.parquet", "folder"):
        assert load_reports(tmp_path / name).reports == ()


def test_extensions_in_capitals(tmp_path):
    (tmp_path / "R.JSONL").write_text('{"id": "a", "body": "# A"}\n')
    assert [r.report_id for r in load_reports(tmp_path / "R.JSONL").reports] == ["a"]
    with pytest.raises(UsageError, match=r"R\.JSONL"):
        load_reports(tmp_path)


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz", "a.tgz", "a.7z", "A.ZIP", "a.docx", "a.txt", "a"])
def test_other_types_are_refused_by_name(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(b"PK\x03\x04")
    with pytest.raises(UsageError, match="Remedy"):
        load_reports(path)


@pytest.mark.parametrize("name", ["pipe.md", "pipe.jsonl"])
def test_a_pipe_is_not_waited_for(tmp_path, name):
    os.mkfifo(tmp_path / name)
    with pytest.raises(UsageError, match="Remedy"):
        load_reports(tmp_path / name)


def test_missing_path_says_where(tmp_path):
    with pytest.raises(UsageError, match=r"nowhere.*Remedy: give a folder") as caught:
        load_reports(tmp_path / "nowhere")
    assert caught.value.exit_code == 64


def test_a_folder_of_tables_must_be_named(tmp_path):
    (tmp_path / "r.jsonl").write_text("")
    with pytest.raises(UsageError, match=r"r\.jsonl"):
        load_reports(tmp_path)


def test_damaged_parquet(tmp_path):
    path = tmp_path / "r.parquet"
    path.write_bytes(b"PAR1 not really PAR1")
    with pytest.raises(InputError, match="cannot be read as Parquet"):
        load_reports(path)


def test_parquet_without_body(tmp_path):
    path = tmp_path / "r.parquet"
    pl.DataFrame({"id": ["a"], "text": ["# A"]}).write_parquet(path)
    with pytest.raises(InputError, match=r"no column `body`.*id, text"):
        load_reports(path)
