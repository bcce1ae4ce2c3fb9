"""JSONL and Parquet files to reports: one line or row, one report.

Belongs here: ids of rows without one, what is kept of a row that becomes no report.
Does not belong here: lines and cells (``rows``), the fields of one report (``record``).
"""

from __future__ import annotations

from pathlib import Path

from quality.intake.decode import MAX_BYTES, Refusal
from quality.intake.record import to_report, written_id
from quality.intake.rows import Row, read_jsonl_rows, read_parquet_rows
from quality.model import Report, UnreadableReport


def read_jsonl(path: Path) -> list[Report | UnreadableReport]:
    """Read one report per line; blank lines are passed over.

    A line that is no JSON object becomes unreadable under the id ``line-<n>`` (counted from 1, blank lines
    included) with its bytes; a missing id gets the same name and the flag ``id_missing``.
    """
    return [_from_row(row) for row in read_jsonl_rows(path)]


def read_parquet(path: Path) -> list[Report | UnreadableReport]:
    """Read one report per row; a missing id becomes ``row-<n>`` with the flag ``id_missing``.

    Raises:
        InputError: no Parquet file, or no column ``body``.
    """
    return [_from_row(row) for row in read_parquet_rows(path, ["body"])]


def _from_row(row: Row) -> Report | UnreadableReport:
    fallback = row.place.replace(" ", "-")
    if isinstance(row.fields, Refusal):
        return UnreadableReport(fallback, row.fields.reason, f"{row.place}: {row.fields.detail}", row.raw)
    written = written_id(row.fields.get("id"), fallback)
    body = row.fields.get("body")
    rest = {key: value for key, value in row.fields.items() if key != "body"}
    flags = ("id_missing",) if written.value is None else ()
    report = _too_large(body) or to_report(rest, body, written.report_id, flags)
    if isinstance(report, Refusal):
        fields = ", ".join(map(str, row.fields)) or "none"
        detail = f"{row.place}: {report.detail} Its fields: {fields}."
        return UnreadableReport(written.report_id, report.reason, detail, row.raw)
    return report


def _too_large(body: object) -> Refusal | None:
    if not isinstance(body, str) or len(body) <= MAX_BYTES:
        return None
    said = f"{len(body):,} characters, the limit is {MAX_BYTES:,}. Remedy: split the report."
    return Refusal("too_large", said)
