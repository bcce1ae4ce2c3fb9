"""Identifiers and authorship of a catalogue row."""

from quality.model import Identifier, Source
from quality.sources.identity import agreement, comparable, source_identifiers


def test_every_field_and_the_address_identify():
    source = Source(
        "s", "T", url="https://arxiv.org/abs/1706.03762", doi="10.5555/A/", pmid="0123", isbn="0-306-40615-2"
    )
    assert {(i.kind, i.value) for i in source_identifiers(source)} == {
        ("doi", "10.5555/a"),
        ("pmid", "123"),
        ("isbn", "9780306406157"),
        ("arxiv", "1706.03762"),
        ("url", "arxiv.org/abs/1706.03762"),
    }


def test_spellings_of_one_identifier_compare_equal():
    one = comparable((Identifier("doi", "10.5555/a/"),), "http://www.a.test/")
    assert one == comparable((Identifier("doi", "10.5555/a"),), "https://a.test")


def test_agreement_is_silent_where_a_side_is():
    source = Source("s", "T", authors=("Doe, Jane",), year=2020)
    assert agreement(source, "J Doe and R Roe", 2020) == (True, True)
    assert agreement(source, "R Roe", 2019) == (False, False)
    assert agreement(source, None, None) == (None, None)
    assert agreement(Source("s", "T"), "J Doe", 2020) == (None, None)
