"""Every row of the style table reads its own form, and what only looks like it is passed over."""

from __future__ import annotations

from pathlib import Path

import pytest

from quality.citations.reader import read
from quality.citations.styles import STYLES

LIST = """

## References

[1] Alder. Tides of the north. https://papers.test/tides
[2] Birch. Winds of the west. https://papers.test/winds
[3] Cedar. Rains of the south. https://papers.test/rains
"""
WORKS = """

#### **Works cited**

1. Tides of the north \\- Harbour, accessed May 4, 2025, [https://papers.test/tides](https://papers.test/tides)
2. Winds of the west, accessed May 4, 2025, [https://papers.test/winds](https://papers.test/winds)
3. Rains of the south, accessed May 4, 2025, [https://papers.test/rains](https://papers.test/rains)
"""
BRACKETS = {
    "[1]": ["1"],
    "[1][2]": ["1", "2"],
    "[1, 2]": ["1", "2"],
    "[1,2,3]": ["1", "2", "3"],
    "[1-3]": ["1", "2", "3"],
    "[1–3]": ["1", "2", "3"],
    "[1—2]": ["1", "2"],
    "[1−2]": ["1", "2"],
    "[1 - 3]": ["1", "2", "3"],
    "[1; 2]": ["1", "2"],
    "[1;3]": ["1", "3"],
    "([1])": ["1"],
    "([1], [2])": ["1", "2"],
    "（[1]）": ["1"],
    "[ 1 ]": ["1"],
    "\\[1\\]": ["1"],
    "\\[1, 2\\]": ["1", "2"],
    "[[3]]": ["3"],
    "［1］": ["1"],
    "［１，２］": ["1", "2"],
    "[１]": ["1"],
    "【1】": ["1"],
    "【1-2，3】": ["1", "2", "3"],
    "【2†L3-L9】": ["2"],
    "【2†source】": ["2"],
    "[1]–[3]": ["1", "2", "3"],
    "[1, p. 5]": ["1"],
    "[2, pp. 3-4]": ["2"],
    "[see 1]": ["1"],
    "[cf. 2, 3]": ["2", "3"],
    "[Source 1]": ["1"],
    "[Ref. 3]": ["3"],
    "[1, 2,]": ["1", "2"],
    "[来源2]": ["2"],
    "[^1^]": ["1"],
    "[cite: 1, 2]": ["1", "2"],
    '<cite id="1">so it is</cite>': ["1"],
    '<qwen:cite id="id_2">so it is</qwen:cite>': ["2"],
    '<cite index="1-2,3-1">so it is</cite>': ["1", "3"],
    "<cite>3</cite>": ["3"],
    "[Tides][1]": ["1"],
    "[1](https://papers.test/tides)": ["1"],
    "[[1]](https://papers.test/tides)": ["1"],
    "\\[\\[1\\]\\](https://papers.test/tides)": ["1"],
}


@pytest.mark.parametrize(("mark", "keys"), BRACKETS.items(), ids=BRACKETS.keys())
def test_a_label_in_brackets_names_its_keys(see, mark, keys):
    seen = see(f"The water rises {mark}, then falls.{LIST}")
    assert [k for _, ks in seen.marks for k in ks] == keys
    assert seen.dangling == []


@pytest.mark.parametrize("mark", BRACKETS)
def test_its_span_lies_where_it_is_written(see, mark):
    seen = see(f"The water rises {mark}, then falls.{LIST}")
    start = len("The water rises ")
    assert all(start <= m.start < m.end <= start + len(mark) for m in seen.reading.marks)


