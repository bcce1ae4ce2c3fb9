"""JSON lines as commands take them in: one object a line, each with its place.

Belongs here: reading, and the one message about a line that is no JSON. Does not belong here: what an object must hold.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from quality.errors import InputError


def json_lines(path: Path) -> Iterator[tuple[str, object]]:
    """Give the value of every line that is not blank, behind its place (``file:line``).

    Raises:
        InputError: the file cannot be read, or a line is no JSON.
    """
    try:
        yield from _lines(path)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}.", remedy="Name a JSONL file in UTF-8.") from error


def _lines(path: Path) -> Iterator[tuple[str, object]]:
    with path.open(encoding="utf-8-sig") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            place = f"{path}:{number}"
            try:
                yield place, json.loads(line)
            except ValueError as error:
                raise InputError(
                    f"{place}: no JSON ({error}).", remedy="Write one JSON object a line."
                ) from error
