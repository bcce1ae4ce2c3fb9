"""Manners on the network: how fast, how often, how long to wait, and when to stop asking.

Belongs here: the pace of each host, repeated attempts, ``Retry-After``, and the breaker of each registry; clock, sleep and
chance are handed in. Does not belong here: the network itself (``transport``), what a reply means (``clients``).

Requests to a host are spaced evenly instead of in bursts, for a server counts per second: a bucket that fills while nobody
asks would send twice the allowed number in its first second.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from quality.registries.transport import NoReply, Reply, Request, Transport

Clock = Callable[[], float]
Sleep = Callable[[float], Awaitable[None]]

SHARE_OF_LIMIT = 0.96
"""Of what a server allows: its clock and ours never agree to the last request."""

_CATCH_UP = 2  # requests that may follow a late one at once
_TRY_AGAIN = frozenset({"timeout", "connection", "cut_body", "protocol"})
_BUSY = frozenset({429, 500, 502, 503, 504})


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to insist. Seconds throughout."""

    attempts: int = 4
    first_wait: float = 0.5  # doubled with each attempt
    longest_wait: float = 120.0  # a longer Retry-After ends the attempt


class Pace:
    """The even pace of one host.

    It goes by when requests really leave: whoever wakes up late does not leave in a crowd with those behind, and what a
    stalled machine missed is made up for by two requests at most.
    """

    def __init__(self, per_second: float | None, *, clock: Clock, sleep: Sleep) -> None:
        self._interval = 1 / per_second if per_second else 0.0
        self._clock, self._sleep = clock, sleep
        self._next = 0.0
        self._paused = 0.0
        self._turns = asyncio.Lock()

    async def turn(self) -> None:
        """Wait until it is this request's turn."""
        async with self._turns:
            while (wait := max(self._next, self._paused) - self._clock()) > 0:
                await self._sleep(wait)
            self._next = max(self._next, self._clock() - _CATCH_UP * self._interval) + self._interval

    def allow(self, per_second: float) -> None:
        """Take over what the server says that it allows."""
        self._interval = 1 / (per_second * SHARE_OF_LIMIT)

    def pause(self, seconds: float) -> None:
        """Send nothing to this host for so long."""
        self._paused = max(self._paused, self._clock() + seconds)


class Breaker:
    """Stops asking a registry that is down, and tries again after a while with a single request."""

    def __init__(self, *, clock: Clock, failures: int = 5, cool_off: float = 60.0) -> None:
        self._clock, self._most, self._cool_off = clock, failures, cool_off
        self._failed = 0
        self._opened: float | None = None
        self.opened_times = 0

    def admits(self) -> bool:
        """Whether the registry may be asked now; after the cool-off, one caller at a time."""
        if self._opened is None:
            return True
        if self._clock() - self._opened < self._cool_off:
            return False
        self._opened = self._clock()  # this caller tries; the others wait for another cool-off
        return True

    def note(self, *, answered: bool) -> bool:
        """Count how asking went; returns whether this very failure opened the breaker."""
        if answered:
            self._failed, self._opened = 0, None
            return False
        self._failed += 1
        if self._failed < self._most:
            return False
        opened_now = self._opened is None
        self._opened = self._clock()
        self.opened_times += opened_now
        return opened_now


