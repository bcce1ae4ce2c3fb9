"""What the line has stored, back as the domain's values.

Belongs here: packing reports and sources into rows and bulk text, and unpacking them again.
Does not belong here: loading them from a user's files (quality/intake), or writing rows of the audit (rows.py).
"""

import dataclasses
import hashlib
import json
from collections.abc import Iterable, Sequence

import polars as pl

from assets.ports import Reader, Store
from quality.errors import UsageError
from quality.model import ListedSource, Report, Source, Stage, UnreadableReport
from quality.sources.index import SourceIndex

AnyReport = Report | UnreadableReport
_INDEXES: dict[str, SourceIndex] = {}
"""The index of the last snapshot used in this process: a snapshot id names one content for ever, and three assets of a
run ask for the same one."""

_BULK = {
    "report_id": pl.String,
    "stage": pl.String,
    "body": pl.String,
    "original": pl.Binary,
    "listed": pl.String,
}


def bulk_of(reports: Sequence[AnyReport]) -> pl.DataFrame:
    """Bodies, original bytes and out-of-body sources of a batch: what does not belong into the warehouse file."""
    rows = [
        (
            r.report_id,
            Stage.SHADOW.value,
            r.body if isinstance(r, Report) else None,
            r.original,
            _listed_json(r) if isinstance(r, Report) else None,
        )
        for r in reports
    ]
    return pl.DataFrame(rows, schema=_BULK, orient="row")


def rebuilt_bulk(bodies: Iterable[tuple[str, str]]) -> pl.DataFrame:
    """Rebuilt bodies: pairs of report id and body."""
    rows = [(report_id, Stage.REBUILT.value, body, None, None) for report_id, body in bodies]
    return pl.DataFrame(rows, schema=_BULK, orient="row")


def _listed_json(report: Report) -> str | None:
    if not report.sources:
        return None
    return json.dumps([dataclasses.asdict(s) for s in report.sources], ensure_ascii=False)


def sha256(text: str | bytes) -> str:
    """Hex digest of a text's UTF-8 bytes, or of bytes."""
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()


def load_batch(store: Store, reader: Reader, batch_id: str) -> list[AnyReport]:
    """The reports of a batch as they were loaded, in their order.

    Raises:
        UsageError: the batch was never loaded.
    """
    rows = reader.query("SELECT * FROM reports WHERE batch_id = ? ORDER BY ordinal", [batch_id])
    known = reader.query("SELECT count(*) AS n FROM batches WHERE batch_id = ?", [batch_id])
    if known.item() == 0:
        raise UsageError(
            f"Batch {batch_id!r} is not in the warehouse.",
            remedy="Materialise `reports` and `sources` of this batch first, or run `sluicegate run`.",
        )
    bulk: dict[str, dict[str, object]] = {}
    for file in rows["body_file"].unique().drop_nulls():
        bulk |= {str(row["report_id"]): row for row in store.read_bodies(file).iter_rows(named=True)}
    return [_unpack(row, bulk[row["report_id"]]) for row in rows.iter_rows(named=True)]


def _unpack(row: dict[str, object], bulk: dict[str, object]) -> AnyReport:
    original = bulk["original"] if isinstance(bulk["original"], bytes) else None
    if row["status"] == "unreadable":
        return UnreadableReport(
            str(row["report_id"]), str(row["reason"]), str(row["detail"]), original or b""
        )
    listed = json.loads(str(bulk["listed"])) if bulk["listed"] else []
    return Report(
        report_id=str(row["report_id"]),
        body=str(bulk["body"]),
        title=_text(row["title"]),
        language=_text(row["language"]),
        producer=_text(row["producer"]),
        question=_text(row["question"]),
        created_at=_text(row["created_at"]),
        evidence=json.loads(str(row["evidence"])) if row["evidence"] else None,
        sources=tuple(ListedSource(**item) for item in listed),
        extra=json.loads(str(row["extra"])) if row["extra"] else {},
        flags=tuple(row["flags"]) if isinstance(row["flags"], list) else (),
        original=original,
    )


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def load_rebuilt(store: Store, reader: Reader, batch_id: str) -> dict[str, tuple[str, str]]:
    """Report id -> (path, rebuilt body) of a batch."""
    rows = reader.query("SELECT report_id, path, body_file FROM rebuilds WHERE batch_id = ?", [batch_id])
    bodies: dict[str, str] = {}
    for file in rows["body_file"].unique():
        bodies |= {str(i): str(b) for i, b in store.read_bodies(file).select("report_id", "body").iter_rows()}
    return {str(i): (str(path), bodies[str(i)]) for i, path in rows.select("report_id", "path").iter_rows()}


def load_index(reader: Reader, batch_id: str) -> tuple[str, SourceIndex | None]:
    """The snapshot that a batch is audited against, and its index; no index where no catalogue was supplied.

    The sources come without their texts, which resolution does not need.

    Raises:
        UsageError: the batch has no snapshot yet.
    """
    found = reader.query("SELECT snapshot_id, sources_path FROM batches WHERE batch_id = ?", [batch_id])
    if found.is_empty() or found.item(0, "snapshot_id") is None:
        raise UsageError(
            f"Batch {batch_id!r} has no snapshot of a source catalogue yet.",
            remedy="Materialise `sources` of this batch first.",
        )
    snapshot_id, path = found.row(0)
    if path is None:
        return snapshot_id, None
    if snapshot_id not in _INDEXES:
        _INDEXES.clear()
        _INDEXES[snapshot_id] = SourceIndex(load_sources_of(reader, snapshot_id))
    return snapshot_id, _INDEXES[snapshot_id]


def load_sources(reader: Reader, batch_id: str) -> tuple[Source, ...] | None:
    """The catalogue of a batch without its texts; None where none was supplied."""
    found = reader.query("SELECT snapshot_id, sources_path FROM batches WHERE batch_id = ?", [batch_id])
    snapshot_id, path = found.row(0)
    return None if path is None else load_sources_of(reader, str(snapshot_id))


def load_sources_of(reader: Reader, snapshot_id: str) -> tuple[Source, ...]:
    """The sources of a snapshot, without their texts."""
    rows = reader.query("SELECT * FROM sources WHERE snapshot_id = ? ORDER BY source_id", [snapshot_id])
    return tuple(
        Source(
            source_id=row["source_id"],
            title=row["title"],
            url=row["url"],
            doi=row["doi"],
            pmid=row["pmid"],
            arxiv_id=row["arxiv_id"],
            isbn=row["isbn"],
            authors=tuple(row["authors"] or ()),
            year=row["year"],
            venue=row["venue"],
            kind=row["kind"],
            fetched_at=row["fetched_at"],
        )
        for row in rows.iter_rows(named=True)
    )
