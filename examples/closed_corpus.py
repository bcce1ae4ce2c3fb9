"""The works of ``registry.jsonl`` as all that there are, for the example run alone.

Belongs here: the snapshot, and settings that ask it. Does not belong here: running batches (``run``).

Nothing of this is written into a configuration: whoever runs batches of their own in the same home must never be told by
seventy invented works that a real one does not exist.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

from pipelines.registries_config import RegistrySettings
from pipelines.resources.registry_snapshot import build
from pipelines.settings import Settings

HERE = Path(__file__).parent


def with_registry(settings: Settings) -> Settings:
    """Settings that ask the examples' registry, unless somebody has configured others."""
    if settings.registries.configured:
        return settings
    works = settings.home / "registry" / "examples.parquet"
    works.parent.mkdir(parents=True, exist_ok=True)
    build([HERE / "registry.jsonl"], works)
    return dataclasses.replace(settings, registries=RegistrySettings(snapshot=works, authoritative=True))
