"""A home in which the works of ``registry.jsonl`` are all that there are.

Belongs here: the snapshot and the few lines of configuration that make it the whole truth. Does not belong here: running
batches (``run``). A configuration that is not of these examples' making is left alone.
"""

from __future__ import annotations

from pathlib import Path

from pipelines.resources.registry_snapshot import build
from pipelines.settings import CONFIG_NAME, Settings, load_settings

HERE = Path(__file__).parent
CONFIG = """\
# Written by the examples: the works of examples/registry.jsonl are all that there are, so what is not among them does not
# exist. For reports of your own take this file away, or name registries in it (`sluicegate init` shows how).
[registries]
snapshot = "registry.parquet"
authoritative = true
"""


def with_registry(settings: Settings) -> Settings:
    """Give the home the examples' registry, unless somebody has configured it; returns the settings in force then."""
    file = settings.home / CONFIG_NAME
    if settings.config_file is not None and settings.config_file != file.resolve():
        return settings
    if file.exists() and file.read_text(encoding="utf-8") != CONFIG:
        return settings
    settings.home.mkdir(parents=True, exist_ok=True)
    build([HERE / "registry.jsonl"], settings.home / "registry.parquet")
    file.write_text(CONFIG, encoding="utf-8")
    return load_settings()
