"""``registry.jsonl`` as the closed corpus of the examples: what it knows, and what it does not."""

import json
from collections import Counter
from pathlib import Path

import pytest

from pipelines.cli.main import call

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture
def standings(tmp_path, monkeypatch, capsys):
    """Build the snapshot and count the standings of a batch's identifiers, URLs left out."""
    monkeypatch.setenv("SLUICEGATE_HOME", str(tmp_path / "home"))
    snapshot = str(tmp_path / "known.parquet")
    assert call(["registry", "build", str(EXAMPLES / "registry.jsonl"), "--out", snapshot]) == 0

    def count(batch: str) -> Counter[str]:
        files = [str(file) for file in sorted((EXAMPLES / batch / "reports").glob("*.md"))]
        capsys.readouterr()
        call(["verify", *files, "--snapshot", snapshot, "--authoritative", "--json"])
        checks = json.loads(capsys.readouterr().out)["checks"]
        return Counter(check["standing"] for check in checks if check["kind"] not in ("url", "title"))

    return count


def test_sound_reports_cite_works_that_exist_and_one_that_was_retracted(standings):
    sound = standings("02-after")
    assert set(sound) == {"found", "retracted"}
    assert sound["retracted"] == 2  # one work by DOI and by PMID
    assert set(standings("03-regression")) == {"found"}


def test_the_old_tables_carry_identifiers_that_were_never_given_out(standings):
    found = standings("01-before")
    text = "".join(f.read_text(encoding="utf-8") for f in (EXAMPLES / "01-before" / "reports").glob("*.md"))
    assert found["not_found"] == text.count("10.5555/void.") >= 5
