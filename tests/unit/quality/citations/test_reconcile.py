"""Labels by equality, links by address, titles by the matcher that is handed in."""

from __future__ import annotations

from quality.citations.reader import read
from quality.citations.reconcile import reconcile
from quality.citations.titles import match_contained, match_exact
from quality.model import Entry

LIST = (
    "\n\n## References\n\n[1] Alder. Tides. https://papers.test/1\n[2] Birch. Winds. https://papers.test/2/\n"
)


def test_a_link_means_the_entry_with_its_address(see):
    seen = see("See [Tides](https://papers.test/1/) and https://papers.test/2?utm_source=x." + LIST)
    assert [c.entry for c in seen.result.cited] == [0, 1]
    assert seen.uncited == []


def test_a_link_that_no_entry_has_does_not_dangle(see):
    seen = see("See [Rains](https://papers.test/3), water [1]." + LIST)
    assert seen.dangling == []
    assert [c.entry for c in seen.result.cited] == [None, 0]
    assert seen.uncited == ["2"]


def test_one_number_with_two_addresses_is_two_citations(see):
    seen = see(
        "A [[1]](https://papers.test/7), b [[1]](https://papers.test/8), c [[1]](https://papers.test/7)."
    )
    assert [(c.key, c.locator, c.occurrences) for c in seen.result.cited] == [
        ("1", "https://papers.test/7", 2),
        ("1", "https://papers.test/8", 1),
    ]
    assert all(c.self_contained for c in seen.result.cited)


def test_a_number_link_goes_by_its_address_before_its_number(see):
    seen = see("A [[1]](https://papers.test/2)." + LIST)
    assert [c.entry for c in seen.result.cited] == [1]


def test_the_order_is_that_of_first_appearance(see):
    assert [c.key for c in see("A [2], b [1], c [2]." + LIST).result.cited] == ["2", "1"]


def test_exact_and_contained_titles():
    body = "据《北方港口潮汐》，又《西风》。\n\n## 参考文献\n\n- 《北方港口潮汐研究（修订版）》\n- 《西风》\n"
    reading = read(body)
    exact = {c.key: c.entry for c in reconcile(reading, match_exact).cited}
    contained = {c.key: c.entry for c in reconcile(reading, match_contained).cited}
    assert exact == {"北方港口潮汐": None, "西风": 1}
    assert contained == {"北方港口潮汐": 0, "西风": 1}


def test_containment_needs_four_characters():
    entries = [Entry(0, None, "潮汐研究", title="潮汐研究")]
    assert match_contained("潮汐研", entries) is None
    assert match_contained("北方潮汐研究史", entries) == 0
    assert match_exact("潮汐研究", entries) == 0
    assert match_exact("  ＡＢＣ ", [Entry(0, None, "", title="abc")]) == 0
