"""From a contract file to a contract: TOML in, validated clauses out, or one error that names every place.

Belongs here: reading, and the rules that need the metric catalogue. Does not belong here: judging a batch.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from quality.contract.model import COUNT, ROW_COUNT, Clause, Contract, Operator, Severity
from quality.errors import ConfigError, UsageError
from quality.metrics.catalogue import CATALOGUE, Catalogue
from quality.model import Mode

DEFAULT = "default.toml"


def load_contract(path: Path | None = None, catalogue: Catalogue = CATALOGUE) -> Contract:
    """Read the contract at ``path``, or the one that ships when it is None.

    Raises:
        ConfigError: the file is missing or no valid contract; every wrong place is named, with its remedy.
    """
    if path is None:
        name = f"the default contract ({DEFAULT})"
        return parse_contract(
            resources.files("quality.contract").joinpath(DEFAULT).read_bytes(), name, catalogue
        )
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ConfigError(
            f"The contract file {path} cannot be read: {error.strerror or error}.",
            remedy="Correct the path in sluicegate.toml, or leave it out to use the default contract.",
        ) from error
    return parse_contract(content, str(path), catalogue)


def parse_contract(content: bytes, name: str, catalogue: Catalogue = CATALOGUE) -> Contract:
    """Validate the text of a contract file that is called ``name`` in messages.

    Raises:
        ConfigError: as ``load_contract``.
    """
    try:
        data = tomllib.loads(content.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{name} is not valid TOML: {error}.", remedy="Correct that place.") from error
    try:
        contract = Contract.model_validate(data)
    except ValidationError as error:
        places = [f"{_place(data, e['loc'])}: {e['msg']}" for e in error.errors()]
        raise _invalid(name, places) from error
    if faults := list(_faults(contract, catalogue)):
        raise _invalid(name, faults)
    return contract


def _faults(contract: Contract, catalogue: Catalogue) -> Iterator[str]:
    """Name what is wrong with a contract whose clauses are well formed one by one."""
    for clause, count in Counter(c.clause for c in contract.clauses).items():
        if count > 1:
            yield f"clause {clause!r}: {count} clauses have this name; give each a name of its own"
    first = contract.clauses[0] if contract.clauses else None
    if first is None or first.metric != ROW_COUNT or first.mode is not Mode.BLOCK:
        yield "the first clause must be a row_count clause in mode block, so that an empty batch cannot pass"
    for c in contract.clauses:
        yield from (f"clause {c.clause!r}: {fault}" for fault in _clause_faults(c, catalogue))


def _clause_faults(clause: Clause, catalogue: Catalogue) -> Iterator[str]:
    yield from _mode_faults(clause)
    if clause.metric == ROW_COUNT:
        if (clause.version, clause.stage, clause.statistic) != (None, None, COUNT):
            yield f"row_count has no version and no stage, and its statistic is {COUNT!r}"
        return
    if clause.version is None or clause.stage is None:
        yield "version and stage must be given"
        return
    try:
        definition = catalogue.get(clause.metric, clause.version)
    except UsageError as error:
        yield error.message
        return
    if clause.stage not in definition.stages:
        yield f"{clause.metric} is measured at stage {' and '.join(definition.stages)}, not {clause.stage}"
    if clause.statistic not in definition.statistics:
        yield f"statistic {clause.statistic!r} is none of {', '.join(definition.statistics)}"


def _mode_faults(clause: Clause) -> Iterator[str]:
    if clause.mode is Mode.BLOCK and clause.severity is Severity.WARN:
        yield (
            'severity: a warning never blocks in Dagster; write severity = "error", or mode = "record" if it is only '
            "to be noted"
        )
    low, high = float(clause.threshold), clause.recovery
    good = {
        Operator.AT_LEAST: high >= low,
        Operator.ABOVE: high >= low,
        Operator.AT_MOST: high <= low,
        Operator.BELOW: high <= low,
        Operator.EQUAL: high == low,
    }
    if not good[clause.operator]:
        yield (
            f"clear_at: {high:g} lies on the broken side of {clause.operator} {low:g}; it must be as good as the "
            "threshold, or better"
        )


def _place(data: dict[str, Any], location: tuple[int | str, ...]) -> str:
    """Name a place in the file: the clause by its name where it has one, else by its position."""
    if location[:1] != ("clauses",) or len(location) < 2 or not isinstance(location[1], int):
        return ".".join(str(part) for part in location) or "the file"
    clause = data["clauses"][location[1]]
    named = clause.get("clause") if isinstance(clause, dict) else None
    field = ".".join(str(part) for part in location[2:3])
    return (
        f"clause {named!r}" * bool(named)
        + f"clause number {location[1] + 1}" * (not named)
        + f", {field}" * bool(field)
    )


def _invalid(name: str, places: list[str]) -> ConfigError:
    listed = "; ".join(dict.fromkeys(places))
    return ConfigError(f"{name} is not a valid contract: {listed}.", remedy="Correct each of these places.")
