"""Closings: which sentence ends a report, whether it is stock, and by what it is recognised in other reports."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.citations.reader import read
from quality.metrics.closings import closing_frame, closing_key, find_closing, stock_kind, topic_words
from quality.model import Report

STOCK = {
    "sign_off": [
        "*End of report*",
        "Prepared by: Harbour Desk, 3 June 2025",
        "This report was compiled on 12 May 2024 by an automated assistant.",
        "_Last updated: March 2025_",
        "Generated with an assistant of our own.",
        "Word count: 2,140",
        "Thank you for reading.",
        "All sources were accessed in May 2025.",
        "References available on request.",
        "（全文完）",
        "报告完成日期：2025年6月3日",
        "本报告由研究部编写于2025年5月。",
        "感谢您的阅读！",
        "以上就是本报告的全部内容。",
        "（注：文中数据来源均已列入参考文献。）",
    ],
    "offer": [
        "If you would like, I can turn this into a table.",
        "Let me know if you need more detail on any harbour.",
        "Would you like me to compare two more towns?",
        "I can also prepare a shorter version for the council.",
        "Happy to expand on any section.",
        "If you tell me your budget, I'll narrow the list down.",
        "Feel free to ask for the raw numbers.",
        "如果你愿意，我可以把这些内容整理成表格。",
        "需要我继续补充某个城市的数据吗？",
        "若您告诉我预算，我可以进一步缩小范围。",
        "欢迎随时提问。",
        "如有疑问，请随时联系。",
    ],
    "disclaimer": [
        "This report does not constitute legal advice.",
        "Disclaimer: the figures are estimates.",
        "For informational purposes only.",
        "Prices and dates are subject to change without notice.",
        "Please consult a qualified physician before changing your diet.",
        "The findings are preliminary and should be verified independently.",
        "The publisher assumes no liability for decisions that rest on this text.",
        "Past performance is no guide to the future.",
        "本报告仅供参考，不构成投资建议。",
        "以上数据可能存在误差，请以官方发布为准。",
        "投资有风险，入市需谨慎。",
        "免责声明：文中观点不代表任何机构。",
    ],
    "generic_conclusion": [
        "Further research is needed.",
        "In conclusion, continued research and collaboration will be essential for future progress.",
        "As the field continues to evolve, ongoing innovation will remain crucial.",
        "Overall, a balanced approach is needed to address these challenges and unlock new opportunities.",
        "More studies are needed to better understand the long-term effects.",
        "综上所述，该领域具有广阔的发展前景，值得进一步研究。",
        "未来仍需进一步加强研究与合作。",
        "总之，只有不断创新，才能推动行业的可持续发展。",
        "展望未来，相关技术将持续发展，发挥更加重要的作用。",
    ],
}
CONTENT = [
    "The eelgrass came back within four summers wherever dredging stopped [3].",
    "Three of the nine towns have since sold their pumps.",
    "If you prune in June, the tree bleeds; prune in January instead.",
    "Short answer: the marsh keeps about a third of the silt.",
    "The council will vote on the second bridge in May.",
    "Future floods will reach the old mill about once in eleven years.",
    "Readers of the ledgers will find the missing pages in the county archive.",
    "You can let the dough rest overnight.",
    "The disclaimer on the label was printed in two languages.",
    "This means that a swift needs a gap of at least thirty millimetres.",
    "Consult the tide table at Low Head before crossing the causeway [2].",
    "The end of the report by the board names four culprits.",
    "因此，浅色铺装在午后比深色铺装低六度。",
    "三座城市中，只有两座保留了旧渡口。",
    "如果你在六月修剪，树会流胶。",
    "未来十年，这条河的泥沙将淤满旧码头。",
    "该条款于2019年被议会删除。",
    "村里的窑现在每周只烧一次。",
]


@pytest.mark.parametrize(("kind", "text"), [(k, t) for k, texts in STOCK.items() for t in texts])
def test_a_stock_sentence_is_of_its_kind(kind, text):
    assert stock_kind(text) == kind


@pytest.mark.parametrize("text", CONTENT)
def test_a_sentence_with_something_to_say_is_not_stock(text):
    assert stock_kind(text) is None


LIST = "\n\n## References\n\n[1] Roe. Tides. https://papers.test/a\n[2] Doe. Marsh. https://papers.test/b\n"


@pytest.mark.parametrize(
    ("body", "text", "kind"),
    [
        ("# T\n\nShade helps [1]. Trees grow [2]." + LIST, "Trees grow [2].", None),
        ("Trees grow. [2]" + LIST, "Trees grow. [2]", None),
        ("Shade [1] helps [2]." + LIST + "\n*End of report*\n", "*End of report*", "sign_off"),
        ("Shade [1] helps [2]." + LIST + "\n---\n", "Shade [1] helps [2].", None),
        ("Trees grow.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n", "Trees grow.", None),
        ("Trees grow.\n\n**Sources used**\n\nhttps://papers.test/a\n", "Trees grow.", None),
        ("Trees grow.\n\n<div>⁂</div>\n", "Trees grow.", None),
        ("If you want, I can:\n- add a map\n- add a table of tides\n", "add a table of tides", "offer"),
        ("The board asks for:\n- a map\n- a table of tides\n", "a table of tides", None),
        ("首先要有水。其次要有光。", "其次要有光。", None),
        ("Trees grow.\n\n```\nFurther research is needed.\n```\n", "Trees grow.", None),
        ("Dr. Roe saw 3.5 m of silt. It stayed, e.g. at Low Head.", "It stayed, e.g. at Low Head.", None),
    ],
)
def test_the_last_sentence_of_the_prose(body, text, kind):
    closing = find_closing(Report("r", body), read(body))
    assert (closing.text, closing.kind) == (text, kind)
    assert body[closing.start : closing.end].strip() == text


@pytest.mark.parametrize("body", ["# Title\n", "| a |\n|---|\n", "```\ncode\n```\n", "---\n\n***\n"])
def test_a_report_without_prose_has_no_closing(body):
    assert find_closing(Report("r", body), read(body)) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("As of 3 May 2024, 12 towns had joined.", "as of June 11, 2025, 9 towns had joined"),
        ("截至2024年5月3日，共有12个镇加入。", "截至2025年11月，共有9个镇加入。"),
        ("**Trees grow** [1].", "Trees grow."),
    ],
)
def test_dates_numbers_and_marks_make_no_difference(one, other):
    assert closing_key(one) == closing_key(other)


def test_words_that_name_the_subject_make_no_difference():
    text = "Further work on {} will help communities to understand these changes."
    trees = closing_frame(closing_key(text.format("street trees")))
    boats = closing_frame(closing_key(text.format("harbour ferries")))
    assert trees == boats == "further work on _ will help communities to understand these changes"
    text = "未来应进一步加强对{}的研究，推动相关领域的可持续发展。"
    assert closing_frame(closing_key(text.format("浅色铺装"))) == closing_frame(
        closing_key(text.format("老街"))
    )


def test_a_sentence_of_its_own_words_has_no_frame():
    assert (
        closing_frame(closing_key("Eelgrass meadows colonise dredged estuaries within four summers.")) is None
    )
    assert closing_frame(closing_key("It works.")) is None


def test_the_title_names_the_subject():
    words = topic_words(Report("r", "x", title="Street trees of 老街区"))
    assert {"street", "trees", "tree", "老街", "街区", "老街区"} <= words
    assert "of" not in words


@given(st.text(alphabet="abc 本研究。.!?[]()1*_\n#|-", max_size=200))
def test_any_text_has_a_closing_or_none(text):
    closing = find_closing(Report("r", text), read(text))
    assert closing is None or 0 <= closing.start < closing.end <= len(text)
