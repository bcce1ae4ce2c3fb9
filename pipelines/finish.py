"""The end of every run, failed ones included: nothing stays undelivered, audit blocks tell the verdict, publish, draw, tell.

Belongs here: that order, and that a fault in one step never stops the next one.
Does not belong here: what is delivered (assets/delivery.py), how a publication is made (the warehouse).

The command line calls it after its run; for runs from the UI the end-of-run sensors do. It is idempotent: called twice
it changes nothing the second time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from assets.delivery import deliver_incomplete, delivered_folder, renew_audit_blocks
from assets.files import sweep_unfinished
from assets.withdrawal import mark_withdrawn
from pipelines.alerts.tell import Alerting, deliver, note
from pipelines.resources.warehouse import Warehouse
from quality.gate.policy import GatePolicy

FINISHED_BY = "sluicegate/finished_by"
"""Run tag: who calls ``end_of_run`` for this run; the sensors leave such runs alone."""


def end_of_run(
    store: Warehouse,
    batch_ids: Sequence[str],
    *,
    failure: str | None = None,
    gate: GatePolicy | None = None,
    alerting: Alerting | None = None,
) -> dict[str, str]:
    """Deliver what the line could not, renew the audit blocks, publish warehouse and dashboard, send alerts.

    Args:
        store: of the home.
        batch_ids: what the run worked on.
        failure: why the run failed before it could deliver, in one sentence; None: it did not.
        gate: rules and limits in force, which the dashboard draws; None: the default.
        alerting: who is told of breach, outage and recovery; None leaves that to the sensor ``alerts``.

    Returns:
        step -> message of what failed; the other steps were still done.
    """
    faults: dict[str, str] = {}
    for batch_id in batch_ids:
        if failure is not None:
            _attempt(faults, f"deliver {batch_id}", partial(deliver_incomplete, store, batch_id, failure))
        _attempt(faults, f"audit blocks of {batch_id}", partial(renew_audit_blocks, store, batch_id))
        _attempt(faults, f"withdrawn files of {batch_id}", partial(mark_withdrawn, store, batch_id))
        folder = delivered_folder(store.home, batch_id)
        _attempt(faults, f"unfinished files of {batch_id}", partial(sweep_unfinished, folder))
    if alerting is not None:
        _attempt(faults, "note alerts", partial(note, store, alerting))
    _attempt(faults, "publish", store.publish)
    _attempt(faults, "dashboard", partial(_draw, store, gate or GatePolicy()))
    if alerting is not None:
        _attempt(faults, "send alerts", partial(_send, store, alerting, gate or GatePolicy()))
    return faults


def _send(store: Warehouse, alerting: Alerting, gate: GatePolicy) -> None:
    """Send after publishing, so that a message finds its rows; then show what became of it."""
    if deliver(store, alerting):
        store.publish()
        _draw(store, gate)


def _draw(store: Warehouse, gate: GatePolicy) -> None:
    from pipelines.dashboard.publish import (
        publish_dashboard,
    )  # charts are loaded when there is something to draw

    publish_dashboard(store.home, gate)


def _attempt(faults: dict[str, str], step: str, action: Callable[[], object]) -> None:
    try:
        action()
    except Exception as error:  # whatever failed, the next step still has to happen
        faults[step] = f"{type(error).__name__}: {error}"
