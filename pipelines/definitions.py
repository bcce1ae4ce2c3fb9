"""The Dagster definitions: what ``workspace.yaml``, the CLI and the tests all load.

Belongs here: putting assets, checks, jobs, sensors and resources together. Does not belong here: any of them.
"""

from collections.abc import Mapping

import dagster as dg

from assets import (
    blind_review,
    contract,
    corpus,
    delivery,
    drafts,
    gate,
    knowledge_base,
    references,
    shadow_audit,
)
from assets.checks import clause_checks
from assets.registry_checks import registry_checks
from pipelines.by_hand import release_job
from pipelines.contracts import standing
from pipelines.jobs import jobs
from pipelines.sensors.alerts import alerts_sensor
from pipelines.sensors.end_of_run import end_of_run_sensors
from pipelines.sensors.inbox import inbox_sensor
from pipelines.settings import Settings, load_settings
from pipelines.wiring import resources


def build_defs(
    settings: Settings | None = None,
    *,
    resource_overrides: Mapping[str, object] | None = None,
    loggers: Mapping[str, dg.LoggerDefinition] | None = None,
) -> dg.Definitions:
    """Everything of one home.

    Args:
        settings: of the home; None reads ``sluicegate.toml`` and the environment.
        resource_overrides: replace single resources, for tests.
        loggers: replace Dagster's console logger, for the CLI.
    """
    settings = settings or load_settings()
    return dg.Definitions(
        assets=[
            drafts.drafts,
            corpus.reports,
            corpus.sources,
            shadow_audit.shadow_audit,
            references.rebuilt_references,
            references.rebuilt_audit,
            blind_review.blind_review,
            registry_checks,
            contract.batch_metrics,
            contract.contract_results,
            gate.ingestion_decisions,
            delivery.delivered_reports,
            knowledge_base.knowledge_base,
        ],
        asset_checks=[clause_checks(standing(settings).contract)],
        jobs=[*jobs(), release_job],
        sensors=[inbox_sensor, *end_of_run_sensors(), alerts_sensor],
        resources={**resources(settings), **(resource_overrides or {})},
        executor=dg.in_process_executor,
        loggers=dict(loggers or {}),
    )


@dg.definitions
def defs() -> dg.Definitions:
    """What ``dagster dev -w workspace.yaml`` loads."""
    return build_defs()
