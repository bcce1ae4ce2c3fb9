"""The text of one entry."""

import pytest

from quality.model import CitedKey, Entry, EntryKind, Source
from quality.references.works import apart, compose, work_of
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
        (("Dunes", "https://a.test/x_"), "Dunes: https://a.test/x_"),
        (("Dunes", "https://a.test/x."), "[Dunes](https://a.test/x.)"),
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


def written(ordinal, title, url):
    text = f"{title}: {url}"
    return Entry(ordinal, str(ordinal), text, title, url, start=0, end=len(text), label_end=0)


@pytest.mark.parametrize(
    ("first", "second", "lines"),
    [
        ("Tidal mixing in narrow estuaries", "Seals counted from the air", 2),
        ("Tidal mixing in narrow estuaries", "河口潮汐混合研究", 2),
        ("Dune survey 2022 yearbook", "Dune survey 2023 yearbook", 2),
        ("Tidal mixing in narrow estuaries", "Tidal mixing in narrow estuaries", 1),
        ("Tidal mixing in narrow estuaries", "Tidal mixing in narrow estuaries - Harbour Press", 1),
    ],
)
def test_entries_that_share_an_address_and_say_other_things_stay_apart(first, second, lines):
    url = "https://a.test/portal"
    cited = [
        (label(n), work_of(label(n), written(n, title, url), EMPTY, never))
        for n, title in enumerate((first, second))
    ]
    assert len({work.identity for _, work in apart(cited)}) == lines


@pytest.mark.parametrize(
    ("title", "kept"),
    [
        ("Tidal mixing in narrow estuaries", True),  # the same words: the catalogue's writing serves
        ("Seals counted from the air above", False),  # another work on a wrongly copied address
        ("Tidal mixing in narrow estuaries, 2023", True),
        ("河口潮汐混合研究报告", False),  # the same page in another language
    ],
)
def test_the_catalogue_replaces_a_title_only_by_one_that_says_the_same(title, kept):
    url = "https://a.test/tides"
    index = SourceIndex([Source("s1", "Tidal Mixing in Narrow Estuaries", url=url)])
    work = work_of(label(0), written(0, title, url), index, never)
    assert work.kind is (EntryKind.CANONICAL if kept else EntryKind.AS_WRITTEN)
    assert kept or title in work.content


def test_the_form_with_a_site_around_it_does_not_replace_the_clean_title():
    url = "https://a.test/tides"
    index = SourceIndex([Source("s1", "Tidal mixing in narrow estuaries | Harbour Press", url=url)])
    work = work_of(label(0), written(0, "Tidal mixing in narrow estuaries", url), index, never)
    assert (work.kind, work.source_id) == (EntryKind.AS_WRITTEN, "s1")


def test_a_source_with_a_doi_and_no_address_is_located_by_its_doi():
    index = SourceIndex([Source("s1", "Tidal mixing in narrow estuaries", doi="10.5555/tides.1")])
    entry = Entry(
        0,
        "1",
        "Tidal mixing in narrow estuaries",
        "Tidal mixing in narrow estuaries",
        start=0,
        end=32,
        label_end=0,
    )
    work = work_of(label(0), entry, index, never)
    assert work.content == "Tidal mixing in narrow estuaries: https://doi.org/10.5555/tides.1"
