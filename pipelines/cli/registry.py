"""``sluicegate registry``: the local snapshot of known works.

Belongs here: the commands. Does not belong here: the snapshot itself (pipelines/resources/registry_snapshot.py).
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipelines.cli.output import Json, console, errors, print_json
from quality.errors import UsageError


def register(app: typer.Typer) -> None:
    """Add the command with its sub-commands."""
    group = typer.Typer(help="Known works on this machine, asked before any registry.", no_args_is_help=True)
    group.command("build")(build)
    group.callback()(_group)
    app.add_typer(group, name="registry")


def _group() -> None:
    """Keep the sub-command a sub-command."""


def build(
    inputs: Annotated[list[Path], typer.Argument(help="JSON lines, plain or gzipped.", show_default=False)],
    out: Annotated[Path, typer.Option("--out", help="Parquet file to write.")],
    as_json: Json = False,
) -> int:
    """Make a snapshot of known works from dumps or from a list of your own.

    A line is a Crossref work, a Europe PMC result, an object with Crossref works in `items`, or a work of your own:
    title and any of doi, pmid, pmcid, arxiv_id, isbn, url, authors, year, venue, kind, retracted, withdrawn, corrected.
    Files are streamed; memory does not grow with them. Of two works under one identifier the later one counts.

    Then name the file in [registries] snapshot. Exit code: 0 built, 1 some lines held no work.
    """
    from pipelines.resources.registry_snapshot import build as build_snapshot

    for path in inputs:
        if not path.is_file():
            raise UsageError(f"{path} is no file.", remedy="Name files of JSON lines.")
        if out.exists() and out.samefile(path):
            raise UsageError("The file to write is a file to read.", remedy="Give --out another name.")
    with errors().status("reading") as status:
        built = build_snapshot(inputs, out, progress=lambda works: status.update(f"{works:,} works"))
    if as_json:
        print_json(
            {"file": str(out), "works": built.works, "identifiers": built.keys, "refused": built.n_refused,
             "first_refused": built.refused}
        )  # fmt: skip
    else:
        printed = console()
        printed.print(f"{out}: {built.works:,} works under {built.keys:,} keys", markup=False, soft_wrap=True)
        for line in built.refused:
            printed.print(f"refused {line}", markup=False, soft_wrap=True)
        if built.n_refused > len(built.refused):
            printed.print(
                f"and {built.n_refused - len(built.refused):,} more lines that hold no work", markup=False
            )
    return 1 if built.n_refused else 0
