"""What the assets need from outside, as protocols and plain values.

Belongs here: the shape of the warehouse as assets use it, and the configuration of a run.
Does not belong here: implementations; they live in ``pipelines``, which imports ``assets`` and never the reverse.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import polars as pl

from quality.contract.evaluate import Judge
from quality.contract.model import Contract
from quality.drafting.model import Lead, Story
from quality.gate.policy import GatePolicy
from quality.llm.ledger import Call
from quality.metrics.catalogue import CATALOGUE, Catalogue
from quality.model import Identifier, Source
from quality.registries.answers import Record
from quality.registries.verdict import Verdict
from quality.review.model import Reviewer


class Reader(Protocol):
    """A look at the private primary."""

    def query(self, sql: str, params: Sequence[object] | Mapping[str, object] | None = None) -> pl.DataFrame:
        """Rows of one SELECT."""
        ...


class Transaction(Reader, Protocol):
    """One transaction of the one writer."""

    def execute(self, sql: str, params: Sequence[object] | Mapping[str, object] | None = None) -> None:
        """Run one statement."""
        ...

    def replace(self, table: str, frame: pl.DataFrame, *, where: Mapping[str, object]) -> None:
        """Delete the rows that ``where`` names and insert ``frame`` by name."""
        ...

    def append_changed(self, table: str, frame: pl.DataFrame) -> int:
        """Append the rows that differ from their subject's latest row; returns how many were appended."""
        ...


class Store(Protocol):
    """The warehouse and the bulk text beside it."""

    @property
    def home(self) -> Path:
        """The home: one home is one knowledge base."""
        ...

    def write(self, holder: str) -> AbstractContextManager[Transaction]:
        """One transaction under the file lock."""
        ...

    def read_primary(self) -> AbstractContextManager[Reader]:
        """A consistent look at the private primary."""
        ...

    def write_bodies(self, batch_id: str, frame: pl.DataFrame) -> str:
        """Keep bulk text under a content-addressed name; returns its path relative to the home."""
        ...

    def read_bodies(self, relative: str) -> pl.DataFrame:
        """Bulk text back."""
        ...


@dataclass(frozen=True, slots=True)
class LineConfig:
    """How the line measures and judges: metrics, the contract for batches seen first, the gate's modes and limits."""

    contract: Contract
    gate: GatePolicy
    judge: Judge | None = None  # compares clauses; None: Great Expectations in this process
    catalogue: Catalogue = CATALOGUE  # the metrics that are measured, a user's own among them


@dataclass(frozen=True, slots=True)
class Seats:
    """Who sits on the panel now; ``calls`` fills up with the calls of language models that they make."""

    reviewers: Sequence[Reviewer]
    calls: Sequence[Call] = ()


class Panel(Protocol):
    """The blind reviewers of a home."""

    def sit(self) -> AbstractAsyncContextManager[Seats]:
        """Open what the reviewers need, and close it at the end."""
        ...


class RegistryDesk(Protocol):
    """The registries of a home, local snapshot included."""

    @property
    def configured(self) -> bool:
        """Whether anybody can be asked."""
        ...

    @property
    def asked(self) -> tuple[str, ...]:
        """Who is asked for what: ``doi: crossref, doi.org``."""
        ...

    @property
    def snapshot_name(self) -> str:
        """How the local snapshot names itself in evidence."""
        ...

    @property
    def snapshot_file(self) -> str | None:
        """Its file; None: there is none."""
        ...

    @property
    def authoritative(self) -> bool:
        """Whether what the snapshot does not hold does not exist."""
        ...

    def covers(self, kind: str) -> bool:
        """Whether somebody is asked about this kind whose "no" counts."""
        ...

    def find_titles(self, titles: Iterable[str]) -> Mapping[str, tuple[Record, ...]]:
        """Known works by title."""
        ...

    def look_up(
        self,
        identifiers: Iterable[Identifier],
        *,
        progress: Callable[[int, int], None],
        outage: Callable[[str, str], None],
    ) -> dict[Identifier, Verdict]:
        """A verdict on each; ``progress`` hears of done and total, ``outage`` of registry and reason."""
        ...


@dataclass(frozen=True, slots=True)
class Drafted:
    """What came of a set of leads: a story each, in their order, every call that was made, and sources found outside."""

    stories: Sequence[Story]
    calls: Sequence[Call] = ()
    found: Sequence[Source] = ()


class Drafter(Protocol):
    """The drafting loop of a home."""

    @property
    def policy(self) -> str:
        """What becomes of a draft that was not verified: ``verified_only`` or ``always``."""
        ...

    def draft(self, leads: Sequence[Lead], catalogue: Sequence[Source], journal: Path) -> Drafted:
        """Draft all leads from a catalogue with texts; ``journal`` keeps answers for a run that is killed."""
        ...
