"""The one writer: a file lock whose wait is bounded and whose holder has a name.

Belongs here: taking and releasing the lock, and saying who holds it. Does not belong here: what is written
under it.

The lock itself is the operating system's, so it ends with the process that holds it, however that one dies.
The note beside it only names the holder; it may be left over from a killed process, and is then not believed.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout

from quality.errors import LockTimeout, StorageError


class WarehouseLock:
    """One writer at a time, over processes and threads.

    Args:
        path: the lock file; a note with the holder lies beside it as ``<path>.json``.
        wait: how long to wait for another holder, in seconds.
        clock: gives the current instant, with its zone.
    """

    def __init__(self, path: Path, *, wait: float, clock: Callable[[], datetime]) -> None:
        self._path = path
        self._note = path.with_name(f"{path.name}.json")
        self._wait = wait
        self._clock = clock
        self._mine = threading.local()

    @contextmanager
    def hold(self, purpose: str) -> Iterator[None]:
        """Hold the lock for ``purpose``.

        Raises:
            LockTimeout: another process held it for the whole wait; the message names it.
            StorageError: this very thread holds it already, and would wait for itself.
        """
        if getattr(self._mine, "purpose", None) is not None:
            raise StorageError(
                f"{purpose!r} asks for the warehouse that {self._mine.purpose!r} of its own thread has open.",
                remedy="Leave the first block before you enter the second.",
            )
        self._path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(self._path, timeout=self._wait)
        try:
            lock.acquire()
        except Timeout as error:
            raise LockTimeout(
                f"The warehouse is in use: {self.holder()}; {purpose!r} waited {self._wait:g} s.",
                remedy="Wait until it has finished, or end that process; the lock ends with it.",
            ) from error
        try:
            self._mine.purpose = purpose
            self._write_note(purpose)
            yield
        finally:
            self._mine.purpose = None
            self._note.unlink(missing_ok=True)
            lock.release()

    def holder(self) -> str:
        """Say who holds the lock, as well as the note beside it can tell."""
        try:
            note = json.loads(self._note.read_text("utf-8"))
            pid, purpose, since = int(note["pid"]), str(note["purpose"]), str(note["since"])
        except (OSError, ValueError, KeyError, TypeError):
            return "a process that has not said its name yet holds the lock"
        if not _alive(pid):
            return f"a process that has not said its name yet holds the lock (the last one, {pid}, is gone)"
        return f"process {pid} holds the lock for {purpose!r} since {since}"

    def _write_note(self, purpose: str) -> None:
        note = {"pid": os.getpid(), "purpose": purpose, "since": self._clock().isoformat(timespec="seconds")}
        fresh = self._note.with_name(f"{self._note.name}.new")
        fresh.write_text(json.dumps(note, ensure_ascii=False), "utf-8")
        fresh.replace(self._note)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
