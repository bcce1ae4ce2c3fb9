"""Entries of one list that name one work, and those that only look alike."""

import pytest

from quality.citations.reader import read
from quality.citations.reconcile import reconcile
from quality.citations.sameness import distinct_works, same_work
from quality.citations.titles import match_exact
from quality.model import Entry, Identifier


def entry(title=None, url=None, text=None, doi=None):
    named = (Identifier("doi", doi),) if doi else ()
    return Entry(0, "1", text or f"{title} {url}", title, url, named)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (entry("Tides", "https://a.test/1"), entry("Tidal tables", "http://www.a.test/1/"), True),
        (entry("Tides", "https://a.test/1"), entry("Tides", "https://a.test/2"), True),
        (entry("Tides", "https://a.test/1"), entry("Seals", "https://a.test/2"), False),
        (entry("Tides", doi="10.5555/x"), entry("Tides of the north", doi="10.5555/x"), True),
        (entry(text="[1] Alba 1999"), entry(text="[1] Alba 1999"), True),
        (entry(text="[1] Alba 1999"), entry(text="[1] Brandt 2001"), False),
        (
            entry("How salt marshes store carbon in the north: it rises"),
            entry("How salt marshes store carbon in the north: so it goes"),
            True,
        ),
        (entry("Salt marshes: a"), entry("Salt marshes: b"), False),
    ],
)
def test_same_work(one, other, same):
    assert same_work(one, other) is same
    assert same_work(other, one) is same


def test_distinct_works_keep_their_order():
    a, b = entry("Tides", "https://a.test/1"), entry("Seals", "https://a.test/2")
    assert distinct_works([a, b, a]) == (a, b)


BODY = "Low code grows [2]. Readers stay [1].\n\n## Sources\n\n[1] Tides. https://a.test/1\n[2] Seals. https://a.test/2\n[2] {}\n"


def test_label_of_two_works_is_ambiguous_and_counts_as_without_an_entry():
    reading = read(BODY.format("Personal branding. https://b.test/9"))
    found = reconcile(reading, match_exact)
    assert [(c.key, c.entry, c.candidates) for c in found.cited] == [("2", None, (1, 2)), ("1", 0, ())]
    assert [c.key for c in found.ambiguous] == ["2"]
    assert found.dangling == ()
    assert "repeated_label" in reading.flags


def test_label_that_repeats_one_work_is_not():
    reading = read(BODY.format("Seals. https://a.test/2"))
    found = reconcile(reading, match_exact)
    assert [(c.key, c.entry) for c in found.cited] == [("2", 1), ("1", 0)]
    assert "repeated_label" not in reading.flags
