"""``sluicegate dashboard``: the page of the latest publication, written anew.

Belongs here: the command. Does not belong here: what the page shows (pipelines/dashboard).
"""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from pipelines.cli.output import Config, Json, print_json
from pipelines.settings import load_settings


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("dashboard")(dashboard)


def dashboard(
    out: Annotated[
        Path | None,
        typer.Option(
            help="Write the page to this file, to be sent or archived. Left out: dashboard.html in the home."
        ),
    ] = None,
    show: Annotated[bool, typer.Option("--open", help="Open it in a browser.")] = False,
    as_json: Json = False,
    config: Config = None,
) -> None:
    """Write the dashboard: one HTML file that stands by itself and asks nothing of any network.

    Every run writes it anew; this is for a copy elsewhere, or after limits of the gate were changed.
    """
    from pipelines.dashboard.publish import LINK, page_of, publish_dashboard, write_page

    settings = load_settings(config)
    if out is None:
        publish_dashboard(settings.home, settings.gate)
        file = settings.home / LINK
    else:
        file = out.resolve()
        write_page(file, page_of(settings.home, settings.gate)[0])
    if as_json:
        print_json({"file": str(file), "bytes": file.stat().st_size})
    else:
        print(file)
    if show:
        webbrowser.open(file.as_uri())
