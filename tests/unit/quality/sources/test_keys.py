"""Keys: what is equal, what stays apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.sources.keys import loose_keys, strict_key, weighs, weight, words


def loose(title):
    return loose_keys(words(title), strict_key(title))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Long-term care", "long term  care"),
        ("Roles of the SASP ( secretory)-axis", "Roles of the SASP (secretory)-axis"),
        ("R&amp;D in towns", "R & D in towns"),
        ("河流 研究", "河流研究"),
        ("It’s time", "its time"),
    ],
)
def test_punctuation_and_blanks_do_not_count(one, other):
    assert strict_key(one) == strict_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Release 2.1", "Release 21"), ("C++ primer", "C primer"), ("C# primer", "C primer"), ("हिन्दी", "हनद")],
)
def test_what_carries_meaning_does(one, other):
    assert strict_key(one) != strict_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Zinc delays the growth of oats", "Zinc delays growth of oats"),
        ("A survey of dunes", "Survey of dunes"),
        ("Münchner Böden", "Muenchner Boeden"),
        ("Münchner Böden", "Munchner Boden"),
        ("Søvn og łaka", "Sovn og laka"),
        ("kırmızı toprak", "kirmizi toprak"),
        ("Maps, Part II", "Maps: part 2"),
    ],
)
def test_loose_keys_bridge_spellings(one, other):
    assert set(loose(one)) & set(loose(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Maps, part I", "Maps, part II"),
        ("Vitamin A and eyes", "Vitamin and eyes"),
        ("किताब", "कताब"),
        ("がん", "かん"),
    ],
)
def test_loose_keys_keep_works_apart(one, other):
    assert not set(loose(one)) & set(loose(other))


def test_a_title_of_articles_alone_still_has_a_key():
    assert loose("The The") == ("thethe",)


def test_chinese_characters_weigh_double():
    assert weight("abc水") == 5
    assert weighs("六个字符以上", 12)
    assert not weighs("五个字符以", 12)


@given(st.text("abcÉß 水カ-–.3&#+"))
def test_a_key_is_its_own_key(title):
    assert strict_key(strict_key(title)) == strict_key(title)
