"""A server on loopback that speaks the documented protocols of all registries over real sockets, with faults on demand.

Belongs here: the protocols as their documentation and public replies show them, and the faults. It is a simulation: what the
live services do beyond their documentation is not in it.

Which works exist is decided by the identifier itself: one with ``real`` in it does (a number divisible by ten where it has only
digits), everything else does not. Who registered a DOI follows from its last digit.
"""

from __future__ import annotations

import asyncio
import json
import random
import socket
import threading
import time
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import parse_qs, unquote, urlsplit

from pipelines.registries_config import RegistryRow, RegistrySettings
from quality.model import Identifier
from quality.registries.known import USUAL

FAULTS = ("latency", "reset", "half_body", "wrong_type", "storm", "server_error", "html")
PATHS = {
    "crossref": "/crossref", "datacite": "/datacite", "europepmc": "/europepmc", "arxiv": "/arxiv", "pubmed": "/pubmed",
    "pmc": "/pmc", "doi.org": "/doi",
}  # fmt: skip


@dataclass
class Behaviour:
    """What goes wrong: the share of requests that each fault hits, outages by registry, and a limit that is announced."""

    faults: dict[str, float] = field(default_factory=dict)
    down: set[str] = field(default_factory=set)
    down_from: int = -1  # from this request on everything is down …
    down_for: int = 0  # … for so many requests
    per_second: float | None = None
    seed: int = 1


