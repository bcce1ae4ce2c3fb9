"""The registries of a home, ready to be asked: snapshot, cache, client and manners put together.

Belongs here: opening and closing them, and one synchronous way in for assets and commands. Does not belong here: any of the
parts.
"""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import random
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import AsyncExitStack
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pipelines.registries_config import RegistrySettings
from pipelines.resources.http import HttpTransport
from pipelines.resources.registry_cache import Lifetimes, NoCache, RegistryCache
from pipelines.resources.registry_snapshot import LocalSnapshot
from quality.model import Identifier
from quality.registries.answers import Record
from quality.registries.known import CONTACTED, KNOWN
from quality.registries.lookup import OPEN_KINDS, Lookup, Outage, Registry
from quality.registries.manners import Courier, Patience
from quality.registries.verdict import Verdict

CACHE = Path("private") / "registry_cache.sqlite"
LOG = logging.getLogger("sluicegate.registries")

Progress = Callable[[int, int], None]


class Registries:
    """What a home has configured.

    Args:
        settings: its registry table.
        home: where the cache lies; None: nothing is remembered.
        transport: makes the way out, for tests; None: httpx.
        patience: how long to insist on an answer.
    """

    def __init__(
        self,
        settings: RegistrySettings,
        home: Path | None,
        *,
        transport: Callable[[], HttpTransport] | None = None,
        patience: Patience | None = None,
    ) -> None:
        self._settings, self._home, self._patience = settings, home, patience
        self._transport = transport or HttpTransport

    @cached_property
    def _snapshot(self) -> LocalSnapshot | None:
        """Opened at its first use, so that a missing file costs a look-up and not every command."""
        file = self._settings.snapshot
        return LocalSnapshot(file, authoritative=self._settings.authoritative) if file is not None else None

    @property
    def configured(self) -> bool:
        """Whether anybody can be asked."""
        return self._settings.configured

    @property
    def asked(self) -> tuple[str, ...]:
        """Who is asked for what: ``doi: crossref, doi.org``."""
        return tuple(f"{kind}: {', '.join(names)}" for kind, names in self._settings.table.items() if names)

    @property
    def snapshot_file(self) -> str | None:
        """The file of the local snapshot; None: there is none."""
        return str(self._settings.snapshot) if self._settings.snapshot is not None else None

    @property
    def authoritative(self) -> bool:
        """Whether what the snapshot does not hold does not exist."""
        return self._settings.authoritative

    @property
    def snapshot_name(self) -> str:
        """How the local snapshot names itself in evidence."""
        return LocalSnapshot.name

    def covers(self, kind: str) -> bool:
        """Whether somebody is asked about this kind whose "no" counts."""
        closed = self._settings.authoritative and kind not in OPEN_KINDS
        return closed or bool(self._settings.table.get(kind))

    def find_titles(self, titles: Iterable[str]) -> Mapping[str, tuple[Record, ...]]:
        """Known works by title; the snapshot alone is asked."""
        return self._snapshot.find_titles(titles) if self._snapshot is not None else {}

    def look_up(
        self,
        identifiers: Iterable[Identifier],
        *,
        progress: Progress = lambda done, total: None,
        outage: Callable[[str, str], None] = lambda registry, reason: None,
    ) -> dict[Identifier, Verdict]:
        """A verdict on each identifier.

        Args:
            identifiers: each is looked up once.
            progress: hears how many are done, of how many.
            outage: hears once of each registry that stops answering, with the reason.
        """
        return asyncio.run(self._look_up(list(identifiers), progress, outage))

    async def _look_up(
        self, identifiers: list[Identifier], progress: Progress, outage: Callable[[str, str], None]
    ) -> dict[Identifier, Verdict]:
        def down(one: Outage) -> None:
            LOG.warning(
                "%s stopped answering (%s); what it covers stays unknown until it is back",
                one.registry,
                one.reason,
            )
            outage(one.registry, one.reason)

        async with AsyncExitStack() as stack:
            transport = await stack.enter_async_context(self._transport())
            cache: RegistryCache | NoCache = NoCache()
            if self._home is not None and self._settings.table:
                cache = stack.enter_context(
                    RegistryCache(self._home / CACHE, clock=time.time, lifetimes=_lifetimes(self._settings))
                )
            lookup = Lookup(
                registries=self._rows(),
                table=self._settings.table,
                snapshots=(self._snapshot,) if self._snapshot is not None else (),
                cache=cache,
                courier=self._courier(transport),
                clock=time.time,
                concurrency=self._settings.at_once,
                on_outage=down,
                on_progress=progress,
            )
            return await lookup.look_up(identifiers)

    def _rows(self) -> dict[str, Registry]:
        names = dict.fromkeys(name for asked in self._settings.table.values() for name in asked)
        rows = {}
        for name in names:
            said = self._settings.rows.get(name)
            row = KNOWN[name].make(said.url if said else None)
            changes = {
                field: value
                for field in ("per_second", "at_once")
                if said is not None and (value := getattr(said, field)) is not None
            }
            rows[name] = dataclasses.replace(row, **changes)
        return rows

    def _courier(self, transport: HttpTransport) -> Courier:
        contact = self._settings.contact
        if not contact and any("crossref" in names for names in self._settings.table.values()):
            LOG.info("no contact address is configured: Crossref is asked through its public pool")
        return Courier(
            transport,
            clock=time.time,
            sleep=asyncio.sleep,
            chance=random.random,
            patience=self._patience,
            agent=f"sluicegate/{_version()}",
            contact=dict.fromkeys(CONTACTED, contact) if contact else {},
        )


def _lifetimes(settings: RegistrySettings) -> Lifetimes:
    return Lifetimes(
        found=settings.found_seconds, not_found=settings.not_found_seconds, unknown=settings.unknown_seconds
    )


def _version() -> str:
    try:
        return version("sluicegate")
    except PackageNotFoundError:
        return "0"
