"""Stored batches measured again, from the texts that were kept: what a new version of a metric says about them.

Belongs here: adding the numbers of versions that a batch has none of, and its statistics. Rows of other versions, the
contract's results and the decisions stay as they are.
Does not belong here: measuring (quality/kernel.py), choosing batches (pipelines).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import sql.loader
from assets.measurements import add_missing, missing_versions
from assets.ports import Reader, Store
from assets.references import rebuilt_reports
from assets.stored import AnyReport, load_batch, load_index, load_rebuilt
from assets.supplied import supplied_with
from quality.errors import UsageError
from quality.kernel import Audit, Supplied, guarded, looked_up, unknown_audit
from quality.metrics.catalogue import Catalogue
from quality.model import Stage
from quality.sources.index import SourceIndex


@dataclass(frozen=True, slots=True)
class Remeasured:
    """What one batch was given: metric versions by stage, each as ``fixed_closing v1``."""

    batch_id: str
    reports: int
    shadow: tuple[str, ...]
    rebuilt: tuple[str, ...]

    @property
    def added(self) -> int:
        """How many versions were new to the batch, at either stage."""
        return len(self.shadow) + len(self.rebuilt)


def remeasure(store: Store, batch_id: str, catalogue: Catalogue, *, holder: str) -> Remeasured:
    """Measure one stored batch by every version of the catalogue that it has no numbers of.

    Raises:
        UsageError: the batch was never audited, or its reports were loaded anew since.
    """
    with store.read_primary() as reader:
        _check_audited(reader, batch_id)
        wanted = {stage: missing_versions(reader, batch_id, stage, catalogue) for stage in Stage}
        reports = load_batch(store, reader, batch_id)
        if not any(wanted.values()):
            return Remeasured(batch_id, len(reports), (), ())
        _, index = load_index(reader, batch_id)
        supplied = supplied_with(store, reader, batch_id, reports, catalogue)
        rebuilt = load_rebuilt(store, reader, batch_id)
    audits = {Stage.SHADOW: list(_audited(reports, index, Stage.SHADOW, supplied))}
    if rebuilt:
        after, faults = rebuilt_reports(reports, rebuilt)
        audits[Stage.REBUILT] = [
            *_audited(after, index, Stage.REBUILT, supplied),
            *(unknown_audit(i, Stage.REBUILT, fault, catalogue) for i, fault in faults.items()),
        ]
    with store.write(holder) as tx:
        _check_audited(tx, batch_id)
        added = {
            stage: tuple(add_missing(tx, batch_id, stage, made, catalogue)) for stage, made in audits.items()
        }
        figures = tx.query(sql.loader.statement("batch_metrics"), {"batch_id": batch_id})
        tx.replace("batch_metrics", figures, where={"batch_id": batch_id})
    return Remeasured(batch_id, len(reports), added[Stage.SHADOW], added.get(Stage.REBUILT, ()))


def _audited(
    reports: list[AnyReport], index: SourceIndex | None, stage: Stage, supplied: Supplied
) -> Iterator[Audit]:
    for report, known in looked_up(reports, index):
        yield guarded(report, known, stage, supplied=supplied)


def _check_audited(reader: Reader, batch_id: str) -> None:
    found = reader.query("SELECT batch_fingerprint FROM batches WHERE batch_id = ?", [batch_id])
    if found.is_empty() or found.item() is None:
        raise UsageError(
            f"Batch {batch_id!r} was never audited, or its reports were loaded anew since.",
            remedy="Run it with `sluicegate run` first.",
        )
