"""The public cases about identifiers and registries, which lie beside the project."""

import asyncio
import json
from pathlib import Path

import pytest

from quality.citations.reader import read
from quality.metrics.dirt import find_dirt
from quality.model import Identifier
from quality.registries.answers import NotFound, Unknown
from quality.registries.arxiv import parse_arxiv
from quality.registries.clients.arxiv_api import Arxiv
from quality.registries.clients.crossref import Crossref
from quality.registries.clients.europepmc import EuropePmc
from quality.registries.identifiers import find_identifiers, normalise_doi
from quality.registries.isbn import isbn_is_valid, normalise_isbn
from quality.registries.manners import Courier
from quality.registries.references import references_of
from quality.registries.transport import Request
from quality.registries.verdict import State
from tests.unit.quality.registries.fakes import (
    NO_CROSSREF,
    NO_DATACITE,
    Clock,
    Net,
    crossref,
    datacite,
    feed,
    handle,
    json_reply,
    no_handle,
    reply,
    verdict,
    verdicts,
)

CASES = Path(__file__).parents[5] / "shared" / "cases" / "cases.jsonl"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not CASES.is_file(), reason=f"the public cases are not at {CASES}"),
]
DOI_ONLY = {"doi": ("crossref", "datacite", "doi.org")}


def load(name):
    rows = (json.loads(line) for line in CASES.read_text("utf-8").splitlines())
    found = next(row for row in rows if row["id"] == name)
    return found["input"], found["expected"]


def first(text, *kinds):
    return next((one for one in find_identifiers(text) if one.kind in kinds), None)


@pytest.mark.parametrize(("case", "field"), [("K3-02", "texts"), ("K3-04", "texts"), ("K3-08", "urls")])
def test_dois_out_of_text(case, field):
    given, expected = load(case)
    assert [first(text, "doi").value for text in given[field]] == expected["dois"]


def test_k3_05_and_its_query():
    given, expected = load("K3-05")
    net = Net([("crossref", crossref(given["doi"]))])
    assert verdict(net, Identifier("doi", given["doi"]), table={"doi": ("crossref",)}).state is State.FOUND
    url = net.requests[0].url
    assert url.startswith(given["registry_base"])
    assert all(part in url for part in expected["path_must_contain"])
    assert "#" not in url
    assert "?" not in url


def test_k3_06():
    given, expected = load("K3-06")
    for case, status, form in zip(given["cases"], expected["status"], expected["matched_form"], strict=True):

        def works(request, mock=case["mock"]):
            doi = request.url.rsplit("/works/", 1)[1].replace("%2F", "/")
            return crossref(doi) if mock[doi] == 200 else NO_CROSSREF

        def handles(request):
            return no_handle(request.url.rsplit("handles/", 1)[1].replace("%2F", "/"))

        net = Net([("crossref", works), ("datacite", NO_DATACITE), ("handles", handles)])
        got = verdict(net, Identifier("doi", case["doi"]), table=DOI_ONLY)
        assert (got.state, got.form or case["doi"]) == (status, form)


def test_k3_09():
    given, expected = load("K3-09")
    net = Net([("crossref", NO_CROSSREF), ("datacite", NO_DATACITE)])
    for text, identifier, status in zip(
        given["texts"], expected["identifiers"], expected["status"], strict=True
    ):
        one = first(text, "doi", "shortdoi")
        assert (one and {"type": one.kind, "value": one.value}) == identifier
        assert one is None or verdict(net, one).state == status


def test_k3_10():
    given, expected = load("K3-10")
    for case, status, agency in zip(given["cases"], expected["status"], expected["agency"], strict=True):
        mock, doi = case["mock"], case["doi"]
        answers = {200: datacite(doi), 404: NO_DATACITE, 503: reply(503)}
        routes = [("crossref", NO_CROSSREF), ("datacite", answers[mock["datacite"]])]
        if "doi.org handle" in mock:
            routes.append(("handles", no_handle(doi)))
        got = verdict(Net(routes), Identifier("doi", doi), table=DOI_ONLY)
        assert got.state == status
        assert (got.record.agency if got.record else None) == agency


def test_k3_11():
    given, expected = load("K3-11")
    found = {one for text in given["identifiers"] for one in find_identifiers(text)}
    assert len(found) == expected["distinct_works"]
    (one,) = found
    assert f"{one.kind}:{one.value}" == expected["canonical"]


