"""The public cases about the rebuild, which lie beside the project; the threshold of three citations set aside."""

import json
from pathlib import Path

import pytest

from quality.citations.reader import read
from quality.citations.reconcile import reconcile
from quality.model import RebuildPath, Source
from quality.sources.own_table import match_own_table

CASES = Path(__file__).parents[5] / "shared" / "cases" / "cases.jsonl"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not CASES.is_file(), reason=f"the public cases are not at {CASES}"),
]


def load(name):
    rows = (json.loads(line) for line in CASES.read_text("utf-8").splitlines())
    return next(row for row in rows if row["id"] == name)


@pytest.mark.parametrize("fewest", [1, 3])
def test_a_cited_source_that_the_list_lacks_comes_back_from_the_catalogue(rebuilt, fewest):
    case = load("K2-18")
    body = case["input"]["report"]
    sources = [Source(k["id"], k["title"], url=k["url"]) for k in case["input"]["kb"]]
    result = rebuilt(body, sources, fewest=fewest)
    assert result.path is (RebuildPath.REBUILT if fewest == 1 else RebuildPath.MERGED)
    after = read(result.body)
    urls = {e.url for e in after.entries}
    assert urls == {k["url"] for k in case["input"]["kb"]}
    if fewest == 3:
        assert result.body.startswith(body.rstrip("\n"))  # the original list is untouched
    else:
        assert sorted(e.source_id for e in result.entries) == case["expected"]["rebuilt_sources_any_order"]


def test_a_list_printed_twice_stands_once(rebuilt):
    result = rebuilt(load("K2-19")["input"], fewest=1)
    assert [e.label for e in result.entries] == load("K2-19")["expected"]["ref_keys"]
    assert len(read(result.body).entries) == 2
    assert result.dangling == ()


def test_a_swap_is_no_collision(rebuilt):
    case = load("K2-20")
    result = rebuilt(case["input"], fewest=1)
    prose, _, table = result.body.partition("\n\n## References\n\n")
    assert prose == case["expected"]["rebuilt_body"]
    assert table.splitlines() == case["expected"]["rebuilt_list"]
    assert {e.key: e.label for e in result.entries} == case["expected"]["mapping"]


def test_a_gap_in_the_numbering_is_no_dangling_citation(rebuilt):
    case = load("K2-21")
    reading = read(case["input"])
    assert reconcile(reading, match_own_table).dangling == ()
    assert "numbering_gap" in reading.flags
    result = rebuilt(case["input"])
    assert (result.path, result.dangling) == (RebuildPath.REBUILT, ())
    assert "A [1][2]. B [3]. C [4]." in result.body


def test_no_link_is_made_by_position(rebuilt):
    case = load("K2-22")
    result = rebuilt(case["input"], fewest=1)
    assert (result.path, result.body) == (RebuildPath.LEFT, case["input"])
    assert [c.key for c in result.dangling] == case["expected"]["unresolved_keys"]
