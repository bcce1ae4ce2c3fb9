"""Several lists: continued, repeated, restarted, and lists whose numbers nobody cites."""

from __future__ import annotations


def test_numbers_that_restart_are_judged_by_section(see):
    body = (
        "# A\n\nWater holds [1], [2].\n\n## References\n\n[1] Alder. Tides.\n\n"
        "# B\n\nAir holds [1].\n\n## References\n\n[1] Birch. Winds.\n[2] Cedar. Rains.\n"
    )
    seen = see(body)
    assert "key_restarts" in seen.flags
    pairs = [
        (c.key, c.scope, None if c.entry is None else seen.reading.entries[c.entry].title)
        for c in seen.result.cited
    ]
    assert pairs == [("1", 1, "Tides."), ("2", 1, None), ("1", 2, "Winds.")]
    assert seen.uncited == ["2"]


def test_a_list_that_continues_another_shares_its_scope(see):
    body = "A [1] b [2].\n\n## References\n\n[1] Alder. Tides.\n\nC [3].\n\n## Sources\n\n[3] Cedar. https://papers.test/3\n[2] B.\n"
    seen = see(body)
    assert {e.scope for e in seen.reading.entries} == {0}
    assert seen.dangling == []


def test_a_list_printed_twice_counts_once(see):
    once = "[1] Alder. Tides. https://papers.test/1\n[2] Birch. Winds. https://papers.test/2\n"
    seen = see(f"A [1]. B [2].\n\n## Sources\n\n{once}\n## References\n\n{once}")
    assert seen.entry_keys == ["1", "2"]
    assert "repeated_list" in seen.flags
    assert (seen.dangling, seen.uncited) == ([], [])
    assert len(seen.reading.lists) == 2


def test_of_two_lists_without_text_between_the_body_means_the_one_that_holds_its_numbers(see):
    body = (
        "A [1]. B [2]. C [3].\n\n## 参考文献\n\n1. 甲《潮汐》，2001年。[3]\n2. 乙《风》，2002年。\n\n"
        "参考文献：\n[1] https://papers.test/1 - 潮汐\n[2] https://papers.test/2 - 风\n[3] https://papers.test/3 - 雨\n"
    )
    seen = see(body)
    assert seen.dangling == []
    assert [(e.key, e.by_number) for e in seen.reading.entries] == [
        ("1", False), ("2", False), ("1", True), ("2", True), ("3", True),
    ]  # fmt: skip
    assert seen.cited == {"1": 1, "2": 1, "3": 2}


def test_footnotes_and_numbers_are_two_name_spaces(see):
    body = (
        "A [^1]. B [1].\n\n[^1]: Alder. Tides.\n\n## References\n\n[1] Birch. Winds. https://papers.test/2\n"
    )
    seen = see(body)
    assert [c.entry for c in seen.result.cited] == [0, 1]
    assert seen.dangling == []


def test_a_fragment_of_a_list_in_the_middle_is_not_its_sections_list(see):
    body = (
        "A [0]. B [5]. C [6].\n\nReferences:\n[0] Title: Tides of the northern coast and ports. Text: It rises.\n\n"
        "D [4].\n\nReferences:\n[0] Tides of the northern coast and ports.\n"
        "[4] Birch. Winds.\n[5] Cedar. Rains.\n[6] Dill. Snows.\n"
    )
    assert see(body).dangling == []


def test_colliding_lists_of_a_report_that_cites_by_link_are_by_number_of_nobody(see):
    body = (
        "See [A](https://papers.test/1).\n\n## Sources\n\n1. [A](https://papers.test/1)\n2. [B](https://papers.test/2)\n\n"
        "# Next\n\nSee [C](https://papers.test/3).\n\n## Sources\n\n1. [C](https://papers.test/3)\n"
    )
    seen = see(body)
    assert [e.by_number for e in seen.reading.entries] == [False, False, False]
    assert seen.uncited == ["2"]
