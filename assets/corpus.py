"""Group ``corpus``: the reports of a batch and the source catalogue that it is audited against.

Belongs here: from a batch's folder to rows and bulk text. Does not belong here: reading files (quality/intake).
"""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import dagster as dg
import polars as pl
from pydantic import Field

from assets.batches import Batch, batch_file, touch_batch
from assets.common import CATALOGUE_TAG, RECORDED, holder, line_asset, result
from assets.ports import Store, Transaction
from assets.stored import bulk_of, sha256
from assets.versions import submit, with_current_versions
from quality.errors import SluicegateError
from quality.intake.catalogue import load_sources
from quality.intake.fingerprint import input_fingerprint
from quality.intake.reports import LoadedReports, load_reports
from quality.model import Report, Source
from quality.sources.snapshots import snapshot_id

_REPORTS: dict[str, Any] = {
    "batch_id": pl.String,
    "report_id": pl.String,
    "written_id": pl.String,
    "ordinal": pl.Int32,
    "status": pl.String,
    "reason": pl.String,
    "detail": pl.String,
    "title": pl.String,
    "language": pl.String,
    "producer": pl.String,
    "question": pl.String,
    "created_at": pl.String,
    "body_chars": pl.Int64,
    "body_sha256": pl.String,
    "content_fingerprint": pl.String,
    "input_fingerprint": pl.String,
    "body_file": pl.String,
    "has_evidence": pl.Boolean,
    "evidence": pl.String,
    "extra": pl.String,
    "flags": pl.List(pl.String),
}
_SOURCES: dict[str, Any] = {
    "snapshot_id": pl.String,
    "source_id": pl.String,
    "title": pl.String,
    "url": pl.String,
    "doi": pl.String,
    "pmid": pl.String,
    "arxiv_id": pl.String,
    "isbn": pl.String,
    "authors": pl.List(pl.String),
    "year": pl.Int32,
    "venue": pl.String,
    "kind": pl.String,
    "text_chars": pl.Int32,
    "fetched_at": pl.String,
}
_SEEN: dict[str, Any] = {
    "batch_id": pl.String,
    "snapshot_id": pl.String,
    "sources_path": pl.String,
    "seen_at": pl.Datetime("us", "UTC"),
}


class Resubmission(dg.Config):
    """A new version of one report of the batch; left empty, the batch is loaded as it is."""

    report: str = Field(default="", description="Id of the report that is submitted again.")
    file: str = Field(default="", description="Its new version: a file with this one report, on the server.")
    who: str = Field(default="", description="Who submits it.")


@line_asset(
    "corpus",
    tables={
        "reports": "one row a report of a batch",
        "batches": "one row a batch",
        "report_versions": "one row a version of a report that was submitted again",
    },
)
def reports(
    context: dg.AssetExecutionContext, store: dg.ResourceParam[Store], config: Resubmission
) -> dg.MaterializeResult[None]:
    """Which reports came in with this batch, and which of them could not be read?

    Bodies go into Parquet under a content-addressed name; a report that cannot be read keeps its bytes and is a row
    with the reason. One bad report costs one report. A version that was submitted again takes the place of the one that
    the batch came with; with a configuration this asset takes a new one in.
    """
    batch = batch_file(store.home, context.partition_key)
    if config.report or config.file:
        taken = submit(store, batch.id, config.report, Path(config.file), config.who or "the UI")
        context.log.info(f"report {taken.report_id!r} is in its version {taken.version} now")
    files, overtaken = with_current_versions(store, batch.id, load_reports(batch.reports))
    for said in overtaken:
        context.log.warning(said)
    loaded = files.reports
    file = store.write_bodies(batch.id, bulk_of(loaded)) if loaded else None
    with store.write(holder(context)) as tx:
        touch_batch(tx, batch)
        tx.replace("reports", _report_rows(batch.id, files, file), where={"batch_id": batch.id})
        bad = sum(not isinstance(r, Report) for r in loaded)
        status = "empty" if not loaded else "failed" if bad == len(loaded) else "partial" if bad else "loaded"
        tx.execute(
            "UPDATE batches SET status = ?, n_reports = ?, n_unreadable = ?, batch_fingerprint = NULL WHERE batch_id = ?",
            [status, len(loaded), bad, batch.id],
        )
    characters = sum(len(r.body) for r in loaded if isinstance(r, Report))
    return result({"reports": len(loaded), "unreadable": bad, "characters": characters}, {"status": status})


def _report_rows(batch_id: str, loaded: LoadedReports, file: str | None) -> pl.DataFrame:
    rows = [
        {
            "batch_id": batch_id,
            "report_id": r.report_id,
            "written_id": loaded.written_id(r.report_id),
            "ordinal": i,
            "content_fingerprint": input_fingerprint(r, None),
            "body_file": file,
            "has_evidence": isinstance(r, Report) and r.evidence is not None,
            "flags": list(r.flags) if isinstance(r, Report) else [],
            **(
                _readable(r)
                if isinstance(r, Report)
                else {"status": "unreadable", "reason": r.reason, "detail": r.detail}
            ),
        }
        for i, r in enumerate(loaded.reports)
    ]
    return pl.DataFrame(rows, schema=_REPORTS, orient="row")


