"""Where a quote stands in a body."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.review.locate import MIN_QUOTE, locate

BODY = "Sand moved\n3 m — “a record” — in one night. Sand moved."


@pytest.mark.parametrize(
    ("quote", "span"),
    [
        ("in one night", (30, 42)),
        ("  in one night\n", (30, 42)),
        ("Sand moved", (0, 10)),
        ("Sand moved 3 m", (0, 14)),
        ('"a record" - in', (17, 32)),
        ("“a record”", (17, 27)),
        ("Sand moved 4 m", None),
        ("sand moved", None),
        ("3 m", None),
        ("", None),
        ("   ", None),
        (None, None),
        ("(.*)", None),
    ],
)
def test_a_quote_is_found_where_it_stands(quote, span):
    assert locate(quote, BODY) == span


@given(st.text(min_size=1), st.integers(0, 40), st.integers(1, 40))
def test_every_piece_of_a_body_is_found_in_it(body, start, length):
    piece = body[start : start + length]
    found = locate(piece, body)
    if len("".join(piece.split())) >= MIN_QUOTE:
        assert found is not None
        assert body[found[0] : found[1]] == piece.strip()
    else:
        assert found is None


def test_a_long_quote_of_repeated_words_takes_no_squares() -> None:
    began = time.monotonic()

    assert locate("AI  " * 10_000 + "no", "AI " * 30_000) is None
    assert locate("AI  " * 10_000 + "AI", "x  " + "AI " * 30_000) == (3, 3 + 3 * 10_000 + 2)
    assert time.monotonic() - began < 5
