"""A written number lies on the side of the threshold on which the number lies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.metrics.numbers import beside, plain


@pytest.mark.parametrize(
    ("value", "threshold", "written"),
    [
        (0.31, 0.6, "0.31"),
        (0.6, 0.6, "0.60"),
        (0.5999, 0.6, "0.5999"),
        (0.595, 0.6, "0.59"),
        (0.599999, 0.6, "0.599999"),
        (1 / 3, 0.5, "0.33"),
        (3.0, 2, "3"),
        (0.0, 0.6, "0"),
        (0.004, 0, "0.004"),
        (-0.5, 0, "-0.50"),
    ],
)
def test_beside(value, threshold, written):
    assert beside(value, threshold) == written


@pytest.mark.parametrize(
    ("threshold", "written"), [(0.6, "0.60"), (1, "1"), (0, "0"), (0.125, "0.125"), (2.0, "2")]
)
def test_plain(threshold, written):
    assert plain(threshold) == written


NUMBERS = st.floats(-1e6, 1e6, allow_nan=False)


@given(NUMBERS, NUMBERS)
def test_no_rounding_crosses_the_threshold(value, threshold):
    written = float(beside(value, threshold))
    assert (written < threshold) == (value < threshold)
    assert (written > threshold) == (value > threshold)
    assert float(plain(threshold)) == threshold
