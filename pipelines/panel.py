"""The panel of blind reviewers of a home: our rules always, and a language model where one is configured.

Belongs here: seating reviewers, with the gateway, a recording and the ledger behind the one that asks a model.
Does not belong here: reviewing, or storing reviews.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from assets.ports import Seats
from pipelines.gateway.client import LiveAsker
from pipelines.gateway.recording import Recorder, Replayer
from pipelines.gateway.settings import Claude
from quality.llm.ledger import Ledger
from quality.llm.model import Asker
from quality.review.asked import AskingReviewer
from quality.review.mechanical import MechanicalReviewer


@dataclass(frozen=True, slots=True)
class ReviewPanel:
    """Seats the reviewers.

    Args:
        claude: how models are reached, and which one reviews; without a reviewing model our rules sit alone.
        replay: answer the model's questions from this recording.
        record: append the model's answers to this recording.
    """

    claude: Claude
    replay: Path | None = None
    record: Path | None = None

    @asynccontextmanager
    async def sit(self) -> AsyncIterator[Seats]:
        """Open what the reviewers need, and close it at the end; see ``Panel``."""
        if self.claude.reviewer is None:
            yield Seats((MechanicalReviewer(),))
            return
        async with AsyncExitStack() as stack:
            asker: Asker
            if self.replay is not None:
                asker = Replayer(self.replay)
            else:
                asker = await stack.enter_async_context(LiveAsker(self.claude.access))
            if self.record is not None:
                asker = Recorder(asker, self.record)
            ledger = Ledger(asker, self.claude.prices, clock=lambda: datetime.now(UTC))
            yield Seats((MechanicalReviewer(), AskingReviewer(ledger, self.claude.reviewer)), ledger.calls)
