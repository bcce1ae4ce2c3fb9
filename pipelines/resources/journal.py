"""What was committed, written down outside the database, so that rows that vanish do not vanish silently.

Belongs here: the journal of commits, comparing it with the database, and setting a damaged log aside.
Does not belong here: committing, and bringing lost batches back (running them again does).

After a kill, DuckDB replays its write-ahead log. A log with a damaged byte makes the database unreadable; a
log cut short is replayed in part, and nothing is said. The journal is written after each commit, before the
log is emptied.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from pipelines.resources.files import replacing

REMEMBERED = 100
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Commit:
    """One committed transaction."""

    data_version: int
    at: str
    holder: str
    batches: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Loss:
    """Commits that the database does not hold any more."""

    at: str
    file: str  # the damaged log where it was set aside, else the database
    batches: tuple[str, ...]
    holders: tuple[str, ...]


class Journal:
    """The last commits of one primary, and the losses that were noticed."""

    def __init__(self, path: Path, *, clock: Callable[[], datetime]) -> None:
        self._path = path
        self._clock = clock

    def record(self, data_version: int, holder: str, batches: Iterable[str]) -> None:
        """Write a commit down."""
        commits, losses = self._read()
        new = Commit(data_version, self._now(), holder, tuple(sorted(batches)))
        self._write([*commits[-REMEMBERED + 1 :], new], losses)

    def compare(self, data_version: int, file: Path) -> Loss | None:
        """Notice commits that the database lost; each loss is noticed once.

        Args:
            data_version: what the database has now.
            file: what to name as the place of the damage.
        """
        commits, losses = self._read()
        lost = [commit for commit in commits if commit.data_version > data_version]
        if not lost:
            return None
        batches = tuple(sorted({batch for commit in lost for batch in commit.batches}))
        loss = Loss(self._now(), str(file), batches, tuple(commit.holder for commit in lost))
        self._write([commit for commit in commits if commit not in lost], [*losses, loss])
        _LOG.warning(
            "The warehouse lost %d committed writes (%s): %s. Remedy: run these batches again: %s.",
            len(lost), file, "; ".join(loss.holders), ", ".join(map(repr, batches)) or "none",
        )  # fmt: skip
        return loss

    def losses(self) -> tuple[Loss, ...]:
        """Give every loss that was ever noticed, oldest first."""
        return tuple(self._read()[1])

    def _now(self) -> str:
        return self._clock().isoformat(timespec="seconds")

    def _read(self) -> tuple[list[Commit], list[Loss]]:
        try:
            content = json.loads(self._path.read_text("utf-8"))
            commits = [Commit(**{**c, "batches": tuple(c["batches"])}) for c in content["commits"]]
            losses = [
                Loss(**{**x, "batches": tuple(x["batches"]), "holders": tuple(x["holders"])})
                for x in content["losses"]
            ]
        except (OSError, ValueError, KeyError, TypeError):
            return [], []
        return commits, losses

    def _write(self, commits: list[Commit], losses: list[Loss]) -> None:
        content = {"commits": [asdict(c) for c in commits], "losses": [asdict(x) for x in losses]}
        with replacing(self._path) as fresh:
            fresh.write_text(json.dumps(content, ensure_ascii=False, indent=1), "utf-8")


def set_log_aside(primary: Path, *, now: datetime) -> Path | None:
    """Move the write-ahead log away, under a name with the time; nothing is deleted. None: there is none."""
    log = primary.with_name(f"{primary.name}.wal")
    if not log.exists():
        return None
    aside = primary.with_name(f"{log.name}.damaged-{now:%Y%m%dT%H%M%S}")
    log.rename(aside)
    return aside
