"""A home's folders: made once, the same for the CLI, the daemon and the UI.

Belongs here: what must exist before anything runs. Does not belong here: the warehouse's own files.
"""

from __future__ import annotations

import os
from pathlib import Path

from pipelines.alerts.outbox import outbox
from pipelines.resources.warehouse import utc_now
from pipelines.settings import Settings

DAGSTER_YAML = """\
# Written by Sluicegate when it is missing; yours to change.
telemetry:
  enabled: false
nux:
  enabled: false
concurrency:
  pools:
    # One writer to the warehouse at a time; the file lock is the guarantee, this only schedules.
    default_limit: 1
    granularity: run
"""


def prepare_home(settings: Settings) -> Path:
    """Make the home's folders and Dagster's configuration where they are missing; returns Dagster's home.

    Raises:
        OSError: the home cannot be written to.
    """
    for name in ("batches", "inbox", "delivered", "shadow"):
        (settings.home / name).mkdir(parents=True, exist_ok=True)
    settings.dagster_home.mkdir(parents=True, exist_ok=True)
    config = settings.dagster_home / "dagster.yaml"
    if not config.exists():
        config.write_text(DAGSTER_YAML, encoding="utf-8")
    with outbox(settings.home, utc_now()):  # alerts tell what is evaluated from now on
        pass
    return settings.dagster_home


def use_home(settings: Settings) -> None:
    """Let Dagster, in this process and those that it starts, use the home of these settings."""
    os.environ["DAGSTER_HOME"] = str(prepare_home(settings))
    os.environ["SLUICEGATE_HOME"] = str(settings.home)
    if settings.config_file is not None:
        os.environ["SLUICEGATE_CONFIG"] = str(settings.config_file)
