"""``sluicegate init``: a configuration file and a home.

Belongs here: the command. Does not belong here: what the settings mean (pipelines/settings.py).
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipelines.cli.output import console
from pipelines.home import prepare_home
from pipelines.settings import CONFIG_NAME, config_template, load_settings
from quality.errors import UsageError


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("init")(init)


def init(
    folder: Annotated[Path, typer.Argument(help="Where the configuration file goes.")] = Path(),
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing configuration file.")] = False,
) -> None:
    """Write sluicegate.toml with every setting and its default, and make the home."""
    file = folder / CONFIG_NAME
    if file.exists() and not force:
        raise UsageError(f"{file} exists already.", remedy="Edit it, or overwrite it with --force.")
    folder.mkdir(parents=True, exist_ok=True)
    file.write_text(config_template(), encoding="utf-8")
    settings = load_settings(file)
    prepare_home(settings)
    out = console()
    out.print(f"Wrote {file}; the home is {settings.home}.", markup=False)
    out.print("Next: sluicegate run --reports FOLDER --sources CATALOGUE --batch NAME", markup=False)
