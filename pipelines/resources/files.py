"""Writing files so that a kill at any moment leaves the old content or the new one.

Belongs here: temporary name, flush to disk, rename. Does not belong here: what stands in the files.
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from quality.errors import StorageError

UNFINISHED = ".unfinished"
"""Suffix of files that are being written; nothing reads them, and a sweep may remove them."""


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Give a temporary path beside ``target`` to write to; at the end it takes its place, on disk.

    Raises:
        StorageError: the disk is full or refuses; ``target`` is what it was.
    """
    fresh = _fresh(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        yield fresh
        _flush(fresh)
        fresh.replace(target)
        _flush(target.parent)
    except OSError as error:
        raise StorageError(
            f"{target} cannot be written: {error}.", remedy="Free or allow the space."
        ) from error
    finally:
        with suppress(OSError):  # it is gone, or its folder never was
            fresh.unlink()


def point(link: Path, target: Path) -> None:
    """Make ``link`` a relative symbolic link to ``target``, in one step."""
    fresh = _fresh(link)
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(os.path.relpath(target, link.parent))
    fresh.replace(link)
    _flush(link.parent)


def sweep_unfinished(folder: Path, *, before: float = math.inf) -> None:
    """Remove what killed writers left in ``folder``: files last written before an instant (seconds of the epoch)."""
    for path in folder.glob(f".*{UNFINISHED}*"):
        with suppress(FileNotFoundError):  # its writer lives, and has just finished
            if path.lstat().st_mtime < before:
                path.unlink()


def _fresh(target: Path) -> Path:
    """Give a name beside ``target`` that no other process or thread uses."""
    return target.with_name(f".{target.name}.{os.getpid()}-{threading.get_ident()}{UNFINISHED}")


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
