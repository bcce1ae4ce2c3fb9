"""Measured batches out of the publication, as a calibration takes them.

Belongs here: the question and its shape. Does not belong here: what is made of the values (quality/contract).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from assets.ports import Reader
from quality.contract.calibrate_draws import Sample, series
from quality.contract.model import ROW_COUNT, Contract
from quality.errors import UsageError

_VALUES = """
SELECT report_id, metric, metric_version, stage, value FROM report_metrics WHERE batch_id = ? AND validity = 'measured'
"""


def read_samples(source: Reader, batch_ids: Sequence[str], contract: Contract) -> list[Sample]:
    """Read the measured values of batches, for the series that the contract's clauses look at.

    Raises:
        UsageError: a batch is not in the warehouse, or holds no report.
    """
    return [_sample(source, batch_id, contract) for batch_id in batch_ids]


def _sample(source: Reader, batch_id: str, contract: Contract) -> Sample:
    batch = source.query("SELECT batch_id, created_at FROM batches WHERE batch_id = ?", [batch_id])
    if batch.is_empty():
        known = source.query("SELECT batch_id FROM batches ORDER BY created_at DESC, batch_id LIMIT 10")
        raise UsageError(
            f"There is no batch {batch_id!r}.",
            remedy=f"Name one of {', '.join(known['batch_id'])}." if known.height else "Run one first.",
        )
    ids = source.query("SELECT report_id FROM reports WHERE batch_id = ? ORDER BY ordinal", [batch_id])
    if ids.is_empty():
        raise UsageError(f"Batch {batch_id!r} holds no report.", remedy="Leave it out.")
    values = source.query(_VALUES, [batch_id])
    wanted = {series(c) for c in contract.clauses if c.metric != ROW_COUNT}
    made = batch.item(0, "created_at")
    return Sample(
        batch_id,
        made.date().isoformat() if made else "on an unknown day",
        ids.height,
        {key: _series(ids, values, key) for key in wanted},
    )


def _series(
    ids: pl.DataFrame, values: pl.DataFrame, key: tuple[str, str, str]
) -> np.typing.NDArray[np.float64]:
    metric, version, stage = key
    mine = values.filter(metric=metric, metric_version=version, stage=stage)
    aligned = ids.join(mine.select("report_id", "value"), on="report_id", how="left", maintain_order="left")
    return aligned["value"].cast(pl.Float64).fill_null(float("nan")).to_numpy().astype(np.float64)
