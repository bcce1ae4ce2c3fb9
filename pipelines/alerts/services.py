"""Handing a message to a service: the one module that touches apprise.

Belongs here: addresses from the environment, sending, and saying what went wrong without a word of an address.
Does not belong here: what is sent, when it is tried again (deliver.py).

An address holds secrets (tokens, passwords) and appears nowhere: apprise's own log is caught while it works, and only
what ``_PHRASES`` knows by heart leaves this module.
"""

from __future__ import annotations

import io
import logging
import os
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

_SPLIT = re.compile(r"\s+|,(?=[a-z][a-z0-9+.-]*://)", re.IGNORECASE)
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]{0,30})://", re.IGNORECASE)
_STATUS = re.compile(r"error=(\d{3})\b")
_PHRASES = (
    ("refused", "it refused the connection"),
    ("timed out", "it did not answer in time"),
    ("timeout", "it did not answer in time"),
    ("name or service not known", "its name could not be found"),
    ("name resolution", "its name could not be found"),
    ("getaddrinfo", "its name could not be found"),
    ("certificate", "its certificate was not accepted"),
    ("authentication", "it did not accept the login"),
    ("reset", "it broke the connection off"),
    ("connection", "it could not be reached"),
    ("e-mail", "the mail could not be handed over"),
    ("email", "the mail could not be handed over"),
)
_NOISY = ("apprise", "urllib3", "requests")
_TYPES = {"breach": "failure", "unknown": "warning", "recovery": "success"}


@dataclass(frozen=True, slots=True)
class Address:
    """One service's address. It never appears in a text: ``repr`` and ``shown`` leave it out."""

    url: str
    position: int

    @property
    def shown(self) -> str:
        """Name the service by its kind and its place in the list."""
        scheme = _SCHEME.match(self.url)
        kind = scheme[1].lower() if scheme else "address"
        return f"{kind} (number {self.position})"

    def __repr__(self) -> str:
        return f"Address({self.shown})"


def addresses(variable: str, environ: Mapping[str, str] | None = None) -> list[Address]:
    """Read the addresses, divided by blanks, line ends or commas, from an environment variable; none when it is empty."""
    value = (os.environ if environ is None else environ).get(variable, "")
    return [Address(url, i) for i, url in enumerate((u for u in _SPLIT.split(value) if u), 1)]


def send(address: Address, *, kind: str, title: str, text: str) -> str | None:
    """Send one message to one service.

    Returns:
        None when the service took it, else what went wrong, in a few words that hold no part of the address.
    """
    with _quiet() as log:
        try:
            import apprise

            asset = apprise.AppriseAsset(app_id="Sluicegate", async_mode=False, secure_logging=True)
            server = apprise.Apprise.instantiate(address.url, asset=asset)
            if server is None:
                return "it is no address that apprise knows"
            post = apprise.Apprise(asset=asset)
            post.add(server)
            taken = post.notify(
                title=title,
                body=text,
                notify_type=apprise.NotifyType(_TYPES.get(kind, "info")),
                body_format=apprise.NotifyFormat.TEXT,
            )
        except Exception as error:  # a plug-in of apprise may raise anything, its text may hold the address
            return f"apprise failed with {type(error).__name__}"
        return None if taken else _why(log.getvalue())


def _why(log: str) -> str:
    """Say what went wrong in words that are known by heart."""
    if status := _STATUS.search(log):
        return f"it answered with HTTP {status[1]}"
    low = log.casefold()
    return next((said for phrase, said in _PHRASES if phrase in low), "it did not take the message")


@contextmanager
def _quiet() -> Iterator[io.StringIO]:
    """Catch what apprise and its HTTP client would log; addresses stand in it.

    What apprise's plug-ins use that Python will drop one day is no concern of whoever reads the output, either.
    """
    caught = io.StringIO()
    handler = logging.StreamHandler(caught)
    loggers = [logging.getLogger(name) for name in _NOISY]
    before = [(log.handlers[:], log.propagate, log.level) for log in loggers]
    try:
        for log in loggers:
            log.handlers, log.propagate = [handler], False
            log.setLevel(logging.DEBUG if log.name == "apprise" else logging.WARNING)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            yield caught
    finally:
        for log, (handlers, propagate, level) in zip(loggers, before, strict=True):
            log.handlers, log.propagate = handlers, propagate
            log.setLevel(level)
