"""The configuration: ``sluicegate.toml``, environment, defaults, and where each effective value came from.

Belongs here: finding, validating and explaining settings. Does not belong here: what settings mean for the line.

Precedence for the home: ``SLUICEGATE_HOME`` (relative to the working directory), then ``[paths] home`` of the file
(relative to the file), then ``var`` in the working directory. The file is ``--config``, else ``SLUICEGATE_CONFIG``,
else ``sluicegate.toml`` in the working directory; none at all is fine.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pipelines.drafting.settings import TEMPLATE as DRAFTING_TEMPLATE
from pipelines.drafting.settings import DraftingModel
from pipelines.gateway.settings import TEMPLATE as CLAUDE_TEMPLATE
from pipelines.gateway.settings import Claude, ClaudeModel, claude_of
from pipelines.own_metrics import catalogue_of
from pipelines.registries_config import (
    RegistriesSection,
    RegistrySettings,
    effective_registries,
    registries_template,
    registry_settings,
)
from quality.contract.load import load_contract
from quality.contract.model import Contract
from quality.errors import ConfigError
from quality.gate.policy import GatePolicy, Rule, usual_mode
from quality.metrics.catalogue import CATALOGUE, Catalogue
from quality.model import Mode

CONFIG_NAME = "sluicegate.toml"
HOME_VARIABLE = "SLUICEGATE_HOME"
CONFIG_VARIABLE = "SLUICEGATE_CONFIG"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Paths(_Strict):
    """Where things lie."""

    home: str = "var"


class Warehouse(_Strict):
    """How long a run waits for the warehouse's one writer, in seconds."""

    lock_wait_seconds: float = Field(default=60.0, ge=0, le=86_400)


class ContractFile(_Strict):
    """The contract file of the user's own, which counts once it is accepted; empty = none."""

    file: str = ""


class Gate(_Strict):
    """Limits of the gate, and the mode of single rules; a rule that is not named keeps ``block``."""

    min_inbound_rate: float = Field(default=GatePolicy().min_inbound_rate, gt=0, le=1)
    max_dirty_entries: int = Field(default=GatePolicy().max_dirty_entries, ge=0)
    modes: dict[Rule, Mode] = Field(default_factory=dict)


class Alerts(_Strict):
    """Who is told of breach, outage and recovery, and where the messages point."""

    urls_from: str = Field(default="SLUICEGATE_ALERT_URLS", pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
    ui: str = Field(default="http://127.0.0.1:3000", pattern=r"^https?://\S+$")


class Metrics(_Strict):
    """Modules with a user's own metrics; empty = the metrics that ship, and those of installed packages."""

    modules: tuple[str, ...] = ()


class ConfigModel(_Strict):
    """The whole of ``sluicegate.toml``."""

    paths: Paths = Paths()
    warehouse: Warehouse = Warehouse()
    contract: ContractFile = ContractFile()
    gate: Gate = Gate()
    metrics: Metrics = Metrics()
    claude: ClaudeModel = ClaudeModel()
    drafting: DraftingModel = DraftingModel()
    registries: RegistriesSection = RegistriesSection()
    alerts: Alerts = Alerts()


@dataclass(frozen=True, slots=True)
class Effective:
    """One effective value and where it came from."""

    name: str
    value: str
    origin: str


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that a run needs to know beforehand."""

    home: Path
    config_file: Path | None
    lock_wait: float
    contract_file: Path | None  # a proposal, until it is accepted
    contract: Contract  # the one that ships; in force where none was accepted (pipelines/contracts.py)
    gate: GatePolicy
    claude: Claude
    drafting: DraftingModel
    effective: tuple[Effective, ...]
    registries: RegistrySettings = field(default_factory=RegistrySettings)
    alerts: Alerts = field(default_factory=Alerts)
    catalogue: Catalogue = CATALOGUE  # the metrics that are measured, a user's own among them

    @property
    def dagster_home(self) -> Path:
        """Dagster's lasting home, shared by the CLI and the UI."""
        return self.home / "dagster"


def load_settings(config: Path | None = None, *, environ: Mapping[str, str] | None = None) -> Settings:
    """Read the configuration.

    Raises:
        ConfigError: the named file does not exist, is not TOML, or has an unknown or impossible value.
    """
    env = os.environ if environ is None else environ
    file, named_by = _find(config, env)
    model = _parse(file) if file is not None else ConfigModel()
    base = file.parent if file is not None else Path.cwd()
    home, home_origin = _home(model, file, env)
    contract_file = (base / model.contract.file) if model.contract.file else None
    return Settings(
        home=home,
        config_file=file,
        lock_wait=model.warehouse.lock_wait_seconds,
        contract_file=contract_file,
        contract=load_contract(),
        gate=GatePolicy(model.gate.modes, model.gate.min_inbound_rate, model.gate.max_dirty_entries),
        claude=claude_of(model.claude),
        drafting=model.drafting,
        effective=_effective(model, file, named_by, home, home_origin, contract_file),
        registries=registry_settings(model.registries, base),
        alerts=model.alerts,
        catalogue=catalogue_of(model.metrics.modules, base),
    )


def _find(config: Path | None, env: Mapping[str, str]) -> tuple[Path | None, str]:
    if config is not None:
        named, origin = config, "--config"
    elif env.get(CONFIG_VARIABLE):
        named, origin = Path(env[CONFIG_VARIABLE]), CONFIG_VARIABLE
    else:
        here = Path.cwd() / CONFIG_NAME
        return (here, "working directory") if here.is_file() else (None, "default")
    if not named.is_file():
        raise ConfigError(
            f"{named} (from {origin}) is not a file.",
            remedy="Name an existing file, or run `sluicegate init`.",
        )
    return named.resolve(), origin


def _parse(file: Path) -> ConfigModel:
    try:
        return ConfigModel.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"{file} is not valid TOML: {error}.",
            remedy="Mend the line, or write a fresh file with `sluicegate init --force`.",
        ) from error
    except ValidationError as error:
        places = "; ".join(f"[{'.'.join(str(p) for p in e['loc'])}] {e['msg']}" for e in error.errors())
        raise ConfigError(
            f"{file}: {places}.", remedy="`sluicegate doctor` lists the settings that exist."
        ) from error