def test_k3_12():
    given, expected = load("K3-12")
    for text, wanted in zip(given["texts"], expected["ids"], strict=True):
        got = parse_arxiv(text)
        seen = got and {"id": got.value, "version": got.version, "class": got.subject}
        assert (seen and {k: v for k, v in seen.items() if v is not None}) == wanted


def test_k3_13():
    given, expected = load("K3-13")
    for case, status in zip(given["cases"], expected["status"], strict=True):
        mock = case["mock"]
        if "atom" in mock:
            made = feed(*((e["id"], e["title"]) for e in mock["atom"]["entries"]))
        else:
            made = reply(mock["status"], mock["body"], {"content-type": mock["content_type"]})
        net = Net([("export.arxiv.org", made)])
        assert verdict(net, Identifier("arxiv", case["id"]), table={"arxiv": ("arxiv",)}).state == status


def test_k3_14():
    given, expected = load("K3-14")
    made = feed(*((f"http://arxiv.org/abs/{i}v1", f"Paper {i}") for i in given["mock_reply_order"]))
    asked = [Identifier("arxiv", i) for i in given["ask"]]
    got = verdicts(Net([("export.arxiv.org", made)]), *asked, table={"arxiv": ("arxiv",)})
    assert {i.value: v.state for i, v in got.items()} == expected["status"]
    assert all(v.record.title == f"Paper {i.value}" for i, v in got.items() if v.record)
    assert Arxiv.batch >= len(asked)


def test_k3_15():
    given, expected = load("K3-15")
    one = Identifier("doi", given["doi"])
    hits = json_reply(
        {"hitCount": given["mock"]["hitCount"], "resultList": {"result": given["mock"]["results"]}}
    )
    assert EuropePmc().read((one,), hits)[one] == NotFound()
    net = Net([("europepmc", hits)])
    verdict(net, one, table={"doi": ("europepmc",)})
    from urllib.parse import parse_qs, urlsplit

    assert parse_qs(urlsplit(net.requests[0].url).query)["query"] == [expected["request_query"]]


def test_k3_16():
    given, expected = load("K3-16")
    one = Identifier("doi", given["doi"])
    hits = json_reply(
        {"hitCount": given["mock"]["hitCount"], "resultList": {"result": given["mock"]["results"]}}
    )
    got = EuropePmc().read((one,), hits)[one]
    assert isinstance(got, Unknown)
    assert got.reason == expected["reason"]


def test_k3_18():
    given, expected = load("K3-18")
    one = Identifier("doi", "10.5555/abc.1")
    for case, status in zip(given["cases"], expected["status_per_case"], strict=True):
        mock = case["mock"]
        got = Crossref().read(
            (one,), reply(mock["status"], mock["body"], {"content-type": mock["content_type"]})
        )[one]
        assert isinstance(got, {"unknown": Unknown, "not_found": NotFound}[status])


def test_k3_21():
    given, expected = load("K3-21")
    clock = Clock(1_767_225_600.0)
    one = Identifier("doi", "10.5555/abc.1")
    replies = [
        crossref(one.value)
        if r["status"] == 200
        else reply(r["status"], headers={"retry-after": r["Retry-After"]})
        for r in given["replies"]
    ]
    net = Net([("crossref", replies)])
    from quality.registries.manners import Patience

    got = verdict(net, one, table={"doi": ("crossref",)}, clock=clock, patience=Patience())
    assert got.state == expected["status"]
    assert len(net.requests) == expected["requests"]
    assert clock.now - 1_767_225_600.0 >= sum(expected["waits_at_least_s"])
    for_ever = Net([("crossref", reply(429, headers={"retry-after": "7"}))])
    assert verdict(for_ever, one, table={"doi": ("crossref",)}).state == expected["if_retries_exhausted"]


def test_k3_22():
    given, expected = load("K3-22")
    for number, case in enumerate(given["cases"], 1):
        net, clock = Net([("", reply(200))]), Clock()
        told = {"api.crossref.org": case["contact"]} if case["contact"] else {}
        courier = Courier(net, clock=clock, sleep=clock.sleep, chance=lambda: 0.0, contact=told)
        for client in (Crossref(), EuropePmc()):
            asyncio.run(courier.send(client.request((Identifier("doi", "10.5555/x"),))))
        asyncio.run(courier.send(Request("https://papers.test/x")))
        hosts = [r.url.split("/")[2] for r in net.requests if "@" in r.headers["user-agent"] or "@" in r.url]
        assert hosts == expected[f"case_{number}"]["contact_sent_to"]
        assert all(r.url.startswith("https://") for r in net.requests)


