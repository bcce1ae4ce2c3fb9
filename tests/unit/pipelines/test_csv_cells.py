"""A cell that no spreadsheet runs, and that loses nothing."""

import csv
import io
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.csv_cells import GUARDED, cell, line


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("=1+1", '"\'=1+1"'),
        ('=HYPERLINK("https://a.test","x")', '"\'=HYPERLINK(""https://a.test"",""x"")"'),
        ("+31 20", '"\'+31 20"'),
        ("-2+3|cmd", '"\'-2+3|cmd"'),
        ("- a bullet", '"\'- a bullet"'),
        ("@SUM(A1)", '"\'@SUM(A1)"'),
        ("\t=1", '"\'\t=1"'),
        ("\r=1", '"\'\r=1"'),
        ("  =1", '"\'  =1"'),
        ("＝1+1", '"\'＝1+1"'),
        ("'=1", "\"''=1\""),
        ("'tis the season", '"\'tis the season"'),
        ("Tides = waves", '"Tides = waves"'),
        ("-0.5", '"-0.5"'),
        ("+4", '"+4"'),
        (-0.5, "-0.5"),
        (-3, "-3"),
        (1e-07, "1e-07"),
        (True, "true"),
        (None, ""),
        ("", '""'),
        (["=1", "b"], '"[""=1"", ""b""]"'),
        (datetime(2026, 3, 1, 12, tzinfo=UTC), '"2026-03-01T12:00:00+00:00"'),
    ],
)
def test_cells(value, written):
    assert cell(value) == written


@given(
    st.lists(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12), min_size=1
    )
)
def test_a_reader_gets_every_text_back_and_none_begins_a_formula(texts):
    (read,) = csv.reader(io.StringIO(line(texts), newline=""))
    assert [GUARDED.sub("", text, count=1) if GUARDED.match(text) else text for text in read] == texts
    for text, came in zip(texts, read, strict=True):
        assert not came.lstrip(" ").startswith(("=", "@", "\t", "\r", "＝", "＋", "－", "＠"))
        assert not came.startswith(("+", "-")) or came == text
