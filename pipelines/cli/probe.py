"""``sluicegate probe``: what one detector says about single items, one JSON object a line.

Belongs here: reading items, asking the detector, writing each item back with its answer; for measuring
detectors against labelled items.
Does not belong here: the detectors (``quality.metrics``), reports and batches.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from pipelines.cli.jsonl import json_lines
from quality.citations.reader import read
from quality.errors import InputError, UsageError
from quality.metrics.claims import Standing, judge
from quality.metrics.closings import stock_kind
from quality.metrics.dirt import find_dirt
from quality.model import DirtyFinding, Entry, ListedSource

Answer = dict[str, object]
"""What is added to an item: ``predicted``, and why."""


def probe_entry(text: str) -> list[DirtyFinding]:
    """Read one reference entry as the reader reads an entry outside the body, and find its dirt."""
    entries = read("", (ListedSource(entry=text),)).entries
    return find_dirt(entries[0] if entries else Entry(ordinal=0, key=None, text=text))


def entry_answer(text: str) -> Answer:
    """Whether a reference entry is dirty, and the reasons by name, each at most once."""
    reasons = list(dict.fromkeys(finding.reason for finding in probe_entry(text)))
    return {"predicted": bool(reasons), "reasons": reasons}


def closing_answer(text: str) -> Answer:
    """Whether a closing sentence is stock, and of which kind (None: it is not)."""
    kind = stock_kind(text)
    return {"predicted": kind is not None, "kind": kind}


def method_answer(text: str) -> Answer:
    """Whether a sentence is a method claim of the report's own.

    ``kind`` is how the sentence stands (own_claim, attributed, negated, planned, hypothetical; None: it claims
    nothing), ``claims`` what it says was done, with the number that it names.
    """
    claims = judge(text)
    return {
        "predicted": any(c.standing is Standing.OWN for c in claims),
        "kind": claims[0].standing.value if claims else None,
        "claims": [{"kind": c.kind, "standing": c.standing.value, "number": c.number} for c in claims],
    }


def probe_file(source: Path, target: Path, field: str, answer: Callable[[str], Answer]) -> tuple[int, int]:
    """Probe a JSONL file into another; returns the numbers of items and of those that were found.

    Every object comes back with the fields of the answer, which replace fields of these names.
    """
    count = found = 0
    with target.open("w", encoding="utf-8") as out:
        for row, text in _rows(source, field):
            said = answer(text)
            out.write(json.dumps(row | said, ensure_ascii=False) + "\n")
            count += 1
            found += bool(said["predicted"])
    return count, found


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
    count, found = _probed(items, out, "entry", entry_answer)
    typer.echo(f"{count} entries probed into {out}, {found} of them dirty.", err=True)


def probe_closings(
    items: Annotated[Path, typer.Argument(help="JSONL file of closing sentences: the text in `closing`.")],
    out: Annotated[Path, typer.Option("--out", help="File to write, one object a closing.")],
) -> None:
    """Say of each closing sentence whether it is on the list of stock ones, and of which kind.

    Each is judged by itself: closings that only their repetition in a batch betrays are found by a run.
    """
    count, found = _probed(items, out, "closing", closing_answer)
    typer.echo(f"{count} closings probed into {out}, {found} of them stock.", err=True)


def probe_methods(
    items: Annotated[Path, typer.Argument(help="JSONL file of sentences: the text in `sentence`.")],
    out: Annotated[Path, typer.Option("--out", help="File to write, one object a sentence.")],
) -> None:
    """Say of each sentence whether it is a method claim of the report's own, and what it claims."""
    count, found = _probed(items, out, "sentence", method_answer)
    typer.echo(f"{count} sentences probed into {out}, {found} of them method claims.", err=True)


def _probed(items: Path, out: Path, field: str, answer: Callable[[str], Answer]) -> tuple[int, int]:
    if not items.is_file():
        raise UsageError(f"{items} is no file.", remedy=f"Name a JSONL file with the text in `{field}`.")
    if out.exists() and out.samefile(items):
        raise UsageError("The file to write is the file to read.", remedy="Give --out another name.")
    return probe_file(items, out, field, answer)


def register(app: typer.Typer) -> None:
    """Add the command with its sub-commands to the application."""
    group = typer.Typer(help="Ask one detector about single items.", no_args_is_help=True)
    group.command("entries")(probe_entries)
    group.command("closings")(probe_closings)
    group.command("methods")(probe_methods)
    app.add_typer(group, name="probe")
