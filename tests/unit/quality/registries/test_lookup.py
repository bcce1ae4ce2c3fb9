"""Many identifiers: found, not found, unknown, and never the wrong one of these."""

import asyncio

import pytest

from quality.model import Identifier
from quality.registries.answers import Found, NotFound, Record
from quality.registries.transport import NoReply
from quality.registries.verdict import State
from tests.unit.quality.registries.fakes import (
    NO_CROSSREF,
    NO_DATACITE,
    NO_EUROPEPMC,
    Clock,
    Memory,
    Net,
    crossref,
    datacite,
    feed,
    handle,
    html,
    json_reply,
    lookup,
    no_handle,
    reply,
    verdict,
    verdicts,
)

DOI = Identifier("doi", "10.5555/abc.1")
NOBODY = [("crossref", NO_CROSSREF), ("datacite", NO_DATACITE), ("europepmc", NO_EUROPEPMC)]
AGENCY = ("doiRA", json_reply([{"RA": "JaLC"}]))


class Corpus:
    name = "snapshot"

    def __init__(self, *identifiers, authoritative=False):
        self.authoritative = authoritative
        self._known = dict.fromkeys(identifiers, Record(title="Known"))

    def find(self, identifiers):
        return {i: self._known[i] for i in identifiers if i in self._known}


def test_the_first_registry_that_knows_it_is_enough():
    net = Net([("crossref", crossref("10.5555/abc.1"))])
    got = verdict(net, DOI)
    assert (got.state, got.registry, len(net.requests)) == (State.FOUND, "crossref", 1)


def test_a_datacite_doi_is_a_no_at_crossref_and_real():
    got = verdict(Net([("crossref", NO_CROSSREF), ("datacite", datacite("10.5555/abc.1"))]), DOI)
    assert (got.state, got.record.agency) == (State.FOUND, "datacite")


def test_not_found_takes_every_registry_and_the_last_word():
    got = verdict(Net([*NOBODY, ("handles", no_handle("10.5555/abc.1"))]), DOI)
    assert got.state is State.NOT_FOUND
    assert [g.registry for g in got.given] == ["crossref", "datacite", "europepmc", "doi.org"]


@pytest.mark.parametrize("silent", ["crossref", "datacite", "europepmc", "handles"])
@pytest.mark.parametrize(
    "odd",
    [
        html(),
        html(404),
        reply(503),
        reply(429),
        NoReply("timeout"),
        NoReply("connection"),
        NoReply("cut_body"),
        reply(403),
    ],
)
def test_one_registry_that_cannot_answer_makes_it_unknown(silent, odd):
    routes = [
        (name, odd if name == silent else given)
        for name, given in [*NOBODY, ("handles", no_handle("10.5555/abc.1"))]
    ]
    assert verdict(Net(routes), DOI).state is State.UNKNOWN


def test_without_a_last_word_nothing_is_called_fabricated():
    got = verdict(Net(NOBODY), DOI, table={"doi": ("crossref", "datacite")})
    assert (got.state, got.reason) == (State.UNKNOWN, "no_last_word")
    assert "crossref, datacite" in got.detail


def test_a_fresh_doi_exists_before_its_metadata():
    got = verdict(Net([*NOBODY, ("handles", handle("10.5555/abc.1"))]), DOI)
    assert (got.state, got.reason, got.recheck) == (State.FOUND, "no_metadata", True)


def test_an_alias_leads_to_its_primary():
    alias = handle("10.5555/abc.1", [{"type": "HS_ALIAS", "data": {"value": "10.5555/primary.9"}}])
    net = Net([("works/10.5555/primary.9", crossref("10.5555/primary.9")), *NOBODY, ("handles", alias)])
    got = verdict(net, DOI)
    assert got.state is State.FOUND
    assert got.alias_of == Identifier("doi", "10.5555/primary.9")
    assert got.record.title == "A work"


def test_a_short_doi_is_looked_up_as_a_handle_only():
    short = Identifier("shortdoi", "10/b6vnmd")
    alias = handle("10/b6vnmd", [{"type": "HS_ALIAS", "data": {"value": "10.5555/abc.1"}}])
    net = Net([("handles/10/b6vnmd", alias), ("crossref", crossref("10.5555/abc.1"))])
    assert verdict(net, short).alias_of == DOI
    down = Net(NOBODY)
    assert verdict(down, short).state is State.UNKNOWN
    assert all("crossref" not in r.url for r in down.requests)


