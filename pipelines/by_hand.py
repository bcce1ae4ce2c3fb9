"""The job that a person starts from the UI on one report: a release, or taking one back.

Belongs here: its form. Does not belong here: what it does (pipelines/release.py), which the command line calls too.
Submitting a report again needs no job of its own: it is the configuration of the asset ``reports`` in ``run_batch``.
"""

import dagster as dg
from pydantic import Field

from assets.common import WRITER_POOL
from assets.ports import LineConfig, Store
from pipelines.alerts.tell import Alerting
from pipelines.release import release_report
from pipelines.resources.warehouse import Warehouse
from quality.errors import SluicegateError

RELEASE = "release_report"
STEP = "release"
"""The job's one step: Dagster refuses a location in which a job and an op have one name."""


class ReleaseForm(dg.Config):
    """Which report may enter, who says so, and why."""

    report: str = Field(description="Id of the report.")
    batch: str = Field(default="", description="Its batch; needed where several have a report of that id.")
    who: str = Field(description="Who says so.")
    why: str = Field(description="Why it may enter although the gate holds it; kept for ever.")
    withdraw: bool = Field(default=False, description="Take the release back instead.")


@dg.op(name=STEP, pool=WRITER_POOL, tags={"kind": "duckdb"})
def _release(
    context: dg.OpExecutionContext,
    store: dg.ResourceParam[Store],
    line: dg.ResourceParam[LineConfig],
    alerting: dg.ResourceParam[Alerting],
    config: ReleaseForm,
) -> None:
    """Record the release, decide anew, renew the audit block, publish."""
    assert isinstance(store, Warehouse)  # noqa: S101 - the resource of build_defs
    try:
        done, faults = release_report(
            store,
            config.report,
            who=config.who,
            why=config.why,
            batch_id=config.batch or None,
            action="withdraw" if config.withdraw else "release",
            gate=line.gate,
            alerting=alerting,
        )
    except SluicegateError as error:
        raise dg.Failure(str(error), allow_retries=False) from error
    shown = "shows it" if done.shown else "does not show it"
    context.log.info(
        f"{done.report_id} of batch {done.batch_id}: {done.decision}; the knowledge base {shown}"
    )
    for reason in done.held_by:
        context.log.info(f"still held: {reason.rule}: {reason.observed}")
    for sentence in done.kept_out:
        context.log.warning(sentence)
    if faults:
        raise dg.Failure("; ".join(f"{step}: {message}" for step, message in faults.items()))


@dg.job(
    name=RELEASE,
    executor_def=dg.in_process_executor,
    description="Let one held report into the knowledge base, with a person's name and reason, or take that back.",
)
def release_job() -> None:
    """One step."""
    _release()
