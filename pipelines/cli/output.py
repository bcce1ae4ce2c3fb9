"""How commands print: tables for people, JSON for scripts, in one place.

Belongs here: consoles, tables, JSON. Does not belong here: what any command says.
"""

from __future__ import annotations

import json
import math
import shutil
import sys
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

Config = Annotated[
    Path | None,
    typer.Option(
        "--config",
        help="Configuration file; else SLUICEGATE_CONFIG, else sluicegate.toml here.",
        show_default=False,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for a script instead of a table.")]


def console() -> Console:
    """Console of the results."""
    return Console(file=sys.stdout, highlight=False, soft_wrap=False)


def errors() -> Console:
    """Console of progress and warnings."""
    return Console(file=sys.stderr, highlight=False)


def program() -> str:
    """How to call this command from where the user stands: by name where it is on the PATH, else by its path."""
    if shutil.which("sluicegate"):
        return "sluicegate"
    own = Path(sys.executable).with_name("sluicegate")
    return str(own.relative_to(Path.cwd())) if own.is_relative_to(Path.cwd()) else str(own)


def plain(value: object) -> object:
    """A value as JSON has it; what JSON has no word for becomes text, a number that is not finite null."""
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)


def print_json(value: object) -> None:
    """One JSON value on standard output."""
    print(json.dumps(plain(value), ensure_ascii=False, indent=2))


def shown(value: object) -> str:
    """A value for a table cell: NULL stays visible, numbers stay short."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, datetime):
        return value.isoformat(sep=" ", timespec="seconds")
    if isinstance(value, list):
        return ", ".join(map(shown, value))
    return str(value)


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, title: str = "") -> Table:
    """A table of plain text: markup in a report's id or title stays what it is, text."""
    made = Table(title=title or None, title_justify="left", show_lines=False)
    for column in columns:
        made.add_column(column, overflow="fold")
    for row in rows:
        made.add_row(*(Text(shown(cell)) for cell in row))
    return made
