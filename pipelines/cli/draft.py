"""``sluicegate draft LEADS``: reports written by our own loop, then through the whole line like any others.

Belongs here: the command and its printing. Does not belong here: the loop (``quality/drafting``), the line
(``pipelines/run.py``).
"""

from __future__ import annotations

import dataclasses
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from pipelines.cli.output import Config, Json, console, errors, print_json, table
from pipelines.settings import Settings, load_settings
from quality.errors import UsageError

if TYPE_CHECKING:
    from assets.batches import Batch
    from pipelines.drafting.drafter import Drafter
    from pipelines.run import Outcome
    from quality.drafting.model import Story

QUESTION = """
SELECT lead_id, end_state, reason, n_rounds, n_cited, n_open, calls, cost, report_id, rejected_file, notice_file
FROM drafts WHERE batch_id = ? ORDER BY ordinal
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("draft")(draft)


def draft(
    leads: Annotated[
        Path,
        typer.Argument(
            help="JSONL file of leads: id, question, and optionally audience, language, sources, budget."
        ),
    ],
    sources: Annotated[
        Path,
        typer.Option(help="Source catalogue with texts: JSONL, CSV or Parquet. Nothing else may be cited."),
    ],
    batch: Annotated[
        str | None, typer.Option(help="Id of the batch. Left out: the name of the leads' file.")
    ] = None,
    writer: Annotated[
        str | None, typer.Option(help="Model that writes; else `writer` of [drafting].")
    ] = None,
    sceptic: Annotated[
        str | None, typer.Option(help="Model that attacks; else `sceptic` of [drafting].")
    ] = None,
    replay: Annotated[
        Path | None, typer.Option(help="Answer every call from this recording; needs no key and no network.")
    ] = None,
    record: Annotated[Path | None, typer.Option(help="Append every answer to this recording.")] = None,
    no_ingest: Annotated[bool, typer.Option("--no-ingest", help="Stop before the knowledge base.")] = False,
    as_json: Json = False,
    config: Config = None,
) -> int:
    """Draft a report for each lead: writer, sceptic, gate, until code verifies it or the loop ends without success.

    A draft that was not verified goes to rejected/ with its open objections, and a notice is written for whoever asked. A
    run that was killed goes on where it stopped, without asking again for what was answered.

    Exit codes: 0 every lead verified and the batch passed, 1 a lead was not verified or the contract broke, 2 something
    could not be determined, 64 and up usage or fault.
    """
    settings = load_settings(config)
    if replay is not None and record is not None:
        raise UsageError("--replay and --record exclude each other.", remedy="Choose one of them.")
    models = {k: v for k, v in (("writer", writer), ("sceptic", sceptic)) if v is not None}
    settings = dataclasses.replace(settings, drafting=settings.drafting.model_copy(update=models))
    settings.drafting.require_models()
    wanted = _described(settings, leads, sources, batch)
    from pipelines.cli.run import progress_of, show
    from pipelines.run import run_batch

    drafter = _drafter(settings, replay, record)
    with progress_of(wanted.id) as listener:
        outcome = run_batch(
            settings,
            wanted,
            ingest=not no_ingest,
            listener=listener,
            resource_overrides={"drafter": drafter},
        )
    rows = _rows(settings, wanted.id)
    code = _exit_code(rows, outcome)
    if as_json:
        print_json(
            {
                **dataclasses.asdict(outcome.summary),
                "drafts": rows,
                "faults": outcome.faults,
                "exit_code": code,
            }
        )
    else:
        _show(console(), wanted.id, rows)
        show(console(), outcome)
    return code


def _described(settings: Settings, leads: Path, sources: Path, batch: str | None) -> Batch:
    from assets.batches import Batch, batch_folder, drafts_file, load_batch_file
    from quality.drafting.leads import read_leads
    from quality.intake.batch import FILE_NAME, check_batch_id

    name = batch or leads.stem
    try:
        check_batch_id(name)
    except ValueError as error:
        raise UsageError(
            f"{name!r} is no id for a batch: {error}.", remedy="Name another with --batch."
        ) from error
    if not sources.is_file():
        raise UsageError(f"--sources {str(sources)!r} does not exist.", remedy="Name an existing catalogue.")
    read_leads(leads)
    file = batch_folder(settings.home, name) / FILE_NAME
    before = load_batch_file(file) if file.is_file() else None
    if before is not None and before.leads is None:
        raise UsageError(
            f"A batch {name!r} exists already, and its reports come from elsewhere.",
            remedy="Name this one with --batch.",
        )
    return Batch(
        id=name,
        reports=drafts_file(settings.home, name),
        sources=sources.resolve(),
        producer=before.producer if before else None,
        created_at=before.created_at if before else datetime.now(tz=UTC).replace(microsecond=0),
        leads=leads.resolve(),
    )


def _drafter(settings: Settings, replay: Path | None, record: Path | None) -> Drafter:
    from pipelines.drafting.drafter import Drafter
    from pipelines.resources.registries import Registries

    screen = errors()

    def tell(done: int, total: int, story: Story) -> None:
        screen.print(f"draft {done} of {total}: {story.lead.id}: {story.end.value}", markup=False)

    registries = partial(Registries, settings.registries, settings.home)
    return Drafter(settings.drafting, settings.claude, registries, replay, record, tell)


def _rows(settings: Settings, batch_id: str) -> list[dict[str, Any]]:
    from pipelines.resources.reader import reader

    with reader(settings.home) as connection:
        return connection.query(QUESTION, [batch_id]).to_dicts()


def _exit_code(rows: list[dict[str, Any]], outcome: Outcome) -> int:
    if any(row["end_state"] == "error" for row in rows) or outcome.faults:
        return 2
    if any(row["end_state"] != "verified" for row in rows) or outcome.exit_code == 1:
        return 1
    return outcome.exit_code


def _show(out: Console, batch_id: str, rows: list[dict[str, Any]]) -> None:
    columns = ("lead", "end", "rounds", "cited", "open", "why")
    told = [
        (r["lead_id"], r["end_state"], r["n_rounds"], r["n_cited"], r["n_open"], r["reason"]) for r in rows
    ]
    out.print(table(columns, told, title=f"drafts of {batch_id}"))
    for row in rows:
        if row["rejected_file"]:
            out.print(
                f"Rejected   {row['rejected_file']} (notice: {row['notice_file']})",
                markup=False,
                soft_wrap=True,
            )
