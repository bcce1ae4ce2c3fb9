"""``sluicegate export DIR``: the published warehouse as a folder of Parquet or CSV files.

Belongs here: the command. Does not belong here: writing the files (pipelines/export.py).
"""

from __future__ import annotations

from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from pipelines.cli.output import Config, Json, console, print_json
from pipelines.settings import load_settings


class Form(StrEnum):
    """Formats of the files."""

    PARQUET = "parquet"
    CSV = "csv"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("export")(export)


def export(
    target: Annotated[
        Path, typer.Argument(help="Folder to write; it appears when it is whole.", metavar="DIR")
    ],
    form: Annotated[
        Form,
        typer.Option(
            "--format",
            help="In CSV, texts that a spreadsheet would take for a formula (= + - @ tab CR) get an apostrophe in front; "
            "numbers do not.",
        ),
    ] = Form.PARQUET,
    batch: Annotated[
        list[str] | None, typer.Option(help="Only this batch; may be given more than once. Left out: all.")
    ] = None,
    with_text: Annotated[
        bool, typer.Option("--text/--no-text", help="Whether the texts of the reports go along.")
    ] = True,
    force: Annotated[
        bool,
        typer.Option("--force", help="Replace an earlier export in DIR; nothing else is ever overwritten."),
    ] = False,
    as_json: Json = False,
    config: Config = None,
) -> None:
    """Write every table and view of the published warehouse into a folder, one file each, with a manifest.

    manifest.json names the publication, and for each file its rows, columns with their meaning, and SHA-256. The same
    publication gives the same files.
    """
    from pipelines.export import export as write

    settings = load_settings(config)
    manifest = write(
        settings.home, target, form=form.value, batches=batch or (), with_text=with_text, force=force
    )
    if as_json:
        print_json(asdict(manifest))
        return
    rows = sum(file.rows for file in manifest.files)
    console().print(
        f"{len(manifest.files)} files with {rows:,} rows of publication {manifest.publication} in {target}",
        markup=False,
        soft_wrap=True,
    )