@pytest.mark.parametrize(
    "prose",
    [
        "The court in [2019] followed [1998] 2 WLR 17.",
        "Speed [km / h] was 'fastt' [sic] […] there.",
        "He said [the harbour] was closed.",
        "- [ ] open\n- [x] done",
        "With $x \\in [1,3]$ and \\(y \\in [1,2]\\).",
        "$$\n[1, 2]\n$$",
        "\\[ z = [1] \\]",
        "x takes values between [1, 3] only.",
        "The vector [1, 1, 2] is given.",
        "A [[3,1,2]] code corrects.",
        "`rows[1]` and ``cols[2]``.",
        "```\nrows[1]\n```",
        "~~~python\nrows[1]\n~~~",
        "    rows[1]\n",
        "See 国发〔2014〕1号.",
        "![chart [1]](https://papers.test/chart.png)",
        "<!-- checked [1] -->",
        "[4-2] falls.",
        "Falling [3-1] too.",
        "The rate was [0.5, 1].",
        "Chapter 【重点】 begins.",
    ],
)
def test_what_only_looks_like_a_label_is_no_mark(see, prose):
    seen = see(f"{prose}\n\nCited once [3].{LIST}")
    assert seen.cited == {"3": 1}


def test_a_year_in_brackets_cites_where_the_list_has_that_label(see):
    seen = see("So it was [1998].\n\n## References\n\n[1998] Alder. Tides.\n[1999] Birch. Winds.\n")
    assert seen.cited == {"1998": 1}
    assert seen.uncited == ["1999"]


def test_money_is_no_mathematics(see):
    seen = see(f"It cost $5 million [1] and then $6 million [2], or $20-$30 [3].{LIST}")
    assert seen.cited == {"1": 1, "2": 1, "3": 1}


def test_footnotes_keep_their_labels(see):
    seen = see(
        "One.[^1] Two.[^1_2] Three.[^tide] Four.[^9]\n\n"
        "[^1]: https://papers.test/1\n[^1_2]: https://papers.test/2\n[^tide]: Alder. Tides.\n"
    )
    assert seen.cited == {"1": 1, "1_2": 1, "tide": 1, "9": 1}
    assert seen.entry_keys == ["1", "1_2", "tide"]
    assert seen.dangling == ["9"]


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("Water rose.¹ It fell.² It rained.³", {"1": 1, "2": 1, "3": 1}),
        ("Water rose.<sup>1</sup> It fell.<sup>2,3</sup>", {"1": 1, "2": 1, "3": 1}),
        ("Water rose.<sup>1-3</sup>", {"1": 1, "2": 1, "3": 1}),
        ("Water rose.^1,2^ It fell^3^ then.", {"1": 1, "2": 1, "3": 1}),
    ],
)
def test_superscripts_cite_after_words(see, text, cited):
    assert see(text + WORKS).cited == cited


@pytest.mark.parametrize(
    "text",
    [
        "An area of 5 m² and 3 km³, 10³ in all.",
        "A ¹³C target and R² of 0.9; cos²(x) as well.",
        "Density 10⁻³ S/cm, (a+b)² × 2, 60万m³/日.",
    ],
)
def test_powers_units_and_isotopes_do_not(see, text):
    assert see(text + WORKS).cited == {}


def test_numbers_glued_to_sentences_cite_where_a_numbered_list_has_them(see):
    text = (
        'The market grew.1 It fell (by half).2 "So it was".3 It rose by 12%.1 In 2023.2 Then it\n'
        "stopped.3\n\nIt paid 0.1 of 3.2 in sec.1 or v.2 of Fig.3 and 2.3 more.9 End."
    )
    seen = see(text + WORKS)
    assert seen.cited == {"1": 2, "2": 2, "3": 2}
    assert set(seen.styles) == {"glued_number"}


def test_numbers_after_a_blank_cite_in_a_report_that_writes_them_so(see):
    text = " ".join(
        f"The {w} moves along the coast {n}." for w, n in zip("abcdefghi", "123123123", strict=True)
    )
    seen = see(f"{text} See Table 1. It lasted until 2, then for 3. Phase 2. Only 1.{WORKS}")
    assert seen.cited == {"1": 3, "2": 3, "3": 3}


def test_a_column_of_sources_cites(see):
    table = "| coast | source |\n|---|---|\n| north | 1 |\n| south | 2, 3 |\n"
    text = "The water rose.1 It fell.2 It stood.3\n\n" + table
    assert see(text + WORKS).cited == {"1": 2, "2": 2, "3": 2}
    assert see(text.replace("source", "metres") + WORKS).cited == {"1": 1, "2": 1, "3": 1}