def _readable(report: Report) -> dict[str, object]:
    return {
        "status": "read",
        "title": report.title,
        "language": report.language,
        "producer": report.producer,
        "question": report.question,
        "created_at": report.created_at,
        "body_chars": len(report.body),
        "body_sha256": sha256(report.body),
        "evidence": None if report.evidence is None else json.dumps(report.evidence, ensure_ascii=False),
        "extra": json.dumps(report.extra, ensure_ascii=False) if report.extra else None,
    }


@line_asset(
    "corpus",
    deps=["drafts"],
    tables={
        "sources": "one row a source of a snapshot",
        "source_snapshots": "one row a distinct catalogue",
        "batch_snapshots": "one row a batch whenever its snapshot changed",
    },
)
def sources(context: dg.AssetExecutionContext, store: dg.ResourceParam[Store]) -> dg.MaterializeResult[None]:
    """Which works does the catalogue hold that this batch is audited against?

    The catalogue is versioned by content: two batches with the same catalogue point at one snapshot. A batch that ran
    before keeps its snapshot in the jobs of the line, whatever became of the catalogue since: that is drift, and no
    regression. Materialised by itself, this asset takes the catalogue as it is today.
    """
    batch = batch_file(store.home, context.partition_key)
    recorded = recorded_snapshot(store, batch) if context.run.tags.get(CATALOGUE_TAG) == RECORDED else None
    try:
        loaded = load_sources(batch.sources) if batch.sources is not None else None
    except SluicegateError as error:
        if recorded is None:
            raise
        return _kept(context, recorded, f"can no longer be read ({error.message})")
    catalogue = loaded.sources if loaded else ()
    snapshot = snapshot_id(catalogue)
    if recorded not in (None, snapshot):
        return _kept(context, str(recorded), "has changed since")
    texts = [(s.source_id, s.text) for s in catalogue if s.text]
    file = (
        store.write_bodies("_sources", pl.DataFrame(texts, schema=["source_id", "text"], orient="row"))
        if texts
        else None
    )
    with store.write(holder(context)) as tx:
        touch_batch(tx, batch)
        known = tx.query(
            "SELECT count(*) AS n FROM source_snapshots WHERE snapshot_id = ?", [snapshot]
        ).item()
        if not known:
            tx.replace("sources", _source_rows(snapshot, catalogue), where={"snapshot_id": snapshot})
            row = {
                "snapshot_id": snapshot,
                "n_sources": len(catalogue),
                "n_with_text": len(texts),
                "text_file": file,
            }
            tx.replace(
                "source_snapshots",
                pl.DataFrame([row], schema_overrides={"text_file": pl.String}),
                where={"snapshot_id": snapshot},
            )
        _point_at(tx, batch, snapshot)
    refused = len(loaded.refused) if loaded else 0
    return result(
        {"sources": len(catalogue), "with_text": len(texts), "refused_rows": refused},
        {
            "snapshot_id": snapshot,
            "refused": "; ".join(f"{r.place}: {r.reason}" for r in (loaded.refused[:10] if loaded else ())),
        },
    )


def recorded_snapshot(store: Store, batch: Batch) -> str | None:
    """The snapshot that a batch was last pointed at, if its catalogue still is the one of that time by its path."""
    path = None if batch.sources is None else str(batch.sources)
    with store.read_primary() as reader:
        found = reader.query(
            "SELECT s.snapshot_id FROM batch_snapshots s JOIN batches b USING (batch_id, snapshot_id) "
            "WHERE s.batch_id = ? AND s.sources_path IS NOT DISTINCT FROM ? ORDER BY seen_id DESC LIMIT 1",
            [batch.id, path],
        )
    return str(found.item()) if found.height else None


def _kept(context: dg.AssetExecutionContext, snapshot: str, why: str) -> dg.MaterializeResult[None]:
    """Say that the batch stays with the snapshot that is recorded for it."""
    batch_id = context.partition_key
    context.log.warning(
        f"the source catalogue of batch {batch_id!r} {why}: the batch stays with {snapshot}. `sluicegate drift` shows what "
        "changed; `sluicegate run --sources` takes the new one."
    )
    return result({}, {"snapshot_id": snapshot, "kept": why})


def _point_at(tx: Transaction, batch: Batch, snapshot: str) -> None:
    """Point the batch at a snapshot; another one than before makes its fingerprints stale."""
    batch_id = batch.id
    path = None if batch.sources is None else str(batch.sources)
    seen = {"batch_id": batch_id, "snapshot_id": snapshot, "sources_path": path, "seen_at": datetime.now(UTC)}
    tx.append_changed("batch_snapshots", pl.DataFrame([seen], schema=_SEEN))
    tx.execute(
        "UPDATE reports SET input_fingerprint = NULL, audit_fingerprint = NULL WHERE batch_id = ? AND EXISTS "
        "(SELECT 1 FROM batches b WHERE b.batch_id = ? AND b.snapshot_id IS DISTINCT FROM ?)",
        [batch_id, batch_id, snapshot],
    )
    tx.execute("UPDATE batches SET snapshot_id = ? WHERE batch_id = ?", [snapshot, batch_id])


def _source_rows(snapshot: str, catalogue: Sequence[Source]) -> pl.DataFrame:
    rows = [
        (
            snapshot,
            s.source_id,
            s.title,
            s.url,
            s.doi,
            s.pmid,
            s.arxiv_id,
            s.isbn,
            list(s.authors),
            s.year,
            s.venue,
            s.kind,
            len(s.text or ""),
            s.fetched_at,
        )
        for s in catalogue
    ]
    return pl.DataFrame(rows, schema=_SOURCES, orient="row")
