"""``sluicegate sql``: a question to the published warehouse.

Belongs here: the command. Does not belong here: the reader's restrictions (pipelines/resources/reader.py).
"""

from __future__ import annotations

from typing import Annotated

import duckdb
import typer

from pipelines.cli.output import Config, Json, console, print_json, table
from pipelines.resources.reader import reader
from pipelines.settings import load_settings
from quality.errors import UsageError


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("sql")(sql)


def sql(
    question: Annotated[
        str, typer.Argument(help="One SELECT over the warehouse's tables and views.", metavar="SELECT")
    ],
    as_json: Json = False,
    config: Config = None,
) -> None:
    """Ask the published warehouse: read-only, without access to files, network or extensions."""
    settings = load_settings(config)
    with reader(settings.home) as connection:
        try:
            found = connection.execute(question)
            columns = [str(column[0]) for column in found.description or []]
            rows = found.fetchall() if columns else []
        except duckdb.Error as error:
            raise UsageError(
                f"DuckDB refuses the question: {error}",
                remedy="`sluicegate sql 'SHOW TABLES'` lists what there is.",
            ) from error
    if as_json:
        _refuse_twins(columns)
        print_json([dict(zip(columns, row, strict=True)) for row in rows])
    else:
        console().print(table(columns, rows))


def _refuse_twins(columns: list[str]) -> None:
    """Refuse a result of which an object could hold only a part.

    Raises:
        UsageError: two columns have one name.
    """
    if twins := sorted({name for name in columns if columns.count(name) > 1}):
        raise UsageError(
            f"Several columns are called {', '.join(map(repr, twins))}: a JSON object holds one of each name.",
            remedy="Give each column its own name with AS, or leave --json out.",
        )
