"""The jobs that people start from the UI, and the CLI in one process.

Belongs here: selections of the graph. Does not belong here: when they run (sensors) or what follows them (finish.py).
"""

from typing import TYPE_CHECKING

import dagster as dg

if TYPE_CHECKING:
    # Dagster gives this type no public name.
    from dagster._core.definitions.unresolved_asset_job_definition import UnresolvedAssetJobDefinition

RUN_BATCH = "run_batch"
AUDIT_ONLY = "audit_only"


def jobs() -> "list[UnresolvedAssetJobDefinition]":
    """``run_batch`` goes to the knowledge base; ``audit_only`` stops before it. Both deliver."""
    everything = dg.AssetSelection.all()
    return [
        dg.define_asset_job(
            RUN_BATCH,
            selection=everything | dg.AssetSelection.all_asset_checks(),
            description="The whole line for one batch: audit, rebuild, deliver, decide, and ingest what may enter.",
        ),
        dg.define_asset_job(
            AUDIT_ONLY,
            selection=(everything - dg.AssetSelection.assets("knowledge_base"))
            | dg.AssetSelection.all_asset_checks(),
            description="Audit, rebuild, deliver and decide, and stop before the knowledge base: nothing is ingested.",
        ),
    ]
