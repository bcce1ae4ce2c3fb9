"""How the list is written, and what goes in its place."""

import pytest

from quality.citations.reader import read
from quality.model import Mark, Report
from quality.references.layout import Edit, append_list, apply, heading_of, layout_of, replace_lists


def layout(table, **more):
    reading = read(f"A [1]. B [2].\n\n## References\n\n{table}\n")
    return layout_of(
        f"A [1]. B [2].\n\n## References\n\n{table}\n",
        reading.entries,
        (),
        reading.marks,
        needs_labels=True,
        **more,
    )


@pytest.mark.parametrize(
    ("table", "line", "separator"),
    [
        ("[1] One. https://a.test/1\n\n[2] Two. https://a.test/2", "[7] x", "\n\n"),
        ("1. One. https://a.test/1\n2. Two. https://a.test/2", "7. x", "\n"),
        ("[1] One. https://a.test/1  \n[2] Two. https://a.test/2", "[7] x", "  \n"),
        ("- [1] One. https://a.test/1\n- [2] Two. https://a.test/2", "- [7] x", "\n"),
    ],
)
def test_the_layout_is_the_reports_own(table, line, separator):
    found = layout(table)
    assert (found.line("7", "x"), found.separator) == (line, separator)


@pytest.mark.parametrize(
    ("style", "line"), [("footnote", "[^7]: x"), ("lenticular", "【7】 x"), ("bracket", "[7] x")]
)
def test_without_a_list_the_marks_say_how(style, line):
    assert (
        layout_of("", (), (), (Mark(0, 1, style, "label", ("1",)),), needs_labels=True).line("7", "x") == line
    )


def test_bullets_where_nothing_refers_to_a_number():
    assert layout_of("", (), (), (), needs_labels=False).line("7", "x") == "- x"


def test_headings_speak_the_language_of_the_report():
    assert heading_of(Report("r", "text")) == "References"
    assert heading_of(Report("r", "text", language="zh-CN")) == "参考文献"
    assert heading_of(Report("r", "河流三角洲的冬季演变研究")) == "参考文献"


def test_group_headings_inside_a_list_go_and_prose_stays():
    body = "A [1].\n\n## References\n\n### Books\n\n[1] One. https://a.test/1\n\n### Papers\n\n[2] Two. https://a.test/2\n\nAfter the list.\n"
    reading = read(body)
    edits = replace_lists(body, reading, {0}, "[1] New", keep_foreign=True)
    assert edits is not None
    assert apply(body, edits) == "A [1].\n\n## References\n\n### Books\n\n[1] New\n\nAfter the list.\n"


def test_a_body_without_a_list_gets_one_at_its_end():
    assert apply("Text", append_list("Text", "References", "[1] x")) == "Text\n\n## References\n\n[1] x\n"
    assert apply("Text\n", append_list("Text\n", "References", "[1] x")) == "Text\n\n## References\n\n[1] x\n"
    assert replace_lists("Text", read("Text"), set(), "x", keep_foreign=True) is None


def test_edits_are_applied_in_one_pass():
    assert apply("abc", [Edit(2, 3, "a"), Edit(0, 1, "c")]) == "cba"
