"""The trailing window: what a batch of too few reports is judged on, together with its own.

Belongs here: which clauses need a window, its members and its statistics. Does not belong here: judging (quality/contract),
the rule itself in SQL (sql/statements/window_members.sql).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl

import sql.loader
from assets.ports import Reader
from quality.contract.model import ROW_COUNT, Clause, Contract, Statistic, StatisticKey
from quality.model import Mode

_WINDOWS = pl.Schema(
    {
        "batch_id": pl.String,
        "clause": pl.String,
        "ordinal": pl.Int32,
        "member_batch_id": pl.String,
        "member_report_id": pl.String,
        "member_fingerprint": pl.String,
        "validity": pl.String,
        "value": pl.Float64,
    }
)


@dataclass(frozen=True, slots=True)
class Windows:
    """Clause -> the statistic over batch and window, and the members: rows of ``contract_windows``."""

    statistics: Mapping[str, Statistic] = field(default_factory=dict)
    members: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=_WINDOWS))


def windows_of(
    reader: Reader, batch_id: str, contract: Contract, own: Mapping[StatisticKey, Statistic]
) -> Windows:
    """The windows of every clause that has some report of the batch to judge, and too few of them.

    A clause that nothing of the batch was measured for gets none: earlier reports alone say nothing about it.
    """
    statistics: dict[str, Statistic] = {}
    members: list[pl.DataFrame] = []
    for clause in contract.clauses:
        mine = own.get(clause.key)
        if (
            mine is None
            or clause.metric == ROW_COUNT
            or clause.mode is Mode.OFF
            or not 0 < mine.n < clause.min_n
        ):
            continue
        found = _members(reader, batch_id, clause, clause.min_n - mine.n)
        if found.is_empty():
            continue
        statistics[clause.clause] = _together(reader, batch_id, clause, mine, found)
        members.append(found.with_columns(batch_id=pl.lit(batch_id), clause=pl.lit(clause.clause)))
    if not members:
        return Windows()
    return Windows(statistics, pl.concat(members).select(_WINDOWS.names()).cast(_WINDOWS))


def _key(batch_id: str, clause: Clause) -> dict[str, object]:
    return {
        "batch_id": batch_id,
        "metric": clause.metric,
        "metric_version": clause.version,
        "stage": clause.stage.value if clause.stage else None,
    }


def _members(reader: Reader, batch_id: str, clause: Clause, needed: int) -> pl.DataFrame:
    return reader.query(sql.loader.statement("window_members"), {**_key(batch_id, clause), "needed": needed})


def _together(
    reader: Reader, batch_id: str, clause: Clause, mine: Statistic, members: pl.DataFrame
) -> Statistic:
    """The clause's statistic over the batch's own reports and the window's."""
    window = [float(v) for v in members.filter(validity="measured")["value"]]
    row = reader.query(
        sql.loader.statement("window_statistics"), {**_key(batch_id, clause), "window": window}
    ).row(0, named=True)
    counts = {v: int(members.filter(validity=v).height) for v in ("absent", "unknown")}
    return Statistic(
        value=row[clause.statistic],
        n=mine.n + len(window),
        n_absent=mine.n_absent + counts["absent"],
        n_unknown=mine.n_unknown + counts["unknown"],
        n_window=len(window),
    )
