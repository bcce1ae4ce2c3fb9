"""The drafter of a home: the loop over many leads at once, with everything that it needs from outside.

Belongs here: gateway or recording, journal, ledger, budgets and registries put together. Does not belong here: the loop
(``quality/drafting``), storing what comes of it (``assets/drafts``).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from assets.ports import Drafted
from pipelines.drafting.searcher import Searched, search_all
from pipelines.drafting.settings import DraftingModel
from pipelines.gateway.client import LiveAsker
from pipelines.gateway.journal import Journalled
from pipelines.gateway.recording import Recorder, Replayer
from pipelines.gateway.settings import Claude
from pipelines.resources.registries import Registries
from quality.drafting.budget import Budget, BudgetedAsker
from quality.drafting.collect import Collection
from quality.drafting.confirm import looked_up
from quality.drafting.gate import Looked
from quality.drafting.loop import Limits, Loop, Models
from quality.drafting.model import Draft, Lead, Story
from quality.errors import ConfigError
from quality.llm.ledger import Ledger
from quality.llm.model import Asker
from quality.model import Identifier, Source

Progress = Callable[[int, int, Story], None]


@dataclass(frozen=True, slots=True)
class Drafter:
    """Drafts answers to leads.

    Args:
        settings, claude: who writes and attacks, within which bounds, and how models are reached.
        registries: opens where identifiers are looked up; none configured: the rule is off, and drafts say so.
        replay, record: a recording to answer from, or to append to.
        progress: hears of each lead that ended: how many of how many, and its story.
        asker: who answers instead of the API, without a journal.
    """

    settings: DraftingModel
    claude: Claude
    registries: Callable[[], Registries]
    replay: Path | None = None
    record: Path | None = None
    progress: Progress = lambda done, total, story: None
    asker: Asker | None = None

    @property
    def policy(self) -> str:
        """What becomes of a draft that was not verified: ``verified_only`` or ``always``."""
        return self.settings.policy

    def draft(self, leads: Sequence[Lead], catalogue: Sequence[Source], journal: Path) -> Drafted:
        """Draft all leads, under one bound on calls at once and on everything spent.

        Args:
            leads: with their own budgets.
            catalogue: with texts; nothing else may be cited.
            journal: answers are kept here as they come, so that a run that is killed goes on without paying twice.

        Raises:
            ConfigError: no writer or sceptic, or a bound on money where a model has no price.
            InputError: a lead names a source that cannot be used; a recording or journal that cannot be read.
        """
        self.settings.require_models()
        self._check_prices(leads)
        collection = Collection(catalogue)
        return asyncio.run(self._draft(leads, collection, journal))

    async def _draft(self, leads: Sequence[Lead], collection: Collection, journal: Path) -> Drafted:
        chosen = [(lead, collection.collect(lead)) for lead in leads]
        registries = self.registries()
        searched = await self._search(leads)
        room = asyncio.Semaphore(self.settings.leads_at_once)
        total = self._budget()
        done = 0
        async with self._asker(journal) as asker:
            ledger = Ledger(asker, self.claude.prices, clock=lambda: datetime.now(UTC))

            async def one(lead: Lead, known: tuple[Source, ...]) -> Story:
                nonlocal done
                found = searched.get(lead.id, Searched())
                sources = (
                    *known,
                    *(s for s in found.sources if s.source_id not in {k.source_id for k in known}),
                )
                async with room:
                    own = Budget(lead.max_calls, lead.max_tokens, lead.max_cost)
                    bounded = BudgetedAsker(ledger, (own, total), dict(self.claude.prices))
                    story = await self._loop(bounded, registries).draft(lead, sources, found.flags)
                done += 1
                self.progress(done, len(chosen), story)
                return story

            stories = await asyncio.gather(*(one(lead, sources) for lead, sources in chosen))
        every = {s.source_id: s for found in searched.values() for s in found.sources}
        return Drafted(tuple(stories), tuple(ledger.calls), tuple(every.values()))

    async def _search(self, leads: Sequence[Lead]) -> Mapping[str, Searched]:
        if self.settings.search != "europepmc":
            return {}
        return await search_all(
            [lead for lead in leads if not lead.sources], self.settings.search_url or None
        )

    def _loop(self, asker: Asker, registries: Registries) -> Loop:
        s = self.settings

        async def look_up(draft: Draft) -> Mapping[Identifier, Looked] | None:
            if not registries.configured:
                return None
            return await asyncio.to_thread(looked_up, draft, registries.look_up, registries.covers)

        return Loop(
            asker,
            look_up,
            Models(s.writer, s.sceptic, s.judge or None),
            Limits(max_rounds=s.max_rounds, max_tokens=s.max_tokens),
        )

    @asynccontextmanager
    async def _asker(self, journal: Path) -> AsyncIterator[Asker]:
        if self.asker is not None or self.replay is not None:
            yield self.asker or Replayer(cast("Path", self.replay))
            return
        async with LiveAsker(self.claude.access) as live:
            asker: Asker = Recorder(live, self.record) if self.record is not None else live
            yield Journalled(asker, journal)

    def _budget(self) -> Budget:
        s = self.settings
        return Budget(s.max_calls or None, s.max_total_tokens or None, s.max_cost or None)

    def _check_prices(self, leads: Sequence[Lead]) -> None:
        bounded = self.settings.max_cost or any(lead.max_cost for lead in leads)
        for model in filter(None, (self.settings.writer, self.settings.sceptic, self.settings.judge)):
            if bounded and model not in self.claude.prices:
                raise ConfigError(
                    f"There is a bound on money, and the model {model} has no price.",
                    remedy=f"Give it one in [claude.prices.{model}], or bound calls or tokens.",
                )
