"""Small batches of our own writing, and the line run on them in this process."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pipelines.cli.main import call
from pipelines.run import Outcome, run_batch
from pipelines.settings import Settings, load_settings
from tests.pipeline.corpus import WORKS, described, write_reports


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    file = tmp_path / "sources.jsonl"
    rows = [{"source_id": i, "title": title, "url": url} for i, title, url in WORKS]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[Settings]:
    """Settings of a fresh home; the variables that a run sets for its children are taken back."""
    before = dict(os.environ)
    os.environ["SLUICEGATE_HOME"] = str(tmp_path / "home")
    yield load_settings()
    os.environ.clear()
    os.environ.update(before)


Run = Callable[..., Outcome]


@pytest.fixture
def run(settings: Settings, sources: Path, tmp_path: Path) -> Run:
    """Run a batch of these bodies: ``run({name: body}, batch="b", **options of run_batch)``."""

    def start(
        bodies: dict[str, str | bytes], *, batch: str = "b", with_sources: bool = True, **options: object
    ) -> Outcome:
        reports = write_reports(tmp_path / f"in-{batch}", bodies)
        return run_batch(
            settings, described(settings, reports, sources if with_sources else None, batch), **options
        )

    return start


@pytest.fixture
def sluicegate(settings, monkeypatch, tmp_path, capsys):
    """Call the command in an empty working directory; returns exit code, output and errors."""
    monkeypatch.chdir(tmp_path)

    def start(*arguments: str) -> tuple[int, str, str]:
        code = call(list(arguments))
        said = capsys.readouterr()
        return code, said.out, said.err

    return start
