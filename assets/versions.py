"""Versions of a report that was submitted again: the latest one takes the place of what the batch came with.

Belongs here: keeping a submitted file, its row, and putting current versions in place when a batch is loaded.
Does not belong here: reading files (quality/intake), judging the new version (the line does, in its original batch).

The batch's own input is never touched. Submitted files lie in ``<home>/batches/<batch>/resubmitted/``. A submitted
version stands until a later one, or until the batch's own input holds another text for that report.
"""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

from assets.batches import batch_folder
from assets.files import write_if_changed
from assets.ports import Reader, Store, Transaction
from assets.stored import AnyReport, sha256
from quality.errors import InputError, UsageError
from quality.intake.fingerprint import input_fingerprint
from quality.intake.reports import LoadedReports, load_reports
from quality.model import Report
from quality.names import safe_name

RESUBMITTED = "resubmitted"
BATCH = "batch"
_VERSIONS: dict[str, Any] = {
    "batch_id": pl.String,
    "report_id": pl.String,
    "version": pl.Int32,
    "origin": pl.String,
    "content_fingerprint": pl.String,
    "input_fingerprint": pl.String,
    "title": pl.String,
    "body_chars": pl.Int64,
    "body_sha256": pl.String,
    "body_file": pl.String,
    "file": pl.String,
    "submitted_by": pl.String,
    "submitted_at": pl.Datetime("us", "UTC"),
    "superseded_at": pl.Datetime("us", "UTC"),
}
_STORED = """
SELECT r.batch_id, r.report_id, r.content_fingerprint, r.input_fingerprint, r.title, r.language, r.producer, r.question,
    r.body_chars, r.body_sha256, r.body_file, coalesce(b.created_at, now()) AS submitted_at
FROM reports r JOIN batches b USING (batch_id)
WHERE r.batch_id = ? AND r.report_id = ?
"""


@dataclass(frozen=True, slots=True)
class Submitted:
    """What came of a submission: the version that stands, and whether this call made it."""

    batch_id: str
    report_id: str
    version: int
    fresh: bool
    file: Path


def submit(store: Store, batch_id: str, report_id: str, file: Path, who: str) -> Submitted:
    """Keep a new version of a report; it is judged when its batch runs next.

    The same text again changes nothing.

    Raises:
        UsageError: the batch has no such report, or the file does not exist or holds more than one.
        InputError: the file cannot be read as a report.
    """
    with store.read_primary() as reader:
        stored = _stored(reader, batch_id, report_id)
    report = _new_version(file, stored)
    print_ = input_fingerprint(report, None)
    place = batch_folder(store.home, batch_id) / RESUBMITTED
    kept = place / f"{safe_name(report_id)}-{print_[:12]}{file.suffix.casefold()}"
    write_if_changed(kept, file.read_bytes())
    with store.write(f"new version of report {report_id!r} of batch {batch_id!r}") as tx:
        versions = _versions(tx, batch_id, report_id) or [_first(_stored(tx, batch_id, report_id))]
        if versions[-1]["content_fingerprint"] == print_:
            return Submitted(batch_id, report_id, len(versions), False, kept)
        row = _row(report, batch_id, RESUBMITTED)
        row |= {"file": str(kept.relative_to(store.home)), "submitted_by": who}
        _append(tx, versions, row)
    return Submitted(batch_id, report_id, len(versions) + 1, True, kept)


def with_current_versions(
    store: Store, batch_id: str, loaded: LoadedReports
) -> tuple[LoadedReports, list[str]]:
    """A batch's reports with the latest submitted versions in place of those that they supersede.

    Returns:
        The reports, and one sentence for each report whose submitted version no longer stands, because the batch's own
        input changed after it.
    """
    with store.read_primary() as reader:
        rows = reader.query(
            "SELECT * FROM report_versions WHERE batch_id = ? ORDER BY report_id, version", [batch_id]
        )
    known = {str(i): group.to_dicts() for (i,), group in rows.group_by("report_id", maintain_order=True)}
    overtaken = [r for r in loaded.reports if r.report_id in known and _overtakes(r, known[r.report_id])]
    if overtaken:
        with store.write(f"versions of batch {batch_id!r}") as tx:
            for report in overtaken:
                _append(tx, _versions(tx, batch_id, report.report_id), _row(report, batch_id, BATCH))
    left = {report.report_id for report in overtaken}
    reports = tuple(
        _current(store.home, r, known[r.report_id][-1]) if r.report_id in known.keys() - left else r
        for r in loaded.reports
    )
    said = [
        f"the batch's own input for report {i!r} changed after its resubmission, and is the version that counts now"
        for i in sorted(left)
    ]
    return dataclasses.replace(loaded, reports=reports), said


