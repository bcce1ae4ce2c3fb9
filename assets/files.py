"""Writing files whole or not at all.

Belongs here: that one guarantee. Does not belong here: what is written.
"""

import os
from pathlib import Path


def write_if_changed(file: Path, content: bytes) -> bool:
    """Make ``file`` hold ``content``; a reader sees the old bytes or the new ones. Returns whether anything changed."""
    try:
        if file.read_bytes() == content:
            return False
    except FileNotFoundError:
        file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_name(f".{os.getpid()}.new")
    with fresh.open("wb") as out:
        out.write(content)
        out.flush()
        os.fsync(out.fileno())
    fresh.replace(file)
    return True


def sweep_unfinished(folder: Path) -> int:
    """Remove what killed writers left in a folder and those below it; gives how many files that were."""
    left = [path for path in folder.rglob(".*.new") if _is_orphan(path)]
    for path in left:
        path.unlink(missing_ok=True)
    return len(left)


def _is_orphan(path: Path) -> bool:
    """Whether the process that a file is named after is gone."""
    number = path.name[1:].removesuffix(".new")
    if not number.isdecimal():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    return False
