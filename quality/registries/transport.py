"""The one way out: what a client may ask of the network, and every way in which it may get no answer.

Belongs here: request, reply and fault as values, and the protocol that a transport keeps. Does not belong here: an HTTP
library (``pipelines.resources.http`` makes the only client), waiting and repeating (``manners``).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Request:
    """One request. ``url`` is absolute and already encoded."""

    url: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    most_bytes: int = 5_000_000  # of the unpacked body; more is a fault
    whole: bool = True  # False: a body that is too large is cut instead
    guarded: bool = False  # True: the address comes from a report, so it may lead to public hosts alone


@dataclass(frozen=True, slots=True)
class Reply:
    """A complete reply: names of headers in lower case, the body unpacked."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def media_type(self) -> str:
        """The media type without its parameters, in lower case; empty when none was sent."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


class NoReply(Exception):
    """There is no reply to judge.

    ``reason`` is one of: timeout, connection, cut_body, too_large, too_slow, bad_encoding, blocked_target,
    unresolved_host, protocol; ``manners`` adds rate_limited, http_NNN and registry_down.
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        self.reason = reason
        self.detail = detail
        super().__init__(f"{reason}: {detail}" if detail else reason)


class Transport(Protocol):
    """Sends one request once."""

    async def send(self, request: Request) -> Reply:
        """Give the reply, whatever its status.

        Raises:
            NoReply: there is none, or no whole one.
        """
        ...


Send = Callable[[Request], Awaitable[Reply]]
"""What a client is handed: sending with manners. Raises NoReply when every attempt failed."""
