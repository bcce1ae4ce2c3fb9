"""Reference lists in every form that models print, and sections that only sound like one."""

from __future__ import annotations

import pytest

ENTRIES = "[1] Alder. Tides. https://papers.test/1\n[2] Birch. Winds. https://papers.test/2\n"
HEADINGS = [
    "## References", "References", "References:", "**References**", "**References:**", "# 10. References", "### 6.2 Sources",
    "## VII. References", "## Works cited", "#### **Works cited**", "## Bibliography", "## Key Citations", "## Reference List",
    "## Literature cited", "## Sources", "Sources:", "## Sources and References", "## References & Further Reading",
    "## 📚 References", "## References (selected)", "<h2>References</h2>", "## Endnotes",
    "## Notes", "References\n==========",
    "## Cited Sources", "## Appendix A: References", "## Annotated Bibliography",
    "## 参考文献", "参考文献：", "## 八、参考文献", "## 参考资料", "### 来源", "## 七、参考来源", "**参考文献**", "## 引用文献", "## 引用的著作",
    "## 参考链接",
    "## 关键引文",
    "### 关键引用：", "## 资料来源", "## 數據來源", "## 參考文獻", "## （八）参考文献", "## 第九章 参考文献", "## 主要参考文献", "## 参考文献与数据源",
    "## 出典", "## 参考サイト", "## 참고문헌", "## 출처",
    "## Quellen", "## Literaturverzeichnis", "## Références", "## Bibliographie", "## Referencias", "## Fuentes", "## Obras citadas",
    "## Referências", "## Fontes", "## Riferimenti", "## Bronnen", "## Källor", "## Kilder", "## Lähteet", "## Źródła", "## Bibliografia",
    "## Источники", "## Список литературы", "## Список использованных источников", "## Джерела", "## Kaynakça", "## المراجع",
    "## Tài liệu tham khảo", "## Daftar Pustaka", "## Βιβλιογραφία",
]  # fmt: skip


@pytest.mark.parametrize("heading", HEADINGS)
def test_a_heading_announces_the_list_in_any_language(see, heading):
    seen = see(f"The water rises [1] and falls [2].\n\n{heading}\n\n{ENTRIES}")
    assert seen.entry_keys == ["1", "2"]
    assert (seen.dangling, seen.uncited) == ([], [])
    assert [one.heading is not None for one in seen.reading.lists] == [True]


