"""Dirt by named reason, each with its clean twins; spans point at the residue."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.metrics.dirt import find_dirt
from quality.model import Entry, Identifier


def entry(text, **fields):
    return Entry(ordinal=3, key=None, text=text, **fields)


def reasons(text, **fields):
    return [f.reason for f in find_dirt(entry(text, **fields))]


def passages(text, reason, **fields):
    return [text[f.start : f.end] for f in find_dirt(entry(text, **fields)) if f.reason == reason]


CLEAN = [
    "[1] https://harbour.test/tides",
    "[^2]: https://harbour.test/tides",
    "3. https://harbour.test/a|b|c",
    "[4] 10.5555/abc",
    "[5] Tides",
    "6. [Tides of the northern harbours](https://harbour.test/tides)",
    "7. Tides of the northern harbours - Harbour News: https://harbour.test/tides",
    "8. Tides of the northern harbours | Harbour News, accessed March 2, 2025, "
    "[https://h.test/t](https://h.test/t)",
    "[9] https://h.test/t - 北方港口的潮汐_航海时报",
    "[10] 独家｜北方港口的潮汐终于被测量了_张三_海洋博客",
    "[11] Interview | A keeper of tides: https://h.test/t",
    "[12] Tides of the northern harbours ... - HarbourNet: https://h.test/t",
    "13. Brill, A. B., & Coe, D. (2019). Tides: a history. Journal of Harbours, 12(3), 44-58.",
    '[14] Smith et al., "Tides", Harbour Studies, vol. 3, no. 2, pp. 1-9, 2020.',
    "[15] 王小明. 北方港口潮汐研究[J]. 海洋学报, 2020, 12(3): 44-58.",
    "16. 10.3 Memories - Between two tides, accessed March 2, 2025, [https://h.test/t](https://h.test/t)",
    "17. Step 7\\. Measure the tide - Manual, accessed March 2, 2025, [https://h.test/t](https://h.test/t)",
    "[18] https://arxiv.org/abs/2501.00001 - [2501.00001] Learning tides",
    "[19] Tide Gauge Market Size and Share Report [2032]",
    "[20] \\[R\\] Tides for everyone - Forum: https://h.test/t",
    "[21] Source code of the tide model (GitHub): https://h.test/t",
    "[22] Document understanding with layout models",
    "[23] Unknown sources of methane in the northern sea",
    "[24] Untitled (Blue Harbour), oil on canvas, 1952",
    "[25] N/A values in tide tables: a guide to missing data",
    "[26] The general knowledge quiz in schools",
    "[26] Common knowledge of rationality",
    "[26] Knowledge of tides among pilots: a survey",
    "[27] P(tide | moon): a Bayesian view of harbours",
    "| 28 | Tides of the north | Harbour News | https://h.test/t |",
    "[29] Tides [Online]. Available: https://h.test/t",
    "[30] Harbour Board. Annual report [Report]. 2021.",
    "[31] Robots and ports, by D. Coe, [Journal of Harbours (2020)](https://h.test/t)",
    "[32] Chapter 1: The chunk_size parameter explained",
    "[33] Thinking, fast and slow",
    "[34] Study 329 revisited",
    "[35] ClinicalTrials.gov: https://clinicaltrials.gov/study/NCT0",
    "[36] Observation of tides in 1771: a ship's log",
    "[37] 2 < 3: inequalities for harbours > a primer",
    "[38] H<sub>2</sub>O at the interface of <i>Zostera</i> meadows",
    "[39] Tides \\- Wikipedia, 檢索日期：4月 27, 2025， [https://h.test/t](https://h.test/t)",
    "- Coe, D. (2024). *Tides* – on tides ([Tides today | Forum](https://h.test/a)) and ebbs "
    "([Ebbs: a primer | Harbour Law](https://h.test/b))",
    "[40] On tides in harbours. On tides in harbours",
    "[40] On tides in harbours. [On tides in harbours](https://h.test/t), with an introduction by A. Brill",
    "[40] https://h.test/t - 港口 - 维基百科，自由的百科全书",
]


@pytest.mark.parametrize("text", CLEAN)
def test_clean(text):
    assert find_dirt(entry(text)) == []


LONG_TITLES = [
    "[1] On the slow response of sheltered estuarine harbours to repeated storm surges under rising sea "
    "levels, "
    "with an application to seven ports of the northern coast between 1890 and 2020: evidence from tide "
    "gauges, "
    "ship logs and lighthouse diaries",
    "[2] Relationship between changes in the gradient of functional connectivity and disorders of balance "
    "in the "
    "sudden loss of hearing among divers: a longitudinal cohort study protocol https://h.test/a",
    "[3] Why we should measure tides where they are not expected, and what it would take to do it well in "
    "ports "
    "that have never been measured before",
    "[4] "
    "关于北方沿海七个港口自一八九〇年至二〇二〇年间风暴潮响应过程及其与海平面上升关系的长期观测资料整理与"
    "统计分析研究"
    "——以验潮站记录、航海日志与灯塔日记为主要依据的综合考察",
]


@pytest.mark.parametrize("text", LONG_TITLES)
def test_a_long_clean_title_is_not_dirty(text):
    assert find_dirt(entry(text)) == []


def test_a_long_list_of_authors_is_not_dirty():
    names = ", ".join(
        f"{a}. {b}" for a in "ABCDEFGH" for b in ("Brill", "Coe", "Dane", "Eames", "Frost", "Gale")
    )
    assert find_dirt(entry(f"[1] {names}. Tides that we know and that they do not. Harbours, 2020.")) == []


@pytest.mark.parametrize(
    "text",
    [
        "1. [Tides](https://h.test/t) - Overview of how the tide tables of the north were made, who used "
        "them, and why "
        "they are still printed. It gives the frame in which the port statistics of this report can be "
        "understood.",
        "[2] https://h.test/t - This page describes the tide tables and how they are used by pilots. It is "
        "updated "
        "each year, and it also lists the ports that have stopped to report.",
        "Coe, D. (2019). Tides: a history. This book is the first to show how tide tables became a tool of "
        "the state, "
        "and it has shaped most of what is now written about the subject; it is used here for its tables.",
    ],
)
def test_an_annotation_behind_its_source_is_not_dirty(text):
    assert find_dirt(entry(text)) == []


@pytest.mark.parametrize(
    ("text", "residue"),
    [
        ("[1] Tides | Harbour Journal | North Press", "| Harbour Journal | North Press"),
        (
            "2. [Tides | Facts, History, & Kinds | Encyclopaedia](https://h.test/t)",
            "| Facts, History, & Kinds | Encyclopaedia",
        ),
        (
            "3. The tide comes in | by A. Brill | Harbours | Magazine, accessed March 2, 2025, "
            "[https://h.test/t](https://h.test/t)",
            "| by A. Brill | Harbours | Magazine",
        ),
        ("[4] https://h.test/t - 北方潮汐 | 资讯 | 海洋数据门户", "| 资讯 | 海洋数据门户"),
        (
            "[5] https://h.test/t - 北方港口的优点和局限性|什么是北方港口？_航海要点",
            "|什么是北方港口？_航海要点",
        ),
        ("6. Tides - Harbour Board |, accessed March 2, 2025, [https://h.test/t](https://h.test/t)", "|"),
        (
            "[7] https://h.test/t - Driving boats. Rules. | North Boats > Innovation > Driving",
            "| North Boats > Innovation > Driving",
        ),
        (
            "[34] [Tides](https://h.test/a) | [35] [Ebbs](https://h.test/b) | [36] [Waves](https://h.test/c)",
            "| [35] [Ebbs](https://h.test/b) | [36] [Waves",
        ),
        ("[8] | Tides of the north", "| Tides of the north"),
        ("[9] Tides \\| Harbour Journal \\| North Press", "\\| Harbour Journal \\| North Press"),
        ("[10] 潮汐｜港口｜海洋时报", "｜港口｜海洋时报"),
    ],
)
def test_pipe_residue(text, residue):
    assert passages(text, "pipe_residue") == [residue]


@pytest.mark.parametrize(
    ("text", "residue"),
    [
        ("- Tide Guidelines 3.0[15]", "[15]"),
        ('1. Harbour Board, "Tides of the north", 2023.[1]', "[1]"),
        ("5. 海洋局. (2025). 潮汐调查：港口视角[5]", "[5]"),
        ("[3] Tides of the north [12][13]", " [12][13]"),
        ("4. Tides of the north 【7】", " 【7】"),
        ("4. Tides of the north [3, 4].", " [3, 4]."),
        ("21. 7\\. Tides of the north - Harbour News: https://h.test/t", "7\\. "),
    ],
)
def test_numbering_residue(text, residue):
    assert passages(text, "numbering_residue") == [residue]


@pytest.mark.parametrize(
    ("text", "residue"),
    [
        ("\\[[A. Brill 2021](http://h.test/t)\\] \tDocument 12: Tides of the north", "Document 12:"),
        ("[2] Document 3: Tides of the north", "Document 3:"),
        ("[3] Tides of the north [chunk_12]", "[chunk_12]"),
        ("[4] Tides of the north (doc_7)", "doc_7"),
        ("[5] Tides of the north turn0search3", "turn0search3"),
        ("[6] Tides :contentReference[oaicite:4]{index=4}", ":contentReference["),
        ("[7] Tides of the north 【12†source】", "【12†"),
        ("[8] source_id: 4431 Tides of the north", "source_id:"),
        ("[9] 文档 4：北方港口的潮汐", "文档 4："),
        ('[10] <source id="3"> Tides', '<source id="3">'),
        ("[11] Tides \ue200cite\ue202turn1view0\ue201", "\ue200"),
        ("[3] [doc_14] Tides of the north", "[doc_14]"),
        ("[3] [doc_14] Tides of the north | Harbour Press", "[doc_14]"),
        ("[4] [chunk 2] Tides", "[chunk 2]"),
        ("[12] [Tides of the north, key excerpts]", ", key excerpts]"),
        ("[13] Tides of the north (key excerpts)", "(key excerpts)"),
        ("[14] Tides of the north (from search results)", "(from search results)"),
        ("[15] Tides of the north [search snippet]: https://h.test/t", "[search snippet]"),
        ("[16] 北方港口的潮汐（搜索结果摘要）", "（搜索结果摘要）"),
    ],
)
def test_internal_marker(text, residue):
    assert passages(text, "internal_marker") == [residue]


@pytest.mark.parametrize(
    "text",
    [
        "[doc_14] Tides of the north",
        "[1] Key excerpts from the harbour inquiry: https://h.test/t",
        "[2] The harbour ruling: key excerpts",
        "[3] The harbour ruling (key excerpts) https://h.test/t",
        "[4] Search results diversification (survey)",
        "[5] Snippet generation for tide portals",
        "[6] 北方港口的潮汐（节选）",
        "[7] Tide inquiry 2021 (key findings)",
    ],
)
def test_no_internal_marker(text):
    label_end = text.index("]") + 1
    assert reasons(text, start=0, end=len(text), label_end=label_end) == []
    assert reasons(text) == []


def test_a_marker_in_the_label_that_the_reader_read_is_found():
    text = "[3] [doc_14] Tides of the south | Harbour"
    (finding,) = find_dirt(entry(text, start=91, end=91 + len(text), label_end=104, aliases=("14",)))
    assert (finding.reason, text[finding.start : finding.end]) == ("internal_marker", "[doc_14]")


@pytest.mark.parametrize(
    ("text", "residue"),
    [
        ("[1] <think>I should cite the harbour board</think> Tides", "<think>"),
        ("[2] </tool_call> Tides of the north", "</tool_call>"),
        ('[3] {"name": "search", "arguments": {"q": "tides"}}', '{"name": "search", "arguments"'),
        ("[4] web_search(query='tides') Tides of the north", "web_search("),
        ("[5] <|im_end|> Tides", "<|im_end|>"),
        ('[6] <invoke name="search"> Tides', '<invoke name="search">'),
        ("[7] Tides of the north\nObservation: 3 results", "Observation: 3"),
        ("[8] <search_result> 北方港口的潮汐", "<search_result>"),
    ],
)
def test_tool_call_leak(text, residue):
    assert passages(text, "tool_call_leak") == [residue]


@pytest.mark.parametrize(
    ("text", "residue"),
    [
        ("[1] Tides of (\\begin{document}\\end{document}) the north", "\\begin{"),
        ('[2] <div class="title">Tides</div>', '<div class="title">'),
        ("[3] {{cite web |title=Tides}}", "{{cite"),
    ],
)
def test_markup_residue(text, residue):
    assert passages(text, "markup_residue") == [residue]


@pytest.mark.parametrize(
    ("text", "residue"),
    [
        ("1. [Unknown Source](https://h.test/t)", "Unknown Source"),
        ("[2] Untitled", "Untitled"),
        ("3. [Untitled - h.test (Report 2024)](https://h.test/t)", "Untitled - h.test (Report 2024"),
        ("[4] Source 3: https://h.test/t", "Source 3"),
        ("[5] [Insert study on dunes here]", "[Insert study on dunes here]"),
        ("[6] [Author], [Title], [Year]", "[Author]"),
        ("[7] N/A", "N/A"),
        (
            "[8] Works on harbours (accessed through general knowledge of ports)",
            "accessed through general knowledge",
        ),
        (
            "4. General knowledge of harbours - Information about ports and pilots",
            "General knowledge of harbours - Information",
        ),
        ("[9] The rule of tides [unknown (unknown)]", "[unknown (unknown)]"),
        ("[10] https://example.com/market-tools", "https://example.com/market-tools"),
        ("[11] Tides: https://www.example.org/tides", "https://www.example.org/tides"),
        ("[12] Tides. https://doi.org/10.xxxx/xxxxx", "10.xxxx"),
        ("[13] Tides, arXiv:XXXX.XXXXX", "arXiv:XXXX.XXXXX"),
        ("[14] h.test, accessed March 2, 2025, [https://www.h.test/t](https://www.h.test/t)", "h.test"),
        ("[15] 未知来源", "未知来源"),
        ("[16] 无标题文档 https://h.test/t", "无标题文档"),
        ("[17] 来源3：https://h.test/t", "来源3"),
        ("[18] 待补充", "待补充"),
        ("[19] 海洋局，[此处插入标题]", "[此处插入标题]"),
        ("[20] 网络公开资料", "网络公开资料"),
        ("[21] Title unknown", "Title unknown"),
        ("[22] Citation needed", "Citation needed"),
        ("[23] undefined", "undefined"),
        ("[24] General knowledge", "General knowledge"),
        ("[25] 潮汐、潮流等综述 – 海洋手册（需用户进一步查阅）", "（需用户进一步查阅）"),
        ("[26] 北方港口的潮汐（待核实）", "（待核实）"),
        ("[27] 北方港口的潮汐（具体页码，请自行核对原文）", "（具体页码，请自行核对原文）"),
        ("[28] 北方港口的潮汐[尚未核实]", "[尚未核实]"),
        ("[29] Tides of the north (to be verified)", "(to be verified)"),
        ("[30] Tides of the north [link not verified]: https://h.test/t", "[link not verified]"),
        (
            "[31] Tides of the north (readers should consult the full text)",
            "(readers should consult the full text)",
        ),
        ("[32] Tides of the north (please verify before use)", "(please verify before use)"),
        ("[33] Brill, A. (2021). Tides (hypothetical reference).", "(hypothetical reference)"),
        ("[34] (and 30+ further sources available on request)", "sources available on request"),
        ("[35] （其余文献略）", "其余文献略"),
        (
            "[36] Tides, accessed January 1, 1970, [https://h.test/t](https://h.test/t)",
            "accessed January 1, 1970",
        ),
        ("[37] 潮汐，访问日期：1970年1月1日，https://h.test/t", "访问日期：1970年1月1日"),
        ("[38] PowerPoint Presentation. https://h.test/t", "PowerPoint Presentation"),
        (
            "[39] [[PDF] PowerPoint Presentation - Harbour Board](https://h.test/t)",
            "PDF] PowerPoint Presentation - Harbour Board",
        ),
        ("[40] Microsoft Word - report.doc", "Microsoft Word - report.doc"),
        (
            "[41] [Microsoft Word - Tides of the north.docx](https://h.test/t)",
            "Microsoft Word - Tides of the north.docx",
        ),
        (
            "[42] [Microsoft Word - Tides of the north](https://h.test/t.pdf)",
            "Microsoft Word - Tides of the north",
        ),
        ("[43] Microsoft PowerPoint - tides_final_v2", "Microsoft PowerPoint - tides_final_v2"),
        ("[44] [PowerPoint 演示文稿](https://h.test/t)", "PowerPoint 演示文稿"),
        ("[45] Slide 1: https://h.test/t", "Slide 1"),
        ("[46] Présentation PowerPoint", "Présentation PowerPoint"),
        ("[47] 新建 Microsoft Word 文档", "新建 Microsoft Word 文档"),
    ],
)
def test_placeholder(text, residue):
    assert passages(text, "placeholder") == [residue]


@pytest.mark.parametrize(
    "text",
    [
        "[1] 系统工程方法（需求验证） https://h.test/t",
        "[2] 港口应用验证（第二版）",
        "[3] 营养指南（需补充铁剂的水手）",
        "[4] 待核实的历史：港口志",
        "[5] 潮汐检索系统（请求验证机制）",
        "[6] Verification of tide models (to the north)",
        "[7] What readers should know about tides",
        "[8] Tides (confirmed and unconfirmed) in the north",
        "[9] Harbour data available on request: sharing practices",
        "[10] Tides, accessed January 1, 2025, [https://h.test/t](https://h.test/t)",
        "[11] Tides of January 1, 1970, as they were logged",
        "[12] PowerPoint presentations in sailing schools",
        "[13] PowerPoint Presentation - Wikipedia: https://h.test/t",
        "[14] Microsoft Word - Wikipedia: https://h.test/t",
        "[15] Microsoft Word - Word processing for pilots: https://h.test/t",
        "[16] Microsoft Excel for tide tables: https://h.test/t.pdf",
        "[17] Slide 1 of the northern moraine",
        "[18] 演示文稿设计指南",
        "[19] Sample references for students (a guide)",
        "[20] 潮汐概略（其余各章）",
    ],
)
def test_titles_with_the_words_of_notes_and_producers_are_clean(text):
    assert reasons(text) == []


@pytest.mark.parametrize(
    ("text", "residue"),
    [
        (
            "[1] [PDF] 潮汐观测培训- 2024 - 站点创建成功: https://h.test/t.pdf",
            "PDF] 潮汐观测培训- 2024 - 站点创建成功",
        ),
        ("[2] 恭喜，站点创建成功！ https://h.test/t", "恭喜，站点创建成功！"),
        ("[3] Index of /pdf - https://h.test/pdf", "Index of /pdf"),
        ("[4] [Welcome to nginx!](https://h.test/)", "Welcome to nginx!"),
        (
            "[6] Something went wrong with your request Retry Tides",
            "Something went wrong with your request Retry Tides",
        ),
        (
            "[5] [Tides of the north – Just another WordPress site](https://h.test/t)",
            "Tides of the north – Just another WordPress site",
        ),
    ],
)
def test_pages_of_servers_and_panels(text, residue):
    assert passages(text, "error_page_title") == [residue]


@pytest.mark.parametrize(
    "text",
    [
        "[1] 站点创建成功率研究: https://h.test/t.pdf",
        "[2] Index of tide gauges: https://h.test/t",
        "[3] Welcome to the harbour: https://h.test/t",
    ],
)
def test_titles_with_the_words_of_servers_and_panels_are_clean(text):
    assert reasons(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "[1] Learning the tides of the north In this paper we present a model that is trained on tide "
        "gauges. We show "
        "that it can predict surges, and that it is more robust than the tables which are used today.",
        "[2] which has been observed in most ports. However, they did not measure the surge itself, and it "
        "is therefore "
        "not known whether the tables that were printed then can be used now. This was later corrected by "
        "Brill.",
        "[3] Tides as Design Material: Harbours and Propositions Coe’s examples were centered on ports, "
        "but prior work "
        "has argued for the importance of applying the frame to rapidly silting harbours (Brill, 2015; "
        "Dane, 2010). Some of them propose a "
        "tide table that is also a map, since both are read by pilots.",
        "[4] 北方港口的潮汐 本文通过对七个港口的验潮记录进行分析，认为风暴潮的响应时间在逐年缩短。研究表明，"
        "这一变化是由于航道疏浚造成的，"
        "因此需要重新编制潮汐表。此外，我们还发现港口内的泥沙淤积可以进一步放大这种影响。",
        "[6] On tides in sheltered harbours On tides in sheltered harbours The height of the tide in small "
        "ports",
        "[7] Tide tables for pilots Table Source Following work by Brill et al. (2020), we choose tables "
        "which are "
        "printed each year as our source. However, rather than millions of tables, this method works well "
        "with a "
        "few of them, and it does not need a gauge in the port.",
        "[5] Tides on graphs Let h\u200b(x)ℎ𝑥h(x) be the distance, with subscript𝐻1subscript𝐻2H_{1}",
    ],
)
def test_section_fragment(text):
    assert reasons(text) == ["section_fragment"]


def test_a_passage_with_an_address_deep_inside_is_no_annotation():
    text = (
        "[1] Tables for the tides Recent work has made tide tables from gauges, and it was shown that they "
        "are as good "
        "as those that pilots use. In this section we describe how such tables are made, which ports they "
        "cover, and "
        "why most of them stop at the river mouth. The corpus contains the northern tables "
        "(https://h.test/t), which "
        "were printed each year and which we have scanned."
    )
    assert reasons(text) == ["section_fragment"]


def test_the_reason_reaches_the_reader_with_ordinal_and_place():
    text = "[9] Tides | Harbour Journal | North Press"
    (finding,) = find_dirt(entry(text))
    assert (finding.ordinal, finding.reason, finding.start, finding.end) == (3, "pipe_residue", 10, len(text))


def test_spans_count_from_the_entry_and_the_label_is_the_readers():
    text = "see [1] as Tides[4]"
    assert passages(text, "numbering_residue", start=100, end=119, label_end=111) == ["[4]"]
    assert reasons("x) [4]", start=100, end=106, label_end=103) == ["empty"]


def test_several_reasons_are_all_named():
    text = '4. "Tides | Gauges | Northern methods", Harbour blog, 2025.[4]'
    assert reasons(text) == ["pipe_residue", "numbering_residue"]


def test_an_identifier_is_something():
    assert reasons("[1] 2020", identifiers=(Identifier("pmid", "2020"),)) == []
    assert reasons("[1] 2020") == ["empty"]


@given(
    st.text(alphabet=st.sampled_from("[]()|｜<>{}\\\"'.,;:/-_ \n\tأdoc19中文。http:/")) | st.text(),
    st.integers(0, 40),
)
def test_any_text_gives_spans_inside_the_entry(text, label):
    for finding in find_dirt(entry(text, start=0, end=len(text), label_end=min(label, len(text)))):
        assert 0 <= finding.start <= finding.end <= len(text)


@pytest.mark.parametrize(
    "piece",
    [
        " ",
        "[",
        "](",
        "<",
        "|",
        "[1",
        "【1",
        "a ",
        "的",
        "http://",
        "we are. ",
        "[1]",
        "accessed ",
        "document 1",
        "\t",
        "\\",
        ". ",
        "是。",
        "10.",
        "error ",
        "（需",
        "(to be ",
        ", key excerpts ",
        '"a" ',
        "潮 ",
        "sources ",
        "https://bing.com/search?q=a ",
    ],
)
def test_a_long_hostile_entry_is_read_to_its_end(piece):
    text = piece * (100_000 // len(piece))  # a rule that backtracks would not come back from these
    for finding in find_dirt(entry(text)):
        assert 0 <= finding.start <= finding.end <= len(text)
