"""Files to reports: a folder of Markdown, a JSONL file, or a Parquet file.

Belongs here: which files are read, in which order, under which ids, and what becomes of what cannot be read.
Does not belong here: the fields of one report (``record``), encodings (``decode``). One bad report costs one
report: it becomes an ``UnreadableReport`` with its bytes. Only a path that is wrong as a whole raises.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from quality.errors import UsageError
from quality.intake.folder import read_folder, read_markdown_file
from quality.intake.ids import unique_ids
from quality.intake.tables import read_jsonl, read_parquet
from quality.model import Report, UnreadableReport

AnyReport = Report | UnreadableReport

ARCHIVES: Final = (".zip", ".tar", ".tgz", ".gz", ".bz2", ".xz", ".zst", ".7z", ".rar")
_REMEDY: Final = "give a folder of *.md files, a .jsonl file or a .parquet file."


@dataclass(frozen=True, slots=True)
class LoadedReports:
    """Reports in a stable order (path, or position in the file), each with an id that is unique among them.

    ``written_ids`` holds the id as written for the reports whose id was repeated, and only for those.
    """

    reports: tuple[AnyReport, ...]
    written_ids: Mapping[str, str] = field(default_factory=dict)

    def written_id(self, report_id: str) -> str:
        """Give the id as it was written, for an id of ``reports``."""
        return self.written_ids.get(report_id, report_id)


def load_reports(path: Path) -> LoadedReports:
    """Read every report at ``path``; an empty folder or file is an empty batch.

    Raises: UsageError: the path does not exist, is an archive or of another type, or is a folder that holds
        only files of a kind that must be named themselves. InputError: a Parquet file that cannot be read, or
        has no column ``body``.
    """
    return _with_unique_ids(_read(path))


def _read(path: Path) -> list[AnyReport]:
    if path.is_dir():
        return read_folder(path)
    if not path.exists():
        raise UsageError(f"There are no reports at {str(path)!r}: no such file or folder.", remedy=_REMEDY)
    suffix = path.suffix.casefold()
    if suffix in ARCHIVES:
        raise UsageError(f"{str(path)!r} is an archive; archives are not opened.", remedy="unpack it first.")
    read = _READERS.get(suffix)
    if read is None or not path.is_file():
        raise UsageError(f"{str(path)!r} is not a kind of file that holds reports.", remedy=_REMEDY)
    return read(path)


def _read_one(path: Path) -> list[AnyReport]:
    return [read_markdown_file(path)]


_READERS: Final[Mapping[str, Callable[[Path], list[AnyReport]]]] = {
    ".jsonl": read_jsonl,
    ".ndjson": read_jsonl,
    ".parquet": read_parquet,
    ".md": _read_one,
    ".markdown": _read_one,
}


def _with_unique_ids(reports: list[AnyReport]) -> LoadedReports:
    written = [report.report_id for report in reports]
    unique = unique_ids(written)
    renamed = {new: old for old, new in zip(written, unique, strict=True) if new != old}
    return LoadedReports(
        tuple(_renamed(report, new) for report, new in zip(reports, unique, strict=True)), renamed
    )


def _renamed(report: AnyReport, report_id: str) -> AnyReport:
    if report.report_id == report_id:
        return report
    if isinstance(report, Report):
        return replace(report, report_id=report_id, flags=(*report.flags, "duplicate_id"))
    return replace(report, report_id=report_id)
