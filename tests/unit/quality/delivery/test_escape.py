"""Foreign text in the block shows its literal characters, whatever it is."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from quality.delivery.escape import literal

MARKDOWN = MarkdownIt("js-default", {"html": True, "linkify": False})
HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "<iframe srcdoc='<script>1</script>'></iframe>",
    '" onmouseover="alert(1)',
    "</script><script>alert(1)</script>",
    "{{7*7}}",
    "${7*7}",
    "{% include x %}",
    "![p](https://collect.test/p.png?d=SECRET)",
    "[click](javascript:alert(1))",
    "<https://collect.test>",
    "`code` **bold** _em_ ~~gone~~ __x__ *y*",
    "&lt;b&gt; &#60;",
    "a|b",
    "\\*\\",
    "[^1]: note",
    "[1]: https://collect.test",
    "<!-- sluicegate:audit:end -->",
    "- item",
    "# heading",
    "1. item",
    "snake_case_name a_ _b",
    "|-|-|",
    "```",
]


def shown(markdown: str) -> str:
    """Text that a reader sees in the rendered paragraph; fails when anything else was rendered."""
    rendered = MARKDOWN.render(f"Report {markdown} of batch x.\n").rstrip("\n")
    match = re.fullmatch(r"<p>([^<>]*)</p>", rendered)
    assert match, rendered
    return html.unescape(match[1]).removeprefix("Report ").removesuffix(" of batch x.")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_shown_literally(text):
    assert shown(literal(text)) == text


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_in_its_table_cell(text):
    rendered = MARKDOWN.render(f"| a | b |\n|--|--|\n| {literal(text)} | x |\n")
    cells = re.findall(r"<td>([^<>]*)</td>", rendered)
    assert [html.unescape(cell) for cell in cells] == [text, "x"]


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("report_01", "report_01"),
        ("a~2", "a\\~2"),
        ("中文 id (1)", "中文 id (1)"),
        ("https://a.test/x", "https&#58;//a.test/x"),
        ("see WWW.a.test", "see WWW&#46;a.test"),
        ("@someone", "&#64;someone"),
        ("{{x}}", "&#123;&#123;x&#125;&#125;"),
        ("a\r\n> b\u2028c\td", "a > b c d"),
        ("x\u202egnp.exe", "x(U+202E)gnp.exe"),
        ("a\x00b\ud800", "a(U+0000)b(U+D800)"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        (12, "12"),
        ("0.33", "0.33"),
        ("1. x", "1\\. x"),
        ("# x", "\\# x"),
    ],
)
def test_what_it_writes(text, markdown):
    assert literal(text) == markdown


def test_long_text_is_cut_before_it_is_escaped():
    assert literal("<" * 300) == "&lt;" * 199 + "…"
    assert literal("x" * 200) == "x" * 200
    assert literal("abcdef", 4) == "abc…"


@pytest.mark.parametrize(
    "text", [*HOSTILE, "> q", "+ x", "10) x", "---", "===", "123", "1.5", "2026. x", "-5"]
)
def test_hostile_text_opens_no_block_in_a_list_item(text):
    rendered = MARKDOWN.render(f"- {literal(text)}\n")
    match = re.fullmatch(r"<ul>\n<li>([^<>]*)</li>\n</ul>\n", rendered)
    assert match, rendered
    assert html.unescape(match[1]) == text


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=80))
def test_any_text_is_one_line_of_literal_text(text):
    written = literal(text)
    assert written.splitlines() in ([], [written])
    plain = " ".join(text.split())
    if plain.isprintable():
        assert shown(f"x{written}x") == f"x{plain}x"
    else:
        shown(written or "x")
