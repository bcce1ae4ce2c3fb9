"""The house: imports run one way, and what must be touched in one place is touched in one place."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LAYERS = ("quality", "assets", "pipelines")
FORBIDDEN = {
    "quality": {"assets", "pipelines", "sql", "dagster", "duckdb"},
    "assets": {"pipelines", "duckdb"},
    "pipelines": set(),
    "sql": {"quality", "assets", "pipelines", "dagster"},
}


def sources(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imported(file: Path) -> set[str]:
    """Top-level names of everything that a file imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found.add(node.module.split(".")[0])
    return found


@pytest.mark.parametrize("package", FORBIDDEN)
def test_imports_run_one_way(package):
    wrong = {
        str(f.relative_to(ROOT)): bad for f in sources(package) if (bad := imported(f) & FORBIDDEN[package])
    }
    assert wrong == {}


def test_the_rule_above_can_fail(tmp_path):
    file = tmp_path / "bad.py"
    file.write_text(
        "def f():\n    from pipelines.run import run_batch\n    import duckdb\n", encoding="utf-8"
    )
    assert imported(file) & FORBIDDEN["quality"] == {"pipelines", "duckdb"}


def test_anthropic_is_imported_in_one_module():
    users = [
        str(f.relative_to(ROOT)) for p in (*LAYERS, "sql") for f in sources(p) if "anthropic" in imported(f)
    ]
    assert users == ["pipelines/gateway/client.py"]


def test_great_expectations_is_imported_in_one_module():
    users = [
        str(f.relative_to(ROOT))
        for p in (*LAYERS, "sql")
        for f in sources(p)
        if "great_expectations" in imported(f)
    ]
    assert users == ["quality/contract/suite.py"]


@pytest.mark.parametrize("package", [*LAYERS, "sql"])
def test_every_module_says_what_belongs_in_it(package):
    silent = [
        str(f.relative_to(ROOT))
        for f in sources(package)
        if f.name != "__init__.py" and not (ast.get_docstring(ast.parse(f.read_text("utf-8"))) or "").strip()
    ]
    assert silent == []
    full = [f for f in sources(package) if f.name == "__init__.py" and f.read_text("utf-8").strip()]
    assert full == []


@pytest.mark.parametrize(
    ("module", "absent"),
    [
        ("pipelines.definitions", ["great_expectations"]),
        ("pipelines.cli.main", ["great_expectations", "dagster"]),
        ("quality.kernel", ["great_expectations", "dagster", "duckdb"]),
    ],
)
def test_importing_stays_light(module, absent):
    code = f"import sys, {module}; print([m for m in {absent!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_definitions_module_is_small():
    assert len((ROOT / "pipelines" / "definitions.py").read_text("utf-8").splitlines()) < 80


LOADS = (
    "from pipelines.definitions import build_defs; build_defs().get_repository_def().load_all_definitions()"
)


def test_definitions_load_as_the_ui_loads_them(tmp_path):
    """Names that clash (a job and an asset, a job and an op) are found only when the whole location is loaded."""
    env = {**os.environ, "SLUICEGATE_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", LOADS], cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


def test_the_load_above_can_fail():
    import dagster as dg

    @dg.asset
    def one() -> None: ...

    broken = dg.Definitions(assets=[one], jobs=[dg.define_asset_job("one", selection=[one])])
    with pytest.raises(dg.DagsterInvalidDefinitionError, match="Conflicting"):
        broken.get_repository_def().load_all_definitions()
