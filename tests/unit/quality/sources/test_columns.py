"""A column of keys is the rule for one key, applied to many."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quality.sources.columns import (
    ADDRESS,
    ENDS_A_CUT,
    HARD,
    QUOTE,
    SITE,
    SURFACES,
    UNUSUAL,
    VARIES,
    fold_column,
)
from quality.sources.decorations import surface
from quality.sources.keys import join, loose_keys, words

WORDS = "the a an no part book ii iv x 1 2 ２ 3 tides Åland ø é Tides, 潮汐 研究 part: & ﬁne … ： - the-an".split()


def assert_says_the_same(titles):
    column = fold_column(titles)
    for row, title in enumerate(titles):
        if column.traits[row] & HARD:
            continue
        parts = words(title)
        assert column.keys[row] == join(parts), title
        assert column.loose_keys(row, title) == loose_keys(parts, join(parts)), title
        assert bool(column.traits[row] & UNUSUAL) >= (surface(title) != title), title
        assert title.translate(SURFACES) == surface(title), title


def test_every_character_of_the_common_scripts_between_digits_and_letters():
    assert_says_the_same(
        [f"1{chr(c)}2 {chr(c)}a the{chr(c)}" for c in (*range(0x3400), *range(0xFB00, 0x10000))]
    )


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), max_size=5))
@example(["1 an 2 tides of winter", "On a n", "t he tides of the winter", "a"])
def test_words_that_loose_keys_treat_in_their_own_way(titles):
    assert_says_the_same(titles)


@given(st.lists(st.text(max_size=25), max_size=6))
@example(["", "\n", "a\nb", "\ud800"])
def test_any_text(titles):
    assert_says_the_same(titles)


def test_keys_by_hand():
    column = fold_column(["The tides of the winter", "Long–term  CARE 2.1", "潮汐：研究", ""])
    assert column.keys == ["thetidesofthewinter", "longtermcare2 1", "潮汐研究", ""]
    assert column.loose == {0: "tidesofwinter"}
    assert fold_column([]).keys == []


@pytest.mark.parametrize(
    ("title", "bits"),
    [
        ("Salt & sand", HARD),
        ("e\u0301cume", HARD),
        ("Tides - Coast", SITE),
        ("Tides – Coast", SITE | UNUSUAL),
        ("Tides of vol II", VARIES),
        ("“Tides”", QUOTE | ENDS_A_CUT),
        ("a/b…", ADDRESS | ENDS_A_CUT | UNUSUAL),
        ("Tides of salt", 0),
    ],
)
def test_traits(title, bits):
    assert (
        fold_column(["before…", title, "“after” - x"]).traits[1]
        & (HARD | SITE | UNUSUAL | VARIES | QUOTE | ADDRESS | ENDS_A_CUT)
        == bits
    )
