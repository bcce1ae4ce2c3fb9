"""Repeated ids."""

from hypothesis import given
from hypothesis import strategies as st

from quality.intake.ids import unique_ids


def test_first_keeps_its_id():
    assert unique_ids(["a", "b", "a", "a"]) == ("a", "b", "a~2", "a~3")


def test_a_written_id_is_never_taken():
    assert unique_ids(["a", "a", "a~2"]) == ("a", "a~3", "a~2")
    assert unique_ids(["a~2", "a", "a", "a"]) == ("a~2", "a", "a~3", "a~4")


def test_repeats_of_a_repeat():
    assert unique_ids(["a~2", "a~2", "a", "a"]) == ("a~2", "a~2~2", "a", "a~3")


@given(st.lists(st.sampled_from(["a", "a~2", "a~3", "a~2~2", "", "b"])))
def test_unique_and_stable(written):
    unique = unique_ids(written)
    assert len(set(unique)) == len(written)
    assert all(new == old or new.startswith(f"{old}~") for old, new in zip(written, unique, strict=True))
    for old in set(written):
        assert unique[written.index(old)] == old
