"""Lines of dumps and lists: works out of each, and a reason where there is none."""

import pytest

from quality.model import Identifier
from quality.registries.answers import NoticeKind
from quality.registries.works import title_key, works_of


def test_a_crossref_line_and_a_file_of_items():
    work = {
        "DOI": "10.5555/A",
        "title": ["T"],
        "author": [{"family": "Doe"}],
        "issued": {"date-parts": [[2020]]},
    }
    (one,) = works_of(work)
    assert one.identifiers == (Identifier("doi", "10.5555/a"),)
    assert (one.record.title, one.record.authors, one.record.years) == ("T", ("Doe",), (2020,))
    assert len(list(works_of({"items": [work, work]}))) == 2


def test_a_europe_pmc_line():
    (one,) = works_of(
        {
            "id": "7",
            "source": "MED",
            "pmid": "7",
            "doi": "10.5555/A",
            "title": "T.",
            "authorString": "Doe J.",
            "pubYear": "2020",
        }
    )
    assert one.identifiers == (Identifier("doi", "10.5555/a"), Identifier("pmid", "7"))
    assert one.record.title == "T"


def test_a_line_of_ones_own():
    (one,) = works_of(
        {
            "title": "T",
            "arxiv_id": "arXiv:1706.03762v2",
            "authors": "Doe, J.; Roe, P.",
            "year": 2017,
            "retracted": True,
        }
    )
    assert one.identifiers == (Identifier("arxiv", "1706.03762"),)
    assert [n.kind for n in one.record.notices] == [NoticeKind.RETRACTED]
    (paper,) = works_of({"doi": "10.48550/arXiv.1706.03762", "title": "T"})
    assert paper.identifiers == (Identifier("arxiv", "1706.03762"),)


@pytest.mark.parametrize(
    "line", [{}, {"doi": "nonsense"}, {"DOI": "nonsense"}, [1], "x", {"year": 2020}, {"isbn": "0131103627"}]
)
def test_a_line_without_a_work_is_refused(line):
    with pytest.raises(ValueError, match=r"\w+ \w+"):
        list(works_of(line))


def test_titles_are_found_without_accents_and_articles():
    assert title_key("The Über-tides of the Elbe") == title_key("Uber tides of Elbe")
    assert title_key("…") == ""
