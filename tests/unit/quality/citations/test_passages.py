"""Titles that run on into a quoted passage."""

from __future__ import annotations

from quality.citations.passages import is_passage, passage_titles

REST = " gauge readings along the whole coast were kept by hand for sixty years and are used here." * 4


def test_a_title_that_stands_twice():
    title = "Reading the gauges of northern ports by hand"
    assert passage_titles([f"{title} {title} Gauges were{REST}"]) == [title]


def test_a_title_in_title_case_before_a_sentence():
    contents = [
        f"Tide Gauges of the Northern Ports We present{REST}",
        f"Storms and Floods: A Survey of Ports in the West In this paper, all{REST}",
        f"Long Waves in Narrow Bays via Pressure Sensors Recently, many{REST}",
    ]
    assert passage_titles(contents) == [
        "Tide Gauges of the Northern Ports",
        "Storms and Floods: A Survey of Ports in the West",
        "Long Waves in Narrow Bays via Pressure Sensors",
    ]


def test_a_title_that_two_entries_share():
    title = "Towards an understanding of slow floods"
    found = passage_titles([f"{title} the gauge{REST}", f"{title} when rivers{REST}"])
    assert found == [title, title]


def test_labelled_titles_and_questions():
    assert passage_titles([f"Title: Slow floods Text: The{REST}"]) == ["Slow floods"]
    assert passage_titles([f"Do slow floods harm ports? They do, for{REST}"]) == [
        "Do slow floods harm ports?"
    ]


def test_where_no_end_can_be_seen_there_is_no_title():
    assert passage_titles([f"the gauges{REST}"]) == [None]


def test_what_counts_as_a_passage():
    assert is_passage("a b " * 100)
    assert not is_passage("short")
    assert not is_passage("a b " * 100 + "https://papers.test/1")
    assert not is_passage("a b " * 100 + "doi:10.5555/tides.1.")
    assert not is_passage("[a](https://papers.test/1) " + "a b " * 100)
    assert is_passage("a b " * 100 + "https://papers.test/1 " + "a b " * 100)