class RegistryServer:
    """The server; use ``served``."""

    def __init__(self, behaviour: Behaviour) -> None:
        self.behaviour = behaviour
        self.requests: Counter[str] = Counter()
        self.refused = 0
        self.port = 0
        self.times: deque[float] = deque()
        self._random = random.Random(behaviour.seed)
        self._seen = 0

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                method, target, _ = line.decode("latin-1").split(" ", 2)
                while (await reader.readline()).strip():
                    pass
                if not await self._reply(writer, method, target):
                    return
        except (ConnectionError, ValueError):
            pass
        finally:
            writer.close()

    async def _reply(self, writer: asyncio.StreamWriter, method: str, target: str) -> bool:
        """Answer one request; False: the connection ends."""
        self._seen += 1
        parts = urlsplit(target)
        registry = next((name for name, path in PATHS.items() if parts.path.startswith(path)), "")
        self.requests[registry] += 1
        b = self.behaviour
        if registry in b.down or b.down_from <= self._seen < b.down_from + b.down_for:
            _reset(writer)
            return False
        headers: dict[str, str] = {}
        if b.per_second is not None:
            headers = {"X-Rate-Limit-Limit": f"{b.per_second:g}", "X-Rate-Limit-Interval": "1s"}
            now = time.monotonic()
            while self.times and self.times[0] <= now - 1:
                self.times.popleft()
            if len(self.times) >= b.per_second:
                self.refused += 1
                return await _write(writer, 429, "text/plain", b"slow down", {"Retry-After": "1", **headers})
            self.times.append(now)
        fault = next((name for name, share in b.faults.items() if self._random.random() < share), None)
        status, kind, body = answer(
            registry, parts.path.removeprefix(PATHS.get(registry, "")), parse_qs(parts.query)
        )
        if fault == "reset":
            _reset(writer)
            return False
        if fault == "latency":
            await asyncio.sleep(self._random.uniform(0.05, 0.3))
        elif fault == "half_body":
            head = (
                f"HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
            )
            writer.write(head + body[: len(body) // 2])
            await writer.drain()
            return False
        elif fault == "wrong_type":
            kind = "application/octet-stream"
        elif fault == "storm":
            wait = (
                "0"
                if self._random.random() < 0.5
                else time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime())
            )
            return await _write(writer, 429, "text/plain", b"slow down", {"Retry-After": wait, **headers})
        elif fault == "server_error":
            status, kind, body = self._random.choice((500, 502, 503, 504)), "text/html", b"<h1>oops</h1>"
        elif fault == "html":
            status, kind, body = (
                self._random.choice((200, 404)),
                "text/html",
                b"<h1>Service temporarily down</h1>",
            )
        return await _write(writer, status, kind, body, headers)


async def _write(
    writer: asyncio.StreamWriter, status: int, kind: str, body: bytes, headers: dict[str, str]
) -> bool:
    head = f"HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    writer.write(head.encode() + b"\r\n" + body)
    await writer.drain()
    return True


def _reset(writer: asyncio.StreamWriter) -> None:
    sock = writer.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
    writer.transport.abort()


def exists(value: str) -> bool:
    """Whether an identifier names a work of this world."""
    digits = "".join(c for c in value if c.isdigit())
    letters = any(c.isalpha() for c in value.upper().removeprefix("PMC"))
    return "real" in value if letters else bool(digits) and int(digits) % 10 == 0


def registrar(doi: str) -> str:
    """Who registered a DOI: Crossref, DataCite, or an agency that only doi.org knows."""
    last = int(doi[-1]) if doi[-1].isdigit() else 0
    return "crossref" if last < 6 else "datacite" if last < 9 else "doi.org"


def answer(registry: str, path: str, query: dict[str, list[str]]) -> tuple[int, str, bytes]:
    """The reply of one registry: status, media type, body."""
    if registry == "crossref":
        return _crossref(unquote(path.removeprefix("/works/")))
    if registry == "datacite":
        return _datacite(unquote(path.removeprefix("/dois/")))
    if registry == "europepmc":
        return _europepmc(query["query"][0])
    if registry == "arxiv":
        return _arxiv(query["id_list"][0].split(","))
    if registry == "pubmed":
        return _pubmed(query["id"][0].split(","))
    if registry == "pmc":
        return _pmc(query["ids"][0].split(","))
    if registry == "doi.org":
        return _doi(path)
    return 404, "text/plain", b"nothing here"


def title_of(value: str) -> str:
    """The title of a work of this world."""
    return f"The work that is called {value}"


def _json(value: object, status: int = 200, kind: str = "application/json") -> tuple[int, str, bytes]:
    return status, kind, json.dumps(value).encode()


def _crossref(doi: str) -> tuple[int, str, bytes]:
    if not exists(doi) or registrar(doi) != "crossref":
        return 404, "text/plain", b"Resource not found."
    work = {
        "DOI": doi.upper(),
        "title": [title_of(doi)],
        "author": [{"family": "Doe", "given": "Jane"}],
        "type": "journal-article",
    }
    return _json({"status": "ok", "message-type": "work", "message": work})


def _datacite(doi: str) -> tuple[int, str, bytes]:
    if not exists(doi) or (registrar(doi) != "datacite" and not doi.startswith("10.48550/")):
        return _json(
            {"errors": [{"status": "404", "title": "The resource you are looking for doesn't exist."}]}, 404
        )
    attributes = {
        "doi": doi,
        "titles": [{"title": title_of(doi)}],
        "creators": [{"name": "Doe, Jane"}],
        "publicationYear": 2020,
    }
    return _json(
        {"data": {"id": doi, "type": "dois", "attributes": attributes}}, kind="application/vnd.api+json"
    )


def _europepmc(query: str) -> tuple[int, str, bytes]:
    field_name, _, rest = query.partition(":")
    value = rest.split('"')[1]
    known = field_name != "DOI" and exists(value)
    names = {"EXT_ID": "pmid", "PMCID": "pmcid", "DOI": "doi"}
    hits = [{names[field_name]: value, "source": "MED", "title": title_of(value) + "."}] if known else []
    return _json({"hitCount": len(hits), "resultList": {"result": hits}})


def _arxiv(ids: list[str]) -> tuple[int, str, bytes]:
    known = [i for i in reversed(ids) if exists(i)]
    entries = "".join(
        f"<entry><id>http://arxiv.org/abs/{i}v1</id><title>{title_of(i)}</title><author><name>Jane Doe</name></author></entry>"
        for i in known
    )
    body = (
        '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:o="http://a9.com/-/spec/opensearch/1.1/">'
        f"<o:totalResults>{len(known)}</o:totalResults>{entries}</feed>"
    )
    return 200, "application/atom+xml; charset=UTF-8", body.encode()


def _pubmed(ids: list[str]) -> tuple[int, str, bytes]:
    result: dict[str, object] = {"uids": ids}
    for i in ids:
        result[i] = (
            {"uid": i, "title": title_of(i) + ".", "authors": [{"name": "Doe J"}], "pubdate": "2020 Jan"}
            if exists(i)
            else {"uid": i, "error": "cannot get document summary"}
        )
    return _json({"header": {"type": "esummary"}, "result": result})


def _pmc(ids: list[str]) -> tuple[int, str, bytes]:
    records = [
        {"requested-id": i, "pmcid": i, "pmid": int(i[3:])}
        if exists(i)
        else {"requested-id": i, "status": "error", "errmsg": "Identifier not found in PMC"}
        for i in reversed(ids)
    ]
    return _json({"status": "ok", "records": records})


def _doi(path: str) -> tuple[int, str, bytes]:
    if path.startswith("/doiRA/"):
        return _json([{"DOI": unquote(path.removeprefix("/doiRA/")), "RA": "JaLC"}])
    doi = unquote(path.removeprefix("/api/handles/"))
    known = exists(doi)
    return _json({"responseCode": 1 if known else 100, "handle": doi, "values": []}, 200 if known else 404)


@contextmanager
def served(behaviour: Behaviour | None = None) -> Iterator[RegistryServer]:
    """Run the server in a thread of its own."""
    server = RegistryServer(behaviour or Behaviour())
    loop = asyncio.new_event_loop()
    ready, stop = threading.Event(), asyncio.Event()

    async def run() -> None:
        made = await asyncio.start_server(server.handle, "127.0.0.1", 0, backlog=512)
        server.port = made.sockets[0].getsockname()[1]
        ready.set()
        await stop.wait()
        made.close()

    def work() -> None:
        loop.run_until_complete(run())
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0.05))
        loop.close()

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    ready.wait(10)
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)


def settings_for(
    server: RegistryServer, *, per_second: float = 100_000, at_once: int = 32
) -> RegistrySettings:
    """The usual table, every registry at this server."""
    table = {kind: tuple(n for n in names if n != "web") for kind, names in USUAL.items() if kind != "url"}
    rows = {
        name: RegistryRow(url=f"http://127.0.0.1:{server.port}{path}", per_second=per_second, at_once=at_once)
        for name, path in PATHS.items()
    }
    return RegistrySettings(table=table, rows=rows, at_once=at_once)


def some_identifiers(count: int) -> list[Identifier]:
    """Identifiers of every kind, every second one real."""
    made = []
    for n in range(count):
        word, number = ("real", n * 10) if n % 2 else ("void", n * 10 + 1)
        kind = ("doi", "doi", "doi", "doi", "doi", "doi", "arxiv", "arxiv", "pmid", "pmcid")[n // 2 % 10]
        value = {
            "doi": f"10.5555/{word}.{n // 20 % 1000}.{n // 2 % 10}{n // 7 % 10}",
            "arxiv": f"{17 + n % 8}{1 + n % 12:02}.{number % 100_000:05}",
            "pmid": str(number + 10),
            "pmcid": f"PMC{number + 10_010 - 10 * (n % 2 == 0)}",
        }[kind]
        made.append(Identifier(kind, value))
    return list(dict.fromkeys(made))
