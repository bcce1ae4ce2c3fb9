"""A folder of Markdown files to reports.

Belongs here: the walk (hidden names, links, order) and one Markdown file with its front matter.
Does not belong here: JSONL and Parquet (``tables``).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from quality.delivery.envelope import holds_file, own_front_matter, split
from quality.errors import UsageError
from quality.intake.decode import Decoded, Refusal, decode
from quality.intake.front_matter import FrontMatter, split_front_matter
from quality.intake.plain import clean_text
from quality.intake.record import to_report, written_id
from quality.model import Report, UnreadableReport

_MARKDOWN: Final = (".md", ".markdown")
_BESIDE: Final = b"---\nsluicegate:\n  holds: beside\n"
_TABLES: Final = (".jsonl", ".ndjson", ".parquet")


def read_folder(folder: Path) -> list[Report | UnreadableReport]:
    """Read every ``*.md`` and ``*.markdown`` below ``folder``, ordered by its path in the folder.

    Hidden files and folders are passed over, and so are audits that Sluicegate put beside an original. A link
    that leads outside the folder is not followed: it costs itself (reason ``link_outside``, and the link's
    target as its bytes).

    Raises:
        UsageError: the folder holds no Markdown, but JSONL or Parquet files: which of them is the batch?
    """
    root = folder.resolve()
    paths = sorted(_walk(root), key=lambda path: path.relative_to(root).as_posix())
    if not paths:
        _refuse_folder_of_tables(folder)
    return [_read_member(path, root) for path in paths]


def read_markdown_file(path: Path, report_id: str | None = None) -> Report | UnreadableReport:
    """Read one Markdown file; its id is its front matter's, else ``report_id``, else the name's stem."""
    fallback = clean_text(path.stem) if report_id is None else report_id
    try:
        data = path.read_bytes()
    except OSError as error:
        return UnreadableReport(fallback, "not_readable", f"{error.strerror}. Remedy: check the file.", b"")
    return read_markdown(data, fallback)


def read_markdown(data: bytes, fallback_id: str) -> Report | UnreadableReport:
    """Read the bytes of one Markdown file, front matter included."""
    decoded = decode(data)
    if isinstance(decoded, Refusal):
        return UnreadableReport(fallback_id, decoded.reason, decoded.detail, data)
    flags = [*decoded.flags]
    matter, delivered = _front_matter(decoded)
    flags += ["delivered"] * delivered + ["front_matter_broken"] * matter.broken
    written = written_id(matter.fields.get("id"), fallback_id)
    report = to_report(matter.fields, matter.body, written.report_id, flags, original=data)
    if isinstance(report, Refusal):
        return UnreadableReport(written.report_id, report.reason, report.detail, data)
    return report


def _front_matter(decoded: Decoded) -> tuple[FrontMatter, bool]:
    """Fields and body of a file, and whether it is one that Sluicegate delivered.

    The head that Sluicegate writes is taken off; the report's own keys in it come back as they were.
    """
    text, delivered = decoded.text, False
    while holds_file(text):
        text, delivered = split(text)[1].removeprefix("\ufeff"), True
    own = own_front_matter(text)
    matter = split_front_matter(text if own is None else f"---\n{own}---\n")
    ours = matter.fields.get("sluicegate")
    if not isinstance(ours, dict) or "holds" not in ours:
        return matter, delivered
    fields = {key: value for key, value in matter.fields.items() if key != "sluicegate"}
    if "written_key" in ours:
        fields["sluicegate"] = ours["written_key"]
    return FrontMatter(fields, matter.body if own is None else split(text)[1], matter.broken), True


def _walk(root: Path) -> Iterator[Path]:
    """Markdown files, and links to folders outside ``root``, in no order."""
    for parent, folders, files in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in folders:
            path = Path(parent, name)
            if path.is_symlink() and not _is_inside(path, root):
                yield path
        for name in files:
            path = Path(parent, name)
            if not name.startswith(".") and name.casefold().endswith(_MARKDOWN) and not _is_audit(path):
                yield path


def _read_member(path: Path, root: Path) -> Report | UnreadableReport:
    report_id = clean_text(path.relative_to(root).with_suffix("").as_posix())
    if path.is_symlink() and not _is_inside(path, root):
        target = os.fsencode(path.readlink())
        detail = "A link that leads outside the folder is not followed. Remedy: copy what it points to."
        return UnreadableReport(report_id, "link_outside", detail, target)
    if not path.is_file():
        return UnreadableReport(report_id, "not_readable", "Not a regular file. Remedy: remove it.", b"")
    return read_markdown_file(path, report_id)


def _is_audit(path: Path) -> bool:
    """Whether a file is an audit that stands beside an original: it holds no report."""
    if not path.name.endswith(".audit.md") or path.is_symlink() or not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            return file.read(len(_BESIDE)) == _BESIDE
    except OSError:
        return False


def _is_inside(path: Path, root: Path) -> bool:
    try:
        return path.resolve(strict=True).is_relative_to(root)
    except (OSError, RuntimeError):
        return False


def _refuse_folder_of_tables(folder: Path) -> None:
    tables = sorted(path.name for path in folder.iterdir() if path.suffix.casefold() in _TABLES)
    if tables:
        raise UsageError(
            f"The folder {str(folder)!r} holds no *.md file, but {', '.join(tables[:5])}.",
            remedy="name the file that is the batch.",
        )
