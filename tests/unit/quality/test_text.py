"""Folding makes spellings equal and never drops a letter."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.text import fold, is_cjk, unescape


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Cost\u2010benefit of long\u2011term care", "cost-benefit of long-term care"),
        ("５ ways｜ＡＩ", "5 ways|ai"),
        ("ﾃﾞｰﾀ解析", "データ解析"),
        ("cafe\u0301", "CAFÉ"),
        ("“Rivers”", '"rivers"'),
        ("the river\u2019s end", "The River's End"),
        ("Micro\u00adbiome\u200b atlas", "microbiome atlas"),
        ("a\u00a0b\u3000c\n d", "a b c d"),
        ("ﬁnancial", "financial"),
        ("Straße", "STRASSE"),
        ("Wait\u2026", "wait..."),
        ("水。", "水."),
    ],
)
def test_spellings_of_one_text_fold_alike(one, other):
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("café", "cafe"),
        ("湿地", "旱地"),
        ("計算", "计算"),
        ("хлеб", "хлёб"),
        ("नदी", "नद"),
        ("GPT-3", "GPT-4"),
    ],
)
def test_other_letters_stay_other_letters(one, other):
    assert fold(one) != fold(other)


@given(st.text())
def test_folding_twice_changes_nothing(s):
    assert fold(fold(s)) == fold(s)


@given(
    st.text(
        st.characters(
            categories=["Lo", "Mn", "Mc", "Nd"], exclude_characters="\u034f\u115f\u1160\u180e\u3164\uffa0"
        ),
        min_size=1,
    )
)
def test_no_letter_of_any_script_is_lost(s):
    plain = unicodedata.normalize("NFKC", s).casefold()
    letters = [c for c in unicodedata.normalize("NFKC", plain) if unicodedata.category(c) == "Lo"]
    assert all(c in fold(s) for c in letters)


def test_entities_are_resolved_however_often_they_were_escaped():
    assert unescape("Research &amp;amp; Practice &ndash; a&#x2F;b &#39;") == "Research & Practice – a/b '"


def test_an_ampersand_in_an_address_is_no_entity():
    assert unescape("https://a.test/?x=1&copy=2&amp;y=3") == "https://a.test/?x=1&copy=2&y=3"


def test_scripts_without_blanks():
    assert [is_cjk(c) for c in "水かカ한aя-"] == [True, True, True, True, False, False, False]
