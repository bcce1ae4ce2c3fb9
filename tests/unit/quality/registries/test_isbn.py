"""ISBN: two lengths, one identity, and a check digit that can fail."""

import pytest

from quality.registries.isbn import isbn_is_valid, normalise_isbn


@pytest.mark.parametrize("isbn", ["0-306-40615-2", "9780306406157", "978-0-306-40615-7"])
def test_both_lengths_are_one_book(isbn):
    assert normalise_isbn(isbn) == "9780306406157"
    assert isbn_is_valid(isbn)


@pytest.mark.parametrize("isbn", ["0-306-40615-3", "978-0-306-40615-8", "123", "9790306406157"])
def test_a_wrong_check_digit_shows(isbn):
    assert not isbn_is_valid(isbn)


def test_an_x_counts_ten():
    assert isbn_is_valid("0-8044-2957-X")
    assert normalise_isbn("0-8044-2957-X") == "9780804429573"
