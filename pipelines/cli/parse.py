"""``sluicegate parse``: what the reader sees in each report, one JSON object a line.

Belongs here: reading a JSONL file of reports and writing citations, entries, dangling and uncited keys, spans.
Does not belong here: any judgement (``audit``), storage, Dagster.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated

import typer

from pipelines.cli.jsonl import json_lines
from quality.citations.reader import read
from quality.citations.reconcile import reconcile
from quality.errors import InputError, UsageError
from quality.intake.listed import read_listed
from quality.model import Entry, ListedSource, Reading, Reconciliation
from quality.sources.own_table import match_own_table


def parse_report(report_id: str, body: str, listed: Iterable[ListedSource] = ()) -> dict[str, object]:
    """Read one body into plain JSON values.

    Keys: a label as it is cited, the address of a link as written, ``Surname Year``, or a title. ``dangling``
    holds labels, author-year keys and titles without an entry (a link carries its own target); ``uncited`` names
    entries by key, else URL, else title.
    """
    reading = read(body, tuple(listed))
    result = reconcile(reading, match_own_table)
    cited: dict[str, int] = {}
    for citation in result.cited:
        cited[citation.key] = cited.get(citation.key, 0) + citation.occurrences
    return {
        "id": report_id,
        "cited": cited,
        "entries": [entry for e in reading.entries if e.origin == "body" for entry in _entry_rows(e)],
        "dangling": list(dict.fromkeys(_dangling(reading, result))),
        "uncited": [_name(reading.entries[n]) for n in result.uncited if reading.entries[n].origin == "body"],
        "spans": [[key, m.start, m.end] for m in reading.marks for key in m.keys],
        "placeholders": [[m.start, m.end] for m in reading.marks if not m.keys],
        "lists": [
            {"heading": one.heading, "form": one.form, "scope": one.scope, "start": one.start, "end": one.end}
            for one in reading.lists
        ],
        "decisions": dict(reading.decisions),
        "flags": list(reading.flags),
    }


def _dangling(reading: Reading, result: Reconciliation) -> Iterator[str]:
    """List dangling keys; a number with its own link dangles too where the report's list lacks the number."""
    labels = {(e.scope, k) for e in reading.entries for k in (e.key, *e.aliases) if k is not None}
    for citation in result.cited:
        if citation.entry is None and not citation.self_contained:
            yield citation.key
        elif citation.family != "label" or not citation.self_contained or not reading.lists:
            continue
        elif (citation.scope, citation.key) not in labels:
            yield citation.key


def _entry_rows(entry: Entry) -> Iterator[dict[str, object]]:
    for key in (entry.key, *entry.aliases):
        yield {
            "key": key,
            "url": entry.url,
            "title": entry.title,
            "authors": entry.authors,
            "year": entry.year,
            "scope": entry.scope,
            "identifiers": [[i.kind, i.value] for i in entry.identifiers],
        }


def _name(entry: Entry) -> str:
    return entry.key or entry.url or entry.title or entry.text


def rows_of(path: Path) -> Iterator[Mapping[str, object]]:
    """Read the objects of a JSONL file; a line that is none is refused with its number."""
    for place, row in json_lines(path):
        if not isinstance(row, dict) or not isinstance(row.get("body"), str) or "id" not in row:
            raise InputError(f"{place}: not a report.", remedy="Each line needs at least `id` and `body`.")
        yield row


def parse_file(source: Path, target: Path) -> int:
    """Parse a JSONL file of reports into another; returns the number of reports."""
    if not source.is_file():
        raise UsageError(f"{source} is no file.", remedy="Name a JSONL file of reports.")
    count = 0
    with target.open("w", encoding="utf-8") as out:
        for row in rows_of(source):
            parsed = parse_report(str(row["id"]), str(row["body"]), read_listed(row.get("sources"))[0])
            out.write(json.dumps(parsed, ensure_ascii=False) + "\n")
            count += 1
    return count


def parse(
    reports: Annotated[
        Path, typer.Argument(help="JSONL file of reports: `id`, `body`, optionally `sources`.")
    ],
    out: Annotated[Path, typer.Option("--out", help="File to write, one object a report.")],
) -> None:
    """Read the citations and reference lists of reports and write them as JSON lines."""
    count = parse_file(reports, out)
    typer.echo(f"{count} reports parsed into {out}.", err=True)


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("parse")(parse)