def _overtakes(report: AnyReport, versions: Sequence[dict[str, Any]]) -> bool:
    """Whether the batch's own input holds another text than the last one that was known of it."""
    own = [v for v in versions if v["origin"] == BATCH]
    return not own or own[-1]["content_fingerprint"] != input_fingerprint(report, None)


def _current(home: Path, report: AnyReport, latest: dict[str, Any]) -> AnyReport:
    if latest["origin"] == BATCH:
        return report
    return _new_version(home / str(latest["file"]), _described(report))


def _described(report: AnyReport) -> dict[str, Any]:
    names = ("title", "language", "producer", "question")
    return {"report_id": report.report_id, **{n: getattr(report, n, None) for n in names}}


def _new_version(file: Path, stored: dict[str, Any]) -> Report:
    """Read the one report of a file, under the id of the report that it supersedes.

    Title, language, producer and question stay what they were where the file does not say.
    """
    found = load_reports(file).reports if file.is_file() else ()
    if len(found) != 1:
        said = f"holds {len(found)} reports" if file.is_file() else "is no file"
        raise UsageError(f"{str(file)!r} {said}.", remedy="Name a file with exactly one report.")
    (report,) = found
    if not isinstance(report, Report):
        raise InputError(f"{str(file)!r} cannot be read as a report: {report.reason}.", remedy=report.detail)
    kept = {
        name: getattr(report, name) or stored[name] for name in ("title", "language", "producer", "question")
    }
    flags = (*report.flags, RESUBMITTED)
    return dataclasses.replace(report, report_id=stored["report_id"], flags=flags, **kept)


def _stored(reader: Reader, batch_id: str, report_id: str) -> dict[str, Any]:
    rows = reader.query(_STORED, [batch_id, report_id])
    if rows.is_empty():
        raise UsageError(
            f"Batch {batch_id!r} has no report {report_id!r}.",
            remedy='`sluicegate sql "SELECT batch_id, report_id FROM reports"` lists them.',
        )
    return rows.row(0, named=True)


def _versions(reader: Reader, batch_id: str, report_id: str) -> list[dict[str, Any]]:
    return reader.query(
        "SELECT * FROM report_versions WHERE batch_id = ? AND report_id = ? ORDER BY version",
        [batch_id, report_id],
    ).to_dicts()


def _first(stored: dict[str, Any]) -> dict[str, Any]:
    """Version 1: what the batch came with."""
    kept = {name: stored[name] for name in _VERSIONS if name in stored}
    empty = {"input_fingerprint": None, "body_file": None}
    return kept | empty | {"version": 1, "origin": BATCH}


def _row(report: AnyReport, batch_id: str, origin: str) -> dict[str, Any]:
    text = report if isinstance(report, Report) else None
    return {
        "batch_id": batch_id,
        "report_id": report.report_id,
        "origin": origin,
        "content_fingerprint": input_fingerprint(report, None),
        "title": text.title if text else None,
        "body_chars": len(text.body) if text else None,
        "body_sha256": sha256(text.body) if text else None,
        "submitted_at": datetime.now(tz=UTC),
    }


def _append(tx: Transaction, versions: Sequence[dict[str, Any]], row: dict[str, Any]) -> None:
    """Add a version; the one before keeps its text, and the input that it was last decided about."""
    *older, last = versions
    before = _stored(tx, row["batch_id"], row["report_id"])
    if last["content_fingerprint"] == before["content_fingerprint"]:
        last = last | {name: before[name] for name in ("input_fingerprint", "body_file")}
    last = last | {"superseded_at": row["submitted_at"]}
    fresh = [*older, last, row | {"version": len(versions) + 1}]
    frame = pl.DataFrame([[v.get(name) for name in _VERSIONS] for v in fresh], schema=_VERSIONS, orient="row")
    tx.replace("report_versions", frame, where={"batch_id": row["batch_id"], "report_id": row["report_id"]})
