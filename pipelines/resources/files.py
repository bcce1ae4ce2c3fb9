"""Writing files so that a kill at any moment leaves the old content or the new one.

Belongs here: temporary name, flush to disk, rename. Does not belong here: what stands in the files.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

UNFINISHED = ".unfinished"
"""Suffix of files that are being written; nothing reads them, and a sweep may remove them."""


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Give a temporary path beside ``target`` to write to; at the end it takes its place, on disk."""
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = _fresh(target)
    try:
        yield fresh
        _flush(fresh)
        fresh.replace(target)
        _flush(target.parent)
    finally:
        fresh.unlink(missing_ok=True)


def point(link: Path, target: Path) -> None:
    """Make ``link`` a relative symbolic link to ``target``, in one step."""
    fresh = _fresh(link)
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(os.path.relpath(target, link.parent))
    fresh.replace(link)
    _flush(link.parent)


def sweep_unfinished(folder: Path, *, older_than: Callable[[Path], bool]) -> None:
    """Remove what killed writers left in ``folder``."""
    for path in folder.glob(f".*{UNFINISHED}*"):
        if older_than(path):
            path.unlink(missing_ok=True)


def _fresh(target: Path) -> Path:
    """Give a name beside ``target`` that no other process or thread uses."""
    return target.with_name(f".{target.name}.{os.getpid()}-{threading.get_ident()}{UNFINISHED}")


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
