"""A person submits a mended report again: the new version, and the run of its original batch.

Belongs here: the order of the two. Does not belong here: versions (assets/versions.py), the run (run.py), printing.
From the UI the same is the configuration of the asset ``reports``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from assets.batches import batch_file, batch_of_report
from assets.versions import Submitted, submit
from pipelines.progress import Listener
from pipelines.resources.warehouse import Warehouse
from pipelines.run import Outcome, run_batch
from pipelines.settings import Settings


@dataclass(frozen=True, slots=True)
class Resubmitted:
    """A submission, and how the run of its batch ended."""

    submitted: Submitted
    outcome: Outcome


def resubmit_report(
    settings: Settings,
    file: Path,
    report_id: str,
    *,
    who: str,
    batch_id: str | None = None,
    ingest: bool = True,
    listener: Listener = lambda kind, text: None,
    resource_overrides: Mapping[str, object] | None = None,
) -> Resubmitted:
    """Keep a new version of a report and run its original batch, under the contract that the batch is pinned to.

    Raises:
        UsageError, InputError: as ``assets.versions.submit``; the report is in no batch or in several.
    """
    store = Warehouse(settings.home, lock_wait=settings.lock_wait)
    with store.read_primary() as reader:
        found = batch_of_report(reader, report_id, batch_id)
    batch = batch_file(settings.home, found)
    submitted = submit(store, found, report_id, file, who)
    outcome = run_batch(
        settings,
        batch,
        ingest=ingest,
        keep_catalogue=True,
        listener=listener,
        resource_overrides=resource_overrides,
    )
    return Resubmitted(submitted, outcome)
