"""The batch that an asset works on: its folder, and its row in the warehouse.

Belongs here: from a partition key to the batch's file and row. Does not belong here: writing a batch's file (pipelines).
"""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import polars as pl

from assets.ports import Reader, Transaction
from quality.errors import UsageError
from quality.intake.batch import FILE_NAME, read_batch
from quality.names import safe_name


@dataclass(frozen=True, slots=True)
class Batch:
    """One batch as its file describes it, with absolute paths."""

    id: str
    reports: Path
    sources: Path | None
    producer: str | None
    created_at: datetime
    leads: Path | None = None  # its reports are drafted from these


def load_batch_file(file: Path) -> Batch:
    """Read a ``batch.toml``; its relative paths count from its own folder.

    Raises:
        UsageError: there is no such file.
        InputError: it cannot be read.
    """
    read = read_batch(file)
    folder = file.parent.resolve()
    return Batch(
        read.id,
        read.reports_path(folder),
        read.sources_path(folder),
        read.producer,
        read.created_at,
        read.leads_path(folder),
    )


def batches_folder(home: Path) -> Path:
    """Where the batches' folders stand."""
    return home / "batches"


def batch_folder(home: Path, batch_id: str) -> Path:
    """The folder of one batch, whatever its id is made of."""
    return batches_folder(home) / safe_name(batch_id)


def drafts_file(home: Path, batch_id: str) -> Path:
    """Where the reports of a batch lie that our own loop drafts."""
    return batch_folder(home, batch_id) / "drafts.jsonl"


def batch_file(home: Path, batch_id: str) -> Batch:
    """What ``batch.toml`` says.

    Raises:
        UsageError: there is no such file.
    """
    file = batch_folder(home, batch_id) / FILE_NAME
    if not file.is_file():
        raise UsageError(
            f"Batch {batch_id!r} has no {file}.",
            remedy="Run `sluicegate run --batch …`, or drop the batch into the inbox again.",
        )
    return load_batch_file(file)


def touch_batch(tx: Transaction, batch: Batch) -> None:
    """Make the batch's row if there is none, and keep what its file says now."""
    if tx.query("SELECT count(*) AS n FROM batches WHERE batch_id = ?", [batch.id]).item() == 0:
        row = {
            "batch_id": batch.id,
            "reports_path": str(batch.reports),
            "status": "new",
            "n_reports": 0,
            "n_unreadable": 0,
        }
        tx.replace("batches", pl.DataFrame([row]), where={"batch_id": batch.id})
    tx.execute(
        "UPDATE batches SET producer = ?, created_at = ?, reports_path = ?, sources_path = ? WHERE batch_id = ?",
        [
            batch.producer,
            batch.created_at,
            str(batch.reports),
            str(batch.sources) if batch.sources is not None else None,
            batch.id,
        ],
    )


def require_batch(reader: Reader, batch_id: str) -> dict[str, object]:
    """The batch's row.

    Raises:
        UsageError: the batch was never loaded.
    """
    rows = reader.query("SELECT * FROM batches WHERE batch_id = ?", [batch_id])
    if rows.is_empty():
        raise UsageError(
            f"Batch {batch_id!r} is not in the warehouse.",
            remedy="Materialise `reports` and `sources` of this batch first, or run `sluicegate run`.",
        )
    return rows.row(0, named=True)


def batch_of_report(reader: Reader, report_id: str, batch_id: str | None = None) -> str:
    """The batch that a report is in; ``batch_id`` decides where several batches have a report of that id.

    Raises:
        UsageError: no batch has it, or several have.
    """
    found = reader.query(
        "SELECT batch_id FROM reports WHERE report_id = ? AND (? IS NULL OR batch_id = ?) ORDER BY batch_id",
        [report_id, batch_id, batch_id],
    )["batch_id"].to_list()
    if not found:
        near = reader.query(
            "SELECT report_id FROM reports ORDER BY jaro_winkler_similarity(report_id, ?) DESC, report_id LIMIT 3",
            [report_id],
        )
        said = f" The nearest ids are {', '.join(near['report_id'])}." if near.height else ""
        where = f" in batch {batch_id!r}" if batch_id is not None else ""
        raise UsageError(
            f"There is no report {report_id!r}{where}.{said}",
            remedy='`sluicegate sql "SELECT batch_id, report_id FROM reports"` lists them.',
        )
    if len(found) > 1:
        raise UsageError(
            f"Report {report_id!r} is in {len(found)} batches: {', '.join(found)}.",
            remedy="Name one with --batch.",
        )
    return str(found[0])