def test_glued_numbers_without_any_list_need_a_habit(see):
    habit = " ".join(
        f"The water at pier {w} rose again.{n} " for w, n in zip("abcdefghijkl", "123412341234", strict=True)
    )
    assert sum(see(habit).cited.values()) == 12
    assert see("The water rose.1 It fell.2 That was all.").cited == {}


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("See [Alder](https://papers.test/a).", ["https://papers.test/a"]),
        ("See [https://papers.test/a](https://papers.test/a).", ["https://papers.test/a"]),
        ("See (https://papers.test/a_(b)).", ["https://papers.test/a_(b)"]),
        (
            "See https://papers.test/a, and https://papers.test/b.",
            ["https://papers.test/a", "https://papers.test/b"],
        ),
        ("见https://papers.test/a。", ["https://papers.test/a"]),
        ("See <https://papers.test/a>.", ["https://papers.test/a"]),
        ("See doi:10.5555/tides.1 and 10.5555/winds.2.", ["10.5555/tides.1", "10.5555/winds.2"]),
        ('See <a href="https://papers.test/a">Alder</a>.', ["https://papers.test/a"]),
        ("See [2023](https://papers.test/a).", ["https://papers.test/a"]),
        ("\\[[Alder 2020](https://papers.test/a)\\]", ["https://papers.test/a"]),
        ("See [the plan](#plan), [notes](notes.md), http://localhost:8000/x.", []),
    ],
)
def test_addresses_carry_themselves(see, text, keys):
    seen = see(text)
    assert list(seen.cited) == keys
    assert all(c.self_contained for c in seen.result.cited)
    assert seen.dangling == []


def test_a_front_page_beside_labels_is_a_name_and_no_source(see):
    assert see(f"The port (https://port.test/) says so [1].{LIST}").cited == {"1": 1}
    assert list(see("The port says so: https://port.test/").cited) == ["https://port.test/"]


@pytest.mark.parametrize(
    "text",
    [
        "Tickets sold out [source]. Prices rose [Citation needed].",
        "It rose :contentReference[oaicite:3]{index=3} and fell [cite].",
        "It rose citeturn0search3 and fell 【turn1view2】.",
        "It rose \ue200cite\ue202turn0search3\ue201 and fell [来源].",
        "It rose [insert citation here] and fell [ref].",
    ],
)
def test_placeholders_name_nothing(see, text):
    seen = see(text)
    assert [m.family for m in seen.reading.marks] == ["placeholder", "placeholder"]
    assert seen.result.cited == ()
    assert "placeholder_citation" in seen.flags


def test_keys_with_letters_need_a_list_that_has_their_like(see):
    body = "North [S1], south [S3], array [a2].\n\n## Sources\n\n[S1] Alder. https://papers.test/1\n[S2] Birch. https://papers.test/2\n"
    seen = see(body)
    assert seen.cited == {"S1": 1, "S3": 1}
    assert seen.dangling == ["S3"]
    assert see("The sets [S1] and [S2] differ.").cited == {}


def test_pandoc_keys(see):
    seen = see(
        "As shown [see @alder99, pp. 3-5; also @birch04, ch. 1]. So says @cedar12. Mail a.b@papers.test, `@x1`.\n"
    )
    assert seen.cited == {"alder99": 1, "birch04": 1, "cedar12": 1}
    assert see("Thanks to @cedar12 for the hint.").cited == {}


def test_two_pandoc_keys_without_semicolon_are_said(see):
    seen = see("Noise helps [@alder01 @birch02], they say.")
    assert list(seen.cited) == ["alder01", "birch02"]
    assert "malformed_group" in seen.flags
    assert "birch02" in seen.reading.decisions["pandoc"]


def test_titles_cite_where_the_list_holds_them(see):
    body = "据《北方港口潮汐研究》所述，另见《西风带观测》。\n\n## 参考文献\n\n- 《北方港口潮汐研究》，港务出版社\n- 《西风带观测》\n"
    seen = see(body)
    assert seen.cited == {"北方港口潮汐研究": 1, "西风带观测": 1}
    assert seen.dangling == []


