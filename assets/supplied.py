"""What came with a batch and what did not: evidence manifests, a source catalogue, texts of its sources.

Belongs here: finding that out, and switching clauses off whose input was never supplied.
Does not belong here: measuring (quality/kernel.py), judging (quality/contract).
"""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence

import polars as pl

from assets.ports import Reader, Store
from assets.stored import AnyReport
from quality.contract.model import Clause, ClauseResult, Contract, Statistic, StatisticKey
from quality.kernel import Supplied
from quality.metrics.catalogue import Catalogue
from quality.metrics.manifest import BROKEN_FLAG
from quality.model import Mode, Report

HONESTY = "method_honesty"
NEEDS_CATALOGUE = frozenset({"canonical_rate"})
NEEDS_TEXTS = frozenset({"deep_share", "shallow_share", "blank_share", "quote_rate"})
NO_CLAIMS = "no claims: none of the reports whose manifest was read claims a method of its own"
_TEXTS: dict[str, "StoredTexts"] = {}
"""The texts of the last snapshot used in this process: a file's name stands for its content."""


class StoredTexts:
    """Texts of a snapshot's sources, held as one column; a text becomes a string only when it is asked for."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self._texts = frame["text"]
        self._rows = {str(i): row for row, i in enumerate(frame["source_id"])}

    def get(self, source_id: str, /) -> str | None:
        """Give the text of a source, None where there is none."""
        row = self._rows.get(source_id)
        return None if row is None else str(self._texts[row])


def supplied_with(
    store: Store, reader: Reader, batch_id: str, reports: Sequence[AnyReport], catalogue: Catalogue
) -> Supplied:
    """What a batch's reports are measured with."""
    return Supplied(has_manifests(reports), load_texts(store, reader, batch_id), catalogue)


def has_manifests(reports: Iterable[AnyReport]) -> bool:
    """Whether any report of a batch came with an evidence manifest, a broken one included."""
    return any(isinstance(r, Report) and (r.evidence is not None or BROKEN_FLAG in r.flags) for r in reports)


def load_texts(store: Store, reader: Reader, batch_id: str) -> StoredTexts | None:
    """The stored texts of the catalogue that a batch is audited against; None where it holds none."""
    found = reader.query(
        "SELECT s.text_file FROM batches b JOIN source_snapshots s USING (snapshot_id) WHERE b.batch_id = ?",
        [batch_id],
    )
    file = None if found.is_empty() else found.item(0, 0)
    if file is None:
        return None
    if file not in _TEXTS:
        _TEXTS.clear()
        _TEXTS[file] = StoredTexts(store.read_bodies(file))
    return _TEXTS[file]


def as_supplied(
    reader: Reader, batch_id: str, contract: Contract, statistics: Mapping[StatisticKey, Statistic]
) -> Contract:
    """The contract as it applies to a batch: clauses are off whose input was never supplied.

    The clause about method claims only records while none of the reports whose manifest was read claims any.
    """
    off = not_supplied(reader, batch_id)
    clauses = tuple(_applied(clause, off, statistics.get(clause.key)) for clause in contract.clauses)
    return contract.model_copy(update={"clauses": clauses})


def explained(
    results: Iterable[ClauseResult], statistics: Mapping[StatisticKey, Statistic]
) -> list[ClauseResult]:
    """Results in which the clause about method claims says that there are none, where there are none."""
    return [
        dataclasses.replace(r, reason=f"{r.metric} {r.version}: {NO_CLAIMS} ({r.n} reports)")
        if r.metric == HONESTY and _no_claims(statistics.get((r.metric, r.version, r.stage, r.statistic)))
        else r
        for r in results
    ]


def _applied(clause: Clause, off: frozenset[str], statistic: Statistic | None) -> Clause:
    if clause.metric in off:
        return clause.model_copy(update={"mode": Mode.OFF})
    if clause.metric == HONESTY and clause.mode is Mode.BLOCK and _no_claims(statistic):
        return clause.model_copy(update={"mode": Mode.RECORD})
    return clause


def _no_claims(statistic: Statistic | None) -> bool:
    """Whether manifests were read, nothing is unknown, and nobody claims anything."""
    return statistic is not None and statistic.n > 0 and statistic.n_unknown == 0 and statistic.value is None


def not_supplied(reader: Reader, batch_id: str) -> frozenset[str]:
    """Metrics whose input did not come with a batch: they are off for it, and that is said aloud."""
    rows = reader.query(
        "SELECT b.sources_path IS NOT NULL AS catalogue, coalesce(s.n_with_text, 0) > 0 AS texts, "
        "EXISTS (SELECT 1 FROM reports r WHERE r.batch_id = b.batch_id "
        "AND (r.has_evidence OR list_contains(r.flags, ?))) AS manifests "
        "FROM batches b LEFT JOIN source_snapshots s USING (snapshot_id) WHERE b.batch_id = ?",
        [BROKEN_FLAG, batch_id],
    )
    catalogue, texts, manifests = rows.row(0)
    off: frozenset[str] = frozenset()
    off |= frozenset() if catalogue else NEEDS_CATALOGUE
    off |= frozenset() if catalogue and texts else NEEDS_TEXTS
    return off if manifests else off | {HONESTY}
