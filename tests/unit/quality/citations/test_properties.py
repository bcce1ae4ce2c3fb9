"""What must hold for any text whatever."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quality.citations.masking import mask
from quality.citations.reader import read
from quality.citations.reconcile import reconcile
from quality.citations.titles import match_contained, match_exact
from quality.model import Reading

PIECES = [
    "[1]", "[2, 3]", "[^a]", "[^a]: Alder", "[[1]](https://x.test/1)", "(Doe, 2020)", "[a](https://x.test/2)", "https://x.test/3", "【1】",
    "《潮汐》", "## References\n", "参考文献：\n", "1. Alder. https://x.test/1\n", "[1] Alder. Tides.\n", "- Birch\n", "word.1 ", "word 2. ",
    "```\n", "`", "``", "$", "$$", "\\[", "\\]", "\\(", "\\)", "<!--", "-->", "<sup>1</sup>", "¹", "|a|1|\n", "|-|-|\n", "\n", "\n\n", " ", "    ",
    "\t", "é", "e\u0301", "\ufeff", "\r\n", "\x00", "\u2028", "🎈", "[", "]", "(", ")", "![x](y)", "---\n", "a: b\n", "**", "[source]", "@key", "[@key1]",
    "<cite id=\"1\">", "</cite>", "10.5555/a.b", "word ", "Word", "2020", ".", ",", "中文", "：",
]  # fmt: skip
TEXTS = st.one_of(
    st.text(max_size=400),
    st.lists(st.sampled_from(PIECES), max_size=60).map("".join),
    st.text(alphabet="[]()^1,- \n.`$\\|#*", max_size=300),
)
CLEAN = st.lists(
    st.sampled_from([p for p in PIECES if not set(p) & set("\r\ufeff\u2028\x00")]), max_size=50
).map("".join)
relaxed = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def _content(reading: Reading) -> object:
    """Everything but places."""
    return (
        [(m.style, m.keys, m.scope) for m in reading.marks],
        [(e.key, e.title, e.url, e.authors, e.year, e.scope, e.by_number) for e in reading.entries],
        reading.flags,
    )


@relaxed
@given(TEXTS)
def test_reading_never_raises_and_segments_tile(body):
    reading = read(body)
    at = 0
    for segment in reading.segments:
        assert segment.start == at < segment.end
        at = segment.end
    assert at == len(body) == reading.length


@relaxed
@given(TEXTS)
def test_spans_lie_in_the_body_in_order_and_apart(body):
    reading = read(body)
    at = 0
    for mark in reading.marks:
        assert at <= mark.start < mark.end <= len(body)
        at = mark.end
        for key in mark.keys:
            digits = unicodedata.normalize("NFKC", body[mark.start : mark.end])
            assert mark.family != "label" or not key.isdecimal() or any(c.isdecimal() for c in digits)
    for entry in reading.entries:
        assert body[entry.start : entry.end] == entry.text
        assert entry.start <= entry.label_end <= entry.end


@relaxed
@given(TEXTS)
def test_masking_changes_no_offset(body):
    masked = mask(body)
    assert len(masked.text) == len(body)
    for got, was in zip(masked.text, body, strict=True):
        assert got == was or got in "\x00 \n"


@relaxed
@given(TEXTS)
def test_reconciliation_adds_up(body):
    reading = read(body)
    for match in (match_exact, match_contained):
        result = reconcile(reading, match)
        assert sum(c.occurrences for c in result.cited) == sum(len(m.keys) for m in reading.marks)
        assert [c.first for c in result.cited] == sorted(c.first for c in result.cited)
        met = {c.entry for c in result.cited if c.entry is not None}
        assert not met & set(result.uncited)
        assert all(0 <= n < len(reading.entries) for n in (*met, *result.uncited))


@relaxed
@given(CLEAN)
def test_line_ends_and_byte_order_mark_make_no_difference(body):
    plain = read(body)
    assert _content(read(body.replace("\n", "\r\n"))) == _content(plain)
    assert _content(read("\ufeff" + body)) == _content(plain)


@relaxed
@given(CLEAN)
def test_the_unicode_form_makes_no_difference(body):
    composed, decomposed = (read(unicodedata.normalize(form, body)) for form in ("NFC", "NFD"))

    assert _content(composed) == _content(decomposed)


@pytest.mark.parametrize("body", ["", "\n", "\ufeff", "\r\n", "\x00", "[", "[1", "# ", "\ud800"])
def test_the_smallest_bodies(body):
    reading = read(body)
    assert reading.length == len(body)
    assert reading.entries == ()


SPITEFUL = [
    lambda n: "[" * (5 * n), lambda n: "[1" * n, lambda n: "[1," * n, lambda n: " " * (10 * n) + "$", lambda n: "`" * n + "x",
    lambda n: "".join("`" * k + " " for k in range(n // 40)), lambda n: "(" * (5 * n) + "https://x.test", lambda n: "10.5555/" + "a." * n,
    lambda n: "**_" + "*_" * n, lambda n: "[+t)[]\n" * n, lambda n: "<cite " * n, lambda n: "Sources:\n- https://x.test\n\n" * (n // 4),
    lambda n: "## References\n\n[1] " + "https://x.test " * (n // 2), lambda n: "https://" * n, lambda n: "|a" * n, lambda n: "@a" * n,
]  # fmt: skip


@pytest.mark.parametrize("make", SPITEFUL)
def test_bodies_made_to_backtrack_grow_linearly_in_steps(make):
    """Time is measured in the bench; here a body of this size must come back within the test's time limit."""
    reading = read(make(4000))
    assert reading.length == len(make(4000))
