"""Alerts, from recorded results to services: the one function that a run's end and the sensor both call.

Belongs here: the order of steps. Does not belong here: what changed (quality/alerts), storage (outbox.py), sending
(services.py).

``note`` looks at what is recorded and writes alerts down, before the warehouse is published; ``deliver`` hands them out
afterwards. Both may be called at any time, by several processes, and again after a kill: an alert is written down once,
and delivered at least once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import polars as pl

from assets.ports import Reader
from pipelines.alerts.look import Recorded, kept_out, look
from pipelines.alerts.outbox import MAX_ATTEMPTS, Alert, Outbox, outbox, wait_after
from pipelines.alerts.services import Address, addresses, send
from pipelines.resources.reader import reader
from pipelines.resources.warehouse import Warehouse, utc_now
from pipelines.settings import Settings
from quality.alerts.changes import evaluate_batch
from quality.alerts.message import text_of, title_of
from quality.alerts.model import Draft, Kind

MAX_ROUND = 20
"""Alerts that one call delivers at most: a service may take seconds to answer, and a sensor has a minute."""

_ROWS: dict[str, Any] = {
    "alert_id": pl.String,
    "kind": pl.String,
    "batch_id": pl.String,
    "producer": pl.String,
    "clauses": pl.List(pl.String),
    "title": pl.String,
    "text": pl.String,
    "raised_at": pl.Datetime("us", "UTC"),
    "state": pl.String,
    "reason": pl.String,
    "attempts": pl.Int32,
    "changed_at": pl.Datetime("us", "UTC"),
}


@dataclass(frozen=True, slots=True)
class Alerting:
    """Who is told, and what the messages point at."""

    variable: str  # environment variable with the addresses
    ui: str  # where Dagster's UI is, without a slash at the end
    clock: Callable[[], datetime] = utc_now

    @classmethod
    def of(cls, settings: Settings) -> Alerting:
        """As the configuration says."""
        return cls(settings.alerts.urls_from, settings.alerts.ui.rstrip("/"))


def tell(store: Warehouse, alerting: Alerting) -> None:
    """Note what changed, publish, deliver what is due, and publish again if a delivery changed anything."""
    note(store, alerting)
    store.publish()
    if deliver(store, alerting):
        store.publish()


def is_news(store: Warehouse, alerting: Alerting) -> bool:
    """Whether ``tell`` has anything to do, without waiting for the warehouse: from the latest publication."""
    now = alerting.clock()
    with outbox(store.home, now) as box:
        seen, due = box.digests(), box.due(now)
        behind = box.last_change() > int(box.meta("copied") or 0)
    if due or behind:
        return True
    if not (store.home / "warehouse.duckdb").exists():
        return False
    with reader(store.home) as connection:
        return any(seen.get(r.view.batch_id) != r.digest for r in look(connection))


def note(store: Warehouse, alerting: Alerting) -> None:
    """Write down an alert for whatever changed since the last look; the same evaluation again is no news.

    Raises:
        LockTimeout, StorageError: as ``Warehouse.write``; nothing is lost, the next call notes it.
    """
    now = alerting.clock()
    heard = bool(addresses(alerting.variable))
    # the outbox is locked first and the warehouse within, here as everywhere: nobody can overtake with an older look
    with outbox(store.home, now) as box:
        with store.read_primary("a look for alerts") as primary:
            for recorded in look(primary):
                if box.digests().get(recorded.view.batch_id) != recorded.digest:
                    _take_in(box, primary, recorded, alerting, heard)
        _copy(box, store)


def _take_in(box: Outbox, primary: Reader, recorded: Recorded, alerting: Alerting, heard: bool) -> None:
    """Step the states of one batch's clauses, and add the alerts that come of it."""
    view, now = recorded.view, alerting.clock()
    states, drafts = evaluate_batch(box.states(view.producer), view)
    for draft in drafts:
        kept = (
            kept_out(primary, [i for c in draft.changes for i in c.kept])
            if draft.kind is Kind.RECOVERY
            else []
        )
        words = title_of(draft), text_of(draft, ui=alerting.ui, kept=kept)
        state = _first_state(box, recorded, draft, alerting, heard)
        box.add(draft.kind.value, view.batch_id, view.producer, draft.clauses, words, state, now)
    box.keep_states(view.producer, states)
    box.see(view.batch_id, recorded.digest)


def _first_state(
    box: Outbox, recorded: Recorded, draft: Draft, alerting: Alerting, heard: bool
) -> tuple[str, str]:
    if recorded.evaluated_at < datetime.fromisoformat(box.meta("since")):
        return "skipped", "evaluated before alerts were kept in this home"
    if draft.quiet:
        since = ", ".join(dict.fromkeys(c.since or "?" for c in draft.still))
        return "skipped", f"told before, for batch {since}, and not over since"
    if not heard:
        return "skipped", f"nobody configured: {alerting.variable} is empty"
    return "pending", "not tried yet"