class Courier:
    """Sends requests with manners: in turn, a few at a time for each host, again where that can help.

    Args:
        transport: the way out.
        clock: gives seconds, also to compare dates of ``Retry-After`` with: since 1970.
        sleep: waits.
        chance: gives a number in [0, 1) for the jitter.
        patience: how long to insist.
        contact: host -> address that may be told to it in the agent string; no other host gets one.
    """

    def __init__(
        self,
        transport: Transport,
        *,
        clock: Clock,
        sleep: Sleep,
        chance: Callable[[], float],
        patience: Patience | None = None,
        agent: str = "sluicegate",
        contact: Mapping[str, str] | None = None,
    ) -> None:
        self._transport, self._clock, self._sleep, self._chance = transport, clock, sleep, chance
        self._patience = patience or Patience()
        self._agent, self._contact = agent, dict(contact or {})
        self._paces: dict[str, Pace] = {}
        self._seats: dict[str, asyncio.Semaphore] = {}

    async def send(self, request: Request, *, per_second: float | None = None, at_once: int = 8) -> Reply:
        """Give the reply; ``per_second`` and ``at_once`` count for a host that has not said otherwise.

        Raises:
            NoReply: no attempt brought one. A server error on the last attempt is a reply all the same.
        """
        host = urlsplit(request.url).netloc.lower()
        pace = self._paces.get(host)
        if pace is None:
            pace = self._paces[host] = Pace(per_second, clock=self._clock, sleep=self._sleep)
        seats = self._seats.setdefault(host, asyncio.Semaphore(at_once))
        request = replace(request, headers={**request.headers, "user-agent": self._agent_for(host)})
        for attempt in range(1, self._patience.attempts + 1):
            last = attempt == self._patience.attempts
            async with seats:
                await pace.turn()
                reply, wait = await self._attempt(request, pace, attempt, last=last)
            if reply is not None:
                return reply
            await self._sleep(wait)
        raise NoReply("rate_limited", "every attempt was refused")

    async def _attempt(
        self, request: Request, pace: Pace, attempt: int, *, last: bool
    ) -> tuple[Reply | None, float]:
        """One attempt: a reply, or how long to wait before the next one."""
        backoff = self._patience.first_wait * 2 ** (attempt - 1) * (1 + self._chance())
        try:
            reply = await self._transport.send(request)
        except NoReply as fault:
            if last or fault.reason not in _TRY_AGAIN:
                raise
            return None, backoff
        if (allowed := allowed_rate(reply.headers)) is not None:
            pace.allow(allowed)
        if reply.status not in _BUSY:
            return reply, 0
        asked = retry_after(reply.headers, self._clock())
        if asked is not None:
            pace.pause(min(asked, self._patience.longest_wait))
        too_long = asked is not None and asked > self._patience.longest_wait
        if reply.status == 429 and (last or too_long):
            raise NoReply("rate_limited", f"refused {attempt} times")
        if last or too_long:
            return reply, 0
        if reply.status == 429 and asked is None:
            pace.pause(backoff)
        return None, max(asked or 0, 0) or backoff

    def _agent_for(self, host: str) -> str:
        contact = self._contact.get(host)
        return f"{self._agent} (mailto:{contact})" if contact else self._agent


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Give the seconds that ``Retry-After`` asks for, written as a number or as a date; None without a readable one."""
    written = headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,9}(?:\.\d+)?", written):
        return float(written)
    if not written:
        return None
    try:
        until = parsedate_to_datetime(written)
    except (TypeError, ValueError, IndexError):
        return None
    until = until if until.tzinfo else until.replace(tzinfo=UTC)
    return max(0.0, (until - datetime.fromtimestamp(now, UTC)).total_seconds())


def allowed_rate(headers: Mapping[str, str]) -> float | None:
    """Give the requests a second that a server says it allows, or None.

    Read: ``X-Rate-Limit-Limit`` with ``X-Rate-Limit-Interval`` (Crossref), ``RateLimit-Policy`` (``100;w=60``).
    """
    limit = _number(headers.get("x-rate-limit-limit", headers.get("x-ratelimit-limit", "")))
    interval = _seconds(headers.get("x-rate-limit-interval", headers.get("x-ratelimit-interval", "")))
    if limit and interval:
        return limit / interval
    policy = re.match(r'\s*(?:"[^"]*"\s*;\s*q=)?(\d+)\s*;\s*w=(\d+)', headers.get("ratelimit-policy", ""))
    return int(policy[1]) / int(policy[2]) if policy and int(policy[1]) and int(policy[2]) else None


def _number(written: str) -> float | None:
    match = re.match(r"\s*(\d+)", written)
    return float(match[1]) if match else None


def _seconds(written: str) -> float | None:
    match = re.fullmatch(r"\s*(\d+)\s*([smh]?)\s*", written)
    return int(match[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[match[2]] if match else None
