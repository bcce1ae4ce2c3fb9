"""``sluicegate review BATCH``: blind reviews of a batch, and what independent reviewers share.

Belongs here: the command and its printing. Does not belong here: the reviewers (``quality/review``), storing what
they find (``assets/blind_review``).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipelines.cli.output import Config, Json, console, errors, print_json, table
from pipelines.settings import Settings, load_settings
from quality.errors import StorageError, UsageError

if TYPE_CHECKING:
    from pipelines.resources.warehouse import Warehouse
    from quality.review.convergence import Ranked
    from quality.review.model import Review

UNKNOWN_EXIT = 2


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("review")(review)


def review(
    batch: Annotated[str, typer.Argument(help="Id of a batch that was run before.")],
    model: Annotated[
        str | None, typer.Option(help="Model that reviews beside our rules; else `reviewer` of [claude].")
    ] = None,
    replay: Annotated[
        Path | None,
        typer.Option(help="Answer the model's questions from this recording; needs no key and no network."),
    ] = None,
    record: Annotated[Path | None, typer.Option(help="Append the model's answers to this recording.")] = None,
    bring: Annotated[
        Path | None,
        typer.Option(help="JSONL file of findings from outside; needs --as. Nobody else reviews."),
    ] = None,
    name: Annotated[
        str | None, typer.Option("--as", help="Name of the reviewer whose findings --bring has.")
    ] = None,
    as_json: Json = False,
    config: Config = None,
) -> None:
    """Let reviewers examine a batch without seeing each other's findings, and rank the failures that they share.

    Exit codes: 0 every reviewer examined every report, 2 some report could not be examined, 64 and up usage or fault.
    """
    settings = load_settings(config)
    if replay is not None and record is not None:
        raise UsageError("--replay and --record exclude each other.", remedy="Choose one of them.")
    if (bring is None) != (name is None):
        raise UsageError("--bring and --as belong together.", remedy="Give both, or neither.")
    if bring is not None and (model or replay or record):
        raise UsageError("--bring asks no model.", remedy="Leave --model, --replay and --record out.")
    if (replay or record) and not (model or settings.claude.reviewer):
        raise UsageError("No model reviews.", remedy="Name one with --model, or `reviewer` in [claude].")
    reviews, shared = _reviewed(settings, batch, model, replay, record, bring, name)
    if as_json:
        print_json(_facts(batch, reviews, shared))
    else:
        _show(batch, reviews, shared)
    if any(e.fault for r in reviews for e in r.examinations):
        raise typer.Exit(UNKNOWN_EXIT)


def _reviewed(
    settings: Settings,
    batch: str,
    model: str | None,
    replay: Path | None,
    record: Path | None,
    bring: Path | None,
    name: str | None,
) -> tuple[Sequence[Review], Sequence[Ranked]]:
    from assets.blind_review import review_batch
    from pipelines.panel import ReviewPanel
    from pipelines.resources.warehouse import Warehouse

    if not (settings.home / "warehouse.duckdb").exists():
        raise StorageError(
            f"{settings.home} holds no warehouse.", remedy="Run a batch first: `sluicegate run`."
        )
    store = Warehouse(settings.home, lock_wait=settings.lock_wait)
    if bring is not None and name is not None:
        made = _brought(store, batch, bring, name)
    else:
        claude = dataclasses.replace(settings.claude, reviewer=model or settings.claude.reviewer)
        errors().print(f"reviewing batch {batch} …")
        made = review_batch(store, batch, ReviewPanel(claude, replay, record), f"review of batch {batch!r}")
    store.publish()
    return made


def _brought(store: Warehouse, batch: str, file: Path, name: str) -> tuple[list[Review], list[Ranked]]:
    from assets.blind_review import load_corpus, renew_convergence, write_review
    from pipelines.cli.jsonl import json_lines
    from quality.review.brought import brought_review

    corpus = load_corpus(store, batch)
    made = brought_review(name, json_lines(file), corpus)
    with store.write(f"findings of {name} about batch {batch!r}") as tx:
        write_review(tx, batch, made, corpus)
        shared = renew_convergence(tx, batch, corpus)
    return [made], shared


def _facts(batch: str, reviews: Sequence[Review], shared: Sequence[Ranked]) -> dict[str, Any]:
    return {
        "batch_id": batch,
        "reviews": [
            {
                "reviewer": r.reviewer,
                "kind": r.kind,
                "model": r.model,
                "prompt_version": r.prompt_version,
                "reports": len(r.examinations),
                "not_examined": {e.report_id: e.fault for e in r.examinations if e.fault},
                "findings": [dataclasses.asdict(f) for f in r.findings],
            }
            for r in reviews
        ],
        "convergence": [{**dataclasses.asdict(r), "rank": n} for n, r in enumerate(shared, 1)],
    }


def _show(batch: str, reviews: Sequence[Review], shared: Sequence[Ranked]) -> None:
    out = console()
    rows = [
        (r.reviewer, r.kind, len(r.examinations), sum(1 for e in r.examinations if e.fault), len(r.findings))
        for r in reviews
    ]
    out.print(
        table(("reviewer", "kind", "reports", "not examined", "findings"), rows, title=f"batch {batch}")
    )
    for r in reviews:
        faults = [e for e in r.examinations if e.fault]
        for e in faults[:5]:
            out.print(
                f"  {r.reviewer} could not examine {e.report_id}: {e.fault}", markup=False, soft_wrap=True
            )
        if len(faults) > 5:
            out.print(f"  and {len(faults) - 5} more; the table examinations names each", markup=False)
    ranked = [
        (
            n,
            r.category,
            f"{r.shared_reports} of {r.compared}",
            r.shared_passages,
            _by(r.found_by, r.examined_by),
        )
        for n, r in enumerate(shared, 1)
    ]
    columns = ("", "failure", "reports in which two agree", "passages", "found by (of examined)")
    out.print(table(columns, ranked, title="what independent reviewers share"))


def _by(found: Mapping[str, int], examined: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {n} of {examined[name]}" for name, n in found.items())
