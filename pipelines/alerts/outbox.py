"""What alerts remember: the states of clauses, what was seen of each batch, every alert and its delivery.

Belongs here: one small SQLite file of a home, ``private/alerts.sqlite``, readable by its owner alone. Does not belong
here: what changed (quality/alerts), sending (services.py), the copy that readers see (table alert_states).

No address is ever stored: a service is known by a keyed hash of its address, so that one that took an alert is not told
again while another one is still tried.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from quality.alerts.model import ClauseState, States
from quality.errors import StorageError

FILE = "private/alerts.sqlite"
BUSY_SECONDS = 90
MAX_ATTEMPTS: Final = 12
"""Deliveries that are tried by themselves, over about a day; then the alert stays pending until somebody asks."""
FIRST_WAIT = timedelta(minutes=1)
LONGEST_WAIT = timedelta(hours=6)
CLAIM = timedelta(minutes=3)
"""How long a sender that was killed keeps an alert from the others."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS seen (batch_id TEXT PRIMARY KEY, digest TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS clause_state (producer TEXT NOT NULL, clause TEXT NOT NULL, state TEXT NOT NULL,
    PRIMARY KEY (producer, clause));
CREATE TABLE IF NOT EXISTS alert (
    number INTEGER PRIMARY KEY AUTOINCREMENT, alert_id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, batch_id TEXT NOT NULL,
    producer TEXT, clauses TEXT NOT NULL, title TEXT NOT NULL, text TEXT NOT NULL, raised_at TEXT NOT NULL,
    state TEXT NOT NULL, reason TEXT NOT NULL, attempts INTEGER NOT NULL, due_at TEXT, changed_at TEXT NOT NULL,
    change INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS taken (alert_id TEXT NOT NULL, service TEXT NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY (alert_id, service));
"""
_ALERT = "alert_id, kind, batch_id, producer, clauses, title, text, raised_at, state, reason, attempts, changed_at, change, due_at"


@dataclass(frozen=True, slots=True)
class Alert:
    """One alert and its delivery; ``state`` is pending, sent or skipped, ``reason`` says why in one sentence."""

    alert_id: str
    kind: str
    batch_id: str
    producer: str | None
    clauses: tuple[str, ...]
    title: str
    text: str
    raised_at: datetime
    state: str
    reason: str
    attempts: int
    changed_at: datetime
    change: int  # grows with every change of any alert
    due_at: datetime | None  # when the next delivery is tried; None: not by itself


class Outbox:
    """An open outbox; every method is one step of the transaction that ``outbox`` holds."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    def meta(self, name: str) -> str:
        """Give a remembered word; empty when there is none."""
        row = self._db.execute("SELECT value FROM meta WHERE name = ?", [name]).fetchone()
        return str(row[0]) if row else ""

    def remember(self, name: str, value: str) -> None:
        """Remember a word."""
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", [name, value])

    def digests(self) -> dict[str, str]:
        """Batch -> digest of what was seen of it last."""
        return dict(self._db.execute("SELECT batch_id, digest FROM seen").fetchall())

    def see(self, batch_id: str, digest: str) -> None:
        """Remember what was seen of a batch."""
        self._db.execute("INSERT OR REPLACE INTO seen VALUES (?, ?)", [batch_id, digest])

    def states(self, producer: str | None) -> States:
        """Give the states of a producer's clauses."""
        rows = self._db.execute(
            "SELECT clause, state FROM clause_state WHERE producer = ?", [json.dumps(producer)]
        )
        found = {}
        for clause, text in rows.fetchall():
            fields = json.loads(text)
            found[clause] = ClauseState(**{**fields, "kept": tuple(fields["kept"])})
        return found

    def keep_states(self, producer: str | None, states: States) -> None:
        """Remember the states of a producer's clauses."""
        rows = [(json.dumps(producer), name, json.dumps(asdict(state))) for name, state in states.items()]
        self._db.executemany("INSERT OR REPLACE INTO clause_state VALUES (?, ?, ?)", rows)

    def add(
        self,
        kind: str,
        batch_id: str,
        producer: str | None,
        clauses: Sequence[str],
        words: tuple[str, str],
        state: tuple[str, str],
        now: datetime,
    ) -> str:
        """Add an alert; gives its id: kind, batch, and the how manieth it is.

        Args:
            kind, batch_id, producer, clauses: what it is about.
            words: title and text.
            state: pending or skipped, and why.
            now: when it was raised; a pending one is due at once.
        """
        ((count,),) = self._db.execute(
            "SELECT count(*) FROM alert WHERE kind = ? AND batch_id = ?", [kind, batch_id]
        ).fetchall()
        alert_id = f"{batch_id}/{kind}/{count + 1}"
        due = _text(now) if state[0] == "pending" else None
        row = [
            alert_id,
            kind,
            batch_id,
            producer,
            json.dumps(list(clauses)),
            *words,
            _text(now),
            *state,
            0,
            due,
        ]
        self._db.execute(
            "INSERT INTO alert (alert_id, kind, batch_id, producer, clauses, title, text, raised_at, state, reason,"
            " attempts, due_at, changed_at, change) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [*row, _text(now), self._next_change()],
        )
        return alert_id

    def alerts(self, *, after: int = 0, alert_id: str | None = None) -> list[Alert]:
        """Give the alerts that changed after a change, oldest first, or one."""
        rows = self._db.execute(
            f"SELECT {_ALERT} FROM alert WHERE change > ? AND (? IS NULL OR alert_id = ?) ORDER BY number",  # noqa: S608
            [after, alert_id, alert_id],
        )
        return [_alert(row) for row in rows.fetchall()]

    def due(self, now: datetime) -> list[Alert]:
        """Give the pending alerts whose time has come, oldest first."""
        return [a for a in self.alerts() if a.state == "pending" and a.due_at is not None and a.due_at <= now]

    def claim(self, alert: Alert, now: datetime) -> bool:
        """Take an alert for delivery, unless another process has it."""
        changed = self._db.execute(
            "UPDATE alert SET due_at = ? WHERE alert_id = ? AND state = 'pending' AND due_at <= ?",
            [_text(now + CLAIM), alert.alert_id, _text(now)],
        )
        return changed.rowcount == 1

    def settle(
        self, alert_id: str, state: str, reason: str, *, attempts: int, due_at: datetime | None, now: datetime
    ) -> None:
        """Note what became of an alert."""
        self._db.execute(
            "UPDATE alert SET state = ?, reason = ?, attempts = ?, due_at = ?, changed_at = ?, change = ? "
            "WHERE alert_id = ?",
            [state, reason, attempts, _text(due_at) if due_at else None, _text(now), self._next_change(), alert_id],
        )  # fmt: skip

    def took(self, alert_id: str) -> set[str]:
        """Give the services that took an alert."""
        rows = self._db.execute("SELECT service FROM taken WHERE alert_id = ?", [alert_id])
        return {str(service) for (service,) in rows.fetchall()}

    def take(self, alert_id: str, services: Iterable[str], now: datetime) -> None:
        """Note services that took an alert."""
        rows = [(alert_id, service, _text(now)) for service in services]
        self._db.executemany("INSERT OR IGNORE INTO taken VALUES (?, ?, ?)", rows)

    def name_of(self, address: str) -> str:
        """Give the name under which a service is known here: a keyed hash of its address."""
        return hmac.new(self.meta("key").encode(), address.encode(), hashlib.sha256).hexdigest()[:24]

    def last_change(self) -> int:
        """Give the number of the last change of any alert."""
        ((last,),) = self._db.execute("SELECT coalesce(max(change), 0) FROM alert").fetchall()
        return int(last)

    def _next_change(self) -> int:
        return self.last_change() + 1


@contextmanager
def outbox(home: Path, now: datetime) -> Iterator[Outbox]:
    """Open a home's outbox for one transaction: all of it, or nothing. Others wait for its end.

    Raises:
        StorageError: the file cannot be opened or written.
    """
    path = home / FILE
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        with closing(sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)) as connection:
            connection.executescript(_SCHEMA)
            connection.execute("BEGIN IMMEDIATE")
            opened = Outbox(connection)
            if not opened.meta("since"):
                opened.remember("since", _text(now))
                opened.remember("key", secrets.token_hex(16))
            try:
                yield opened
            except BaseException:
                connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")
    except (sqlite3.Error, OSError) as error:
        raise StorageError(
            f"The outbox of alerts {path} cannot be used: {error}.",
            remedy="Free or allow the space; a damaged file may be moved away: alerts start anew then.",
        ) from error


def wait_after(attempts: int) -> timedelta | None:
    """How long to wait after so many failed deliveries; None: no more by itself."""
    if attempts >= MAX_ATTEMPTS:
        return None
    return min(FIRST_WAIT * int(2 ** (attempts - 1)), LONGEST_WAIT)


def _alert(row: Sequence[object]) -> Alert:
    (
        alert_id,
        kind,
        batch_id,
        producer,
        clauses,
        title,
        text,
        raised,
        state,
        reason,
        attempts,
        changed,
        change,
        due,
    ) = row
    return Alert(
        alert_id=str(alert_id),
        kind=str(kind),
        batch_id=str(batch_id),
        producer=None if producer is None else str(producer),
        clauses=tuple(json.loads(str(clauses))),
        title=str(title),
        text=str(text),
        raised_at=datetime.fromisoformat(str(raised)),
        state=str(state),
        reason=str(reason),
        attempts=int(str(attempts)),
        changed_at=datetime.fromisoformat(str(changed)),
        change=int(str(change)),
        due_at=None if due is None else datetime.fromisoformat(str(due)),
    )


def _text(instant: datetime) -> str:
    """An instant in a form whose order as text is its order in time."""
    return instant.isoformat(timespec="microseconds")
