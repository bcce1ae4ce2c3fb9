"""Remembered readings are the readings."""

from quality.citations.reader import read
from quality.citations.recent import read_recent
from quality.model import ListedSource

BODY = "Alpha [1].\n\n## References\n\n[1] Tides. https://papers.test/1\n"


def test_same_as_read_and_remembered():
    assert read_recent(BODY, ()) == read(BODY)
    assert read_recent(BODY, ()) is read_recent(BODY, ())


def test_listed_sources_make_another_reading():
    bare = "Alpha [1].\n"
    listed = (ListedSource(key="1", title="Tides"),)
    assert read_recent(bare, listed) == read(bare, listed)
    assert read_recent(bare, listed) != read_recent(bare, ())
