"""Catalogues: good rows, refused rows, files that are wrong as a whole."""

import json

import polars as pl
import pytest

from quality.errors import InputError, UsageError
from quality.intake.catalogue import load_sources, to_source
from quality.model import Source


def jsonl(tmp_path, *rows):
    path = tmp_path / "s.jsonl"
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return load_sources(path)


FULL = {
    "source_id": "s1",
    "title": " Sand \n dunes of Peru ",
    "url": "https://a.test",
    "doi": "10.5555/x",
    "pmid": 123,
    "arxiv_id": "2101.00001",
    "isbn": "9780000000002",
    "authors": ["Doe, J.", "Roe, K."],
    "year": "2021",
    "venue": "V",
    "kind": "article",
    "text": "Some text.\n",
    "fetched_at": "2026-01-01",
    "origin": "ignored",
}
SOURCE = Source(
    source_id="s1",
    title="Sand dunes of Peru",
    url="https://a.test",
    doi="10.5555/x",
    pmid="123",
    arxiv_id="2101.00001",
    isbn="9780000000002",
    authors=("Doe, J.", "Roe, K."),
    year=2021,
    venue="V",
    kind="article",
    text="Some text.\n",
    fetched_at="2026-01-01",
)


def test_all_fields(tmp_path):
    assert jsonl(tmp_path, FULL).sources == (SOURCE,)


def test_csv_and_parquet_give_the_same(tmp_path):
    flat = FULL | {"authors": "Doe, J.; Roe, K.", "pmid": "123"}
    pl.DataFrame([flat]).write_csv(tmp_path / "s.csv")
    pl.DataFrame([FULL]).write_parquet(tmp_path / "s.parquet")
    assert load_sources(tmp_path / "s.csv").sources == (SOURCE,)
    assert load_sources(tmp_path / "s.parquet").sources == (SOURCE,)
    (tmp_path / "T.TSV").write_text("source_id\ttitle\na\tA, B\n")
    assert [source.title for source in load_sources(tmp_path / "T.TSV").sources] == ["A, B"]


@pytest.mark.parametrize(
    ("authors", "expected"),
    [
        ("Doe, J.; Roe, K.", ("Doe, J.", "Roe, K.")),
        ("Ann Doe and Kim Roe", ("Ann Doe", "Kim Roe")),
        ("张三、李四；王五", ("张三", "李四", "王五")),
        ("Sandoval, Ann", ("Sandoval, Ann",)),
        ('["A", "B"]', ("A", "B")),
        ([{"name": "A"}, {"name": None}, "B", ""], ("A", "B")),
        (None, ()),
        (7, ()),
    ],
)
def test_authors(authors, expected):
    source = to_source({"source_id": "a", "title": "T", "authors": authors})
    assert isinstance(source, Source)
    assert source.authors == expected


def test_refused_rows_leave_the_others(tmp_path):
    loaded = jsonl(
        tmp_path,
        {"source_id": "a", "title": "A"},
        {"title": "no id"},
        {"source_id": "b", "title": " "},
        "{broken",
        {"source_id": "a", "title": "Another"},
        {"source_id": "a", "title": "A", "extra": 1},
        {"source_id": "c", "title": "Just a moment..."},
    )
    assert [source.source_id for source in loaded.sources] == ["a"]
    assert [(item.place, item.source_id, item.reason) for item in loaded.refused] == [
        ("line 2", None, "missing_id"),
        ("line 3", "b", "missing_title"),
        ("line 4", None, "bad_json"),
        ("line 5", "a", "duplicate_id"),
        ("line 7", "c", "error_page"),
    ]
    assert all("Remedy" in item.detail for item in loaded.refused)


def test_error_pages_are_no_sources(tmp_path):
    titles = ["Error", "Just a moment...", "404 Not Found", "Access Denied", "Untitled", "Sand dunes of Peru"]
    loaded = jsonl(tmp_path, *({"source_id": str(n), "title": title} for n, title in enumerate(titles)))
    assert [source.title for source in loaded.sources] == ["Sand dunes of Peru"]
    assert [item.reason for item in loaded.refused] == ["error_page"] * 5


def test_a_work_called_like_an_error_page_has_authors(tmp_path):
    work = {"source_id": "a", "title": "Access Denied", "authors": ["A. Brill"]}
    page = {"source_id": "b", "title": "404 Not Found", "authors": ["A. Brill"]}
    loaded = jsonl(tmp_path, work, page)
    assert [source.title for source in loaded.sources] == ["Access Denied"]
    assert [(item.source_id, item.reason) for item in loaded.refused] == [("b", "error_page")]


def test_a_work_on_a_site_that_nobody_has_set_up_is_a_source(tmp_path):
    loaded = jsonl(
        tmp_path,
        {"source_id": "a", "title": "[PDF] 潮汐观测培训 - 2024 - 站点创建成功"},
        {"source_id": "b", "title": "站点创建成功"},
        {"source_id": "c", "title": "Index of /pdf"},
    )
    assert [source.source_id for source in loaded.sources] == ["a"]
    assert [item.source_id for item in loaded.refused] == ["b", "c"]


def test_only_error_pages_is_a_catalogue_without_sources(tmp_path):
    assert jsonl(tmp_path, {"source_id": "a", "title": "Error"}).sources == ()


@pytest.mark.parametrize("rows", [({"id": "a", "name": "A"},), ("{broken", "[1]"), ({"source_id": "a"},)])
def test_a_file_of_other_rows_is_wrong_as_a_whole(tmp_path, rows):
    with pytest.raises(InputError, match="Remedy: give a JSONL, CSV or Parquet file with `source_id`"):
        jsonl(tmp_path, *rows)


def test_empty_is_empty(tmp_path):
    assert jsonl(tmp_path).sources == ()
    (tmp_path / "s.csv").write_text("")
    assert load_sources(tmp_path / "s.csv").sources == ()


def test_wrong_paths(tmp_path):
    (tmp_path / "s.xlsx").write_bytes(b"PK")
    (tmp_path / "s.jsonl").mkdir()
    for name in ("nowhere.jsonl", "s.xlsx", "s.jsonl"):
        with pytest.raises(UsageError, match="Remedy"):
            load_sources(tmp_path / name)
    pl.DataFrame({"title": ["A"]}).write_parquet(tmp_path / "s.parquet")
    with pytest.raises(InputError, match="no column `source_id`"):
        load_sources(tmp_path / "s.parquet")


def test_surrogates_do_not_reach_the_catalogue(tmp_path):
    loaded = jsonl(tmp_path, '{"source_id": "a", "title": "T\\ud800", "text": "x\\udfff"}')
    assert (loaded.sources[0].title, loaded.sources[0].text) == ("T\ufffd", "x\ufffd")
