"""The wheel, installed in a fresh environment in another folder, is whole."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def uv() -> str:
    found = shutil.which("uv") or str(Path(sys.executable).with_name("uv"))
    if not Path(found).exists():
        pytest.skip("uv is neither on the PATH nor in the environment; `make setup` brings it")
    return found


def run(*command: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    keep = {
        k: v
        for k, v in os.environ.items()
        if not k.startswith(("SLUICEGATE", "DAGSTER", "PYTHON", "VIRTUAL_ENV"))
    }
    return subprocess.run(
        command, cwd=cwd, env={**keep, **environment}, capture_output=True, text=True, timeout=500
    )


def test_doctor_runs_from_a_wheel_elsewhere(tmp_path):
    built = run(
        uv(),
        "build",
        "--wheel",
        "--python",
        sys.executable,
        "--out-dir",
        str(tmp_path / "dist"),
        str(ROOT),
        cwd=tmp_path,
    )
    assert built.returncode == 0, built.stderr
    [wheel] = (tmp_path / "dist").glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    static = {"pipelines/dashboard/static/dashboard.css", "pipelines/dashboard/static/dashboard.js"}
    assert {"sql/schema/001_core.sql", "quality/contract/default.toml", *static} <= set(names)
    assert not [n for n in names if n.startswith(("tests/", "examples/"))]

    made = run(uv(), "venv", "--python", sys.executable, str(tmp_path / "fresh"), cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    python = str(tmp_path / "fresh" / "bin" / "python")
    installed = run(
        uv(), "pip", "install", "--python", python, "--constraint", str(constraints(tmp_path)), str(wheel), cwd=tmp_path
    )  # fmt: skip
    assert installed.returncode == 0, installed.stderr
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    done = run(str(tmp_path / "fresh" / "bin" / "sluicegate"), "doctor", "--json", cwd=elsewhere)
    assert done.returncode == 0, done.stdout + done.stderr
    said = json.loads(done.stdout)
    assert {f["state"] for f in said["findings"]} == {"ok"}
    assert {s["name"]: s["value"] for s in said["settings"]}["paths.home"] == str(elsewhere / "var")


def constraints(folder: Path) -> Path:
    """The locked versions, without hashes."""
    lines = (ROOT / "requirements.lock").read_text("utf-8").splitlines()
    pins = [line.removesuffix("\\").strip() for line in lines if line and line[0].isalnum()]
    file = folder / "constraints.txt"
    file.write_text("\n".join(pins) + "\n", encoding="utf-8")
    return file
