"""The HTTP client, made here and nowhere else.

Belongs here: one request over httpx, with limits on time and size, and the guard that keeps addresses out of reports away
from inward hosts. Does not belong here: pace and repetition (``quality.registries.manners``), what a reply means.

A guarded request is resolved first, every address of the host has to be public, and the connection is made to the very
address that was looked at: a name that resolves differently a moment later changes nothing. Redirects are not followed here,
so each hop comes through the same guard. Guarded requests share no connection and use no proxy.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import zlib
from collections.abc import Awaitable, Callable, Sequence
from http.cookiejar import CookieJar, DefaultCookiePolicy
from types import TracebackType

import httpx

from quality.registries.transport import NoReply, Reply, Request

Resolver = Callable[[str, int], Awaitable[Sequence[str]]]

_CONNECT_SECONDS = 10.0
_SILENCE_SECONDS = 20.0
_TOTAL_SECONDS = 30.0
_DEFAULT_PORTS = {"http": 80, "https": 443}


async def resolve(host: str, port: int) -> Sequence[str]:
    """Give the addresses of a host, as the system knows them.

    Raises:
        OSError: it has none.
    """
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def is_public(address: str) -> bool:
    """Whether an address is one of the public network, in whatever wrapping."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    inner: list[ipaddress.IPv4Address | ipaddress.IPv6Address] = [ip]
    if isinstance(ip, ipaddress.IPv6Address):
        wrapped = (ip.ipv4_mapped, ip.sixtofour, *(ip.teredo or ()))
        inner += [one for one in wrapped if one is not None]
        if ip in ipaddress.ip_network("64:ff9b::/96"):
            inner.append(ipaddress.IPv4Address(int(ip) & 0xFFFF_FFFF))
    mapped = isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is not None
    judged = inner[1:] if mapped else inner
    return all(one.is_global and not one.is_multicast for one in judged)


class HttpTransport:
    """Sends single requests. Use it as an asynchronous context.

    Args:
        resolver: gives the addresses of a host; guarded requests alone ask it.
        reachable: which addresses a guarded request may go to.
        total_seconds: the longest that one request may take, from connecting to the last byte.
        connections: how many may be open at once.
    """

    def __init__(
        self,
        *,
        resolver: Resolver = resolve,
        reachable: Callable[[str], bool] = is_public,
        total_seconds: float = _TOTAL_SECONDS,
        connections: int = 64,
    ) -> None:
        self._resolver, self._reachable, self._total = resolver, reachable, total_seconds
        timeout = httpx.Timeout(_SILENCE_SECONDS, connect=_CONNECT_SECONDS, pool=None)
        limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)
        single = httpx.Limits(max_connections=connections, max_keepalive_connections=0)
        self._plain = httpx.AsyncClient(timeout=timeout, limits=limits, cookies=_no_cookies())
        self._guarded = httpx.AsyncClient(
            timeout=timeout, limits=single, cookies=_no_cookies(), trust_env=False
        )

    async def __aenter__(self) -> HttpTransport:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._plain.aclose()
        await self._guarded.aclose()

    async def send(self, request: Request) -> Reply:
        """Give the reply, whatever its status.

        Raises:
            NoReply: there is none, or no whole one.
        """
        try:
            async with asyncio.timeout(self._total):
                client, prepared = await self._prepared(request)
                return await _exchange(client, prepared, request)
        except TimeoutError as error:
            raise NoReply("too_slow", f"not done within {self._total:g} s") from error
        except httpx.TimeoutException as error:
            raise NoReply("timeout", type(error).__name__) from error
        except httpx.RemoteProtocolError as error:
            raise NoReply("cut_body", str(error)[:120]) from error
        except httpx.NetworkError as error:
            raise NoReply("connection", str(error)[:120] or type(error).__name__) from error
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, OSError, ValueError) as error:
            raise NoReply("protocol", f"{type(error).__name__}: {error}"[:120]) from error

    async def _prepared(self, request: Request) -> tuple[httpx.AsyncClient, httpx.Request]:
        headers = {"accept-encoding": "gzip", **request.headers}
        if not request.guarded:
            return self._plain, self._plain.build_request(request.method, request.url, headers=headers)
        url = httpx.URL(request.url)
        address = await self._checked(url)
        headers["host"] = url.netloc.decode("ascii")
        pinned = url.copy_with(host=address)
        prepared = self._guarded.build_request(
            request.method, pinned, headers=headers, extensions={"sni_hostname": url.host}
        )
        return self._guarded, prepared

    async def _checked(self, url: httpx.URL) -> str:
        """The address to connect to, after all of the host's addresses were looked at."""
        if url.scheme not in _DEFAULT_PORTS or url.userinfo or not url.host:
            raise NoReply("blocked_target", "only http and https without credentials are asked")
        host = url.host.rstrip(".").lower()
        if host == "localhost" or host.endswith((".localhost", ".local", ".internal")):
            raise NoReply("blocked_target", f"{host} is not public")
        addresses = _numeric(host) or await self._resolved(host, url.port or _DEFAULT_PORTS[url.scheme])
        inward = [a for a in addresses if not self._reachable(a)]
        if inward:
            raise NoReply("blocked_target", f"{host} leads to {inward[0]}, which is not public")
        return addresses[0]

    async def _resolved(self, host: str, port: int) -> Sequence[str]:
        try:
            addresses = await self._resolver(host, port)
        except (OSError, UnicodeError) as error:
            raise NoReply("unresolved_host", f"{host}: {error}"[:120]) from error
        if not addresses:
            raise NoReply("unresolved_host", f"{host} has no address")
        return addresses


def _numeric(host: str) -> list[str]:
    """The address that a host written as a number is, in every spelling that a resolver would take (127.1, 0x7f000001)."""
    try:
        return [str(ipaddress.ip_address(host.strip("[]")))]
    except ValueError:
        pass
    try:
        return [socket.inet_ntoa(socket.inet_aton(host))]
    except OSError:
        return []


async def _exchange(client: httpx.AsyncClient, prepared: httpx.Request, request: Request) -> Reply:
    response = await client.send(prepared, stream=True)
    try:
        headers = {name.lower(): value for name, value in response.headers.items()}
        body = await _body(response, headers.get("content-encoding", ""), request)
        return Reply(response.status_code, headers, body)
    finally:
        await response.aclose()


async def _body(response: httpx.Response, encoding: str, request: Request) -> bytes:
    """The unpacked body, unpacked piece by piece so that a small reply cannot grow beyond the limit in memory."""
    if request.method == "HEAD":
        return b""
    if encoding.strip().lower() not in {"", "identity", "gzip", "x-gzip"}:
        raise NoReply("bad_encoding", f"content encoding {encoding[:40]!r}")
    unpacker = zlib.decompressobj(wbits=31) if "gzip" in encoding.lower() else None
    body = bytearray()
    async for piece in response.aiter_raw():
        rest = piece
        while rest:
            room = request.most_bytes + 1 - len(body)
            try:
                plain = unpacker.decompress(rest, max(1, room)) if unpacker else rest
            except zlib.error as error:
                raise NoReply("bad_encoding", str(error)[:120]) from error
            rest = unpacker.unconsumed_tail if unpacker else b""
            body += plain
            if len(body) > request.most_bytes:
                if request.whole:
                    raise NoReply("too_large", f"more than {request.most_bytes} bytes")
                return bytes(body[: request.most_bytes])
    if unpacker is not None and not unpacker.eof and body:
        raise NoReply("cut_body", "the packed body ends early")
    return bytes(body)


def _no_cookies() -> CookieJar:
    return CookieJar(policy=DefaultCookiePolicy(allowed_domains=[]))
