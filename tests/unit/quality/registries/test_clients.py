"""Each registry in its own protocol: its yes, its no, and everything that is neither."""

from urllib.parse import urlsplit

import pytest

from quality.model import Identifier
from quality.registries.answers import Found, NotFound, NoticeKind, Relation, Unknown
from quality.registries.clients.arxiv_api import Arxiv
from quality.registries.clients.crossref import Crossref
from quality.registries.clients.datacite import DataCite
from quality.registries.clients.europepmc import EuropePmc, query
from quality.registries.clients.handle import Handles, read_agency
from quality.registries.clients.pmc_ids import PmcIds
from quality.registries.clients.pubmed import PubMed
from tests.unit.quality.registries.fakes import (
    NO_CROSSREF,
    NO_DATACITE,
    NO_EUROPEPMC,
    crossref,
    datacite,
    feed,
    handle,
    html,
    json_reply,
    no_handle,
    reply,
)

DOI = Identifier("doi", "10.5555/abc.1")
ARXIV = Identifier("arxiv", "1706.03762")
PMID = Identifier("pmid", "27036656")
PMC = Identifier("pmcid", "PMC10293285")
CUT = reply(200, '{"status":"ok","mess', {"content-type": "application/json"})


def read(client, identifier, given):
    return client.read((identifier,), given)[identifier]


@pytest.mark.parametrize("client", [Crossref(), DataCite(), EuropePmc(), Handles()])
@pytest.mark.parametrize(
    "odd",
    [
        html(),
        html(404),
        CUT,
        reply(500),
        reply(403),
        json_reply([1]),
        json_reply({}),
        reply(404, b""),
        json_reply({}, 404),
    ],
)
def test_what_is_no_answer_is_unknown(client, odd):
    assert isinstance(read(client, DOI, odd), Unknown)


@pytest.mark.parametrize(("client", "one"), [(Arxiv(), ARXIV), (PubMed(), PMID), (PmcIds(), PMC)])
@pytest.mark.parametrize("odd", [html(), html(404), CUT, reply(500), json_reply({}), reply(200, b"", {})])
def test_what_is_no_answer_is_unknown_in_batches_too(client, one, odd):
    assert isinstance(read(client, one, odd), Unknown)


def test_crossref_says_yes_with_what_it_knows():
    given = crossref(
        "10.5555/ABC.1",
        subtitle=["And more"],
        issued={"date-parts": [[2019, 4]]},
        **{
            "container-title": ["Journal of Tides"],
            "updated-by": [
                {"type": "retraction", "DOI": "10.5555/r.1", "source": "retraction-watch"},
                {"type": "correction", "DOI": "10.5555/c.1"},
            ],
            "relation": {
                "has-preprint": [{"id": "10.1101/2019.1", "id-type": "doi"}],
                "cites": [{"id": "10.5555/z"}],
            },
        },
    )
    found = read(Crossref(), DOI, given)
    assert isinstance(found, Found)
    assert found.record.title == "A work"
    assert found.record.subtitle == "And more"
    assert found.record.authors == ("Doe, Jane",)
    assert found.record.years == (2019,)
    assert found.record.venues == ("Journal of Tides",)
    assert [(n.kind, n.by) for n in found.record.notices] == [
        (NoticeKind.RETRACTED, "doi:10.5555/r.1"),
        (NoticeKind.CORRECTED, "doi:10.5555/c.1"),
    ]
    assert found.record.relations == (Relation("has_preprint", "doi:10.1101/2019.1"),)


def test_crossref_says_no_in_plain_text_only():
    assert read(Crossref(), DOI, NO_CROSSREF) == NotFound()


@pytest.mark.parametrize("title", ["RETRACTED: A work", "[RETRACTED] A work", "RETRACTED ARTICLE: A work"])
def test_a_title_can_say_that_the_work_was_taken_back(title):
    found = read(Crossref(), DOI, crossref("10.5555/abc.1", title=[title]))
    assert [n.kind for n in found.record.notices] == [NoticeKind.RETRACTED]


def test_a_title_about_retraction_is_no_notice():
    found = read(Crossref(), DOI, crossref("10.5555/abc.1", title=["Retracted papers and who cites them"]))
    assert found.record.notices == ()


def test_another_work_than_the_one_asked_for_is_unknown():
    assert read(Crossref(), DOI, crossref("10.5555/other")).reason == "inconsistent_response"
    assert read(DataCite(), DOI, datacite("10.5555/other")).reason == "inconsistent_response"
    assert read(Handles(), DOI, handle("10.5555/other")).reason == "inconsistent_response"


