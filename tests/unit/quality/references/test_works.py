"""The text of one entry."""

import pytest

from quality.model import CitedKey, Entry, EntryKind, Source
from quality.references.works import compose, work_of
from quality.sources.index import SourceIndex

EMPTY = SourceIndex([])


def label(entry):
    return CitedKey("1", "label", "bracket", 0, 1, 0, entry)


def link(url, text):
    return CitedKey(url, "link", "link", 0, 1, 0, None, url, text)


def never(_):
    return False


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        (("Dunes", "https://a.test/x"), "Dunes: https://a.test/x"),
        (("Dunes", None), "Dunes"),
        ((None, "https://a.test/x"), "https://a.test/x"),
        (("Dunes", "https://a.test/x", "Doe, J.", 2020), "Doe, J. (2020). Dunes: https://a.test/x"),
        (("Dunes", "https://a.test/x_"), "[Dunes](https://a.test/x_)"),
    ],
)
def test_composed_entries_read_back(parts, text):
    assert compose(*parts) == text


def test_a_label_without_an_entry_gets_nothing():
    assert work_of(label(None), None, EMPTY, never) is None


def test_a_link_is_its_own_entry():
    work = work_of(link("https://a.test/x", "**Dunes** of Peru"), None, EMPTY, never)
    assert (work.kind, work.content) == (EntryKind.AS_WRITTEN, "Dunes of Peru: https://a.test/x")


@pytest.mark.parametrize("text", ["source", "[3]", "12", "来源", "https://a.test/x", None])
def test_a_link_text_that_names_nothing_is_no_title(text):
    assert work_of(link("https://a.test/x", text), None, EMPTY, never).content == "https://a.test/x"


def test_the_title_changes_in_its_place():
    content = "Doe J. Dunes of Per... Nature 5 (2020) 12."
    entry = Entry(0, "1", f"[1] {content}", title="Dunes of Per", start=0, end=4 + len(content), label_end=4)
    index = SourceIndex([Source("s", "Dunes of Peru and other coasts")])
    work = work_of(label(0), entry, index, never)
    assert (
        work.content == content or work.content == "Doe J. Dunes of Peru and other coasts Nature 5 (2020) 12."
    )


def test_a_title_citation_needs_the_catalogue():
    cited = CitedKey("三角洲的冬季演变", "title", "book_title", 0, 1, 0, None, None, "三角洲的冬季演变")
    assert work_of(cited, None, EMPTY, never) is None
    assert work_of(cited, None, SourceIndex([Source("s", "三角洲的冬季演变")]), never).source_id == "s"


def test_dirt_everywhere_leaves_nothing():
    entry = Entry(0, "1", "[1] [Insert title]", title="[Insert title]", start=0, end=18, label_end=4)
    assert work_of(label(0), entry, EMPTY, lambda _: True) is None
