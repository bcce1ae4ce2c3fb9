"""Sensor: what is recorded and was not told yet, and deliveries that failed, are told.

Belongs here: calling ``pipelines.alerts.tell``, whatever ran and however it ended. Does not belong here: what it does.

It looks at recorded results, not at failed runs: a breach is no failure, and a failure records no result.
"""

import dagster as dg

from assets.ports import Store
from pipelines.alerts.tell import Alerting, is_news, tell
from pipelines.resources.warehouse import Warehouse

INTERVAL_SECONDS = 30


@dg.sensor(
    name="alerts",
    minimum_interval_seconds=INTERVAL_SECONDS,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Tells what changed in the recorded results, and tries failed deliveries again. Starts no run.",
)
def alerts_sensor(store: dg.ResourceParam[Store], alerting: dg.ResourceParam[Alerting]) -> dg.SkipReason:
    """Tell what is new or due; a fault fails the tick, and the next one tries again."""
    assert isinstance(store, Warehouse)  # noqa: S101 - the resource of build_defs
    if not is_news(store, alerting):
        return dg.SkipReason("Nothing new is recorded, and no delivery is due.")
    tell(store, alerting)
    return dg.SkipReason("Told what was new or due; the table alerts shows it.")