FORMS = {
    "bracket": "[1] Alder. Tides.\n[2] Birch. Winds.\n[3] Cedar. Rains.\n",
    "bracket with blank lines": "[1] Alder. Tides.\n\n[2] Birch. Winds.\n\n[3] Cedar. Rains.\n",
    "bracket with colon": "[1]: Alder. Tides.\n[2]: Birch. Winds.\n[3]: Cedar. Rains.\n",
    "bracket with stop": "[1]. Alder. Tides.\n\n[2]. Birch. Winds.\n\n[3]. Cedar. Rains.\n",
    "bold bracket": "**[1]** Alder. Tides.\n\n**[2]** Birch. Winds.\n\n**[3]** Cedar. Rains.\n",
    "bullets with brackets": "- [1] Alder. Tides.\n- [2] Birch. Winds.\n- [3] Cedar. Rains.\n",
    "bullets with colons": "* [1]: Alder. Tides.\n* [2]: Birch. Winds.\n* [3]: Cedar. Rains.\n",
    "escaped": "\\[1\\] Alder. Tides.\n\\[2\\] Birch. Winds.\n\\[3\\] Cedar. Rains.\n",
    "lenticular": "【1】Alder. Tides.\n【2】Birch. Winds.\n【3】Cedar. Rains.\n",
    "full width": "［1］Alder. Tides.\n［2］Birch. Winds.\n［3］Cedar. Rains.\n",
    "no blank": "[1]Alder. Tides.\n[2]Birch. Winds.\n[3]Cedar. Rains.\n",
    "ordered": "1. Alder. Tides.\n2. Birch. Winds.\n3. Cedar. Rains.\n",
    "ordered with bracket": "1) Alder. Tides.\n2) Birch. Winds.\n3) Cedar. Rains.\n",
    "ordered, all ones": "1. Alder. Tides.\n1. Birch. Winds.\n1. Cedar. Rains.\n",
    "ordered in brackets": "(1) Alder. Tides.\n(2) Birch. Winds.\n(3) Cedar. Rains.\n",
    "ordered, Chinese": "1、Alder. Tides.\n2、Birch. Winds.\n3、Cedar. Rains.\n",
    "ordered, full width": "（1）Alder. Tides.\n（2）Birch. Winds.\n（3）Cedar. Rains.\n",
    "bold ordered": "**1.** Alder. Tides.\n\n**2.** Birch. Winds.\n\n**3.** Cedar. Rains.\n",
    "escaped ordered": "1\\. Alder. Tides.\n2\\. Birch. Winds.\n3\\. Cedar. Rains.\n",
    "superscript": "¹ Alder. Tides.\n² Birch. Winds.\n³ Cedar. Rains.\n",
    "table": "| No. | Work |\n|---|---|\n| 1 | Alder. Tides. |\n| [2] | Birch. Winds. |\n| 3 | Cedar. Rains. |\n",
    "worded": "[Source 1] Alder. Tides.\n[Source 2] Birch. Winds.\n[Source 3] Cedar. Rains.\n",
    "on one line": "[1] Alder. Tides. 2001. [2] Birch. Winds. 2002. [3] Cedar. Rains. 2003.\n",
    "continued lines": "[1] Alder.\n    Tides.\n[2] Birch.\nWinds.\n[3] Cedar. Rains.\n",
    "grouped": "### Journals\n[1] Alder. Tides.\n\n### Books\n[2] Birch. Winds.\n[3] Cedar. Rains.\n",
    "grouped in bold": "**Journals**\n\n1. Alder. Tides.\n2. Birch. Winds.\n\n**Books**\n\n3. Cedar. Rains.\n",
    "introduced": "All were read in May:\n\n1. Alder. Tides.\n2. Birch. Winds.\n3. Cedar. Rains.\n",
    "quoted": "> [1] Alder. Tides.\n> [2] Birch. Winds.\n> [3] Cedar. Rains.\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_entries_are_cut_in_every_form(see, form):
    seen = see(f"Water [1], air [2] and rain [3].\n\n## References\n\n{FORMS[form]}")
    assert seen.entry_keys == ["1", "2", "3"]
    assert ["Tides" in e.text or "Winds" in e.text or "Rains" in e.text for e in seen.reading.entries] == [
        True
    ] * 3
    assert (seen.dangling, seen.uncited) == ([], [])


@pytest.mark.parametrize("form", FORMS)
def test_labels_of_the_list_are_no_marks(see, form):
    seen = see(f"Water [1], air [2] and rain [3].\n\n## References\n\n{FORMS[form]}")
    assert len(seen.reading.marks) == 3


def test_entry_spans_slice_the_body(see):
    seen = see(f"Water [1].\n\n## References\n\n{ENTRIES}")
    for entry in seen.reading.entries:
        assert seen.body[entry.start : entry.end] == entry.text
    assert [seen.body[e.label_end : e.end][:5] for e in seen.reading.entries] == ["Alder", "Birch"]


def test_a_closing_remark_is_no_entry_and_its_marks_count(see):
    seen = see(
        f"Water [1].\n\n## References\n\n{ENTRIES}\nEverything was read in May, as was said above in the text [2].\n"
    )
    assert seen.entry_keys == ["1", "2"]
    assert seen.cited == {"1": 1, "2": 1}


def test_text_after_the_list_goes_on_citing(see):
    seen = see(f"Water [1].\n\n## References\n\n{ENTRIES}\n## Outlook\n\nAir [2] too [3].\n")
    assert seen.cited == {"1": 1, "2": 1, "3": 1}
    assert seen.dangling == ["3"]


def test_one_entry_with_several_labels(see):
    body = (
        "Water [1], air [3], rain [2].\n\n"
        "[1] [3] https://papers.test/1\n\nhttps://papers.test/1\n\n[2] https://papers.test/2\n\nhttps://papers.test/2\n"
    )
    seen = see(body)
    assert [(e.key, e.aliases, e.url) for e in seen.reading.entries] == [
        ("1", ("3",), "https://papers.test/1"),
        ("2", (), "https://papers.test/2"),
    ]
    assert seen.dangling == []


def test_a_list_without_heading_at_the_end(see):
    seen = see("Water [1], air [2].\n\n---\n\n[1] https://papers.test/1\n[2] https://papers.test/2\n")
    assert seen.entry_keys == ["1", "2"]
    assert seen.reading.lists[0].heading is None


def test_a_numbered_list_of_addresses_without_heading_closes_a_report(see):
    items = "".join(f"{n}. [Work {n}](https://papers.test/{n})\n" for n in (1, 2, 3))
    seen = see(f"Water rose.1 Air fell.2 Rain stood.3\n\nThat was all.\n\n{items}")
    assert seen.entry_keys == ["1", "2", "3"]
    assert seen.cited == {"1": 1, "2": 1, "3": 1}


def test_brackets_that_open_sentences_are_no_list(see):
    seen = see("[1] says the water rises.\n\n[2] says it falls.\n\n[1][2][3]\n")
    assert seen.reading.entries == ()
    assert seen.cited == {"1": 2, "2": 2, "3": 1}


def test_link_definitions_are_entries(see):
    seen = see("Water [1] and [air][2].\n\n[1]: https://papers.test/1 'Tides'\n[2]: https://papers.test/2\n")
    assert seen.urls == ["https://papers.test/1", "https://papers.test/2"]
    assert (seen.dangling, seen.uncited) == ([], [])


@pytest.mark.parametrize(
    "section",
    [
        "- [Intro](#intro)\n- [References](#references)",
        "## References to earlier work\n\nEarlier work exists [1].",
        "## Energy sources\n\n- Wind is cheap.\n- Water is old.",
        "## What the sources say\n\n- Wind is cheap [1].\n- Water is old [2].",
        "## Sources of error\n\n1. The gauge drifts.\n2. The clock is late.",
        "## Evidence\n\n- Wind is cheap [[1]](https://papers.test/1).\n- Water is old [[2]](https://papers.test/2).",
        "## Appendix: checklist\n\n1. Were limits stated? Yes.\n2. Was code shared? No.",
        "### Notes\n\n- The gauge needs a key.\n- It takes a name.  \nSource: https://papers.test/9",
        "## Data sources\n\n- Tide gauges along the coast, read hourly by hand.\n- Logbooks of the pilots.",
    ],
)
def test_what_only_sounds_like_a_list_is_none(see, section):
    assert see(f"Water rises.\n\n{section}\n\nMore text.\n").reading.entries == ()


def test_a_checklist_after_the_list_adds_no_entries(see):
    seen = see(
        f"Water [1].\n\n## References\n\n{ENTRIES}\n## Appendix\n\n1. Limits? Yes.\n2. Did you cite [2]? Yes.\n"
    )
    assert seen.entry_keys == ["1", "2"]
    assert seen.cited == {"1": 1, "2": 1}


def test_source_lines_below_paragraphs_cite_and_are_no_table(see):
    body = "Water rises.\n\nSources:\n- https://papers.test/1\n- https://papers.test/2\n\n## Air\n\nIt blows.\n\nSource: https://papers.test/3\n"
    seen = see(body)
    assert seen.reading.entries == ()
    assert list(seen.cited) == [f"https://papers.test/{n}" for n in (1, 2, 3)]


def test_a_single_closing_sources_line_is_the_table(see):
    seen = see("Water rises.\n\nSources:\n- https://papers.test/1\n- https://papers.test/2\n")
    assert seen.urls == ["https://papers.test/1", "https://papers.test/2"]
    assert seen.cited == {}


def test_bullets_without_numbers_resolve_no_number(see):
    seen = see("Water [1], rain [3].\n\n## References\n\n- Alder. Tides.\n- Birch. Winds.\n- Cedar. Rains.\n")
    assert len(seen.reading.entries) == 3
    assert seen.dangling == ["1", "3"]
    assert "unnumbered_entries" in seen.flags


def test_brackets_inside_an_entry_open_none(see):
    body = (
        "A [6]. B [7].\n\n## References\n\n"
        "[6] Alder J. Tides [extended abstract]. In PORT [2017], vol. [12]. [Online]. Available: https://papers.test/6\n"
        "[7] Birch R. Salts with Mn(CO)[3] groups. 2012.\n"
    )
    seen = see(body)
    assert seen.entry_keys == ["6", "7"]
    assert seen.urls == ["https://papers.test/6", None]


def test_no_list_is_said(see):
    seen = see("Water [1]. Air [5][10].\n")
    assert seen.dangling == ["1", "5", "10"]
    assert "no_reference_list" in seen.flags


def test_a_gap_in_the_numbers_is_said_and_no_dangling(see):
    seen = see("A [1][2]. B [10].\n\n## References\n\n[1] A.\n[2] B.\n[10] C.\n")
    assert "numbering_gap" in seen.flags
    assert seen.dangling == []
    assert "numbering_gap" not in see(f"A [1].\n\n## References\n\n{ENTRIES}").flags


def test_an_address_that_the_list_lacks_is_said(see):
    seen = see(f"Pumps (see [Pumps](https://papers.test/pumps)) cost [1].\n\n## References\n\n{ENTRIES}")
    assert "missing_from_list" in seen.flags
    assert (
        "missing_from_list"
        not in see(f"See [Tides](https://papers.test/1).\n\n## References\n\n{ENTRIES}").flags
    )


@pytest.mark.parametrize(
    "entries",
    [
        '<a id="ref-1"></a>[1] Alder. Tides.\n<a id="ref-2"></a>[2] Birch. Winds.\n',
        "1. [1] Alder. Tides.\n2. [2] Birch. Winds.\n",
        "[1] Alder. Tides.<br>[2] Birch. Winds.\n",
    ],
)
def test_anchors_double_labels_and_breaks_within_a_line(see, entries):
    seen = see(f"Water [1] and air [2].\n\n## References\n\n{entries}")
    assert seen.entry_keys == ["1", "2"]
    assert (seen.dangling, seen.uncited) == ([], [])


@pytest.mark.parametrize(
    "tail",
    [
        "References: [1] Alder. Tides. https://papers.test/1; [2] Birch. Winds. https://papers.test/2\n",
        "**参考文献：** [1] 甲. https://papers.test/1 [2] 乙. https://papers.test/2\n",
        "<details>\n<summary>Sources</summary>\n\n1. Alder https://papers.test/1\n2. Birch https://papers.test/2\n\n</details>\n",
        "---\n\n¹ Alder. Tides. https://papers.test/1\n² Birch. Winds. https://papers.test/2\n",
    ],
)
def test_lists_in_unusual_dress(see, tail):
    seen = see(f"The water rises [1] and the air falls [2].\n\n{tail}")
    assert seen.entry_keys == ["1", "2"]
    assert seen.urls == ["https://papers.test/1", "https://papers.test/2"]
    assert (seen.cited, seen.dangling) == ({"1": 1, "2": 1}, [])


def test_a_line_of_pointers_is_no_list(see):
    seen = see("Water rises.\n\nSources: [1] [2]\n\nReferences: [1], [2]\n")
    assert seen.reading.entries == ()
    assert seen.cited == {"1": 2, "2": 2}
