"""A network of our own making for the tests of the registries: routes, a clock that only sleeping moves, no sockets."""

import asyncio
import json
from urllib.parse import unquote, urlsplit

from quality.registries.answers import Given
from quality.registries.known import KNOWN, USUAL
from quality.registries.lookup import Lookup
from quality.registries.manners import Courier, Patience
from quality.registries.transport import NoReply, Reply

JSON, ATOM = {"content-type": "application/json"}, {"content-type": "application/atom+xml"}


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self, now=1_767_225_600.0):  # 2026-01-01T00:00:00Z
        self.now = now
        self.slept = []

    def __call__(self):
        return self.now

    async def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)


class Net:
    """Answers by the first route whose text stands in the unquoted address; no route: no connection."""

    def __init__(self, routes=()):
        self.routes = list(routes)
        self.requests = []

    async def send(self, request):
        self.requests.append(request)
        await asyncio.sleep(0)
        address = f"{request.method} {unquote(request.url)}"
        for part, given in self.routes:
            if part in address:
                made = given(request) if callable(given) else given
                if isinstance(made, list):
                    made = made.pop(0) if len(made) > 1 else made[0]
                if isinstance(made, Exception):
                    raise made
                return made
        raise NoReply("connection", f"no route to {urlsplit(request.url).netloc}")


class Memory:
    """A cache that keeps everything."""

    def __init__(self):
        self.rows = {}

    def load(self, identifiers):
        return {i: list(self.rows.get(i, {}).values()) for i in identifiers if i in self.rows}

    def keep(self, given: Given):
        self.rows.setdefault(given.identifier, {})[given.registry] = given


def reply(status=200, body=b"", headers=None):
    return Reply(status, headers or {}, body if isinstance(body, bytes) else body.encode())


def json_reply(value, status=200, **headers):
    return reply(status, json.dumps(value), {**JSON, **headers})


def html(status=200, body="<h1>Service temporarily down</h1>"):
    return reply(status, body, {"content-type": "text/html; charset=utf-8"})


def crossref(doi, **fields):
    work = {"DOI": doi, "title": ["A work"], "author": [{"family": "Doe", "given": "Jane"}], **fields}
    return json_reply({"status": "ok", "message-type": "work", "message": work})


NO_CROSSREF = reply(404, "Resource not found.", {"content-type": "text/plain"})
NO_DATACITE = json_reply(
    {"errors": [{"status": "404", "title": "The resource you are looking for doesn't exist."}]}, 404
)
NO_EUROPEPMC = json_reply({"hitCount": 0, "resultList": {"result": []}})


def datacite(doi, **fields):
    attributes = {
        "doi": doi,
        "titles": [{"title": "A data set"}],
        "creators": [{"name": "Doe, Jane"}],
        **fields,
    }
    return json_reply({"data": {"id": doi, "attributes": attributes}})


def handle(doi, values=None, code=1, status=200):
    return json_reply({"responseCode": code, "handle": doi, "values": values or []}, status)


def no_handle(doi):
    return handle(doi, code=100, status=404)


def feed(*entries, total=None):
    """An Atom feed of (id, title) pairs as arXiv writes it."""
    inner = "".join(
        f"<entry><id>{i}</id><title>{t}</title><published>2017-06-12T00:00:00Z</published><author><name>Jane Doe</name></author></entry>"
        for i, t in entries
    )
    count = len(entries) if total is None else total
    return reply(
        200,
        '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:o="http://a9.com/-/spec/opensearch/1.1/">'
        f"<o:totalResults>{count}</o:totalResults>{inner}</feed>",
        ATOM,
    )


def lookup(net, *, table=None, snapshots=(), cache=None, clock=None, patience=None, **more):
    """A look-up over a net of routes, with the usual registries."""
    clock = clock or Clock()
    table = table if table is not None else USUAL
    names = dict.fromkeys(name for asked in table.values() for name in asked)
    courier = Courier(
        net,
        clock=clock,
        sleep=clock.sleep,
        chance=lambda: 0.0,
        patience=patience or Patience(attempts=2),
        agent="sluicegate/test",
    )
    return Lookup(
        registries={name: KNOWN[name].make(None) for name in names},
        table=table,
        snapshots=snapshots,
        cache=cache or Memory(),
        courier=courier,
        clock=clock,
        **more,
    )


def verdicts(net, *identifiers, **more):
    return asyncio.run(lookup(net, **more).look_up(identifiers))


def verdict(net, identifier, **more):
    return verdicts(net, identifier, **more)[identifier]
