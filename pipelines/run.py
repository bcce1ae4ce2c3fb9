"""One batch through the line in this process: what ``sluicegate run`` and the examples call.

Belongs here: starting the job, what follows it, and the summary of what happened.
Does not belong here: assets, the end-of-run step itself (finish.py), printing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import dagster as dg

from assets.batches import Batch, touch_batch
from assets.common import CATALOGUE_TAG, RECORDED, TODAY
from assets.contract_versions import pin_contract
from assets.partitions import BATCHES
from assets.ports import LineConfig
from pipelines.alerts.outbox import Alert
from pipelines.alerts.tell import Alerting, alerts_after, last_alert
from pipelines.contracts import judging_contract, standing
from pipelines.definitions import build_defs
from pipelines.finish import FINISHED_BY, end_of_run
from pipelines.home import use_home
from pipelines.inbox import keep_batch
from pipelines.jobs import AUDIT_ONLY, RUN_BATCH
from pipelines.progress import LOGGER, Listener, progress_logger
from pipelines.resources.judge import shared_judge
from pipelines.resources.warehouse import Warehouse, utc_now
from pipelines.settings import Settings
from pipelines.summary import Summary, summarise

if TYPE_CHECKING:
    # Dagster gives this type no public name.
    from dagster_shared.error import SerializableErrorInfo


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended: its summary, and what failed on the way (step -> message), a breach not among it."""

    summary: Summary
    run_id: str
    faults: Mapping[str, str] = field(default_factory=dict)
    alerts: tuple[Alert, ...] = ()  # those that this run raised, or tried to deliver

    @property
    def exit_code(self) -> int:
        """0 pass, 1 breach, 2 could not determine (a run that failed on the way determined nothing)."""
        if self.faults:
            return 1 if self.summary.verdict == "breach" else 2
        return {"pass": 0, "breach": 1}.get(self.summary.verdict or "", 2)


def run_batch(
    settings: Settings,
    batch: Batch,
    *,
    ingest: bool = True,
    contract: str | None = None,
    keep_catalogue: bool = False,
    listener: Listener = lambda kind, text: None,
    resource_overrides: Mapping[str, object] | None = None,
) -> Outcome:
    """Run the whole line on one batch, deliver whatever happens, publish, and say how it ended.

    Args:
        settings: of the home.
        batch: is written to its folder, unless the same stands there already.
        ingest: False stops before the knowledge base.
        contract: pins the batch to this accepted contract (a file, a version, "default" or "accepted"); None leaves
            it to the one of its first evaluation.
        keep_catalogue: True audits a batch that ran before against the snapshot that is recorded for it; False takes its
            catalogue as it is today.
        listener: hears of steps and messages.
        resource_overrides: replace single resources, for tests.

    Raises:
        UsageError: ``contract`` names none, or one that was never accepted.
    """
    use_home(settings)
    judge = shared_judge()
    keep_batch(settings.home, batch)
    overrides = dict(resource_overrides or {})
    store = overrides.setdefault("store", Warehouse(settings.home, lock_wait=settings.lock_wait))
    in_force = standing(settings)
    if in_force.notice:
        listener("warning", in_force.notice)
    overrides.setdefault("line", LineConfig(in_force.contract, settings.gate, judge, settings.catalogue))
    assert isinstance(store, Warehouse)  # noqa: S101 - narrows the type of an override
    if contract is not None:
        with store.write(f"pinning batch {batch.id!r} to a contract") as tx:
            touch_batch(tx, batch)
            pin_contract(tx, batch.id, judging_contract(tx, contract, settings.catalogue), now=utc_now())
    tags = {FINISHED_BY: "command line", CATALOGUE_TAG: RECORDED if keep_catalogue else TODAY}
    result = _execute(settings, batch.id, ingest=ingest, listener=listener, overrides=overrides, tags=tags)
    faults = _faults(result)
    listener("step", "end of run")
    failure = "; ".join(f"{step}: {message}" for step, message in faults.items()) or None
    alerting = Alerting.of(settings)
    before = last_alert(store, alerting)
    faults |= end_of_run(store, [batch.id], failure=failure, gate=settings.gate, alerting=alerting)
    return Outcome(summarise(store, batch.id), result.run_id, faults, alerts_after(store, alerting, before))


def _execute(
    settings: Settings,
    batch_id: str,
    *,
    ingest: bool,
    listener: Listener,
    overrides: Mapping[str, object],
    tags: Mapping[str, str],
) -> dg.ExecuteInProcessResult:
    definitions = build_defs(
        settings, resource_overrides=overrides, loggers={LOGGER: progress_logger(listener)}
    )
    job = definitions.resolve_job_def(RUN_BATCH if ingest else AUDIT_ONLY)
    with dg.DagsterInstance.get() as instance:
        instance.add_dynamic_partitions(str(BATCHES.name), [batch_id])
        return job.execute_in_process(
            partition_key=batch_id,
            instance=instance,
            raise_on_error=False,
            run_config={"loggers": {LOGGER: {}}},
            tags=dict(tags),
        )


def _faults(result: dg.ExecuteInProcessResult) -> dict[str, str]:
    """Steps that failed and why; a failed blocking check is no fault, it is the verdict."""
    faults: dict[str, str] = {}
    for event in result.all_events:
        if event.is_step_failure and event.step_key is not None:
            kind, message = _root_cause(event.step_failure_data.error)
            if kind != "DagsterAssetCheckFailedError":
                faults[event.step_key] = message
    return faults


def _root_cause(error: SerializableErrorInfo | None) -> tuple[str, str]:
    """Class and message of the innermost error that a step's failure carries."""
    if error is None:
        return "", "no reason was recorded"
    while error.cause is not None:
        error = error.cause
    return str(error.cls_name), error.message.strip()
