"""The examples through the line: what ``make run`` starts.

Runs each folder with a ``batch.toml`` in the order of its name, in one process, and compares how it ended with how the
story goes. Exit code 0: every batch ended as it should; 1: one did not.
"""

from __future__ import annotations

import sys
from pathlib import Path

from assets.batches import load_batch_file
from pipelines.cli.output import console
from pipelines.cli.run import progress_of, show
from pipelines.run import run_batch
from pipelines.settings import load_settings
from quality.intake.batch import FILE_NAME

HERE = Path(__file__).parent
STORY = {"01-sound": "pass", "02-material-list": "breach"}


def main() -> int:
    """Run every example batch; returns the exit code."""
    settings = load_settings()
    out = console()
    surprises = []
    for file in sorted(HERE.glob(f"*/{FILE_NAME}")):
        batch = load_batch_file(file)
        with progress_of(batch.id) as listener:
            outcome = run_batch(settings, batch, listener=listener)
        show(out, outcome)
        wanted = STORY.get(batch.id)
        if outcome.faults or outcome.summary.verdict != wanted:
            surprises.append(f"{batch.id} ended in {outcome.summary.verdict}, not in {wanted}")
    out.print()
    for surprise in surprises:
        out.print(f"Not as it should be: {surprise}", style="bold red", markup=False)
    if not surprises:
        out.print("Both batches ended as they should:")
        out.print("the sound one is in the knowledge base, the other one was delivered and kept out.")
        out.print("Next: make ui", markup=False)
    return 1 if surprises else 0


if __name__ == "__main__":
    sys.exit(main())
