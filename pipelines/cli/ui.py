"""``sluicegate ui``: Dagster's UI and daemon on this home.

Belongs here: starting them. Does not belong here: definitions.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from pipelines.cli.output import Config, errors
from pipelines.home import use_home
from pipelines.settings import load_settings

WORKSPACE = Path("workspace.yaml")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("ui")(ui)


def ui(
    port: Annotated[int, typer.Option(help="Port of the UI.", min=1, max=65535)] = 3000,
    host: Annotated[str, typer.Option(help="Address to listen on; the UI has no login.")] = "127.0.0.1",
    config: Config = None,
) -> None:
    """Open Dagster on this home, sensors running. Ctrl-C ends it."""
    settings = load_settings(config)
    use_home(settings)
    target = ["-w", str(WORKSPACE)] if WORKSPACE.is_file() else ["-m", "pipelines.definitions"]
    errors().print(
        f"Home {settings.home}; the UI answers on http://{host}:{port} in about 20 s.", markup=False
    )
    command = [sys.executable, "-m", "dagster", "dev", *target, "--host", host, "--port", str(port)]
    os.execv(sys.executable, command)  # noqa: S606 - our own interpreter, arguments as a list
