"""``sluicegate run``: one batch through the whole line.

Belongs here: the command, its progress and its printed summary. Does not belong here: the run (pipelines/run.py).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

from pipelines.cli.output import Config, Json, console, errors, print_json, program, table
from pipelines.settings import Settings, load_settings
from quality.errors import UsageError

if TYPE_CHECKING:
    from assets.batches import Batch
    from pipelines.alerts.outbox import Alert
    from pipelines.progress import Kind, Listener
    from pipelines.run import Outcome

VERDICT_STYLE = {"pass": "bold green", "breach": "bold red", "unknown": "bold yellow"}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("run")(run)


def run(
    reports: Annotated[
        Path | None,
        typer.Option(help="Folder of *.md, or a JSONL or Parquet file. Left out: as this batch had it."),
    ] = None,
    sources: Annotated[
        Path | None,
        typer.Option(
            help="Source catalogue, taken as it is today: JSONL, CSV or Parquet. Left out: the snapshot that is "
            "recorded for this batch, else none."
        ),
    ] = None,
    batch: Annotated[
        str | None, typer.Option(help="Id of the batch. Left out: the name of the reports' folder or file.")
    ] = None,
    producer: Annotated[str | None, typer.Option(help="Who wrote the reports.")] = None,
    contract: Annotated[
        str | None,
        typer.Option(
            help="Judge this batch from now on by this contract, instead of the one it is pinned to: an accepted file or "
            "version, `accepted` for the one in force, `default` for the one that ships."
        ),
    ] = None,
    no_ingest: Annotated[bool, typer.Option("--no-ingest", help="Stop before the knowledge base.")] = False,
    as_json: Json = False,
    config: Config = None,
) -> int:
    """Audit, rebuild, deliver and decide one batch, and ingest what may enter.

    Exit code: 0 the contract passed, 1 breach, 2 could not determine, 64 and up usage or fault. Every report is
    delivered in each case.
    """
    settings = load_settings(config)
    wanted = describe(settings, reports, sources, batch, producer)
    from pipelines.run import run_batch

    with progress_of(wanted.id) as listener:
        outcome = run_batch(
            settings,
            wanted,
            ingest=not no_ingest,
            contract=contract,
            keep_catalogue=sources is None,
            listener=listener,
        )
    if as_json:
        print_json(
            {
                **dataclasses.asdict(outcome.summary),
                "run_id": outcome.run_id,
                "faults": outcome.faults,
                "alerts": [dataclasses.asdict(alert) for alert in outcome.alerts],
                "exit_code": outcome.exit_code,
            }
        )
    else:
        show(console(), outcome)
    return outcome.exit_code


def describe(
    settings: Settings, reports: Path | None, sources: Path | None, batch_id: str | None, producer: str | None
) -> Batch:
    """The batch that the options mean; what they leave out stays as the batch had it.

    Raises:
        UsageError: a path that does not exist, an impossible id, or nothing that says where the reports are.
    """
    from assets.batches import Batch, batch_folder, load_batch_file
    from quality.intake.batch import FILE_NAME, check_batch_id

    if batch_id is None and reports is None:
        raise UsageError(
            "There is no batch to run.", remedy="Name --reports, or --batch for a batch that ran before."
        )
    name = batch_id if batch_id is not None else _name_of(reports)
    try:
        check_batch_id(name)
    except ValueError as error:
        raise UsageError(
            f"{name!r} is no id for a batch: {error}.", remedy="Name another with --batch."
        ) from error
    file = batch_folder(settings.home, name) / FILE_NAME
    before = load_batch_file(file) if file.is_file() else None
    if (
        batch_id is None
        and before is not None
        and reports is not None
        and before.reports != reports.resolve()
    ):
        raise UsageError(
            f"A batch {name!r} exists already, with the reports of {before.reports}.",
            remedy="Name this one with --batch; naming that one replaces its reports.",
        )
    found = _existing(reports, "--reports") or (before.reports if before else None)
    if found is None:
        raise UsageError(f"Batch {name!r} is new here.", remedy="Name its reports with --reports.")
    return Batch(
        id=name,
        reports=found,
        sources=_existing(sources, "--sources") or (before.sources if before else None),
        producer=producer or (before.producer if before else None),
        created_at=before.created_at if before else datetime.now(tz=UTC).replace(microsecond=0),
    )


def _name_of(reports: Path | None) -> str:
    path = (reports or Path()).resolve()
    return path.name if path.is_dir() else path.stem


def _existing(path: Path | None, option: str) -> Path | None:
    if path is not None and not path.exists():
        raise UsageError(f"{option} {str(path)!r} does not exist.", remedy="Name an existing folder or file.")
    return path.resolve() if path is not None else None


class progress_of:  # noqa: N801 - used as a function
    """A spinner that names the step of a run, on standard error; warnings stay above it."""

    def __init__(self, batch_id: str) -> None:
        self._console = errors()
        self._batch_id = batch_id
        self._status = self._console.status(Text(f"{batch_id}: starting"))
        self._step = "starting"

    def __enter__(self) -> Listener:
        self._status.start()
        return self._hear

    def __exit__(self, *_: object) -> None:
        self._status.stop()

    def _hear(self, kind: Kind, text: str) -> None:
        if kind == "step":
            self._step = text
            if not self._console.is_terminal:
                self._console.print(f"{self._batch_id}: {text}", markup=False)
        if kind == "warning":
            self._console.print(f"{self._batch_id}: {text}", markup=False, style="yellow")
        detail = f" · {text}" if kind == "message" else ""
        self._status.update(Text(f"{self._batch_id}: {self._step}{detail}"))


def show(out: Console, outcome: Outcome) -> None:
    """Print what a run came to."""
    s = outcome.summary
    out.print()
    out.print(Text.assemble(("Batch ", ""), (s.batch_id, "bold"), (f"  {s.n_reports} reports", "")))
    out.print(
        table(
            ("metric", "version", "statistic", "as written", "rebuilt", "n"),
            [
                (x.metric, x.version, x.statistic, x.before, x.after, f"{x.n_before} → {x.n_after}")
                for x in s.lines
            ],
        )
    )
    _show_contract(out, outcome)
    _show_counts(out, outcome)
    show_alerts(out, outcome.alerts)
    for step, message in outcome.faults.items():
        out.print(Text(f"Failed: {step}: {message}", style="bold red"))
    out.print(Text(f"Warehouse  {s.warehouse}"), soft_wrap=True)
    out.print(Text(f"Dashboard  {s.warehouse.with_name('dashboard.html')}"), soft_wrap=True)
    out.print(Text(f"Delivered  {s.delivered_folder}"), soft_wrap=True)
    out.print(Text(f"Next       {next_command(outcome)}"), soft_wrap=True)


def _show_contract(out: Console, outcome: Outcome) -> None:
    s = outcome.summary
    verdict = s.verdict or "not evaluated"
    out.print(
        Text.assemble(
            "Contract   ",
            (verdict, VERDICT_STYLE.get(verdict, "bold")),
            f"  ({s.contract_version or 'none'})",
        )
    )
    for clause in s.clauses:
        if clause.verdict != "pass":
            mode = "" if clause.mode == "block" else "  (only recorded)"
            style = VERDICT_STYLE[clause.verdict] if clause.mode == "block" else ""
            out.print(
                Text.assemble("           ", (f"{clause.clause}: ", style), f"{clause.reason}{mode}"),
                soft_wrap=True,
            )


def _show_counts(out: Console, outcome: Outcome) -> None:
    s = outcome.summary
    parts = [f"{s.delivered} delivered", f"{s.in_kb} in the knowledge base", f"{s.held} held"]
    if s.held and s.held_by_gate != s.held:
        parts[-1] += f" ({s.held_by_gate} by the gate itself)"
    if s.n_unreadable:
        parts.append(f"{s.n_unreadable} could not be read")
    if s.to_ingest > s.in_kb:
        parts.append(f"{s.to_ingest - s.in_kb} could be ingested and were not")
    out.print(Text("Reports    " + ", ".join(parts)), soft_wrap=True)


def show_alerts(out: Console, alerts: Sequence[Alert]) -> None:
    """Say what became of the alerts of a run; where nobody is configured to hear them, print them."""
    for alert in alerts:
        out.print(Text(f"Alert      {alert.state}: {alert.title} ({alert.reason})"), soft_wrap=True)
        if alert.reason.startswith("nobody configured"):
            out.print(
                Text("\n".join(f"           {line}" for line in alert.text.splitlines())), soft_wrap=True
            )


def next_command(outcome: Outcome) -> str:
    """The command that is most worth trying after this run."""
    s = outcome.summary
    if outcome.faults:
        return f"{program()} doctor"
    if s.held:
        batch = s.batch_id.replace("'", "''")
        question = f"SELECT report_id, rules FROM held_reports WHERE batch_id = '{batch}'"  # noqa: S608 - only printed
        return f'{program()} sql "{question}"'
    return f"{program()} batches"