@pytest.mark.parametrize(
    ("doi", "registered", "form"),
    [("10.5555/abc/", "10.5555/abc", "10.5555/abc"), ("10.5555/04-413/", "10.5555/04-413/", None)],
)
def test_a_slash_at_the_end_is_tried_as_written_and_then_without(doi, registered, form):
    def works(request):
        asked = request.url.rsplit("/works/", 1)[1].replace("%2F", "/")
        return crossref(registered) if asked == registered else NO_CROSSREF

    def handles(request):
        return no_handle(request.url.rsplit("handles/", 1)[1].replace("%2F", "/"))

    net = Net([("crossref", works), *NOBODY[1:], ("handles", handles)])
    got = verdict(net, Identifier("doi", doi))
    assert (got.state, got.form) == (State.FOUND, form)


def test_an_agency_that_nobody_covers_is_named():
    got = verdict(Net([*NOBODY, AGENCY]), DOI)
    assert (got.state, got.reason) == (State.UNKNOWN, "agency_not_covered")
    assert "JaLC" in got.detail


def test_impossible_identifiers_are_settled_without_asking():
    net = Net()
    asked = (
        Identifier("isbn", "0131103627X"),
        Identifier("isbn", "0131103627"),
        Identifier("doi", '10.5555/x" OR DOI:"y'),
    )
    got = verdicts(net, *asked)
    assert [v.state for v in got.values()] == [State.NOT_FOUND, State.NOT_FOUND, State.UNKNOWN]
    assert {v.reason for v in got.values()} == {"malformed"}
    assert net.requests == []


def test_a_valid_isbn_that_nobody_covers_is_unknown():
    got = verdict(Net(), Identifier("isbn", "9780131103627"))
    assert (got.state, got.reason) == (State.UNKNOWN, "no_registry_covers")


def test_a_snapshot_is_asked_first_and_its_no_counts_only_when_it_is_the_whole_corpus():
    other = Identifier("doi", "10.5555/other")
    net = Net([*NOBODY, ("handles", no_handle("10.5555/other"))])
    got = verdicts(net, DOI, other, snapshots=[Corpus(DOI)])
    assert (got[DOI].registry, got[other].state) == ("snapshot", State.NOT_FOUND)
    assert all("abc.1" not in r.url for r in net.requests)
    assert verdict(Net(), other, snapshots=[Corpus(DOI)], table={}).reason == "no_registry_covers"
    assert (
        verdict(Net(), other, snapshots=[Corpus(DOI, authoritative=True)], table={}).state is State.NOT_FOUND
    )
    page = Identifier("url", "https://a.test/x")
    assert verdict(Net(), page, snapshots=[Corpus(DOI, authoritative=True)], table={}).state is State.UNKNOWN


def test_batches_swap_nothing_and_lose_nothing():
    ids = [Identifier("arxiv", f"1706.{n:05}") for n in range(1, 121)]
    real = {i.value for i in ids[::2]}

    def answer(request):
        asked = request.url.split("id_list=")[1].split("&")[0].split("%2C")
        known = [a for a in reversed(asked) if a in real]
        return feed(*((f"http://arxiv.org/abs/{a}v1", f"Paper {a}") for a in known))

    net = Net([("export.arxiv.org", answer)])
    got = verdicts(net, *ids, table={"arxiv": ("arxiv",)}, concurrency=100)
    assert all((v.state is State.FOUND) == (i.value in real) for i, v in got.items())
    assert all(v.record.title == f"Paper {i.value}" for i, v in got.items() if v.record)
    assert len(net.requests) <= 4
    assert list(got) == ids


def test_one_bad_id_does_not_spoil_a_batch():
    ids = [Identifier("arxiv", "1706.03762"), Identifier("arxiv", "not-a-real-id")]

    def answer(request):
        if "not-a-real-id" in request.url:
            return feed(("http://arxiv.org/api/errors#incorrect_id_format", "Error"))
        return feed(("http://arxiv.org/abs/1706.03762v1", "Paper"))

    got = verdicts(Net([("export.arxiv.org", answer)]), *ids, table={"arxiv": ("arxiv",)})
    assert [v.state for v in got.values()] == [State.FOUND, State.NOT_FOUND]


def test_an_outage_is_told_once_and_the_rest_stays_unknown():
    ids = [Identifier("doi", f"10.5555/{n}") for n in range(60)]
    told = []
    net = Net([("crossref", NoReply("connection"))])
    got = verdicts(net, *ids, table={"doi": ("crossref",)}, concurrency=4, on_outage=told.append)
    assert {v.state for v in got.values()} == {State.UNKNOWN}
    assert [(o.registry, o.reason) for o in told] == [("crossref", "connection")]
    assert len(net.requests) < 30
    assert {v.reason for v in got.values()} == {"connection", "registry_down"}


