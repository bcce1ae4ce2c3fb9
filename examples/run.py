"""The examples through the line: what ``make run`` starts.

Runs the three batches in the order of their story and then the leads of ``drafting`` in one process, prints what each came to and at the end what happened
and why. Exit code 0: every batch ended as the story says; 1: one did not. With ``--update-readme`` the numbers of the run
replace those in ``examples/README.md``.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))


def main() -> int:
    """Run every example batch; returns the exit code."""
    from assets.batches import load_batch_file
    from examples.closed_corpus import with_registry
    from examples.drafting.chapter import draft_chapter
    from examples.story import CHAPTERS, surprises_of, tell, update_readme
    from pipelines.cli.output import console
    from pipelines.cli.run import progress_of, show
    from pipelines.run import run_batch
    from pipelines.settings import load_settings
    from quality.intake.batch import FILE_NAME

    settings = with_registry(load_settings())
    out = console()
    surprises: list[str] = []
    for chapter in CHAPTERS:
        batch = load_batch_file(HERE / chapter.batch / FILE_NAME)
        with progress_of(batch.id) as listener:
            outcome = run_batch(settings, batch, ingest=chapter.ingest, listener=listener)
        show(out, outcome)
        surprises += surprises_of(chapter, outcome)
    surprises += draft_chapter(settings, out)
    tell(out, settings.home)
    if "--update-readme" in sys.argv[1:]:
        update_readme(settings.home)
    for surprise in surprises:
        out.print(f"Not as it should be: {surprise}", style="bold red", markup=False)
    return 1 if surprises else 0


if __name__ == "__main__":
    sys.exit(main())