def test_k3_23():
    given, expected = load("K3-23")
    primary = Identifier("doi", expected["alias_of"])
    alias = handle(given["doi"], [{"type": "URL", "data": {"value": f"https://doi.org/{primary.value}"}}])
    routes = [
        (f"works/{primary.value}", crossref(primary.value)),
        ("crossref", NO_CROSSREF),
        ("datacite", NO_DATACITE),
    ]
    got = verdict(Net([*routes, ("handles", alias)]), Identifier("doi", given["doi"]), table=DOI_ONLY)
    assert (got.state, got.alias_of) == (expected["status"], primary)
    without = verdict(Net(routes), Identifier("doi", given["doi"]), table={"doi": ("crossref", "datacite")})
    assert (without.state, without.reason) == (State.UNKNOWN, "no_last_word")


def test_k3_24():
    given, expected = load("K3-24")
    routes = [("crossref", NO_CROSSREF), ("datacite", NO_DATACITE), ("handles", handle(given["doi"]))]
    got = verdict(Net(routes), Identifier("doi", given["doi"]), table=DOI_ONLY)
    assert (got.state, got.reason, got.recheck) == (
        expected["status"],
        "no_metadata",
        expected["recheck_scheduled"],
    )


def test_k3_25():
    given, expected = load("K3-25")
    doi = given["cases"][0]["doi"]
    routes = [
        ("crossref", NO_CROSSREF),
        ("datacite", NO_DATACITE),
        ("doiRA", json_reply([{"DOI": doi, "RA": "JaLC"}])),
    ]
    got = verdict(Net(routes), Identifier("doi", doi), table=DOI_ONLY)
    assert (got.state, got.reason) == (expected["status"][0], expected["reason"][0])
    known = verdict(Net([*routes, ("handles", handle(doi))]), Identifier("doi", doi), table=DOI_ONLY)
    assert (known.state, known.record.agency) == (State.FOUND, "jalc")
    assert find_identifiers(given["cases"][1]["entry"]) == ()


def test_k3_29():
    given, expected = load("K3-29")
    for text, wanted in zip(given["texts"], expected["ids"], strict=True):
        one = first(text, "pmid", "pmcid")
        assert (one and {one.kind: one.value}) == wanted


def test_k3_30():
    given, expected = load("K3-30")
    assert [isbn_is_valid(i) for i in given["isbns"]] == expected["valid"]
    ids = [Identifier("isbn", normalise_isbn(i)) for i in given["isbns"]]
    assert [i.value if isbn_is_valid(i.value) else None for i in ids] == expected["isbn13"]
    got = verdicts(Net(), *ids)
    assert [got[i].state for i in ids] == expected["status_when_no_registry_covers_books"]
    assert {got[i].reason for i in ids if got[i].state is State.NOT_FOUND} == {"malformed"}


def test_k2_17():
    body, expected = load("K2-17")
    body = body.replace(" (HTTP mock: 200)", "")
    reading = read(body)
    assert {e.key for e in reading.entries if find_dirt(e)} == set(expected["dirty"])
    net = Net([("", reply(200, "<title>Tools</title>", {"content-type": "text/html"}))])
    asked = [one for r in references_of(body, reading) for one in r.identifiers]
    got = verdicts(net, *asked)
    assert {v.state for v in got.values()} == {State.UNKNOWN}
    assert net.requests == []


def test_k7_11():
    given, expected = load("K7-11")

    def anything(request):
        return json_reply(
            {"hitCount": 1, "resultList": {"result": [{"doi": "10.1038/nature", "title": "Something"}]}}
        )

    net = Net([("europepmc", anything), ("crossref", crossref("10.1038/nature"))])
    asked = [Identifier("doi", normalise_doi(i) or i) for i in given["identifiers"]]
    got = verdicts(net, *asked)
    assert sum(v.state is State.FOUND for v in got.values()) == expected["status_found"]
    assert all("%22+OR" not in r.url for r in net.requests)
