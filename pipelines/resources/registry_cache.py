"""Answers of registries that were given before, in a small SQLite file of the home.

Belongs here: keeping them, how long each counts, giving them back many at once. Does not belong here: what they mean.

Not in the warehouse: looking many identifiers up takes minutes, and answers have to be on disk as they come; the warehouse
has one writer at a time and would be closed to every other run meanwhile, or be opened and checkpointed anew for every few
answers. What a decision used is recorded in the warehouse (``registry_checks``); this file may be deleted at any time.
"""

from __future__ import annotations

import gc
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from quality.errors import StorageError
from quality.model import Identifier
from quality.registries.answers import Answer, Found, Given, NotFound, from_plain, to_plain
from quality.registries.manners import Clock

_DAY = 86_400.0
_TABLE = """
CREATE TABLE IF NOT EXISTS answers (
    identifier TEXT NOT NULL, registry TEXT NOT NULL, answer TEXT NOT NULL, at REAL NOT NULL, until REAL NOT NULL,
    PRIMARY KEY (identifier, registry)
) WITHOUT ROWID
"""
_COMMIT_EVERY = 100
_COMMIT_SECONDS = 1.0
_READ_AT_ONCE = 2_000


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """How long an answer counts, in seconds."""

    found: float = 30 * _DAY
    bare: float = 1 * _DAY  # it exists, and nothing else is known yet
    not_found: float = 3 * _DAY
    unknown: float = 600.0

    def of(self, answer: Answer) -> float:
        """How long this one counts."""
        if isinstance(answer, Found):
            return self.found if answer.record.has_metadata else self.bare
        return self.not_found if isinstance(answer, NotFound) else self.unknown


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Make many objects that all stay without the collector looking through them again and again: half the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


class NoCache:
    """Remembers nothing."""

    def load(self, identifiers: Sequence[Identifier]) -> Mapping[Identifier, Sequence[Given]]:
        """Nothing is known."""
        return {}

    def keep(self, given: Given) -> None:
        """Forget it."""


class RegistryCache:
    """The cache of one home; several processes may use it at once. Use it as a context.

    Raises:
        StorageError: the file cannot be opened or written.
    """

    def __init__(self, file: Path, *, clock: Clock, lifetimes: Lifetimes | None = None) -> None:
        self._file, self._clock, self._lifetimes = file, clock, lifetimes or Lifetimes()
        self._waiting: list[tuple[str, str, str, float, float]] = []
        self._written = clock()
        file.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._connection = sqlite3.connect(file, timeout=30)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.execute(_TABLE)
            self._connection.execute("CREATE TEMP TABLE wanted (identifier TEXT PRIMARY KEY) WITHOUT ROWID")
            self._connection.commit()
        except sqlite3.Error as error:
            raise self._failed(error) from error

    def __enter__(self) -> RegistryCache:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def load(self, identifiers: Sequence[Identifier]) -> Mapping[Identifier, Sequence[Given]]:
        """The answers about these that still count."""
        with _collector_paused():
            return self._load(identifiers)

    def _load(self, identifiers: Sequence[Identifier]) -> Mapping[Identifier, Sequence[Given]]:
        by_key = {f"{one.kind}:{one.value}": one for one in identifiers}
        found: dict[Identifier, list[Given]] = {}
        try:
            self._connection.execute("DELETE FROM wanted")
            self._connection.executemany("INSERT INTO wanted VALUES (?)", ((key,) for key in by_key))
            rows = self._connection.execute(
                "SELECT identifier, registry, answer, at FROM wanted JOIN answers USING (identifier) WHERE until > ?",
                [self._clock()],
            )
            while some := rows.fetchmany(_READ_AT_ONCE):
                answers = json.loads(
                    f"[{','.join(row[2] for row in some)}]"
                )  # one call is twice as fast as many
                for (key, registry, _, at), answer in zip(some, answers, strict=True):
                    one = by_key[key]
                    found.setdefault(one, []).append(Given(registry, one, from_plain(answer), at))
            self._connection.commit()
        except sqlite3.Error as error:
            raise self._failed(error) from error
        except (ValueError, KeyError, TypeError):
            return {}  # written by another version: ask again
        return found

    def keep(self, given: Given) -> None:
        """Remember an answer; at most a second or a hundred answers are lost to a kill."""
        until = given.at + self._lifetimes.of(given.answer)
        plain = json.dumps(to_plain(given.answer), ensure_ascii=False)
        self._waiting.append(
            (f"{given.identifier.kind}:{given.identifier.value}", given.registry, plain, given.at, until)
        )
        if len(self._waiting) >= _COMMIT_EVERY or self._clock() - self._written >= _COMMIT_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write what waits."""
        try:
            self._connection.executemany(
                "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?)", self._waiting
            )
            self._connection.commit()
        except sqlite3.Error as error:
            raise self._failed(error) from error
        self._waiting.clear()
        self._written = self._clock()

    def forget_expired(self) -> int:
        """Remove what does not count any more; returns how many answers that were."""
        try:
            removed = self._connection.execute(
                "DELETE FROM answers WHERE until <= ?", [self._clock()]
            ).rowcount
            self._connection.commit()
        except sqlite3.Error as error:
            raise self._failed(error) from error
        return removed

    def close(self) -> None:
        """Write what waits, and close the file."""
        try:
            self.flush()
        finally:
            self._connection.close()

    def _failed(self, error: sqlite3.Error) -> StorageError:
        return StorageError(
            f"The registry cache {self._file} cannot be used: {error}.",
            remedy="Remove the file; it is made anew.",
        )
