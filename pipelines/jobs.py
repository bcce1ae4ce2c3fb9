"""The jobs that people start from the UI, and the CLI in one process.

Belongs here: selections of the graph. Does not belong here: when they run (sensors) or what follows them (finish.py).
"""

from typing import TYPE_CHECKING

import dagster as dg

from assets.common import CATALOGUE_TAG, RECORDED

if TYPE_CHECKING:
    # Dagster gives this type no public name.
    from dagster._core.definitions.unresolved_asset_job_definition import UnresolvedAssetJobDefinition

RUN_BATCH = "run_batch"
AUDIT_ONLY = "audit_only"
REVIEW_BATCH = "review_batch"
"""Not the asset's own name: Dagster refuses a location with a job and an asset of one name."""


def jobs() -> "list[UnresolvedAssetJobDefinition]":
    """``run_batch`` goes to the knowledge base; ``audit_only`` stops before it. Both deliver.

    A batch that ran before keeps the catalogue snapshot that is recorded for it, so that a re-fetched title is drift and no
    regression; ``sources`` materialised by itself takes the catalogue as it is today. ``review_batch`` is a side branch that
    nothing waits for.
    """
    aside = dg.AssetSelection.assets("blind_review")
    everything = dg.AssetSelection.all() - aside
    tags = {CATALOGUE_TAG: RECORDED}
    return [
        dg.define_asset_job(
            RUN_BATCH,
            selection=everything | dg.AssetSelection.all_asset_checks(),
            tags=tags,
            description="The whole line for one batch: audit, rebuild, deliver, decide, and ingest what may enter.",
        ),
        dg.define_asset_job(
            AUDIT_ONLY,
            selection=(everything - dg.AssetSelection.assets("knowledge_base"))
            | dg.AssetSelection.all_asset_checks(),
            tags=tags,
            description="Audit, rebuild, deliver and decide, and stop before the knowledge base: nothing is ingested.",
        ),
        dg.define_asset_job(
            REVIEW_BATCH,
            selection=aside,
            description="Let independent reviewers examine a batch blind, and rank the failures that they share.",
        ),
    ]
