"""``sluicegate alerts``: what was told, a test message, and another try for what could not be delivered.

Belongs here: the commands and what they print. Does not belong here: what is told (quality/alerts), delivery.
"""

from __future__ import annotations

import dataclasses
from typing import Annotated

import typer
from rich.text import Text

from pipelines.cli.output import Config, Json, console, print_json, program, table
from pipelines.settings import load_settings
from quality.errors import UsageError

_STYLE = {"sent": "green", "pending": "bold yellow", "skipped": ""}


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(
        help="What was told about batches: breach, unknown and recovery, each once.",
        no_args_is_help=True,
    )
    group.command("list")(list_alerts)
    group.command("test")(test)
    group.command("retry")(retry)
    app.add_typer(group, name="alerts")


def list_alerts(
    state: Annotated[str | None, typer.Option(help="Only these: pending, sent or skipped.")] = None,
    text: Annotated[bool, typer.Option("--text", help="Print each message in full.")] = False,
    as_json: Json = False,
    config: Config = None,
) -> None:
    """List every alert with what became of it, oldest first."""
    settings = load_settings(config)
    from pipelines.alerts.tell import Alerting, alerts_after
    from pipelines.resources.warehouse import Warehouse

    if state not in (None, "pending", "sent", "skipped"):
        raise UsageError(f"There is no state {state!r}.", remedy="Use pending, sent or skipped.")
    found = [
        a for a in alerts_after(Warehouse(settings.home), Alerting.of(settings)) if state in (None, a.state)
    ]
    if as_json:
        print_json([dataclasses.asdict(a) for a in found])
        return
    out = console()
    rows = [(a.alert_id, a.raised_at, list(a.clauses), a.state, a.attempts, a.reason) for a in found]
    out.print(table(("alert", "raised", "clauses", "state", "tried", "because"), rows))
    for alert in found if text else ():
        out.print(Text.assemble(("\n" + alert.title, _STYLE[alert.state]), "\n" + alert.text), soft_wrap=True)


def test(as_json: Json = False, config: Config = None) -> int:
    """Send one message to every configured service, and say which took it.

    Exit code: 0 all took it, 2 one did not, 64 nobody is configured.
    """
    settings = load_settings(config)
    from pipelines.alerts.services import addresses, send

    variable = settings.alerts.urls_from
    services = addresses(variable)
    if not services:
        raise UsageError(
            f"Nobody is configured: the environment variable {variable} is empty.",
            remedy=f"Set it to the addresses of services, for example `export {variable}='mailto://…'`, see the runbook.",
        )
    text = "If you read this, alerts of this home reach you. Nothing is wrong with any batch."
    told = [(s.shown, send(s, kind="test", title="Sluicegate: a test message", text=text)) for s in services]
    code = 2 if any(fault for _, fault in told) else 0
    if as_json:
        print_json({"services": [{"service": s, "fault": f} for s, f in told], "exit_code": code})
        return code
    for service, fault in told:
        style, said = ("bold red", f"did not take it: {fault}") if fault else ("green", "took it")
        console().print(Text.assemble(f"{service}  ", (said, style)), soft_wrap=True)
    return code


def retry(
    alert: Annotated[
        str | None,
        typer.Argument(help="One alert, whatever its state. Left out: all that are pending."),
    ] = None,
    as_json: Json = False,
    config: Config = None,
) -> int:
    """Try to deliver again, at once.

    Exit code: 0 nothing is left to deliver, 2 something still is, 64 and up usage or fault.
    """
    settings = load_settings(config)
    from pipelines.alerts.tell import Alerting, retry
    from pipelines.resources.warehouse import Warehouse

    store = Warehouse(settings.home, lock_wait=settings.lock_wait)
    tried = retry(store, Alerting.of(settings), alert)
    if alert is not None and not tried:
        raise UsageError(f"There is no alert {alert!r}.", remedy=f"`{program()} alerts list` lists them.")
    code = 2 if any(a.state == "pending" for a in tried) else 0
    if as_json:
        print_json({"alerts": [dataclasses.asdict(a) for a in tried], "exit_code": code})
        return code
    if not tried:
        console().print("Nothing is pending.")
    for a in tried:
        said = Text.assemble((a.state, _STYLE[a.state]), f"  {a.alert_id}: {a.reason}")
        console().print(said, soft_wrap=True)
    return code
