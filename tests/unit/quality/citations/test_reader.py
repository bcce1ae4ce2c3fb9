"""The reader as a whole: order of steps, out-of-body sources, decisions, segments."""

from __future__ import annotations

from quality.model import ListedSource

BODY = """# Tides

Water rises [1].

```
x = rows[2]
```

It falls at $[1, 2]$ [2].

## References

[1] Alder. Tides. https://papers.test/1
[2] Birch. Winds. https://papers.test/2
"""


def test_segments_name_what_each_stretch_was_read_as(see):
    seen = see(BODY)
    named = {(s.kind, seen.body[s.start : s.end].strip()) for s in seen.reading.segments}
    assert ("heading", "Tides") in named
    assert ("code", "```\nx = rows[2]\n```") in named
    assert ("math", "$[1, 2]$") in named
    assert ("list", "[1] Alder. Tides. https://papers.test/1") in named


def test_every_style_that_was_looked_at_has_a_decision(see):
    seen = see(BODY)
    assert seen.reading.decisions["bracket"].startswith("2 of 2 candidates cite")
    titles = see("《潮汐》[1]。\n\n## 参考文献\n\n[1] 甲。https://papers.test/1\n")
    assert titles.reading.decisions["book_title"].startswith("0 of 1")


def test_listed_sources_are_the_table_of_a_body_without_one(see):
    listed = (
        ListedSource(entry="[1] https://papers.test/1"),
        ListedSource(key="2", title="Winds", url="https://papers.test/2", year=2020),
        ListedSource(title="Rains"),
    )
    seen = see("Water [1], air [2], rain [3].", listed)
    assert [(e.key, e.title, e.url, e.year, e.origin, e.start) for e in seen.reading.entries] == [
        ("1", None, "https://papers.test/1", None, "sources", -1),
        ("2", "Winds", "https://papers.test/2", 2020, "sources", -1),
        (None, "Rains", None, None, "sources", -1),
    ]
    assert seen.dangling == ["3"]
    assert "no_reference_list" in seen.flags


def test_listed_sources_are_ignored_where_the_body_has_a_table(see):
    assert [e.origin for e in see(BODY, (ListedSource(key="9", title="Other"),)).reading.entries] == [
        "body",
        "body",
    ]


def test_a_report_wrapped_in_one_fence_is_a_report(see):
    tilde = BODY.replace("```", "~~~")
    for wrapped in (
        f"```\n{tilde}\n```\n",
        f"```markdown\n{tilde}\n```\n",
        f"```markdown\n{BODY}\n```\n",
        f"```md\n{BODY}",
    ):
        seen = see(wrapped)
        assert seen.cited == {"1": 1, "2": 1}
        assert seen.entry_keys == ["1", "2"]


def test_an_unclosed_fence_hides_nothing(see):
    assert see("Water [1].\n\n```\n\n## References\n\n[1] Alder. Tides.\n").dangling == []


def test_front_matter_is_no_prose(see):
    seen = see("---\ntitle: Tides [1]\nurl: https://papers.test/x\n---\n\nWater [2].\n")
    assert list(seen.cited) == ["2"]
    assert seen.reading.segments[0].kind == "front_matter"


def test_indented_text_in_lists_is_no_code(see):
    assert see("- Water\n\n    rises [1].\n\n    rows[2]\n").cited == {"1": 1, "2": 1}
    assert see("Water rises [1].\n\n    rows[2]\n").cited == {"1": 1}


def test_zero_is_a_label_only_where_the_list_starts_with_it(see):
    from_zero = "\n\n## References\n\n[0] Alder. Tides.\n[1] Birch. Winds.\n"
    assert see(f"A [0], b [1].{from_zero}").dangling == []
    seen = see("A [0], b [1], c [4].\n\n## References\n\n[1] Birch. Winds.\n")
    assert seen.dangling == ["4"]
    assert "invalid_marker" in seen.flags
    assert see("A [0], b [1].").cited == {"0": 1, "1": 1}


def test_a_runaway_block_is_read_to_its_end(see):
    block = "".join(f"[{n}]" for n in range(1, 61))
    seen = see(f"Water rises.{block}\n\n## References\n\n[1] Alder. Tides.\n[2] Birch. Winds.\n")
    assert len(seen.cited) == 60
    assert len(seen.dangling) == 58
