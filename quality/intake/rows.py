"""Rows out of JSONL, CSV and Parquet files, each with its place or the reason why it cannot be read.

Belongs here: lines, cells, columns. Does not belong here: what the fields mean (``record``, ``catalogue``).
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import polars as pl

from quality.errors import InputError
from quality.intake.decode import MAX_BYTES, Refusal, decode
from quality.intake.plain import canonical_json

_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
_EXTRA_CELLS: Final = "\x00extra"


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its number from 1, its fields or why there are none, its bytes (Parquet: as JSON)."""

    place: str  # "line 7", "row 7"
    number: int
    fields: Mapping[str, object] | Refusal
    raw: bytes = b""


def read_jsonl_rows(path: Path) -> Iterator[Row]:
    """Read one JSON object per line, one line at a time; blank lines are passed over but counted.

    Fields of a line are a ``Refusal`` (``too_large``, ``not_utf8``, ``not_text``, ``bad_json``) where they
    cannot be read. Bytes of a UTF-16 file are given in UTF-8.
    """
    with path.open("rb") as file:
        lines: Iterator[bytes] = file
        if file.peek(2)[:2] in _UTF16:
            lines = io.BytesIO(file.read().decode("utf-16", "replace").encode("utf-8", "replace"))
        for number, whole in enumerate(lines, 1):
            line = whole.rstrip(b"\r\n")
            if line.strip(b" \t\xef\xbb\xbf"):
                yield Row(f"line {number}", number, parse_object(line), line)


def parse_object(line: bytes) -> dict[str, object] | Refusal:
    """Parse the JSON object of one line, or say why there is none."""
    decoded = decode(line)
    if isinstance(decoded, Refusal):
        return decoded
    try:
        value = json.loads(decoded.text)
    except json.JSONDecodeError as error:
        return Refusal("bad_json", f"Not valid JSON: {error.msg} at character {error.pos:,}. {_ONE_OBJECT}")
    except (ValueError, RecursionError):
        return Refusal("bad_json", f"Its JSON is nested too deeply or holds too long a number. {_ONE_OBJECT}")
    return value if isinstance(value, dict) else Refusal("bad_json", f"JSON, but no object. {_ONE_OBJECT}")


_ONE_OBJECT: Final = "Remedy: one JSON object a line."


def read_parquet_rows(path: Path, required: Sequence[str]) -> Iterator[Row]:
    """Read the rows of a Parquet file.

    Raises:
        InputError: the file is damaged or no Parquet, or lacks one of the ``required`` columns.
    """
    try:
        frame = pl.read_parquet(path, glob=False)
    except (pl.exceptions.PolarsError, OSError) as error:
        said = (str(error) or type(error).__name__).splitlines()[0]
        raise InputError(
            f"{str(path)!r} cannot be read as Parquet: {said}.", remedy="write it again."
        ) from error
    _require(path, frame.columns, required)
    return (
        Row(f"row {number}", number, fields, canonical_json(fields).encode())
        for number, fields in enumerate(frame.iter_rows(named=True), 1)
    )


def read_csv_rows(path: Path, required: Sequence[str]) -> Iterator[Row]:
    """Read the rows of a CSV file (``.tsv``: tab-separated) with a header, in UTF-8 or marked UTF-16.

    A row with more cells than the header is refused (``bad_row``). An empty file has no rows.

    Raises: InputError: another encoding, over 50 MB, a quote that never ends, or a ``required`` column is
        missing.
    """
    decoded = decode(path.read_bytes(), MAX_CSV_BYTES)
    if isinstance(decoded, Refusal):
        raise InputError(f"{str(path)!r} cannot be read as CSV. {decoded.detail}")
    if not decoded.text.strip():
        return iter(())
    delimiter = "\t" if path.suffix.casefold() == ".tsv" else ","
    frame = io.StringIO(decoded.text, newline="")
    reader = csv.DictReader(frame, delimiter=delimiter, restkey=_EXTRA_CELLS, strict=True)
    try:
        with _long_cells():
            _require(path, [name.strip() for name in reader.fieldnames or ()], required)
            return iter([_csv_row(number, cells) for number, cells in enumerate(reader, 1)])
    except csv.Error as error:
        place = f"line {reader.line_num}"
        raise InputError(f"{str(path)!r} is broken at {place}: {error}.", remedy="quote the cell.") from error


MAX_CSV_BYTES: Final = 4 * MAX_BYTES
"""Largest CSV file; a greater catalogue belongs into JSONL or Parquet."""


@contextmanager
def _long_cells() -> Iterator[None]:
    """Lift the csv module's limit of 131,072 characters a cell, and put it back: it holds for the process."""
    before = csv.field_size_limit(MAX_CSV_BYTES)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _csv_row(number: int, cells: Mapping[str, object]) -> Row:
    if _EXTRA_CELLS in cells:
        said = "It has more cells than the header. Remedy: quote cells that hold the separator."
        return Row(f"row {number}", number, Refusal("bad_row", said))
    return Row(f"row {number}", number, {name.strip(): value for name, value in cells.items()})


def _require(path: Path, columns: Sequence[str], required: Sequence[str]) -> None:
    missing = [name for name in required if name not in columns]
    if missing:
        lacks = " and ".join(f"`{name}`" for name in missing)
        raise InputError(
            f"{str(path)!r} has no column {lacks}; its columns are: {', '.join(columns) or 'none'}.",
            remedy="rename the column that holds it.",
        )
