"""Searching outside for the sources of many leads, over the one HTTP client and with its manners.

Belongs here: sending the searches. Does not belong here: what is asked and read (``quality/drafting/search``).

A search that fails is a flag of that lead, and never an empty result: what could not be looked for is not what does not exist.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipelines.resources.http import HttpTransport
from quality.drafting.model import Lead
from quality.drafting.search import read_search, search_request
from quality.model import Source
from quality.registries.manners import Courier
from quality.registries.transport import NoReply

AGENT = "sluicegate"


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search found for one lead; ``flags`` say why it could not be made."""

    sources: tuple[Source, ...] = ()
    flags: tuple[str, ...] = ()


async def search_all(leads: Sequence[Lead], base: str | None) -> Mapping[str, Searched]:
    """Search for each lead; by its id."""
    async with HttpTransport() as transport:
        courier = Courier(
            transport, clock=time.time, sleep=asyncio.sleep, chance=random.random, agent=AGENT, contact={}
        )

        async def one(lead: Lead) -> tuple[str, Searched]:
            request = search_request(lead, base)
            if request is None:
                return lead.id, Searched()
            try:
                return lead.id, Searched(read_search(await courier.send(request)))
            except NoReply as failed:
                return lead.id, Searched(flags=(f"search_failed: {failed.reason}",))

        return dict(await asyncio.gather(*(one(lead) for lead in leads)))
