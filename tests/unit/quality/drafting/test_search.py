"""Searching for sources: the request, what is taken of a reply, and that a failed search is no empty one."""

import asyncio
import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest

from pipelines.drafting.searcher import search_all
from quality.drafting.model import Lead
from quality.drafting.search import read_search, search_request
from quality.model import Source
from quality.registries.transport import NoReply, Reply

LEAD = Lead("q1", 'How far does sand move in "one" night?')
HIT = {
    "id": "123",
    "source": "MED",
    "title": "Dune fields in motion.",
    "doi": "10.5555/DUNES.1",
    "pmid": "123",
    "authorString": "Halvorsen I, Dudek M.",
    "pubYear": "2021",
    "journalTitle": "Sand Quarterly",
    "abstractText": "<h4>Results</h4>Sand moved 3&nbsp;m in one night.",
}


def reply(value, status=200, kind="application/json"):
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    return Reply(status, {"content-type": kind}, body)


def results(*hits):
    return {"hitCount": len(hits), "resultList": {"result": list(hits)}}


def test_the_words_of_the_question_are_searched_for_each_quoted():
    asked = parse_qs(urlsplit(search_request(LEAD).url).query)
    assert asked["query"] == ['("sand" OR "move" OR "night") AND HAS_ABSTRACT:Y']
    assert (asked["format"], asked["resultType"]) == (["json"], ["core"])
    assert search_request(Lead("q", "How far?")) is None


def test_a_result_becomes_a_source_with_its_abstract_as_text():
    assert read_search(reply(results(HIT))) == (
        Source(
            "europepmc:MED:123",
            "Dune fields in motion",
            url="https://europepmc.org/article/MED/123",
            doi="10.5555/dunes.1",
            pmid="123",
            authors=("Halvorsen I", "Dudek M"),
            year=2021,
            venue="Sand Quarterly",
            kind="article",
            text="Results Sand moved 3 m in one night.",
        ),
    )


@pytest.mark.parametrize("lack", ["abstractText", "title", "id", "source"])
def test_a_result_that_cannot_be_cited_is_left_out(lack):
    assert read_search(reply(results({k: v for k, v in HIT.items() if k != lack}))) == ()


def test_a_retracted_work_is_left_out():
    taken_back = {**HIT, "pubTypeList": {"pubType": ["Journal Article", "Retracted Publication"]}}
    assert read_search(reply(results(taken_back))) == ()
    assert read_search(reply(results())) == ()


@pytest.mark.parametrize(
    "odd",
    [
        reply(results(HIT), status=500),
        reply(results(HIT), status=429),
        reply(b"<html>busy</html>", kind="text/html"),
        reply(b'{"hitCount": 1'),
        reply({"hitCount": 1}),
        reply([]),
    ],
)
def test_an_odd_reply_is_no_reply(odd):
    with pytest.raises(NoReply):
        read_search(odd)


@contextmanager
def server(status, payload):
    seen = []

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_):
            """Say nothing."""

        def do_GET(self):
            seen.append(self.path)
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=http.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{http.server_port}", seen
    finally:
        http.shutdown()
        http.server_close()
        thread.join()


def test_many_leads_are_searched_for_over_sockets():
    with server(200, json.dumps(results(HIT)).encode()) as (url, seen):
        found = asyncio.run(search_all([LEAD, Lead("q2", "Which wind moves sand?"), Lead("q3", "Why?")], url))
    assert {i: [s.source_id for s in f.sources] for i, f in found.items()} == {
        "q1": ["europepmc:MED:123"],
        "q2": ["europepmc:MED:123"],
        "q3": [],
    }
    assert len(seen) == 2
    assert all(f.flags == () for f in found.values())


def test_a_search_that_fails_is_said_and_is_no_empty_result():
    with server(404, b"{}") as (url, _):
        found = asyncio.run(search_all([LEAD], url))
    assert found["q1"].sources == ()
    assert found["q1"].flags[0].startswith("search_failed: ")
