"""Sensor: a batch that has a folder, or was dropped into the inbox, becomes a partition.

Belongs here: telling Dagster. Does not belong here: what counts as a drop (pipelines/inbox.py); starting a run: people
materialise a batch when they mean to.
"""

from datetime import UTC, datetime

import dagster as dg

from assets.partitions import BATCHES
from assets.ports import Store
from pipelines.inbox import known_batches, take_inbox

INTERVAL_SECONDS = 10


@dg.sensor(
    name="new_batches",
    minimum_interval_seconds=INTERVAL_SECONDS,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description="Turns batches in the inbox, and batches that the command line wrote, into partitions.",
)
def inbox_sensor(context: dg.SensorEvaluationContext, store: dg.ResourceParam[Store]) -> dg.SensorResult:
    """Add a partition for each batch that has none yet."""
    _, refused = take_inbox(store.home, now=datetime.now(tz=UTC))
    ids, broken = known_batches(store.home)
    for item in (*refused, *broken):
        context.log.warning(f"{item.path}: {item.reason}")
    have = set(context.instance.get_dynamic_partitions(str(BATCHES.name)))
    fresh = [batch_id for batch_id in ids if batch_id not in have]
    if not fresh:
        return dg.SensorResult(
            skip_reason=f"No new batch among {len(ids)}; {len(refused) + len(broken)} refused."
        )
    return dg.SensorResult(dynamic_partitions_requests=[BATCHES.build_add_request(fresh)])
