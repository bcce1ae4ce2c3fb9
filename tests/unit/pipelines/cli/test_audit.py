"""``sluicegate audit``: findings with their places, three formats, exit codes, and no heavy imports."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner

from pipelines.cli import audit
from quality.errors import UsageError

GOOD = (
    "# Tides\n\nWater rises [1].\n\n## References\n\n[1] Alder. Tides of the north. https://papers.test/1\n"
)
DANGLING = GOOD.replace("rises [1].", "rises [1].\nIt falls [7].")
PLACEHOLDER = GOOD.replace("rises [1].", "rises [1] [source].")
DIRTY = GOOD.replace("Tides of the north.", "Tides of the north :contentReference[oaicite:3].")
NOTHING = "# Tides\n\nWater rises.\n"
BETWEEN = (
    "Floods are slow (Cedar, 2020). Winds turn (Dill et al., 2019).\n\n## References\n\n"
    "Cedar, C. (2020a). Slow floods. Port Press.\n\nCedar, C. (2020b). Fast floods. Port Press.\n\n"
    "Dill, D., & Elm, E. (2019). Winds. Port Press.\n"
)


@pytest.fixture
def run(tmp_path):
    app = typer.Typer()
    audit.register(app)
    app.command("other")(lambda: None)

    def call(*bodies: str | bytes, form: str = "json"):
        paths = []
        for n, body in enumerate(bodies):
            path = tmp_path / f"{n}.md"
            path.write_bytes(body if isinstance(body, bytes) else body.encode())
            paths.append(str(path))
        return CliRunner().invoke(app, ["audit", "--format", form, *paths])

    return call


@pytest.mark.parametrize(
    ("body", "code", "rules"),
    [
        (GOOD, 0, []),
        (DANGLING, 1, ["dangling-citation"]),
        (PLACEHOLDER, 1, ["placeholder-citation"]),
        (DIRTY, 1, ["dirty-entry"]),
        (NOTHING, 1, ["no-citations"]),
        (BETWEEN, 1, ["ambiguous-citation"]),
        (b"\xff\xfe\xfa\xfb\x00", 2, ["unreadable"]),
        (b"%PDF-1.7 x", 2, ["unreadable"]),
        ("", 2, ["unreadable"]),
        ("See [Tides](https://papers.test/1).\n", 0, []),
    ],
)
def test_verdicts(run, body, code, rules):
    result = run(body)
    assert result.exit_code == code
    shown = json.loads(result.stdout)
    assert [f["rule"] for f in shown["files"][0]["findings"]] == rules
    assert shown["exit_code"] == code


def test_a_finding_says_where(run):
    (finding,) = json.loads(run(DANGLING).stdout)["files"][0]["findings"]
    assert (finding["line"], finding["column"], finding["end_line"], finding["end_column"]) == (4, 10, 4, 13)
    assert finding["excerpt"] == "[7]"


def test_lines_are_those_of_the_file_below_front_matter(run):
    (finding,) = json.loads(run(f"---\ntitle: Tides\n---\n{DANGLING}").stdout)["files"][0]["findings"]
    assert finding["line"] == 7


def test_sources_of_the_front_matter_are_the_table(run):
    body = "---\nsources:\n- key: '1'\n  title: Tides\n  url: https://papers.test/1\n---\nWater rises [1], falls [2].\n"
    (finding,) = json.loads(run(body).stdout)["files"][0]["findings"]
    assert (finding["rule"], finding["excerpt"]) == ("dangling-citation", "[2]")


def test_findings_outrank_files_that_could_not_be_read(run):
    assert run(GOOD, b"%PDF-1.7 x").exit_code == 2
    assert run(DANGLING, b"%PDF-1.7 x").exit_code == 1
    assert run(GOOD, GOOD).exit_code == 0


def test_titles_are_matched_as_the_gate_does(run):
    body = "据《北方港口潮汐研究》，又《西风带观测》。\n\n## 参考文献\n\n- 《北方港口潮汐研究》\n- 《东风带观测》\n"
    result = run(body)
    assert result.exit_code == 1
    (finding,) = json.loads(result.stdout)["files"][0]["findings"]
    assert (finding["rule"], finding["excerpt"]) == ("dangling-citation", "《西风带观测》")


def test_sarif(run):
    log = json.loads(run(DANGLING, NOTHING, form="sarif").stdout)
    assert log["version"] == "2.1.0"
    (one,) = log["runs"]
    rules = {rule["id"] for rule in one["tool"]["driver"]["rules"]}
    assert [r["ruleId"] for r in one["results"]] == ["dangling-citation", "no-citations"]
    assert {r["ruleId"] for r in one["results"]} <= rules
    region = one["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 4, "startColumn": 10, "endLine": 4, "endColumn": 13}
    assert "region" not in one["results"][1]["locations"][0]["physicalLocation"]


def test_the_table_says_it_for_people(run):
    shown = run(DANGLING, NOTHING, form="table").stdout
    assert "7 has no entry" in " ".join(shown.split())
    assert "cites nothing" in " ".join(shown.split())
    passed = run(GOOD, form="table").stdout
    assert "pass; 1 citations, 1 with an entry" in " ".join(passed.split())


def test_a_missing_file_is_usage(tmp_path):
    with pytest.raises(UsageError):
        audit.audit([tmp_path / "no.md"])


def test_no_heavy_import():
    code = (
        "import sys, pipelines.cli.audit, pipelines.cli.parse\n"
        "print([m for m in ('dagster', 'great_expectations', 'duckdb', 'polars', 'pandas') if m in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
