"""What the tests of the rebuild share: one call from a body to its rebuilt form."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from quality.citations.reader import read
from quality.citations.reconcile import reconcile
from quality.metrics.dirt import find_dirt
from quality.model import ListedSource, Rebuilt, Report, Source
from quality.references.rebuild import rebuild
from quality.sources.index import SourceIndex
from quality.sources.own_table import match_own_table

Rebuild = Callable[..., Rebuilt]


@pytest.fixture(scope="session")
def rebuilt() -> Rebuild:
    """Rebuild a body against a few sources; ``fewest`` as in ``rebuild``."""

    def run(
        body: str, sources: Sequence[Source] = (), listed: Sequence[ListedSource] = (), *, fewest: int = 3
    ) -> Rebuilt:
        report = Report("r", body, sources=tuple(listed))
        reading = read(body, listed)
        reconciliation = reconcile(reading, match_own_table)
        index = SourceIndex(sources)
        return rebuild(
            report, reading, reconciliation, index, is_dirty=lambda e: bool(find_dirt(e)), fewest=fewest
        )

    return run
