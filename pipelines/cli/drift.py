"""``sluicegate drift BATCH``: what became of the catalogue that a batch was audited against.

Belongs here: the command and its printing. Does not belong here: the comparison (pipelines/drift.py).
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from pipelines.cli.output import Config, Json, console, print_json, program, table
from pipelines.settings import load_settings

if TYPE_CHECKING:
    from pipelines.drift import Catalogue, DriftReport

SHOWN = 30


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("drift")(drift)


def drift(
    batch: Annotated[str, typer.Argument(help="Id of the batch.")],
    against: Annotated[
        str | None,
        typer.Option(
            help="Compare with this catalogue file or snapshot, or with `newest`, the snapshot that was taken last. "
            "Left out: the file that the batch's catalogue came from, as it is today; if it is gone, `newest`."
        ),
    ] = None,
    as_json: Json = False,
    config: Config = None,
) -> int:
    """List the sources that were retitled, vanished or merged since a batch was audited, and what it cites of them.

    Nothing is changed: a batch stays with the snapshot that is recorded for it, so drift is never a regression.

    Exit code: 0 nothing that the batch cites or lists changed, 1 something did, 2 the batch has no catalogue.
    """
    from pipelines.drift import drift_of
    from pipelines.resources.warehouse import Warehouse

    settings = load_settings(config)
    found = drift_of(Warehouse(settings.home, lock_wait=settings.lock_wait), batch, against)
    if as_json:
        print_json(plain_report(found))
    else:
        show(console(), found)
    return 1 if found.touches_the_batch else 0


def plain_report(found: DriftReport) -> dict[str, Any]:
    """The whole comparison as plain values."""
    sides = {
        name: {"snapshot_id": side.snapshot_id, "name": side.name, "n_sources": side.n_sources}
        for name, side in (("recorded", found.recorded), ("against", found.against))
    }
    return {
        "batch_id": found.batch_id,
        **sides,
        "touches_the_batch": found.touches_the_batch,
        "counts": {
            **dict.fromkeys(("retitled", "vanished", "merged"), 0),
            **Counter(one.kind.value for one in found.changes),
            "new": found.n_new,
        },
        "sources": [
            {
                "kind": one.kind.value,
                "source_id": one.source_id,
                "title_before": one.title_before,
                "title_now": one.title_now,
                "now": one.now,
                "cited_by": list(found.cited_by[one.source_id]),
            }
            for one in found.changes
        ],
        "redirects": [
            {
                "report_id": report_id,
                "subject": one.subject,
                "ordinal": one.ordinal,
                "key": one.key,
                "effect": one.effect.value,
                "source_before": one.before.source_id,
                "source_now": one.now.source_id,
                "state_now": one.now.state.value,
                "candidates_now": list(one.now.candidates),
            }
            for report_id, one in found.redirects
        ],
    }


def show(out: Console, found: DriftReport) -> None:
    """Print the comparison for a person: what the batch cites first, and the rest as numbers."""
    facts = plain_report(found)
    out.print(Text.assemble("Batch ", (found.batch_id, "bold"), f"  audited against {_side(found.recorded)}"))
    out.print(Text(f"compared with {_side(found.against)}"), soft_wrap=True)
    counts = facts["counts"]
    out.print(Text(", ".join(f"{n} {kind}" for kind, n in counts.items())))
    cited = [s for s in facts["sources"] if s["cited_by"]]
    if cited:
        rows = [
            (s["kind"], s["source_id"], s["title_before"], s["title_now"], s["now"], s["cited_by"])
            for s in cited[:SHOWN]
        ]
        columns = ("", "source", "title then", "title now", "source now", "cited by")
        out.print(table(columns, rows, title="changed sources that the batch cites"))
        _and_more(out, len(cited))
    if moved := facts["redirects"]:
        rows = [
            (r["report_id"], r["subject"], r["key"], r["effect"], r["source_before"],
             r["source_now"] or r["state_now"])
            for r in moved[:SHOWN]
        ]  # fmt: skip
        columns = ("report", "", "key", "effect", "source then", "source now")
        out.print(table(columns, rows, title="would resolve otherwise today"))
        _and_more(out, len(moved))
    if found.touches_the_batch:
        said = "The batch stays with its snapshot."
        if found.against.name != found.against.snapshot_id:
            command = f"{program()} run --batch {found.batch_id} --sources {found.against.name}"
            said = f"{said} To judge it by today's catalogue: {command}"
        out.print(Text(said), soft_wrap=True)
    else:
        out.print(Text("Nothing that the batch cites or lists changed."))


def _side(side: Catalogue) -> str:
    named = f", {side.name}" if side.name != side.snapshot_id else ""
    return f"{side.snapshot_id} ({side.n_sources} sources{named})"


def _and_more(out: Console, count: int) -> None:
    if count > SHOWN:
        out.print(Text(f"and {count - SHOWN} more; --json has them all"))
