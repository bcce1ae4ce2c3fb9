"""Publications: immutable copies of the primary that users open, and the link that names the latest.

Belongs here: copying, naming, keeping and sweeping. Does not belong here: the primary, the lock, the files of
bodies.

Each copy has a new name, so that what a user's shell left beside an older one (a log of its own changes)
cannot meet it. A small note beside each copy says what it holds; the copy itself may be open elsewhere.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from pipelines.resources.files import point, replacing, sweep_unfinished
from quality.errors import StorageError

LINK = "warehouse.duckdb"
FOLDER = "published"
KEPT = 3
_NAME = re.compile(r"warehouse-(\d+)\.")


@dataclass(frozen=True, slots=True)
class Note:
    """What a publication holds."""

    state: str  # which write was the last one: number and instant
    content: str  # digest of its rows and views
    body_files: tuple[str, ...]
    size: int
    mtime_ns: int
    published_at: str


class Publications:
    """The publications of one home."""

    def __init__(self, home: Path, *, clock: Callable[[], datetime]) -> None:
        self._home = home
        self._folder = home / FOLDER
        self._clock = clock

    @property
    def link(self) -> Path:
        """What users open."""
        return self._home / LINK

    def latest(self) -> Path:
        """Give the file that the link names.

        Raises:
            StorageError: nothing was published yet, or the link is broken.
        """
        if not self.link.is_file():
            raise StorageError(
                f"There is no published warehouse at {self.link}.", remedy="Run a batch first."
            )
        return self.link.resolve()

    def latest_note(self) -> Note | None:
        """Give the note of the latest publication, if the file is still what was published."""
        if not self.link.is_file():
            return None
        file = self.link.resolve()
        note, stat = self._note(file), file.stat()
        untouched = note is not None and (stat.st_size, stat.st_mtime_ns) == (note.size, note.mtime_ns)
        return note if untouched and not file.with_name(f"{file.name}.wal").exists() else None

    def add(self, primary: Path, *, state: str, content: str, body_files: tuple[str, ...]) -> Path:
        """Copy a checkpointed, closed primary under the next name and point the link at it."""
        self._folder.mkdir(parents=True, exist_ok=True)
        target = self._folder / f"warehouse-{self._next():06d}.duckdb"
        with replacing(target) as fresh:
            shutil.copyfile(primary, fresh)
        stat = target.stat()
        at = self._clock().isoformat(timespec="seconds")
        note = Note(state, content, body_files, stat.st_size, stat.st_mtime_ns, at)
        with replacing(self._note_path(target)) as fresh:
            fresh.write_text(json.dumps(asdict(note), ensure_ascii=False), "utf-8")
        point(self.link, target)
        return target

    def sweep(self) -> set[str] | None:
        """Remove all but the last three publications.

        Returns:
            The files of bodies that the kept ones name; None when one does not say (then none is an orphan).
        """
        numbered = {
            int(m[1]): p for p in self._folder.glob("warehouse-*.duckdb") if (m := _NAME.match(p.name))
        }
        live = self.link.resolve()
        kept = {path for _, path in sorted(numbered.items())[-KEPT:]} | {live}
        for path in self._folder.glob("warehouse-*"):
            match = _NAME.match(path.name)
            if match and path.with_name(f"{path.name.split('.')[0]}.duckdb") not in kept:
                path.unlink(missing_ok=True)
        for folder in (self._folder, self._home):
            sweep_unfinished(folder)
        notes = [self._note(path) for path in kept]
        if any(note is None for note in notes):
            return None
        return {file for note in notes if note is not None for file in note.body_files}

    def _next(self) -> int:
        """Give a number above every one in use, be it only by what a shell left behind."""
        numbers = [int(m[1]) for path in self._folder.iterdir() if (m := _NAME.match(path.name.lstrip(".")))]
        if self.link.is_symlink() and (m := _NAME.match(self.link.readlink().name)):
            numbers.append(int(m[1]))
        return max(numbers, default=0) + 1

    def _note(self, file: Path) -> Note | None:
        try:
            fields = json.loads(self._note_path(file).read_text("utf-8"))
            return Note(**{**fields, "body_files": tuple(fields["body_files"])})
        except (OSError, ValueError, KeyError, TypeError):
            return None

    @staticmethod
    def _note_path(file: Path) -> Path:
        return file.with_suffix(".json")
