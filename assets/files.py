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
