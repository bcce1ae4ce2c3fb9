"""``sluicegate resubmit FILE --for REPORT``: a mended report, judged in its own right inside its original batch.

Belongs here: the command and what it prints. Does not belong here: versions (assets/versions.py), the run.
"""

from __future__ import annotations

import dataclasses
import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from pipelines.cli.output import Config, Json, console, print_json
from pipelines.cli.run import progress_of, show
from pipelines.settings import Settings, load_settings

if TYPE_CHECKING:
    from assets.versions import Submitted


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("resubmit")(resubmit)


def resubmit(
    file: Annotated[Path, typer.Argument(help="The mended report: a file with this one report.")],
    report: Annotated[str, typer.Option("--for", help="Id of the report that it supersedes.")],
    batch: Annotated[
        str | None, typer.Option(help="Its batch; needed where several batches have a report of that id.")
    ] = None,
    who: Annotated[str | None, typer.Option(help="Who submits it.", show_default="the user's name")] = None,
    no_ingest: Annotated[bool, typer.Option("--no-ingest", help="Stop before the knowledge base.")] = False,
    as_json: Json = False,
    config: Config = None,
) -> int:
    """Submit a mended report again: a new version that supersedes the old one, in the same batch.

    The new version is judged in its own right, and the whole batch with it, under the contract that the batch is pinned
    to. The old version stays visible (`explain`, table report_versions). The batch's own input is not touched.

    Exit code: 0 the batch passes, 1 breach, 2 could not determine, 64 and up usage or fault.
    """
    settings = load_settings(config)
    from pipelines.resubmit import resubmit_report

    with progress_of(report) as listener:
        done = resubmit_report(
            settings,
            file,
            report,
            who=who or getpass.getuser(),
            batch_id=batch,
            ingest=not no_ingest,
            listener=listener,
        )
    decision = _decision(settings, done.submitted)
    if as_json:
        print_json(
            {
                **dataclasses.asdict(done.submitted),
                "decision": decision,
                "summary": dataclasses.asdict(done.outcome.summary),
                "run_id": done.outcome.run_id,
                "faults": done.outcome.faults,
                "exit_code": done.outcome.exit_code,
            }
        )
        return done.outcome.exit_code
    out = console()
    show(out, done.outcome)
    s = done.submitted
    again = "" if s.fresh else ", as submitted before"
    out.print(
        Text.assemble(("Version    ", "bold"), f"{s.version} of {s.report_id}{again}: {decision}"),
        soft_wrap=True,
    )
    return done.outcome.exit_code


def _decision(settings: Settings, submitted: Submitted) -> str:
    """What was decided about the new version."""
    from pipelines.resources.warehouse import Warehouse

    with Warehouse(settings.home, lock_wait=settings.lock_wait).read_primary() as look:
        found = look.query(
            "SELECT decision FROM latest_decisions JOIN reports USING (batch_id, report_id, input_fingerprint) "
            "WHERE batch_id = ? AND report_id = ?",
            [submitted.batch_id, submitted.report_id],
        )
    return str(found.item()) if found.height else "not decided about"
