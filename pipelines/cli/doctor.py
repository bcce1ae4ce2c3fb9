"""``sluicegate doctor``: what is in force, what is installed, and whether the warehouse keeps its promises.

Belongs here: the command and its findings. Does not belong here: repairs.
"""

from __future__ import annotations

import platform
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

import typer
from rich.text import Text

import sql.loader
from pipelines.cli.output import Config, Json, console, print_json, table
from pipelines.settings import Settings, load_settings
from quality.errors import SluicegateError

PACKAGES = ("sluicegate", "dagster", "duckdb", "great-expectations", "polars", "pyarrow", "pydantic")
State = Literal["ok", "noted", "wrong", "unknown"]
_SIGN = {
    "ok": ("ok", "green"),
    "noted": ("noted", "yellow"),
    "wrong": ("wrong", "bold red"),
    "unknown": ("unknown", "bold yellow"),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: fine, wrong, or not to be determined, with what to do."""

    name: str
    state: State
    detail: str


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("doctor")(doctor)


def doctor(as_json: Json = False, config: Config = None) -> int:
    """Print each effective setting with its origin, and check home, contract and warehouse.

    Exit code: 0 all is well, 1 something is wrong, 2 something could not be determined.
    """
    settings = load_settings(config)
    found = [_home(settings), _contract(settings), _packaged(), *_warehouse(settings), *_losses(settings)]
    code = (
        1 if any(f.state == "wrong" for f in found) else 2 if any(f.state == "unknown" for f in found) else 0
    )
    if as_json:
        print_json(
            {
                "settings": [asdict(e) for e in settings.effective],
                "packages": _packages(),
                "findings": [asdict(f) for f in found],
                "exit_code": code,
            }
        )
        return code
    out = console()
    out.print(table(("setting", "value", "from"), [(e.name, e.value, e.origin) for e in settings.effective]))
    out.print(table(("package", "version"), _packages().items()))
    for finding in found:
        sign, style = _SIGN[finding.state]
        out.print(Text.assemble((f"{sign:<8}", style), f"{finding.name}: {finding.detail}"), soft_wrap=True)
    return code


def _packages() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def _home(settings: Settings) -> Finding:
    probe = settings.home
    while not probe.exists():
        probe = probe.parent
    state: State = "ok" if _writable(probe) else "wrong"
    said = "exists" if settings.home.exists() else "is made by the first run"
    return Finding(
        "home",
        state,
        f"{settings.home} {said}" if state == "ok" else f"{probe} cannot be written to; set SLUICEGATE_HOME",
    )


def _writable(folder: Path) -> bool:
    import os

    return os.access(folder, os.W_OK | os.X_OK)


def _contract(settings: Settings) -> Finding:
    """The contract in force, and whether the file that the settings name is another one or none at all."""
    from pipelines.contracts import standing

    stands = standing(settings)
    clauses = stands.contract.clauses
    blocking = sum(c.mode == "block" for c in clauses)
    said = f"{stands.contract.version}: {len(clauses)} clauses, {blocking} of them block"
    if stands.notice is None:
        return Finding("contract", "ok", said)
    return Finding("contract", "wrong" if stands.faulty else "noted", f"{said}. {stands.notice}")


def _packaged() -> Finding:
    counts = f"{len(sql.loader.schema())} schema files, {len(sql.loader.views())} views, {len(sql.loader.queries())} queries"
    return Finding("packaged SQL", "ok", counts)


def _warehouse(settings: Settings) -> list[Finding]:
    """Every promise that sql/checks puts into words, asked of the publication."""
    from pipelines.resources.reader import reader

    if not (settings.home / "warehouse.duckdb").exists():
        return [Finding("warehouse", "ok", "not published yet; the first run does it")]
    found = []
    try:
        with reader(settings.home) as connection:
            for check in sql.loader.checks():
                rows = len(connection.execute(check.text).fetchall())
                said = f"{check.description}: {rows} row(s) break it" if rows else check.description
                found.append(Finding(f"check {check.name}", "wrong" if rows else "ok", said))
    except SluicegateError as error:
        found.append(Finding("warehouse", "unknown", str(error)))
    return found


def _losses(settings: Settings) -> list[Finding]:
    """Commits that damage to the files has cost, with the batches to run again."""
    from pipelines.resources.warehouse import Warehouse

    if not (settings.home / "private").exists():
        return []
    return [
        Finding(
            "lost commits",
            "noted",
            f"noticed {loss.at} in {loss.file}; run these batches again if that was not done yet: {', '.join(loss.batches)}",
        )
        for loss in Warehouse(settings.home).losses()
    ]
