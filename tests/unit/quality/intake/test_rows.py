"""Rows of CSV files; JSONL and Parquet are covered by ``test_tables`` and ``test_catalogue``."""

import csv

import pytest

from quality.errors import InputError
from quality.intake.decode import Refusal
from quality.intake.rows import read_csv_rows


def rows(tmp_path, text, name="s.csv", encoding="utf-8"):
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    return list(read_csv_rows(path, ["source_id", "title"]))


def test_quotes_separators_and_line_breaks_in_cells(tmp_path):
    (row,) = rows(tmp_path, 'source_id, title ,text\r\na,"One, ""two""","x\r\ny"\r\n')
    assert row.fields == {"source_id": "a", "title": 'One, "two"', "text": "x\r\ny"}
    assert row.place == "row 1"


def test_tabs_and_marks(tmp_path):
    assert rows(tmp_path, "source_id\ttitle\na\tA, B\n", "s.tsv")[0].fields == {
        "source_id": "a",
        "title": "A, B",
    }
    assert rows(tmp_path, "source_id,title\na,中\n", encoding="utf-8-sig")[0].fields == {
        "source_id": "a",
        "title": "中",
    }
    assert rows(tmp_path, "source_id,title\na,中\n", encoding="utf-16")[0].fields == {
        "source_id": "a",
        "title": "中",
    }


def test_short_and_long_rows(tmp_path):
    short, long = rows(tmp_path, "source_id,title,url\na,A\nb,B,u,extra\n")
    assert short.fields == {"source_id": "a", "title": "A", "url": None}
    assert isinstance(long.fields, Refusal)
    assert long.fields.reason == "bad_row"


def test_long_cells_leave_the_limit_of_the_process_alone(tmp_path):
    before = csv.field_size_limit()
    (row,) = rows(tmp_path, f"source_id,title,text\na,A,{'x' * 200_000}\n")
    assert not isinstance(row.fields, Refusal)
    assert len(str(row.fields["text"])) == 200_000
    assert csv.field_size_limit() == before


def test_empty_file_and_header_only(tmp_path):
    assert rows(tmp_path, "") == []
    assert rows(tmp_path, "source_id,title\n") == []


@pytest.mark.parametrize(
    ("text", "encoding", "message"),
    [
        ("id,name\na,A\n", "utf-8", "no column `source_id` and `title`; its columns are: id, name"),
        ("source_id,title\na,Café\n", "latin-1", "not valid UTF-8"),
        ('source_id,title\na,"never closed\n', "utf-8", "broken at line"),
    ],
)
def test_wrong_as_a_whole(tmp_path, text, encoding, message):
    with pytest.raises(InputError, match=message):
        rows(tmp_path, text, encoding=encoding)
