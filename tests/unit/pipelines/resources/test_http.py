"""The way out: where it may lead, how much it takes in, and that whatever goes wrong has a name."""

import asyncio
import gzip
import resource
import threading
from contextlib import contextmanager

import pytest

from pipelines.resources.http import HttpTransport, is_public
from quality.model import Identifier
from quality.registries.transport import NoReply, Request
from quality.registries.verdict import State
from tests.unit.quality.registries.fakes import verdict

INWARD = [
    "http://169.254.169.254/latest/meta-data/",
    "http://localhost:8080/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f.0.0.1/",
    "http://[::1]/",
    "http://[::ffff:169.254.169.254]/",
    "http://inward.test/",
    "http://mixed.test/",
    "file:///etc/passwd",
    "gopher://papers.test/x",
    "http://user:pw@10.0.0.5/",
    "http://[64:ff9b::a00:5]/",
    "http://0/",
    "http://printer.local/",
]
NAMES = {"inward.test": ["127.0.0.1"], "mixed.test": ["93.184.216.34", "10.0.0.5"]}


async def names(host, port):
    if host not in NAMES:
        raise OSError("no such name")
    return NAMES[host]


@contextmanager
def serving(respond):
    """A server whose whole conduct is ``respond(writer)``; gives its port and the number of connections."""
    seen = []
    loop, ready, stop = asyncio.new_event_loop(), threading.Event(), asyncio.Event()
    ports = []

    async def handle(reader, writer):
        seen.append(await reader.readuntil(b"\r\n\r\n"))
        try:
            await respond(writer)
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def run():
        server = await asyncio.start_server(handle, "127.0.0.1", 0)
        ports.append(server.sockets[0].getsockname()[1])
        ready.set()
        await stop.wait()
        server.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
        await asyncio.sleep(0.05)

    thread = threading.Thread(target=loop.run_until_complete, args=(run(),), daemon=True)
    thread.start()
    ready.wait(10)
    try:
        yield ports[0], seen
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)
        loop.close()


def send(url, *, transport=None, **more):
    async def run():
        async with HttpTransport(**(transport or {})) as way:
            return await way.send(Request(url, **more))

    return asyncio.run(run())


def reason(url, **more):
    with pytest.raises(NoReply) as caught:
        send(url, **more)
    return caught.value.reason


@pytest.mark.parametrize("url", INWARD)
def test_an_address_out_of_a_report_never_leads_inward(url):
    assert reason(url, transport={"resolver": names}, guarded=True) == "blocked_target"


@pytest.mark.parametrize("url", INWARD)
def test_and_is_unknown_and_never_not_found(url):
    async def run():
        async with HttpTransport(resolver=names) as way:
            from tests.unit.quality.registries.fakes import lookup

            one = Identifier("url", url)
            return (await lookup(way).look_up([one]))[one]

    got = asyncio.run(run())
    assert (got.state, got.reason) == (State.UNKNOWN, "blocked_target")


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1:248:1893:25c8:1946", True),
        ("::ffff:93.184.216.34", True),
        ("10.0.0.5", False),
        ("100.64.0.1", False),
        ("224.0.0.1", False),
        ("0.0.0.0", False),
        ("::", False),
        ("fe80::1%eth0", False),
        ("2002:7f00:1::", False),
        ("::ffff:10.0.0.5", False),
    ],
)
def test_what_is_public(address, public):
    assert is_public(address) is public


def test_a_name_without_address_is_unresolved():
    assert reason("http://nowhere.test/", transport={"resolver": names}, guarded=True) == "unresolved_host"


def test_the_connection_goes_to_the_address_that_was_looked_at():
    asked = []

    async def rebinding(host, port):
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["10.0.0.5"]

    async def hello(writer):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nSet-Cookie: a=b\r\n\r\nhi")
        await writer.drain()

    with serving(hello) as (port, seen):
        got = send(
            f"http://papers.test:{port}/x", guarded=True,
            transport={"resolver": rebinding, "reachable": lambda address: address == "127.0.0.1"},
        )  # fmt: skip
    assert (got.status, got.body) == (200, b"hi")
    assert f"host: papers.test:{port}".encode() in seen[0].lower()
    assert asked == ["papers.test"]


def writes(*pieces, pause=0.0, for_ever=None):
    async def respond(writer):
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(pause)
        while for_ever:
            writer.write(for_ever)
            await writer.drain()
            await asyncio.sleep(0.05)

    return respond


def packed(head):
    body = gzip.compress(b"\0" * 300_000_000, 1)
    return writes(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n" + head(body), body)


@pytest.mark.parametrize("length", [True, False])
def test_a_small_reply_cannot_unpack_to_gigabytes(length):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    head = (
        (lambda body: b"Content-Length: %d\r\n\r\n" % len(body))
        if length
        else (lambda body: b"Connection: close\r\n\r\n")
    )
    with serving(packed(head)) as (port, _):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        assert reason(f"http://127.0.0.1:{port}/") == "too_large"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000


@pytest.mark.parametrize(
    ("respond", "why"),
    [
        (writes(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", for_ever=b"x"), "too_slow"),
        (writes(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf"), "cut_body"),
        (
            writes(
                b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 20\r\n\r\n"
                + gzip.compress(b"x" * 99)[:20]
            ),
            "cut_body",
        ),
        (
            writes(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nhtml"),
            "bad_encoding",
        ),
        (writes(b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 4\r\n\r\nhtml"), "bad_encoding"),
        (writes(b"SSH-2.0-whatever\r\n"), "cut_body"),
        (writes(b""), "cut_body"),
    ],
)
def test_every_way_of_not_answering_has_a_name(respond, why):
    with serving(respond) as (port, _):
        assert reason(f"http://127.0.0.1:{port}/", transport={"total_seconds": 1.0}) == why


def test_nobody_there():
    with serving(writes(b"")) as (port, _):
        pass
    assert reason(f"http://127.0.0.1:{port}/") == "connection"


def test_a_page_is_cut_where_a_part_of_it_is_enough():
    with serving(writes(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + b"x" * 1000)) as (port, _):
        assert len(send(f"http://127.0.0.1:{port}/", most_bytes=100, whole=False).body) == 100
        assert reason(f"http://127.0.0.1:{port}/", most_bytes=100) == "too_large"


def test_redirects_are_not_followed_here():
    with serving(
        writes(b"HTTP/1.1 302 Found\r\nLocation: http://10.0.0.5/\r\nContent-Length: 0\r\n\r\n")
    ) as (port, _):
        assert send(f"http://127.0.0.1:{port}/").status == 302


def test_a_fake_transport_and_this_one_are_asked_alike():
    from tests.unit.quality.registries.fakes import Net, reply

    page = Identifier("url", "https://a.test/x")
    assert verdict(Net([("", reply(404))]), page).state is State.NOT_FOUND
