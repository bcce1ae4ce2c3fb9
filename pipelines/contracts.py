"""Which contract is in force in a home, what a user means by naming one, and accepting one.

Belongs here: bringing the record of acceptances, the file that ``sluicegate.toml`` names and the contract that ships
together. Does not belong here: the record itself (assets/contract_versions.py), printing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from assets.contract_versions import accept_contract, accepted_contract, is_accepted, stored_contract
from assets.ports import Reader
from pipelines.resources.reader import reader
from pipelines.resources.statements import Params
from pipelines.resources.warehouse import Warehouse, utc_now
from pipelines.settings import Settings
from quality.contract.load import load_contract
from quality.contract.model import Contract
from quality.errors import ConfigError, SluicegateError, UsageError
from quality.metrics.catalogue import CATALOGUE, Catalogue

SHIPPED = "default"
"""How a user names the contract that ships."""

IN_FORCE = "accepted"
"""How a user names the contract that new batches are judged by."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The contract that new batches are judged by, and what is to be said about the file that the settings name."""

    contract: Contract
    notice: str | None = None  # one sentence with its remedy; None: the file, if any, is what is in force
    faulty: bool = False  # the file is missing or no valid contract; a sound one that waits is no fault


def standing(settings: Settings) -> Standing:
    """Say which contract is in force, from the latest publication, and whether the configured file differs from it."""
    contract = published(settings) or settings.contract
    return _beside_file(settings, contract)


def published(settings: Settings) -> Contract | None:
    """The contract that was accepted last, as the latest publication shows it; None: none, or nothing to read yet."""
    try:
        with look(settings) as source:
            return accepted_contract(source)
    except SluicegateError:  # the run itself asks the primary; this is what is shown before it
        return None


@contextmanager
def look(settings: Settings) -> Iterator[Reader]:
    """Open the latest publication; where there is none yet, or one from before acceptances were recorded, nothing."""
    if not (settings.home / "warehouse.duckdb").exists():
        yield _Nothing()
        return
    with reader(settings.home) as connection:
        known = connection.query(
            "SELECT count(*) FROM information_schema.tables WHERE table_name = 'contract_acceptances'"
        )
        yield connection if known.item() else _Nothing()


class _Nothing:
    """A home without a warehouse: every question has no answer."""

    def query(self, sql: str, params: Params = None) -> pl.DataFrame:
        """No rows, with the columns that the questions about contracts read."""
        return pl.DataFrame(schema={"contract_version": pl.String, "batch_id": pl.String})


def _beside_file(settings: Settings, contract: Contract) -> Standing:
    file = settings.contract_file
    if file is None:
        return Standing(contract)
    try:
        proposed = load_contract(file, settings.catalogue)
    except ConfigError as error:
        said = f"{error.message} It is ignored: contract {contract.version} stays in force. {error.remedy}"
        return Standing(contract, said, faulty=True)
    if proposed.version == contract.version:
        return Standing(contract)
    return Standing(
        contract,
        f"The contract file {file} holds {proposed.version}, which was not accepted: it is ignored, and contract "
        f"{contract.version} stays in force. Read `sluicegate contract diff {IN_FORCE} {file}`, then "
        f"`sluicegate contract accept {file} --who NAME --why REASON`.",
    )


def named_contract(
    source: Reader, name: str, catalogue: Catalogue = CATALOGUE
) -> tuple[Contract, str | None]:
    """The contract that a user names, and the file that it was read from.

    Args:
        source: a look at the warehouse.
        name: ``default``, ``accepted``, a file, or a version or the start of one.
        catalogue: the metrics that a file's clauses may judge.

    Raises:
        ConfigError: it is a file, and no valid contract.
        UsageError: nothing is called that, or several versions are.
    """
    if name == SHIPPED:
        return load_contract(), None
    if name == IN_FORCE:
        return accepted_contract(source) or load_contract(), None
    if Path(name).is_file():
        return load_contract(Path(name), catalogue), str(Path(name).resolve())
    return _version(source, name), None


def _version(source: Reader, name: str) -> Contract:
    rows = source.query("SELECT contract_version FROM contract_versions ORDER BY contract_version")
    known = sorted({*map(str, rows["contract_version"]), load_contract().version})
    found = [v for v in known if v == name] or [v for v in known if v.startswith(name)]
    if len(found) != 1:
        raise UsageError(
            f"{name!r} is {'several versions' if found else 'no file and no version'} of the contract.",
            remedy=f"Name a file, {SHIPPED!r}, {IN_FORCE!r}, or one of {', '.join(found or known)}.",
        )
    return stored_contract(source, found[0]) or load_contract()


def judging_contract(source: Reader, name: str, catalogue: Catalogue = CATALOGUE) -> Contract:
    """The contract that a user names for one batch; only one that was accepted may judge.

    Raises:
        UsageError: as ``named_contract``, or it was never accepted in this home.
    """
    contract, file = named_contract(source, name, catalogue)
    if not is_accepted(source, contract.version):
        raise UsageError(
            f"Contract {contract.version} was never accepted, so no batch is judged by it.",
            remedy=f"`sluicegate contract accept {file or name} --who NAME --why REASON`.",
        )
    return contract


def accept(
    store: Warehouse, file: Path, *, who: str, why: str, catalogue: Catalogue = CATALOGUE
) -> tuple[Contract, bool]:
    """Put the contract of a file in force for new batches, write down who did and why, and publish.

    Returns:
        The contract, and False when it was in force already.

    Raises:
        ConfigError: the file is missing or no valid contract.
        UsageError: nobody is named, or no reason.
    """
    contract = load_contract(file, catalogue)
    with store.write(f"accepting contract {contract.version}") as tx:
        fresh = accept_contract(tx, contract, who=who, why=why, file=str(file.resolve()), now=utc_now())
    store.publish()
    return contract, fresh
