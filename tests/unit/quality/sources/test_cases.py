"""The public cases about titles, which lie beside the project."""

import json
from pathlib import Path

import pytest

from quality.citations.entries import split_entry
from quality.model import ResolutionState, Source
from quality.sources.index import SourceIndex

CASES = Path(__file__).parents[5] / "shared" / "cases" / "cases.jsonl"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not CASES.is_file(), reason=f"the public cases are not at {CASES}"),
]


def load(name):
    rows = (json.loads(line) for line in CASES.read_text("utf-8").splitlines())
    return next(row for row in rows if row["id"] == name)


def decide(citation, *titles, **more):
    index = SourceIndex(
        [Source(str(i), title, authors=("Doe, J.",), year=2001) for i, title in enumerate(titles)]
    )
    found = index.resolve(citation, **more)
    if found.state is ResolutionState.RESOLVED:
        return "match"
    return "ambiguous" if found.state is ResolutionState.AMBIGUOUS or found.tier == "fuzzy" else "no_match"


@pytest.mark.parametrize("name", ["K4-01", "K4-05", "K4-08", "K4-09", "K4-10", "K4-15", "K4-18"])
def test_pairs(name):
    case = load(name)
    pairs, wanted = case["input"]["pairs"], case["expected"]["decision"]
    assert [decide(cited, title) for cited, title in pairs] == wanted


@pytest.mark.parametrize("name", ["K4-12", "K4-20"])
def test_pairs_that_need_corroboration(name):
    case = load(name)
    pairs = case["input"]["pairs"]
    cited, title = pairs[0]
    assert decide(cited, title) == "ambiguous"
    cited, title = pairs[-1]
    assert decide(cited, title, authors="Doe J", year=2001) == "match"


def test_short_titles():
    case = load("K4-02")["input"]
    assert [decide(cited, *case["kb"]) for cited in case["cited"]] == ["no_match", "match", "no_match"]


def test_cut_titles():
    case = load("K4-14")
    assert [decide(cited, *case["input"]["kb"]) for cited in case["input"]["cited"]] == case["expected"][
        "decision"
    ]


def test_notices():
    case = load("K4-16")
    assert [decide(record, case["input"]["cited"]) for record in case["input"]["records"]] == case[
        "expected"
    ]["decision"]
    assert [decide(case["input"]["cited"], record) for record in case["input"]["records"]] == case[
        "expected"
    ]["decision"]


def test_common_words_do_not_drown_the_right_title():
    titles = [f"All we need is noun{i}" for i in range(60)] + ["All we need is DAG"]
    assert decide("All we need is dag", *titles) == "match"


def test_a_flood_of_common_words():
    case = load("K4-21")
    nouns = [f"All we need is {noun}" for noun in ("time", "trust", "sleep", "water", "light", "data") * 10]
    titles = [*dict.fromkeys(f"{t}{i}" for i, t in enumerate(nouns)), "All we need is DAG"]
    index = SourceIndex([Source(str(i), title) for i, title in enumerate(titles)])
    found = index.resolve(case["input"]["cited"])
    assert (len(titles), index.source(found.source_id).title) == (61, case["expected"]["to"])


def test_titles_with_marks_inside():
    case = load("K4-17")
    assert [split_entry(entry).title for entry in case["input"]["entries"]] == case["expected"]["titles"]
