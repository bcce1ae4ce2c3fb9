"""``sluicegate probe``: what one detector says about single items, one JSON object a line.

Belongs here: reading items, asking the detector, writing each item back with its answer; for measuring
detectors against labelled items.
Does not belong here: the detectors (``quality.metrics``), reports and batches.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from pipelines.cli.jsonl import json_lines
from quality.citations.reader import read
from quality.errors import InputError, UsageError
from quality.metrics.dirt import find_dirt
from quality.model import DirtyFinding, Entry, ListedSource


def probe_entry(text: str) -> list[DirtyFinding]:
    """Read one reference entry as the reader reads an entry outside the body, and find its dirt."""
    entries = read("", (ListedSource(entry=text),)).entries
    return find_dirt(entries[0] if entries else Entry(ordinal=0, key=None, text=text))


def probe_entries_file(source: Path, target: Path) -> tuple[int, int]:
    """Probe a JSONL file of entries into another; returns the numbers of entries and of dirty ones.

    Every object comes back with ``predicted`` (whether the entry is dirty) and ``reasons`` (by name, each at
    most once), which replace fields of these names.
    """
    count = dirty = 0
    with target.open("w", encoding="utf-8") as out:
        for row, text in _rows(source, "entry"):
            reasons = list(dict.fromkeys(finding.reason for finding in probe_entry(text)))
            out.write(
                json.dumps(row | {"predicted": bool(reasons), "reasons": reasons}, ensure_ascii=False) + "\n"
            )
            count += 1
            dirty += bool(reasons)
    return count, dirty


def _rows(path: Path, field: str) -> Iterator[tuple[dict[str, object], str]]:
    """Read the objects of a JSONL file with the text in ``field``; refuse a line that has none by number."""
    for place, row in json_lines(path):
        text = row.get(field) if isinstance(row, dict) else None
        if not isinstance(row, dict) or not isinstance(text, str):
            raise InputError(f"{place}: no text in {field!r}.", remedy=f"Give each object its {field!r}.")
        yield row, text


def probe_entries(
    items: Annotated[Path, typer.Argument(help="JSONL file of reference entries: the text in `entry`.")],
    out: Annotated[Path, typer.Option("--out", help="File to write, one object an entry.")],
) -> None:
    """Say of each reference entry whether it is dirty, and why."""
    if not items.is_file():
        raise UsageError(
            f"{items} is no file.", remedy="Name a JSONL file with the text of an entry in `entry`."
        )
    if out.exists() and out.samefile(items):
        raise UsageError("The file to write is the file to read.", remedy="Give --out another name.")
    count, dirty = probe_entries_file(items, out)
    typer.echo(f"{count} entries probed into {out}, {dirty} of them dirty.", err=True)


def register(app: typer.Typer) -> None:
    """Add the command with its sub-commands to the application."""
    group = typer.Typer(help="Ask one detector about single items.", no_args_is_help=True)
    group.command("entries")(probe_entries)
    app.add_typer(group, name="probe")
