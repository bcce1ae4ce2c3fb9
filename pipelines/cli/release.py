"""``sluicegate release REPORT``: a person lets a report in that the gate holds, or takes that back.

Belongs here: the command and what it prints. Does not belong here: the release (pipelines/release.py).
"""

from __future__ import annotations

import dataclasses
import getpass
from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from pipelines.cli.output import Config, Json, console, errors, print_json, program
from pipelines.settings import load_settings

if TYPE_CHECKING:
    from rich.console import Console

    from assets.releases import Released


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("release")(release)


def release(
    report: Annotated[str, typer.Argument(help="Id of the report.")],
    why: Annotated[str, typer.Option(help="Why it may enter although the gate holds it; kept for ever.")],
    who: Annotated[str | None, typer.Option(help="Who says so.", show_default="the user's name")] = None,
    batch: Annotated[
        str | None, typer.Option(help="Its batch; needed where several batches have a report of that id.")
    ] = None,
    withdraw: Annotated[bool, typer.Option("--withdraw", help="Take the release back.")] = False,
    as_json: Json = False,
    config: Config = None,
) -> int:
    """Let a held report into the knowledge base, with a person's name and reason beside it.

    A release lifts what the gate says about this very input, until it is withdrawn; a report that changes is judged anew.
    It never lifts the contract: while the batch is held, so is the report. The knowledge base shows the report at once.

    Exit code: 0 done, 1 released but kept out by the batch's contract, 64 and up usage or fault.
    """
    settings = load_settings(config)
    from pipelines.alerts.tell import Alerting
    from pipelines.home import prepare_home
    from pipelines.release import release_report
    from pipelines.resources.warehouse import Warehouse

    prepare_home(settings)
    done, faults = release_report(
        Warehouse(settings.home, lock_wait=settings.lock_wait),
        report,
        who=who or getpass.getuser(),
        why=why,
        batch_id=batch,
        action="withdraw" if withdraw else "release",
        gate=settings.gate,
        alerting=Alerting.of(settings),
    )
    kept_out = done.action == "release" and not done.shown
    code = 74 if faults else 1 if kept_out else 0
    if as_json:
        print_json({**dataclasses.asdict(done), "faults": faults, "exit_code": code})
        return code
    show(console(), done)
    for step, message in faults.items():
        errors().print(Text(f"Failed: {step}: {message}. The same command brings it about."), soft_wrap=True)
    return code


def show(out: Console, done: Released) -> None:
    """Print what a release came to."""
    verb = {"release": "Released", "withdraw": "Release withdrawn"}[done.action]
    again = "" if done.fresh else "  (as recorded before)"
    out.print(Text.assemble((f"{verb}  ", "bold"), f"{done.report_id} of batch {done.batch_id}{again}"))
    for name, reasons in (("lifted", done.lifted), ("holds it", done.held_by)):
        for said, count in Counter((r.rule, r.observed.split("; ")[0]) for r in reasons).items():
            places = f" ({count} places)" if count > 1 else ""
            out.print(Text(f"  {name}: {said[0]}: {said[1]}{places}"), soft_wrap=True)
    for sentence in done.kept_out:
        out.print(Text(f"  kept out: {sentence}"), soft_wrap=True)
    out.print(Text(f"  knowledge base: {'shows it' if done.shown else 'does not show it'}"))
    if done.action == "release" and not done.shown:
        out.print(
            Text("  The release stands; it lifts the gate's reasons, not what holds the whole batch."),
            soft_wrap=True,
        )
    out.print(Text(f"Next  {program()} explain {done.report_id} --batch {done.batch_id}"), soft_wrap=True)
