"""Files to sources: the catalogue that a batch is audited against.

Belongs here: rows to ``Source``, and the rows that are refused, each with its reason.
Does not belong here: resolving against them (``quality.sources``).
A bad row costs one row. Only a file that is wrong as a whole raises.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from quality.error_pages import is_error_page, is_untitled
from quality.errors import InputError, UsageError
from quality.intake.decode import Refusal
from quality.intake.listed import from_json_text, read_year
from quality.intake.plain import clean_text, one_line
from quality.intake.rows import Row, read_csv_rows, read_jsonl_rows, read_parquet_rows
from quality.model import Source

_REQUIRED: Final = ("source_id", "title")
_AUTHORS: Final = re.compile(r"\s*(?:[;；、]|\s(?:and|&)\s)\s*")
_REMEDY: Final = (
    "give a JSONL, CSV or Parquet file with `source_id` and `title`, and any of url, doi, pmid, arxiv_id, "
    "isbn, authors, year, venue, kind, text, fetched_at."
)


@dataclass(frozen=True, slots=True)
class RefusedSource:
    """A row that became no source: where it stands (``line 7``, ``row 7``), its id if it has one, and why.

    Reasons: ``bad_json``, ``not_utf8``, ``not_text``, ``too_large``, ``bad_row``, ``missing_id``,
    ``missing_title``, ``error_page``, ``duplicate_id`` (an id that an earlier row holds with other content).
    """

    place: str
    source_id: str | None
    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class LoadedSources:
    """The sources in the order of the file, and the refused rows."""

    sources: tuple[Source, ...]
    refused: tuple[RefusedSource, ...]


def load_sources(path: Path) -> LoadedSources:
    """Read the source catalogue at ``path``; an empty file is an empty catalogue.

    A row that repeats an earlier one word for word is passed over.

    Raises:
        UsageError: the path does not exist, or is of a type that holds no catalogue.
        InputError: the file cannot be read, or none of its rows has a ``source_id`` and a ``title``.
    """
    loaded = _collect(_rows(path))
    lacking = {"missing_id", "missing_title", "bad_json", "bad_row"}
    if not loaded.sources and loaded.refused and {item.reason for item in loaded.refused} <= lacking:
        first = loaded.refused[0]
        count = f"None of the {len(loaded.refused):,} rows"
        raise InputError(
            f"{count} of {str(path)!r} is a source; {first.place}: {first.detail}", remedy=_REMEDY
        )
    return loaded


def _rows(path: Path) -> Iterable[Row]:
    if not path.exists():
        raise UsageError(f"There is no source catalogue at {str(path)!r}: no such file.", remedy=_REMEDY)
    suffix = path.suffix.casefold() if path.is_file() else ""
    if suffix in {".jsonl", ".ndjson"}:
        return read_jsonl_rows(path)
    if suffix in {".csv", ".tsv"}:
        return read_csv_rows(path, _REQUIRED)
    if suffix == ".parquet":
        return read_parquet_rows(path, _REQUIRED)
    raise UsageError(f"{str(path)!r} is no kind of file that holds a source catalogue.", remedy=_REMEDY)


def _collect(rows: Iterable[Row]) -> LoadedSources:
    sources: dict[str, Source] = {}
    refused: list[RefusedSource] = []
    for row in rows:
        found = row.fields if isinstance(row.fields, Refusal) else to_source(row.fields)
        if isinstance(found, Source) and found != sources.setdefault(found.source_id, found):
            found = Refusal(
                "duplicate_id", "An earlier row holds this id with other content. Remedy: merge them."
            )
        if isinstance(found, Refusal):
            source_id = None if isinstance(row.fields, Refusal) else one_line(row.fields.get("source_id"))
            refused.append(RefusedSource(row.place, source_id, found.reason, found.detail))
    return LoadedSources(tuple(sources.values()), tuple(refused))


def to_source(fields: Mapping[str, object]) -> Source | Refusal:
    """Read one row as a source: the title on one line, blank fields as None, unknown fields passed over."""
    source_id, title = one_line(fields.get("source_id")), one_line(fields.get("title"))
    if source_id is None:
        seen = ", ".join(map(str, fields)) or "none"
        return Refusal(
            "missing_id", f"`source_id` is missing; fields: {seen}. Remedy: give each source an id."
        )
    if title is None:
        return Refusal("missing_title", "`title` is missing. Remedy: give the work's title.")
    authors = _authors(fields.get("authors"))
    if is_untitled(title) or is_error_page(title, authored=bool(authors)):
        said = f"The title {title!r} is that of an error page. Remedy: fetch the page again."
        return Refusal("error_page", said)
    return Source(
        source_id=source_id,
        title=title,
        url=one_line(fields.get("url")),
        doi=one_line(fields.get("doi")),
        pmid=one_line(fields.get("pmid")),
        arxiv_id=one_line(fields.get("arxiv_id")),
        isbn=one_line(fields.get("isbn")),
        authors=authors,
        year=read_year(fields.get("year")),
        venue=one_line(fields.get("venue")),
        kind=one_line(fields.get("kind")),
        text=_text(fields.get("text")),
        fetched_at=one_line(fields.get("fetched_at")),
    )


def _authors(value: object) -> tuple[str, ...]:
    value = from_json_text(value)
    if isinstance(value, str):
        value = _AUTHORS.split(value)
    if not isinstance(value, list | tuple):
        return ()
    names = (one_line(item.get("name") if isinstance(item, Mapping) else item) for item in value)
    return tuple(name for name in names if name)


def _text(value: object) -> str | None:
    return clean_text(value) if isinstance(value, str) and value.strip() else None
