"""A snapshot of known works: one Parquet file, built in bounded memory, asked many identifiers at once.

Belongs here: the file, building it and looking into it. Does not belong here: the formats of dumps
(``quality.registries.works``), what an answer means.

Columns: ``key`` (``doi:10.5555/x``; sorted), ``title_key`` (on one row of each work), ``record`` (JSON).
"""

from __future__ import annotations

import gzip
import json
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BufferedIOBase
from pathlib import Path

import duckdb
import polars as pl

from pipelines.resources.files import replacing
from quality.errors import InputError, UsageError
from quality.model import Identifier
from quality.registries.answers import Record, record_from_plain
from quality.registries.works import Work, title_key, works_of
from sql.loader import literal

_ROWS = pl.Schema({"key": pl.String, "title_key": pl.String, "record": pl.String, "nr": pl.Int64})
_COLUMNS = ("key", "title_key", "record")
_PART = 20_000
_MEMORY = "600MB"
_LONGEST_LINE = 64_000_000
_SHOWN = 10


@dataclass(slots=True)
class Built:
    """What a build came to; ``refused`` names the first lines that hold no work, with the reason."""

    works: int = 0
    keys: int = 0
    n_refused: int = 0
    refused: list[str] = field(default_factory=list)


class LocalSnapshot:
    """Known works on this machine.

    Args:
        file: what ``build`` made.
        authoritative: whether what is not in it does not exist: true for a closed corpus alone.

    Raises:
        UsageError: the file is missing, or is no snapshot.
    """

    name = "snapshot"

    def __init__(self, file: Path, *, authoritative: bool = False) -> None:
        self._file, self.authoritative = file, authoritative
        try:
            names = pl.read_parquet_schema(file)
        except (OSError, pl.exceptions.PolarsError) as error:
            raise UsageError(
                f"The registry snapshot {file} cannot be read: {error}.",
                remedy="Make it with `sluicegate registry build`, or correct [registries] snapshot.",
            ) from error
        if missing := [name for name in _COLUMNS if name not in names]:
            raise UsageError(
                f"{file} is no registry snapshot: it lacks {', '.join(missing)}.",
                remedy="Make one with `sluicegate registry build`.",
            )

    def find(self, identifiers: Sequence[Identifier]) -> Mapping[Identifier, Record]:
        """The records of the identifiers that it holds."""
        wanted = {f"{one.kind}:{one.value}": one for one in identifiers}
        rows = self._rows("key", list(wanted)).select("key", "record").iter_rows()
        return {wanted[key]: record_from_plain(json.loads(record)) for key, record in rows}

    def find_titles(self, titles: Iterable[str]) -> Mapping[str, tuple[Record, ...]]:
        """The records of works with these titles, by title as it was given."""
        keys: dict[str, list[str]] = {}
        for title in titles:
            if key := title_key(title):
                keys.setdefault(key, []).append(title)
        found: dict[str, list[str]] = {}
        for key, record in self._rows("title_key", list(keys)).select("title_key", "record").iter_rows():
            found.setdefault(key, []).append(record)
        return {
            title: tuple(record_from_plain(json.loads(r)) for r in dict.fromkeys(records))
            for key, records in found.items()
            for title in keys[key]
        }

    def _rows(self, column: str, values: list[str]) -> pl.DataFrame:
        if not values:
            return pl.DataFrame(schema=_ROWS)
        return pl.scan_parquet(self._file, glob=False).filter(pl.col(column).is_in(values)).collect()


def build(
    inputs: Sequence[Path], target: Path, *, progress: Callable[[int], None] = lambda works: None
) -> Built:
    """Make a snapshot of JSON lines, plain or gzipped; of two works under one identifier, the later one counts.

    Raises:
        InputError: an input cannot be read to its end, or holds no work at all.
        UsageError: DuckDB would read the target's path as a pattern.
    """
    if any(char in str(target.parent.resolve()) for char in "*?["):
        raise UsageError(
            f"{target.parent} has one of * ? [ in its path, which DuckDB reads as a pattern.",
            remedy="Choose a folder without them.",
        )
    built = Built()
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".building-") as folder:
        work = Path(folder)
        _write_parts(inputs, work, built, progress)
        if not built.works:
            said = f" The first line: {built.refused[0]}." if built.refused else ""
            raise InputError(
                f"There is no work in {', '.join(map(str, inputs))}.{said}",
                remedy="See `registry build --help`.",
            )
        with replacing(target) as fresh:
            built.keys = _merge(work, fresh)
    return built


def _write_parts(inputs: Sequence[Path], work: Path, built: Built, progress: Callable[[int], None]) -> None:
    rows: list[tuple[str, str | None, str, int]] = []
    parts = 0
    for place, value in _lines(inputs):
        try:
            if isinstance(value, Exception):
                raise value
            for one in works_of(value):
                built.works += 1
                rows += _rows_of(one, built.works)
        except ValueError as error:
            built.n_refused += 1
            if len(built.refused) < _SHOWN:
                built.refused.append(f"{place}: {error}")
        if len(rows) >= _PART:
            parts += 1
            pl.DataFrame(rows, schema=_ROWS, orient="row").write_parquet(work / f"part-{parts:06}.parquet")
            rows.clear()
            progress(built.works)
    if rows:
        pl.DataFrame(rows, schema=_ROWS, orient="row").write_parquet(work / f"part-{parts + 1:06}.parquet")


def _rows_of(work: Work, number: int) -> Iterator[tuple[str, str | None, str, int]]:
    record = work.record_json
    title = title_key(work.record.title) if work.record.title else ""
    if not work.identifiers:
        yield f"title:{title}", title, record, number
    for position, one in enumerate(work.identifiers):
        yield f"{one.kind}:{one.value}", (title or None) if position == 0 else None, record, number


def _merge(work: Path, target: Path) -> int:
    """Sort the parts by key, the last row of each alone; DuckDB spills to the folder beyond its memory."""
    source = literal(f"{work}/part-*.parquet")
    with duckdb.connect(
        config={"memory_limit": _MEMORY, "threads": "2", "temp_directory": str(work / "spill")}
    ) as connection:
        connection.execute("SET preserve_insertion_order = false")
        connection.execute(
            f"COPY (SELECT p.key, p.title_key, p.record FROM read_parquet({source}) p"  # noqa: S608 - a quoted path of ours
            f" JOIN (SELECT key, max(nr) AS nr FROM read_parquet({source}) GROUP BY key) last USING (key, nr)"
            f" ORDER BY p.key) TO {literal(str(target))} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 20000)"
        )
        written = connection.execute("SELECT count(*) FROM read_parquet(?)", [str(target)]).fetchall()
    ((count,),) = written
    return int(count)


def _lines(inputs: Sequence[Path]) -> Iterator[tuple[str, object]]:
    """The JSON value of every line that is not blank, or what is wrong with it, behind its place."""
    for path in inputs:
        try:
            with _opened(path) as lines:
                for number, line in enumerate(iter(lambda: lines.readline(_LONGEST_LINE), b""), 1):
                    if line.strip():
                        yield f"{path}:{number}", _value(line)
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(
                f"{path} cannot be read to its end: {error}.", remedy="Fetch it again."
            ) from error


def _opened(path: Path) -> BufferedIOBase:
    with path.open("rb") as probe:
        packed = probe.read(2) == b"\x1f\x8b"
    return gzip.GzipFile(path) if packed else path.open("rb")


def _value(line: bytes) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        return ValueError(f"no JSON ({error})")
