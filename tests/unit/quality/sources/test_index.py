"""Resolution: the order of the tiers, ties, and what else decides."""

import pytest

from quality.model import Entry, Identifier, ResolutionState, Source
from quality.sources.index import SourceIndex

DUNES = Source(
    "s1",
    "Dune migration in coastal Peru",
    url="https://a.test/dunes",
    doi="10.5555/D.1",
    authors=("Jane Doe",),
    year=2020,
)
OTHER = Source("s2", "Interest rates of savings banks after the war", url="https://b.test/banks?id=3")
MAPS = Source("s3", "Mapping rivers: methods for small basins", authors=("Roe, R.",), year=2012)
HEAT = Source("s4", "Urban heat islands", authors=("Ana Alba",), year=2001)
TWIN_A = Source("s5", "The same title of two works", year=1999)
TWIN_B = Source("s6", "The same title of two works", year=2009)
SCRIPT = Source("s7", "計算機科學導論", authors=("王五",), year=2003)
INDEX = SourceIndex([DUNES, OTHER, MAPS, HEAT, TWIN_A, TWIN_B, SCRIPT])


def brief(resolution):
    return resolution.state.value, resolution.tier, resolution.source_id


@pytest.mark.parametrize(
    ("title", "more", "expected"),
    [
        ("Dune migration in coastal Peru", {}, ("resolved", "exact", "s1")),
        (None, {"url": "http://www.a.test/dunes/?utm_source=x"}, ("resolved", "identifier", "s1")),
        (None, {"identifiers": (Identifier("doi", "10.5555/d.1"),)}, ("resolved", "identifier", "s1")),
        ("Dunes", {"url": "https://doi.org/10.5555/d.1"}, ("resolved", "identifier", "s1")),
        ("Nothing of the kind", {}, ("none", None, None)),
        (None, {}, ("none", None, None)),
        ("The same title of two works", {}, ("ambiguous", "exact", None)),
        ("The same title of two works", {"year": 2009}, ("resolved", "exact", "s6")),
        ("Mapping rivers", {}, ("ambiguous", "truncated", None)),
        ("Mapping rivers", {"authors": "Roe R, Poe P"}, ("resolved", "truncated", "s3")),
        ("Urban heat inlands", {}, ("suggested", "fuzzy", None)),
        ("Urban heat inlands", {"authors": "Alba A", "year": 2001}, ("resolved", "corroborated", "s4")),
        ("Urban heat islands", {"authors": "Somebody Else", "year": 1950}, ("ambiguous", "exact", None)),
        ("计算机科学导论", {}, ("ambiguous", "variant", None)),
        ("计算机科学导论", {"authors": "王五", "year": 2003}, ("resolved", "corroborated", "s7")),
    ],
)
def test_resolution(title, more, expected):
    assert brief(INDEX.resolve(title, **more)) == expected


def test_a_tie_names_its_candidates():
    assert INDEX.resolve("The same title of two works").candidates == ("s5", "s6")


def test_an_identifier_beside_the_title_of_another_work_is_not_believed():
    found = INDEX.resolve("Interest rates of savings banks after the war", url="https://a.test/dunes")
    assert brief(found) == ("ambiguous", "identifier", None)
    assert set(found.candidates) == {"s1", "s2"}


def test_a_short_title_on_another_site_is_only_a_candidate():
    index = SourceIndex([Source("a", "Stages of sleep", url="https://one.test/sleep")])
    assert brief(index.resolve("Stages of sleep", url="https://two.test/sleep")) == (
        "ambiguous",
        "exact",
        None,
    )
    assert brief(index.resolve("Stages of sleep", url="https://one.test/2")) == ("resolved", "exact", "a")


def test_one_work_listed_twice_is_no_tie():
    twice = [
        Source("a", "Dunes of Peru", doi="10.5555/1"),
        Source("b", "Dunes of Peru again", url="https://doi.org/10.5555/1"),
    ]
    assert SourceIndex(twice).resolve(None, url="https://doi.org/10.5555/1").state is ResolutionState.RESOLVED


def test_two_works_behind_one_entry_are_a_tie():
    found = INDEX.resolve(
        None, identifiers=(Identifier("doi", "10.5555/d.1"), Identifier("url", "https://b.test/banks?id=3"))
    )
    assert found.state is ResolutionState.AMBIGUOUS


def test_an_entry_is_resolved_by_all_it_says():
    entry = Entry(0, "1", "[1] Doe. Dunes.", title="Dunes", identifiers=(Identifier("doi", "10.5555/d.1"),))
    assert INDEX.resolve_entry(entry).source_id == "s1"


def test_sources_by_id():
    assert INDEX.source("s2") is OTHER
    assert len(INDEX) == 7
    with pytest.raises(KeyError):
        INDEX.source("nobody")


def test_an_empty_catalogue_resolves_nothing():
    assert SourceIndex([]).resolve("Dune migration", url="https://a.test/").state is ResolutionState.NONE


def test_a_title_that_was_cut_out_wrongly_does_not_speak_against_the_identifier():
    index = SourceIndex([Source("s1", "Handwritten tables and what the tide left", doi="10.5555/tide.4")])
    text = "[1] Leopold Alder, Siobhan Birch. Handwritten tables and what the tide left. Shore Studies, 2023. doi:10.5555/tide.4"
    doi = (Identifier("doi", "10.5555/tide.4"),)
    cut = Entry(0, "1", text, "Leopold Alder, Siobhan Birch, and others of the society", identifiers=doi)
    assert index.resolve_entry(cut).source_id == "s1"
    other = Entry(
        0, "1", text.replace("Handwritten tables and what the tide left", "Seals"), cut.title, identifiers=doi
    )
    assert index.resolve_entry(other).state is ResolutionState.AMBIGUOUS
