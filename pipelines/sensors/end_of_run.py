"""Sensors: the end of a run that the UI or the daemon started.

Belongs here: calling ``pipelines.finish`` for such runs, however they ended. Does not belong here: what it does.
"""

import dagster as dg

from assets.ports import LineConfig, Store
from pipelines.alerts.tell import Alerting
from pipelines.finish import FINISHED_BY, end_of_run
from pipelines.resources.warehouse import Warehouse

INTERVAL_SECONDS = 5
PARTITION_TAG = "dagster/partition"
_ENDS = {
    "success": dg.DagsterRunStatus.SUCCESS,
    "failure": dg.DagsterRunStatus.FAILURE,
    "cancellation": dg.DagsterRunStatus.CANCELED,
}


def end_of_run_sensors() -> list[dg.RunStatusSensorDefinition]:
    """One sensor for each way a run can end, all running by default."""
    return [_sensor(name, status) for name, status in _ENDS.items()]


def _sensor(name: str, status: dg.DagsterRunStatus) -> dg.RunStatusSensorDefinition:
    @dg.run_status_sensor(
        name=f"end_of_run_{name}",
        run_status=status,
        minimum_interval_seconds=INTERVAL_SECONDS,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description=f"After a run ended in {name}: deliver what is undelivered, tell the verdict, publish the warehouse and its dashboard, alert.",
    )
    def sensor(
        context: dg.RunStatusSensorContext,
        store: dg.ResourceParam[Store],
        line: dg.ResourceParam[LineConfig],
        alerting: dg.ResourceParam[Alerting],
    ) -> dg.SkipReason | None:
        run = context.dagster_run
        if run.tags.get(FINISHED_BY):
            return dg.SkipReason(f"Run {run.run_id} was finished by the {run.tags[FINISHED_BY]}.")
        batch_id = run.tags.get(PARTITION_TAG)
        assert isinstance(store, Warehouse)  # noqa: S101 - the resource of build_defs
        failure = _failure(context) if status is not dg.DagsterRunStatus.SUCCESS else None
        batches = [batch_id] if batch_id else []
        faults = end_of_run(store, batches, failure=failure, gate=line.gate, alerting=alerting)
        if faults:
            raise dg.Failure("; ".join(f"{step}: {message}" for step, message in faults.items()))
        return None

    return sensor


def _failure(context: dg.RunStatusSensorContext) -> str | None:
    """Why the reports of this run may be undelivered; None if it was not asked to deliver at all."""
    selection = context.dagster_run.asset_selection
    if selection is not None and dg.AssetKey("delivered_reports") not in selection:
        return None
    event = context.dagster_event
    return (
        f"run {context.dagster_run.run_id} ended as {event.event_type_value}: {event.message or 'no message'}"
    )
