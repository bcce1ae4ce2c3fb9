"""Identifiers out of text: each found once, in one normal form, and nothing that only looks like one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.model import Identifier
from quality.registries.identifiers import find_identifiers, normalise_doi


def ids(text):
    return [(one.kind, one.value) for one in find_identifiers(text)]


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("(https://doi.org/10.5555/0021(87)90171-8)", "10.5555/0021(87)90171-8"),
        ("[paper](https://doi.org/10.5555/0092(94)90302-6)", "10.5555/0092(94)90302-6"),
        ("see 10.5555/S0933(96)00367-3).", "10.5555/s0933(96)00367-3"),
        ("https://dx.doi.org/10.5555%2Fj.x.2015", "10.5555/j.x.2015"),
        ("HTTP://DOI.ORG/10.5555/ABC.1", "10.5555/abc.1"),
        ("DOI10.5555/abc.1", "10.5555/abc.1"),
        ("info:doi/10.5555/abc.1", "10.5555/abc.1"),
        ("https://proxy.test/login?url=https://doi.org/10.5555/abc.1", "10.5555/abc.1"),
        (
            "doi:10.5555/15(2000)12:3&lt;118::AID-D2&gt;3.0.CO;2-G",
            "10.5555/15(2000)12:3<118::aid-d2>3.0.co;2-g",
        ),
        ("https://press.test/doi/full/10.5555/wc.1603", "10.5555/wc.1603"),
        ("https://press.test/doi/10.5555/x.1/pdf", "10.5555/x.1"),
        ("https://press.test/doi/abs/10.5555/30.5?download=true", "10.5555/30.5"),
        ("https://www.biorxiv.org/content/10.1101/2023.09.12.557489v1.full", "10.1101/2023.09.12.557489"),
        ("https://academic.oup.com/j/article/doi/10.5555/j/ab12/5678901", "10.5555/j/ab12"),
        ("DOI：10.5555/abc.1。", "10.5555/abc.1"),
        ("<b>10.5555/abc.1</b>", "10.5555/abc.1"),
    ],
)
def test_a_doi_whatever_stands_around_it(text, doi):
    assert ids(text) == [("doi", doi)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("arXiv:1312.4400", [("arxiv", "1312.4400")]),
        ("https://arxiv.org/pdf/1706.03762v5", [("arxiv", "1706.03762")]),
        ("doi:10.48550/arXiv.1706.03762", [("arxiv", "1706.03762")]),
        ("math.GT/0309136v2", [("arxiv", "math/0309136")]),
        ("PMID : 27036656", [("pmid", "27036656")]),
        ("https://www.ncbi.nlm.nih.gov/pmc/articles/pmid/27036656/", [("pmid", "27036656")]),
        ("https://pmc.ncbi.nlm.nih.gov/articles/PMC10293285/", [("pmcid", "PMC10293285")]),
        ("https://europepmc.org/article/PMC/3084216", [("pmcid", "PMC3084216")]),
        ("ISBN 0-306-40615-2", [("isbn", "9780306406157")]),
        ("doi:10/b6vnmd", [("shortdoi", "10/b6vnmd")]),
        ("https://a.test/x?utm_source=y&id=2.", [("url", "https://a.test/x?id=2")]),
    ],
)
def test_other_identifiers_in_their_normal_form(text, found):
    assert ids(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "improved in 10/12 patients",
        "dated 10/2023",
        "0112019",
        "we saw 27036656 cells in 2020",
        "section 10.1234",
        "",
    ],
)
def test_numbers_in_prose_are_no_identifiers(text):
    assert ids(text) == []


def test_two_works_in_one_entry_in_their_order():
    text = "Doe J. X 49. doi:10.5555/x.49; X 51 doi:10.5555/x.51, see https://doi.org/10.5555/x.49"
    assert ids(text) == [("doi", "10.5555/x.49"), ("doi", "10.5555/x.51")]


def test_a_query_cannot_be_smuggled_in():
    assert find_identifiers('10.5555/x" OR DOI:"10.5555/y')[0] == Identifier("doi", "10.5555/x")
    assert normalise_doi("10.5555/x) OR (SRC:MED") is None


@pytest.mark.parametrize(
    ("doi", "normal"),
    [
        ("https://doi.org/10.5555/ABC", "10.5555/abc"),
        ("10.5555/a#b?c=d<e>;f", "10.5555/a#b?c=d<e>;f"),
        ("10.5555/042-404-413/", "10.5555/042-404-413/"),
        ("hello", None),
        ("", None),
    ],
)
def test_a_doi_of_its_own_is_kept_whole(doi, normal):
    assert normalise_doi(doi) == normal


@given(st.text())
def test_any_text_is_read(text):
    assert all(one.value for one in find_identifiers(text))


@given(st.from_regex(r"10\.[1-9][0-9]{3}/[a-z0-9]{1,12}", fullmatch=True))
def test_normalising_a_doi_twice_changes_nothing(doi):
    assert normalise_doi(normalise_doi(f"https://doi.org/{doi}") or "") == doi
