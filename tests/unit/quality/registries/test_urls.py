"""Where an address ends, and when two are one page."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.registries.urls import find_urls, host, normalise_url, url_key


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("(https://a.test/x).", "https://a.test/x"),
        ("(see https://a.test/Blur_(band)).", "https://a.test/Blur_(band)"),
        ("<https://a.test/x>.", "https://a.test/x"),
        ("https://a.test/x。", "https://a.test/x"),
        ("（https://a.test/x）", "https://a.test/x"),
        ("https://a.test/x/.", "https://a.test/x/"),
        ("https://a.test/x; and", "https://a.test/x"),
    ],
)
def test_an_address_ends_before_the_sentence_does(text, url):
    assert find_urls(text) == (url,)


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        ("https://A.test/P?utm_source=m", "https://a.test/P"),
        ("https://a.test/x?id=7&utm_medium=y&ref=nav", "https://a.test/x?id=7&ref=nav"),
        ("https://a.test/x?q=1*2&gclid=z", "https://a.test/x?q=1*2"),
        ("https://a.test/g?fbclid=q#install", "https://a.test/g#install"),
        ("https://a.test/x?b=2&a=1", "https://a.test/x?b=2&a=1"),
        ("https://a.test/x#:~:text=Some%20words", "https://a.test/x"),
        ("https://a.test/%E6%B0%B4", "https://a.test/%E6%B0%B4"),
        (" not an address ", "not an address"),
    ],
)
def test_only_tracking_is_taken_off(url, normal):
    assert normalise_url(url) == normal


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://www.a.test/x/", "https://a.test/x"),
        ("https://a.test/%e6%b0%b4", "https://a.test/水"),
        ("https://a.test:443/index.html", "https://a.test"),
        ("https://a.test/a\\_b", "https://a.test/a_b"),
    ],
)
def test_spellings_of_one_address_compare_equal(one, other):
    assert url_key(one) == url_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://a.test/x?id=1", "https://a.test/x?id=2"),
        ("https://a.test/x#one", "https://a.test/x#two"),
        ("https://a.test/X", "https://a.test/x"),
        ("https://b.a.test/x", "https://a.test/x"),
    ],
)
def test_other_pages_stay_apart(one, other):
    assert url_key(one) != url_key(other)


def test_hosts():
    assert host("https://www.A.test:80/x") == "a.test"
    assert host("a.test/x") == "a.test"


@given(st.text())
def test_normalising_twice_changes_nothing(text):
    assert normalise_url(normalise_url(text)) == normalise_url(text)
