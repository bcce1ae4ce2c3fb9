"""What the tests of this room share: one call that reads and reconciles, and one that shows marks briefly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest

from quality.citations.reader import read
from quality.citations.reconcile import reconcile
from quality.citations.titles import match_contained
from quality.model import ListedSource, Reading, Reconciliation


@dataclass(frozen=True)
class Seen:
    """A reading and its reconciliation, with the views that tests assert on."""

    body: str
    reading: Reading
    result: Reconciliation

    @property
    def cited(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for c in self.result.cited:
            found[c.key] = found.get(c.key, 0) + c.occurrences
        return found

    @property
    def marks(self) -> list[tuple[str, tuple[str, ...]]]:
        return [(self.body[m.start : m.end], m.keys) for m in self.reading.marks]

    @property
    def styles(self) -> list[str]:
        return [m.style for m in self.reading.marks]

    @property
    def entry_keys(self) -> list[str | None]:
        return [k for e in self.reading.entries for k in (e.key, *e.aliases)]

    @property
    def titles(self) -> list[str | None]:
        return [e.title for e in self.reading.entries]

    @property
    def urls(self) -> list[str | None]:
        return [e.url for e in self.reading.entries]

    @property
    def dangling(self) -> list[str]:
        return [c.key for c in self.result.dangling]

    @property
    def uncited(self) -> list[str | None]:
        return [self.reading.entries[n].key or self.reading.entries[n].url for n in self.result.uncited]

    @property
    def flags(self) -> tuple[str, ...]:
        return self.reading.flags


@pytest.fixture
def see() -> Callable[..., Seen]:
    def call(body: str, listed: Sequence[ListedSource] = ()) -> Seen:
        reading = read(body, listed)
        return Seen(body, reading, reconcile(reading, match_contained))

    return call