def _home(model: ConfigModel, file: Path | None, env: Mapping[str, str]) -> tuple[Path, str]:
    if env.get(HOME_VARIABLE):
        return Path(env[HOME_VARIABLE]).expanduser().resolve(), f"environment {HOME_VARIABLE}"
    if file is not None and "home" in model.paths.model_fields_set:
        return (file.parent / Path(model.paths.home).expanduser()).resolve(), str(file)
    return Path(model.paths.home).resolve(), "default"


def _effective(
    model: ConfigModel,
    file: Path | None,
    named_by: str,
    home: Path,
    home_origin: str,
    contract_file: Path | None,
) -> tuple[Effective, ...]:
    def origin(section: BaseModel, name: str) -> str:
        return str(file) if name in section.model_fields_set else "default"

    rows = [
        Effective("config file", str(file) if file else "none", named_by),
        Effective("paths.home", str(home), home_origin),
        Effective(
            "warehouse.lock_wait_seconds",
            f"{model.warehouse.lock_wait_seconds:g}",
            origin(model.warehouse, "lock_wait_seconds"),
        ),
        Effective("contract.file", str(contract_file or "none"), origin(model.contract, "file")),
    ]
    modules = ", ".join(model.metrics.modules)
    rows.append(Effective("metrics.modules", modules or "none", origin(model.metrics, "modules")))
    for limit in ("min_inbound_rate", "max_dirty_entries"):
        rows.append(Effective(f"gate.{limit}", f"{getattr(model.gate, limit):g}", origin(model.gate, limit)))
    for rule in Rule:
        named = str(file) if rule in model.gate.modes else "default"
        rows.append(Effective(f"gate.modes.{rule}", str(model.gate.modes.get(rule, usual_mode(rule))), named))
    for name, value in model.claude:
        rows.append(Effective(f"claude.{name}", _shown(value), origin(model.claude, name)))
    for name, value in model.alerts:
        rows.append(Effective(f"alerts.{name}", value, origin(model.alerts, name)))
    for name, value in model.drafting:
        rows.append(Effective(f"drafting.{name}", _shown(value), origin(model.drafting, name)))
    for registry_name, said, ours in effective_registries(model.registries):
        rows.append(Effective(f"registries.{registry_name}", said, str(file) if ours else "default"))
    return tuple(rows)


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(value) or "none"
    return f"{value:g}" if isinstance(value, float) else str(value) or "none"


TEMPLATE = """\
# Sluicegate's configuration. Every value stands here with its default; `sluicegate doctor` prints what is in force.

[paths]
# One home is one knowledge base. Relative to this file. The environment variable SLUICEGATE_HOME wins over it.
home = "var"

[warehouse]
# How long a run waits for another writer before it gives up and names the holder.
lock_wait_seconds = 60.0

[contract]
# A contract file of your own, relative to this file; it counts once `sluicegate contract accept` has put it in force,
# and a run says so while it differs from what is. Empty: none.
file = ""

[gate]
# A report below this inbound rate after the rebuild, or with more dirty entries than this, is held.
min_inbound_rate = {gate.min_inbound_rate}
max_dirty_entries = {gate.max_dirty_entries}

[metrics]
# Modules of your own whose METRICS are measured beside those that ship (docs/own-metrics.md). They lie beside this file,
# or are installed.
modules = []

[gate.modes]
# block: the rule holds a report. record: it only notes that it would have. off: it is not checked, and the audit
# block says so.
{modes}

[alerts]
# Name of the environment variable that holds the addresses of who is told of a breach, an outage and a recovery: any
# services that apprise knows, divided by blanks or commas. Addresses hold secrets, so none stands in this file.
urls_from = "{alerts.urls_from}"
# Where the Dagster UI is, for the links in messages.
ui = "{alerts.ui}"

{claude}
{drafting}
{registries}"""


def config_template() -> str:
    """Text of a fresh ``sluicegate.toml``: every setting with its default."""
    return TEMPLATE.format(
        gate=GatePolicy(),
        alerts=Alerts(),
        claude=CLAUDE_TEMPLATE,
        drafting=DRAFTING_TEMPLATE,
        registries=registries_template(),
        modes="\n".join(f'{rule} = "{usual_mode(rule)}"' for rule in Rule if rule is not Rule.UNREADABLE),
    )