def test_a_registry_that_comes_back_is_asked_again():
    clock = Clock()
    cache = Memory()
    ids = [Identifier("doi", f"10.5555/{n}") for n in range(12)]
    down = Net([("crossref", NoReply("connection"))])
    one = lookup(down, table={"doi": ("crossref",)}, clock=clock, cache=cache, concurrency=1)
    asyncio.run(one.look_up(ids))
    cache.rows.clear()
    clock.now += 61
    down.routes = [
        ("crossref", lambda request: crossref(request.url.rsplit("%2F", 1)[-1].join(("10.5555/", ""))))
    ]
    got = asyncio.run(one.look_up(ids))
    assert {v.state for v in got.values()} == {State.FOUND}


def test_what_is_known_is_not_asked_again():
    cache = Memory()
    net = Net([*NOBODY, ("handles", no_handle("10.5555/abc.1"))])
    first = verdict(net, DOI, cache=cache)
    asked = len(net.requests)
    second = verdict(net, DOI, cache=cache)
    assert len(net.requests) == asked
    assert second.state is first.state is State.NOT_FOUND


def test_an_answer_of_a_registry_that_is_no_longer_asked_does_not_count():
    cache = Memory()
    verdict(Net([("crossref", crossref("10.5555/abc.1"))]), DOI, cache=cache)
    got = verdict(Net([("datacite", NO_DATACITE)]), DOI, cache=cache, table={"doi": ("datacite",)})
    assert got.state is State.UNKNOWN


def test_a_reply_that_no_client_foresaw_is_unknown():
    net = Net(
        [
            (
                "crossref",
                json_reply(
                    {"message": {"DOI": "10.5555/abc.1", "author": {"x": 1}, "relation": {"has-preprint": 3}}}
                ),
            )
        ]
    )
    got = verdict(net, DOI, table={"doi": ("crossref",)})
    assert got.state in {State.FOUND, State.UNKNOWN}
    strange = Net([("crossref", reply(200, b"\xff\xfe{", {"content-type": "application/json"}))])
    assert verdict(strange, DOI, table={"doi": ("crossref",)}).state is State.UNKNOWN


def test_the_evidence_is_kept():
    got = verdict(Net([("crossref", NO_CROSSREF), ("datacite", datacite("10.5555/abc.1"))]), DOI)
    assert [(g.registry, type(g.answer)) for g in got.given] == [("crossref", NotFound), ("datacite", Found)]


def test_addresses_are_asked_by_head_and_then_by_get():
    page = Identifier("url", "https://a.test/x")
    ok = reply(200, "<title>Tides</title>", {"content-type": "text/html"})
    gone = reply(404, "<h1>no</h1>", {"content-type": "text/html"})
    pdf = reply(200, b"", {"content-type": "application/pdf"})
    soft = reply(200, "<title>404 Not Found</title>", {"content-type": "text/html"})
    cases = [
        ([("HEAD", reply(405)), ("GET", ok)], State.FOUND, 2),
        ([("HEAD", pdf)], State.FOUND, 1),
        ([("HEAD", gone), ("GET", ok)], State.FOUND, 2),
        ([("HEAD", gone), ("GET", gone)], State.NOT_FOUND, 2),
        ([("HEAD", ok), ("GET", soft)], State.UNKNOWN, 2),
        ([("HEAD", reply(403)), ("GET", reply(403))], State.UNKNOWN, 2),
    ]
    for routes, state, requests in cases:
        net = Net(routes)
        assert verdict(net, page).state is state
        assert len(net.requests) == requests
        assert all(r.guarded for r in net.requests)


def test_redirects_are_followed_hop_by_hop_and_not_for_ever():
    page = Identifier("url", "https://a.test/x")
    hop = reply(302, headers={"location": "https://b.test/y"})
    there = reply(200, b"", {"content-type": "application/pdf"})
    assert verdict(Net([("a.test", hop), ("b.test", there)]), page).state is State.FOUND
    loop = reply(302, headers={"location": "https://a.test/x"})
    assert verdict(Net([("a.test", loop)]), page).reason == "too_many_redirects"
    inward = reply(302, headers={"location": "file:///etc/passwd"})
    assert verdict(Net([("a.test", inward)]), page).reason == "blocked_target"


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("https://example.com/market-tools", "placeholder_domain"),
        ("file:///etc/passwd", "blocked_target"),
        ("gopher://papers.test/x", "blocked_target"),
        ("http://user:pw@10.0.0.5/", "blocked_target"),
    ],
)
def test_addresses_that_are_never_asked(url, reason):
    net = Net([("", reply(200))])
    got = verdict(net, Identifier("url", url))
    assert (got.state, got.reason, net.requests) == (State.UNKNOWN, reason, [])
