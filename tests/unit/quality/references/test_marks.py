"""One mark under new labels."""

import pytest

from quality.model import Mark
from quality.references.marks import MarkError, relabelled


def mark(style, *keys):
    return Mark(0, 1, style, "label", keys)


@pytest.mark.parametrize(
    ("style", "written", "keys", "labels", "expected"),
    [
        ("bracket", "[3]", ("3",), ("1",), "[1]"),
        ("bracket", "[3, 4]", ("3", "4"), ("1", "2"), "[1, 2]"),
        ("bracket", "[3；4]", ("3", "4"), ("9", "2"), "[9；2]"),
        ("bracket", "[3-5]", ("3", "4", "5"), ("7", "1", "2"), "[1, 2, 7]"),
        ("bracket", "[3–5]", ("3", "4", "5"), ("8", "6", "7"), "[6–8]"),
        ("bracket", "[9; 3-6]", ("9", "3", "4", "5", "6"), ("1", "3", "4", "5", "9"), "[1; 3-5; 9]"),
        ("bracket", "[3-5]", ("3", "4", "5"), ("1", "1", "2"), "[1, 2]"),
        ("bracket", "[3 to 5]", ("3", "4", "5"), ("11", "12", "13"), "[11 to 13]"),
        ("sup_tag", "<sup>3-5</sup>", ("3", "4", "5"), ("1", "2", "3"), "<sup>1-3</sup>"),
        ("bracket", "[3, 4]", ("3", "4"), ("1", "1"), "[1]"),
        ("bracket", "［３］", ("3",), ("12",), "［12］"),
        ("lenticular", "【3†source】", ("3",), ("1",), "【1†source】"),
        ("footnote", "[^note]", ("note",), ("2",), "[^2]"),
        ("double_bracket_link", "[[3]](https://a.test/3)", ("3",), ("1",), "[[1]](https://a.test/3)"),
        (
            "cite_tag",
            '<c2:cite id="id_3">3 rivers</c2:cite>',
            ("3",),
            ("1",),
            '<c2:cite id="id_1">3 rivers</c2:cite>',
        ),
        ("sup_tag", "<sup>3, 4</sup>", ("3", "4"), ("5", "6"), "<sup>5, 6</sup>"),
        ("bracket", "[47; 50; 47]", ("47", "50", "47"), ("1", "2", "1"), "[1; 2]"),
        ("superscript", "³", ("3",), ("12",), "¹²"),
        ("bracket", "[3-5]", ("3", "4", "5"), ("3", "4", "5"), "[3-5]"),
    ],
)
def test_keys_are_exchanged_and_nothing_else(style, written, keys, labels, expected):
    assert relabelled(mark(style, *keys), written, labels) == expected


def test_keys_that_do_not_stand_there_are_an_error():
    with pytest.raises(MarkError, match="'7'"):
        relabelled(mark("bracket", "7"), "[8]", ("1",))


def test_a_long_range_stays_one_and_is_none_that_the_reader_would_refuse():
    keys = tuple(str(n) for n in range(7, 60))
    assert relabelled(mark("bracket", *keys), "[7-59]", [str(n) for n in range(5, 58)]) == "[5-57]"
    many = tuple(str(n) for n in range(1, 202))
    written = "[1-200, 201]"
    moved = relabelled(mark("bracket", *many), written, [str(n) for n in range(2, 203)])
    assert moved == "[2-201, 202]"
