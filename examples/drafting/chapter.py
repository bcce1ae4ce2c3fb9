"""The last chapter of ``make run``: eight leads, drafted from a recording, and what became of each.

Belongs here: running it and comparing its ends with the story. Does not belong here: the other chapters (``examples/run``),
the recording (``record``).
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.text import Text

from assets.batches import Batch, drafts_file
from examples.closed_corpus import with_registry
from pipelines.cli.output import program, table
from pipelines.cli.run import progress_of
from pipelines.drafting.drafter import Drafter
from pipelines.resources.reader import reader
from pipelines.resources.registries import Registries
from pipelines.run import run_batch
from pipelines.settings import Settings

HERE = Path(__file__).parent
BATCH = "04-drafts"
MODELS = {"writer": "example-writer", "sceptic": "example-sceptic"}
ENDS = {
    "valley-trees": ("verified", 1),
    "roof-rain": ("verified", 1),
    "pram-heat": ("verified", 2),
    "old-streets": ("verified", 2),
    "night-buses": ("cap_reached", 4),
    "wet-bogs": ("no_progress", 3),
    "tool-lockers": ("refused", 1),
    "cool-rooms": ("budget", 2),
}
"""How each lead ends, and after how many rounds."""
QUESTION = "SELECT lead_id, end_state, n_rounds, reason FROM drafts WHERE batch_id = ? ORDER BY ordinal"


def draft_chapter(settings: Settings, out: Console) -> list[str]:
    """Draft the example leads without key or network; returns what is not as the story says."""
    asked = with_registry(settings)
    drafter = Drafter(
        settings.drafting.model_copy(update=MODELS),
        settings.claude,
        lambda: Registries(asked.registries, settings.home),
        replay=HERE / "calls.jsonl",
    )
    batch = Batch(
        id=BATCH,
        reports=drafts_file(settings.home, BATCH),
        sources=(HERE.parent / "sources.jsonl").resolve(),
        producer="sluicegate drafting",
        created_at=datetime(2026, 4, 7, 8, tzinfo=UTC),
        leads=(HERE / "leads.jsonl").resolve(),
    )
    with progress_of(batch.id) as listener:
        outcome = run_batch(asked, batch, listener=listener, resource_overrides={"drafter": drafter})
    with reader(settings.home) as connection:
        rows = connection.query(QUESTION, [BATCH]).rows()
    _tell(out, rows, outcome.summary.verdict)
    wrong = [
        f"the draft of {lead} ended as {end} after {rounds} rounds, not as {ENDS[lead]}"
        for lead, end, rounds, _ in rows
        if ENDS.get(lead) != (end, rounds)
    ]
    faults = [f"{step} of {BATCH} failed: {why}" for step, why in outcome.faults.items()]
    return (
        wrong
        + faults
        + ([] if len(rows) == len(ENDS) else [f"{len(rows)} leads were drafted, not {len(ENDS)}"])
    )


def _tell(out: Console, rows: list[tuple[object, ...]], verdict: str | None) -> None:
    out.print()
    out.print(
        table(
            ("lead", "end", "rounds", "why"),
            rows,
            title=f"Batch {BATCH}: eight leads, drafted from a recording",
        )
    )
    out.print(
        Text(
            "Writer and sceptic are separate, and only code verifies. What it verified was delivered; the rest lies in "
            f"rejected/{BATCH}/ with its open objections, and whoever asked got a notice. So few reports are no batch that "
            f"the contract could judge: its verdict is {verdict}, and none of them enters the knowledge base."
        ),
        soft_wrap=True,
    )
    out.print(Text(f"Next       {program()} explain night-buses"), soft_wrap=True)
