"""A user's own metrics: found by entry point or by the name of a module, and added to the catalogue.

Belongs here: importing what the user named, and saying which of it cannot be used.
Does not belong here: what a metric is (``quality.metrics.definition``), measuring.

A module offers its metrics as ``METRICS``, a sequence of ``quality.metrics.definition.Metric``. It is named in
``[metrics] modules`` of sluicegate.toml, and imported with that file's folder on the path; or an installed package
names it, or the sequence itself, under the entry-point group ``sluicegate.metrics``.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from quality.errors import ConfigError, SluicegateError
from quality.metrics.catalogue import CATALOGUE, Catalogue
from quality.metrics.definition import Metric

GROUP = "sluicegate.metrics"
ATTRIBUTE = "METRICS"


def catalogue_of(modules: Sequence[str], folder: Path) -> Catalogue:
    """Give the metrics that ship with the user's own behind them.

    Args:
        modules: names of modules, from the configuration.
        folder: where modules that are not installed lie.

    Raises:
        ConfigError: one cannot be imported, offers no metrics, or offers one that is in the catalogue already or is
            not complete.
    """
    catalogue = CATALOGUE
    for name, offered in (*_named(modules, folder), *_installed()):
        try:
            catalogue = catalogue.extended(*_metrics(name, offered))
        except ConfigError:
            raise
        except SluicegateError as error:
            raise ConfigError(f"The metrics of {name}: {error.message}", remedy=error.remedy) from error
    return catalogue


def _named(modules: Sequence[str], folder: Path) -> Iterator[tuple[str, object]]:
    for name in modules:
        yield f"the module {name!r}", _imported(name, folder)


def _installed() -> Iterator[tuple[str, object]]:
    for point in sorted(entry_points(group=GROUP), key=lambda p: (p.name, p.value)):
        yield f"the entry point {point.name!r} ({point.value})", _loaded(point)


def _imported(name: str, folder: Path) -> object:
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
    try:
        return importlib.import_module(name)
    except Exception as error:  # whatever a user's module does at import is told as that module's fault
        raise ConfigError(
            f"The metrics module {name!r} cannot be imported: {type(error).__name__}: {error}.",
            remedy=f"Put it into {folder}, or install it; or take it out of [metrics] modules.",
        ) from error


def _loaded(point: EntryPoint) -> object:
    try:
        return point.load()
    except Exception as error:
        raise ConfigError(
            f"The metrics of the entry point {point.name!r} ({point.value}) cannot be loaded: "
            f"{type(error).__name__}: {error}.",
            remedy="Mend or uninstall the package that declares it.",
        ) from error


def _metrics(name: str, offered: object) -> list[Metric]:
    found = getattr(offered, ATTRIBUTE, offered)
    if not isinstance(found, Sequence) or not all(isinstance(m, Metric) for m in found):
        raise ConfigError(
            f"{name[0].upper()}{name[1:]} offers no metrics.",
            remedy=f"Give it {ATTRIBUTE}, a tuple of quality.metrics.definition.Metric.",
        )
    for metric in found:
        if metric.measure is None:
            raise ConfigError(
                f"The metric {metric.definition.id!r} of {name} has no function.",
                remedy="Give Metric(definition, measure) its function.",
            )
    return list(found)
