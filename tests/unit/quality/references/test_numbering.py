"""Labels by first appearance."""

from quality.model import CitedKey, EntryKind
from quality.references.numbering import number
from quality.references.works import Work


def cited(key, identity, family="label"):
    citation = CitedKey(key, family, "bracket", 0, 1, 0, None)
    return citation, None if identity is None else Work(identity, EntryKind.AS_WRITTEN, "x", "x", None)


def test_first_come_first_numbered():
    assert number([cited("7", "a"), cited("3", "b"), cited("9", "a")]) == {"a": "1", "b": "2"}


def test_a_dangling_number_is_left_out():
    assert number([cited("2", None), cited("7", "a"), cited("8", "b")]) == {"a": "1", "b": "3"}


def test_words_stay_words():
    assert number([cited("smith", "a"), cited("4", "b")]) == {"a": "smith", "b": "1"}


def test_numbers_can_go_on_and_labels_can_stay():
    assert number([cited("https://a.test", "a", "link")], first=5, taken={"5"}) == {"a": "6"}
    assert number([cited("4", "a")], first=9, keep=True) == {"a": "4"}