def deliver(store: Warehouse, alerting: Alerting) -> bool:
    """Hand out what is due; returns whether the state of any alert changed.

    A service that fails is left alone for the rest of the call, and an alert that it did not take is tried again later:
    after a minute, then twice as long each time, at most six hours, twelve times in all.
    """
    now = alerting.clock()
    services = addresses(alerting.variable)
    with outbox(store.home, now) as box:
        due = box.due(now)[:MAX_ROUND]
        before = box.last_change()
    down: dict[str, str] = {}
    for alert in due:
        _hand_out(store, alerting, alert, services, down)
    with outbox(store.home, now) as box:
        if box.last_change() == before:
            return False
        _copy(box, store)
    return True


def _hand_out(
    store: Warehouse, alerting: Alerting, alert: Alert, services: list[Address], down: dict[str, str]
) -> None:
    with outbox(store.home, alerting.clock()) as box:
        if not box.claim(alert, alerting.clock()):
            return
        took = box.took(alert.alert_id)
        names = {s.position: box.name_of(s.url) for s in services}
    waiting = [s for s in services if names[s.position] not in took]
    tried = [s for s in waiting if names[s.position] not in down]
    taken = []
    for service in tried:
        fault = send(service, kind=alert.kind, title=alert.title, text=alert.text)
        if fault is None:
            taken.append(names[service.position])
        else:
            down[names[service.position]] = fault
    now = alerting.clock()
    with outbox(store.home, now) as box:
        box.take(alert.alert_id, taken, now)
        _settle(box, alert, services, [s for s in waiting if names[s.position] not in taken],
                {s.position: down.get(names[s.position], "") for s in waiting}, bool(tried), now)  # fmt: skip


def _settle(
    box: Outbox,
    alert: Alert,
    services: list[Address],
    missing: list[Address],
    faults: Mapping[int, str],
    tried: bool,
    now: datetime,
) -> None:
    attempts = alert.attempts + tried
    if not services:
        box.settle(alert.alert_id, "skipped", "nobody configured any more", attempts=attempts, due_at=None, now=now)  # fmt: skip
        return
    if not missing:
        took = ", ".join(s.shown for s in services)
        box.settle(alert.alert_id, "sent", f"taken by {took}", attempts=attempts, due_at=None, now=now)
        return
    wait = wait_after(max(attempts, 1))
    said = "; ".join(f"{s.shown}: {faults[s.position]}" for s in missing)
    after = (
        f"given up after {MAX_ATTEMPTS} deliveries: `sluicegate alerts retry` tries again"
        if wait is None
        else f"tried again from {(now + wait).isoformat(sep=' ', timespec='seconds')} on"
    )
    partly = (
        f"{len(services) - len(missing)} of {len(services)} services took it; " if len(services) > 1 else ""
    )
    due = None if wait is None else now + wait
    box.settle(alert.alert_id, "pending", f"{partly}{said}; {after}", attempts=attempts, due_at=due, now=now)


def retry(store: Warehouse, alerting: Alerting, alert_id: str | None = None) -> list[Alert]:
    """Deliver at once what is pending, or one alert whatever its state, publish, and give those alerts as they are now."""
    now = alerting.clock()
    with outbox(store.home, now) as box:
        chosen = [a for a in box.alerts(alert_id=alert_id) if alert_id is not None or a.state == "pending"]
        for alert in chosen:
            box.settle(alert.alert_id, "pending", "asked for by a person", attempts=0, due_at=now, now=now)
    tell(store, alerting)
    with outbox(store.home, now) as box:
        return [a for chosen_one in chosen for a in box.alerts(alert_id=chosen_one.alert_id)]


def last_alert(store: Warehouse, alerting: Alerting) -> int:
    """The number of the last change of any alert, to ask ``alerts_after`` with."""
    with outbox(store.home, alerting.clock()) as box:
        return box.last_change()


def alerts_after(store: Warehouse, alerting: Alerting, change: int = 0) -> tuple[Alert, ...]:
    """The alerts that changed since then, oldest first."""
    with outbox(store.home, alerting.clock()) as box:
        return tuple(box.alerts(after=change))


def _copy(box: Outbox, store: Warehouse) -> None:
    """Bring the rows that readers see up to date with the outbox."""
    fresh = box.alerts(after=int(box.meta("copied") or 0))
    if not fresh:
        return
    rows = [[getattr(a, name) if name != "clauses" else list(a.clauses) for name in _ROWS] for a in fresh]
    with store.write("alerts") as tx:
        tx.append_changed("alert_states", pl.DataFrame(rows, schema=_ROWS, orient="row"))
    box.remember("copied", str(box.last_change()))