@pytest.mark.parametrize("client", [Crossref(), DataCite(), Handles()])
def test_every_character_of_a_doi_reaches_the_server(client):
    address = client.request((Identifier("doi", "10.5555/a#b?c=d<e>;f"),)).url
    parts = urlsplit(address)
    assert parts.fragment == ""
    assert parts.query == ""
    assert "%23" in parts.path
    assert "%3F" in parts.path


def test_datacite_yes_no_and_relations():
    related = [
        {"relationType": "IsVersionOf", "relatedIdentifier": "10.5281/z.1", "relatedIdentifierType": "DOI"}
    ]
    found = read(DataCite(), DOI, datacite("10.5555/abc.1", publicationYear=2020, relatedIdentifiers=related))
    assert found.record.title == "A data set"
    assert found.record.years == (2020,)
    assert found.record.relations == (Relation("version_of", "doi:10.5281/z.1"),)
    assert found.record.agency == "datacite"
    assert read(DataCite(), DOI, NO_DATACITE) == NotFound()


def test_datacite_is_asked_for_the_doi_of_an_arxiv_paper():
    assert DataCite().request((ARXIV,)).url.endswith("/dois/10.48550%2Farxiv.1706.03762")
    assert isinstance(read(DataCite(), ARXIV, datacite("10.48550/arXiv.1706.03762")), Found)


def test_europepmc_quotes_and_escapes():
    assert query(DOI) == 'DOI:"10.5555/abc.1"'
    assert query(Identifier("doi", '10.5555/x" OR DOI:"y')) == 'DOI:"10.5555/x\\" OR DOI:\\"y"'
    assert query(PMID) == 'EXT_ID:"27036656" AND SRC:MED'


def hits(*results, count=None):
    return json_reply(
        {"hitCount": len(results) if count is None else count, "resultList": {"result": list(results)}}
    )


def test_europepmc_believes_only_a_hit_of_the_very_identifier():
    near = ({"doi": "10.5555/covid.1"}, {"doi": "10.5555/abc"}, {"doi": "10.5555/abc.10"})
    assert read(EuropePmc(), DOI, hits(*near)) == NotFound()
    own = {
        "doi": "10.5555/ABC.1",
        "title": "A work.",
        "pmid": "27036656",
        "pubYear": "2016",
        "authorString": "Doe J, Roe P.",
    }
    found = read(EuropePmc(), DOI, hits(*near, own))
    assert found.record.title == "A work"
    assert found.record.authors == ("Doe J", "Roe P")
    assert "pmid:27036656" in found.record.identifiers
    assert read(EuropePmc(), DOI, NO_EUROPEPMC) == NotFound()


def test_europepmc_count_and_list_have_to_agree():
    assert read(EuropePmc(), DOI, hits(count=1)).reason == "inconsistent_response"
    assert read(EuropePmc(), DOI, hits({"doi": "10.5555/z"}, count=40)).reason == "inconsistent_response"


def test_europepmc_retractions_and_preprints():
    comments = [
        {"type": "Retraction in", "source": "MED", "id": "99"},
        {"type": "Preprint in", "source": "PPR", "id": "PPR1"},
    ]
    own = {
        "doi": "10.5555/abc.1",
        "title": "A work",
        "commentCorrectionList": {"commentCorrection": comments},
    }
    record = read(EuropePmc(), DOI, hits(own)).record
    assert [(n.kind, n.by) for n in record.notices] == [(NoticeKind.RETRACTED, "pmid:99")]
    assert record.relations == (Relation("has_preprint", "ppr:PPR1"),)


def test_arxiv_pairs_by_id_and_not_by_place():
    asked = (ARXIV, Identifier("arxiv", "2999.99999"), Identifier("arxiv", "1810.04805"))
    answers = Arxiv().read(
        asked,
        feed(("http://arxiv.org/abs/1810.04805v2", "Second"), ("http://arxiv.org/abs/1706.03762v7", "First")),
    )
    assert answers[asked[0]].record.title == "First"
    assert answers[asked[1]] == NotFound()
    assert answers[asked[2]].record.title == "Second"


