"""A person releases a report, with everything that follows from it.

Belongs here: the same order of steps for the command line and the UI. Does not belong here: the transaction
(assets/releases.py), the UI's form (by_hand.py), printing.
"""

from __future__ import annotations

from collections.abc import Mapping

from assets.batches import batch_of_report
from assets.releases import Action, Released, release
from pipelines.alerts.tell import Alerting
from pipelines.finish import end_of_run
from pipelines.resources.warehouse import Warehouse
from quality.gate.policy import GatePolicy


def release_report(
    store: Warehouse,
    report_id: str,
    *,
    who: str,
    why: str,
    batch_id: str | None = None,
    action: Action = "release",
    gate: GatePolicy | None = None,
    alerting: Alerting | None = None,
) -> tuple[Released, Mapping[str, str]]:
    """Release a report or withdraw its release, renew its audit block, publish.

    Returns:
        What it came to, and what failed on the way to readers (step -> message): the release itself stands then, and the
        same call or the next run brings the rest.

    Raises:
        UsageError: as ``assets.releases.release``, or the report is in no batch or in several.
    """
    with store.read_primary() as reader:
        found = batch_of_report(reader, report_id, batch_id)
    done = release(store, found, report_id, who=who, why=why, action=action)
    return done, end_of_run(store, [found], gate=gate, alerting=alerting)
