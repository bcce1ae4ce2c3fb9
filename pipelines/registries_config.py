"""The registry table of a home: who is asked, for what, in which order, and how.

Belongs here: the ``[registries]`` section of sluicegate.toml, checked. Does not belong here: asking
(``pipelines.resources.registries``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from quality.errors import ConfigError
from quality.registries.known import KNOWN, USUAL
from quality.registries.verdict import KINDS


class RegistryRow(BaseModel):
    """What a home says about one registry: another address, another pace."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: str | None = None
    per_second: float | None = Field(default=None, gt=0)
    at_once: int | None = Field(default=None, ge=1, le=64)


class RegistriesSection(BaseModel):
    """``[registries]``; with neither a snapshot nor a table nobody is asked, and the gate says "not checked"."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    snapshot: str = ""
    authoritative: bool = False
    contact: str = ""
    at_once: int = Field(default=32, ge=1, le=256)
    found_days: float = Field(default=30, gt=0)
    not_found_days: float = Field(default=3, gt=0)
    unknown_minutes: float = Field(default=10, gt=0)
    ask: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    at: dict[str, RegistryRow] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RegistrySettings:
    """The same, with paths resolved and names checked."""

    snapshot: Path | None = None
    authoritative: bool = False
    contact: str = ""
    at_once: int = 32
    found_seconds: float = 30 * 86_400.0
    not_found_seconds: float = 3 * 86_400.0
    unknown_seconds: float = 600.0
    table: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rows: Mapping[str, RegistryRow] = field(default_factory=dict)

    @property
    def configured(self) -> bool:
        """Whether anybody can be asked."""
        return self.snapshot is not None or any(self.table.values())


def registry_settings(section: RegistriesSection, base: Path) -> RegistrySettings:
    """Check names and resolve paths; ``base`` is the folder of the configuration file.

    Raises:
        ConfigError: a kind or a registry that does not exist, or one asked for what it does not cover.
    """
    for kind, names in section.ask.items():
        if kind not in KINDS:
            raise ConfigError(
                f"[registries.ask] names the kind {kind!r}.", remedy=f"Use one of {', '.join(KINDS)}."
            )
        for name in names:
            _check_name(name, "[registries.ask]")
            if kind not in KNOWN[name].covers:
                raise ConfigError(
                    f"[registries.ask] asks {name} for {kind}, which it does not cover.",
                    remedy=f"{name} covers {', '.join(sorted(KNOWN[name].covers))}.",
                )
    for name in section.at:
        _check_name(name, "[registries.at]")
    if section.authoritative and not section.snapshot:
        raise ConfigError(
            "[registries] authoritative is set without a snapshot.", remedy="Name the snapshot."
        )
    day = 86_400.0
    return RegistrySettings(
        snapshot=(base / Path(section.snapshot).expanduser()).resolve() if section.snapshot else None,
        authoritative=section.authoritative,
        contact=section.contact.strip(),
        at_once=section.at_once,
        found_seconds=section.found_days * day,
        not_found_seconds=section.not_found_days * day,
        unknown_seconds=section.unknown_minutes * 60,
        table=dict(section.ask),
        rows=dict(section.at),
    )


def _check_name(name: str, place: str) -> None:
    if name not in KNOWN:
        raise ConfigError(f"{place} names the registry {name!r}.", remedy=f"Use one of {', '.join(KNOWN)}.")


def effective_registries(section: RegistriesSection) -> list[tuple[str, str, bool]]:
    """Name, value and whether the file says so: who is asked for what."""
    rows = [
        (name, str(getattr(section, name)) or "none", name in section.model_fields_set)
        for name in ("snapshot", "authoritative", "contact")
    ]
    asked = [(f"ask.{kind}", ", ".join(names) or "nobody", True) for kind, names in section.ask.items()]
    return rows + (asked or [("ask", "nobody", False)])


TEMPLATE = """\
[registries]
# Parquet of known works, asked first: `sluicegate registry build` makes it. Relative to this file. Empty: none.
snapshot = ""
# Whether what the snapshot does not hold does not exist. True for a closed corpus alone.
authoritative = false
# A contact address, told to Crossref and to nobody else. Empty: none is sent.
contact = ""
# Identifiers looked up at once, and how long an answer counts before it is asked for again.
at_once = 32
found_days = 30
not_found_days = 3
unknown_minutes = 10

[registries.ask]
# Who is asked about an identifier, in this order. Nobody is asked unless it stands here; this covers everything:
{table}

# [registries.at.crossref]
# Another address, or another pace, for one registry. What a server says about its limits goes before.
# url = "https://api.crossref.org"
# per_second = 20
"""


def registries_template() -> str:
    """Text of the section in a fresh ``sluicegate.toml``."""
    lines = (f"# {kind} = {json.dumps(names)}" for kind, names in USUAL.items())
    return TEMPLATE.format(table="\n".join(lines))