def test_arxiv_error_entries_are_no_papers():
    error = feed(("http://arxiv.org/api/errors#incorrect_id_format_for_x", "Error"))
    assert read(Arxiv(), ARXIV, error) == NotFound("malformed")
    both = (ARXIV, Identifier("arxiv", "1810.04805"))
    assert {a.reason for a in Arxiv().read(both, error).values()} == {"batch_refused"}
    other = feed(("http://arxiv.org/api/errors#internal", "Error"))
    assert read(Arxiv(), ARXIV, other).reason == "registry_error"


def test_arxiv_a_paper_called_error_is_a_paper():
    assert read(Arxiv(), ARXIV, feed(("http://arxiv.org/abs/1706.03762v1", "Error"))).record.title == "Error"


def test_arxiv_totals_that_do_not_fit_are_unknown():
    asked = (ARXIV, Identifier("arxiv", "1810.04805"), Identifier("arxiv", "1312.4400"))
    answers = Arxiv().read(asked, feed(("http://arxiv.org/abs/1706.03762v1", "First"), total=2))
    assert isinstance(answers[ARXIV], Found)
    assert isinstance(answers[asked[1]], Unknown)


def test_arxiv_refuses_document_types():
    bomb = reply(200, '<!DOCTYPE x [<!ENTITY a "b">]><feed/>', {"content-type": "application/xml"})
    assert read(Arxiv(), ARXIV, bomb).reason == "bad_xml"


def test_pubmed_each_id_has_its_own_summary_or_error():
    asked = (PMID, Identifier("pmid", "1"), Identifier("pmid", "2"), Identifier("pmid", "3"))
    result = {
        "uids": ["27036656", "1"],
        "27036656": {
            "uid": "27036656", "title": "A work.", "authors": [{"name": "Doe J"}], "pubdate": "2016 Apr", "source": "J Tides",
            "pubtype": ["Journal Article", "Retracted Publication"], "articleids": [{"idtype": "doi", "value": "10.5555/ABC.1"}],
        },
        "1": {"uid": "1", "error": "cannot get document summary"},
        "2": {"uid": "2", "error": "backend is busy"},
    }  # fmt: skip
    answers = PubMed().read(asked, json_reply({"result": result}))
    record = answers[PMID].record
    assert (record.title, record.years, record.identifiers) == ("A work", (2016,), ("doi:10.5555/abc.1",))
    assert [n.kind for n in record.notices] == [NoticeKind.RETRACTED]
    assert answers[asked[1]] == NotFound()
    assert answers[asked[2]].reason == "registry_error"
    assert answers[asked[3]].reason == "inconsistent_response"


def test_pmc_ids_in_any_order():
    asked = (PMC, Identifier("pmcid", "PMC1"), Identifier("pmcid", "PMC2"))
    records = [
        {"requested-id": "PMC1", "status": "error", "errmsg": "Identifier not found in PMC"},
        {"requested-id": "PMC10293285", "pmcid": "PMC10293285", "pmid": 38213308, "doi": "10.5555/abc.1"},
    ]
    answers = PmcIds().read(asked, json_reply({"status": "ok", "records": records}))
    assert answers[PMC].record.identifiers == ("pmid:38213308", "doi:10.5555/abc.1")
    assert answers[asked[1]] == NotFound()
    assert answers[asked[2]].reason == "inconsistent_response"


def test_handles_yes_no_alias():
    assert read(Handles(), DOI, no_handle("10.5555/abc.1")) == NotFound()
    assert read(Handles(), DOI, handle("10.5555/ABC.1")).record.relations == ()
    alias = handle("10.5555/abc.1", [{"type": "HS_ALIAS", "data": {"value": "10.5555/PRIMARY"}}])
    assert read(Handles(), DOI, alias).record.relations == (Relation("alias_of", "doi:10.5555/primary"),)
    moved = handle("10.5555/abc.1", [{"type": "URL", "data": {"value": "https://doi.org/10.5555/primary"}}])
    assert read(Handles(), DOI, moved).record.relations == (Relation("alias_of", "doi:10.5555/primary"),)
    page = handle("10.5555/abc.1", [{"type": "URL", "data": {"value": "https://press.test/10.5555/x"}}])
    assert read(Handles(), DOI, page).record.relations == ()


def test_the_agency_of_a_prefix():
    assert read_agency(json_reply([{"DOI": "10.11501/1", "RA": "JaLC"}])) == "JaLC"
    assert read_agency(json_reply([{"DOI": "10.11501/1", "status": "DOI does not exist"}])) is None
    assert read_agency(html()) is None
