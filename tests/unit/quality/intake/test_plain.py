"""Foreign values to JSON."""

import json
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.intake.plain import canonical_json, clean_text, has_surrogate, one_line, plain

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters())
    | st.dates()
    | st.binary(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters()), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (float("nan"), None),
        (float("inf"), None),
        (Decimal("1.5"), 1.5),
        (Decimal("NaN"), None),
        (True, True),
        (date(2026, 9, 1), "2026-09-01"),
        (datetime(2026, 9, 1, 8, tzinfo=UTC), "2026-09-01T08:00:00+00:00"),
        (b"caf\xc3\xa9 \xff", "café \ufffd"),
        ((1, {2}), [1, [2]]),
        ({1: {"a": None}}, {"1": {"a": None}}),
        ("a\ud800b", "a\ufffdb"),
    ],
)
def test_plain(value, expected):
    assert plain(value) == expected


def test_depth_is_bounded():
    value: object = "deep"
    for _ in range(2000):
        value = [value]
    assert json.loads(canonical_json(value))


def test_sixty_four_levels_are_kept():
    value: object = "deep"
    for _ in range(63):
        value = [value]
    assert "deep" in canonical_json(value)
    assert "deep" in canonical_json({"a": "deep"})
    assert "str" in canonical_json([value])
    assert "deep" not in canonical_json([value])


def test_canonical_json_ignores_the_order_of_keys():
    assert (
        canonical_json({"b": 1, "a": [1.0, "é"]})
        == '{"a":[1.0,"é"],"b":1}'
        == canonical_json({"a": [1.0, "é"], "b": 1})
    )
    assert canonical_json([1, 2]) != canonical_json([2, 1])
    assert canonical_json({"a": None}) != canonical_json({})
    assert canonical_json("1") != canonical_json(1)


@given(VALUES)
def test_canonical_json_is_json_in_utf8(value):
    text = canonical_json(value)
    assert canonical_json(json.loads(text.encode().decode())) == text


def test_surrogates():
    assert has_surrogate("x\udfff")
    assert not has_surrogate("😀")
    assert clean_text("😀\ud83d") == "😀\ufffd"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("  a\n b\u00a0c ", "a b c"),
        (7, "7"),
        (2021.5, "2021.5"),
        (" \t", None),
        (None, None),
        (True, None),
        ([1], None),
        (float("nan"), None),
    ],
)
def test_one_line(value, expected):
    assert one_line(value) == expected