@pytest.mark.parametrize(
    "tail",
    ["", "\n\n## 参考文献\n\n[1] 港口年鉴. https://papers.test/1\n[2] 气象年鉴. https://papers.test/2\n"],
)
def test_titles_in_prose_do_not(see, tail):
    assert "北方港口潮汐研究" not in see(f"据《北方港口潮汐研究》所述[1]。{tail}").cited


def test_every_row_of_the_table_is_read_somewhere_here(see):
    texts = [f"A {m}.{LIST}" for m in BRACKETS] + [
        "A.[^1]\n\n[^1]: https://papers.test/1",
        "A rose.¹ B fell.²" + WORKS,
        "A rose.<sup>1</sup>" + WORKS,
        "A rose.^1^" + WORKS,
        "A rose.1 B fell.2 C stood.3\n\n| a | source |\n|---|---|\n| b | 1 |\n" + WORKS,
        " ".join(f"The {w} moves along the coast {n}." for w, n in zip("abcdefghi", "123123123", strict=True))
        + WORKS,
        "[A](https://papers.test/a), https://papers.test/b, doi:10.5555/c.1",
        '<a href="https://papers.test/a">x</a>',
        "A [source]. B :contentReference[oaicite:1].",
        "A [S1].\n\n## Sources\n\n[S1] B. https://papers.test/1\n",
        "A [@b1].",
        "A (Doe & Roe, 2020). Doe et al. (2021) agree.",
        "据《北方港口潮汐研究》。\n\n## 参考文献\n\n- 《北方港口潮汐研究》\n",
    ]
    read = {style for text in texts for style in see(text).styles}
    assert {s.name for s in STYLES} - {"narrative"} <= read


def test_the_documentation_names_every_style():
    text = (Path(__file__).parents[4] / "docs" / "reading.md").read_text(encoding="utf-8")
    assert [s.name for s in STYLES if f"`{s.name}`" not in text] == []


def test_leaked_ids_of_a_search_tool_name_nothing(see):
    seen = see(
        "It fell [news (2025-06-13)] and rose [unknown (unknown)]:contentItem:6FMH-YMM3, source_id:56608082981."
    )
    assert [m.family for m in seen.reading.marks] == ["placeholder"] * 3
    assert seen.cited == {}


def test_quantities_of_a_report_that_cites_by_link_are_no_labels(see):
    text = " ".join(
        f"It has [x](https://papers.test/{n}) of {w} tides {n % 3 + 1}." for n, w in enumerate("abcdefghijkl")
    )
    assert set(see(text + WORKS).styles) == {"link"}


def test_few_bare_numbers_need_a_list_with_dates_of_access(see):
    text = "The water rose along the coast.1 It fell."
    assert see(text + WORKS).cited == {"1": 1}
    undated = "\n\n## References\n\n1. Alder. Tides.\n2. Birch. Winds.\n3. Cedar. Rains.\n"
    assert see(text + undated).cited == {}
    assert see(f"{text} Then it stood.2{undated}").cited == {"1": 1, "2": 1}


def test_a_remark_in_parentheses_behind_a_stacked_mark_is_no_address(see):
    assert see(f"It fits [1][2](ISO 286, class 7) well.{LIST}").cited == {"1": 1, "2": 1}


def test_titles_cite_a_list_that_puts_authors_first(see):
    body = "据《北方港口潮汐研究》所述。\n\n## 参考文献\n\n1. 张三、李四，北方港口潮汐研究，港口学报，2020。\n2. 王五，海湾的风，2019。\n"
    assert see(body).cited == {"北方港口潮汐研究": 1}


def test_an_escaped_bracket_is_text_where_most_are_plain():
    table = "\n\n## References\n\n[1] Tides. https://a.test/1\n[2] Winds. https://a.test/2\n"
    mixed = r"Water rises [1], falls [2], as in \[1\]."
    assert [mixed[m.start : m.end] for m in read(mixed + table).marks] == ["[1]", "[2]"]
    converted = r"Water rises \[1\], falls \[2\], as in [1]."
    assert len(read(converted + table).marks) == 3
