"""Batches as they might have come: resampled from measured ones, and their statistics.

Belongs here: drawing reports, and the statistic of each drawn batch. Pure numbers, every draw from the generator that is
handed in. Does not belong here: choosing a threshold (``calibrate``), reading values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from quality.contract.model import Clause

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
SeriesKey = tuple[str, str, str]
"""Metric, version, stage: values of two versions are never part of one series."""

MIN_BATCHES = 5
"""Fewer batches than this cannot show how batches differ."""

_CELLS = 2_000_000
"""Values drawn at a time: bounds the memory of a simulation to some tens of megabytes."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One measured batch: its values by series, one per report in one order; NaN where a report was not measured."""

    batch_id: str
    day: str  # YYYY-MM-DD, when the batch was made
    size: int  # reports
    values: dict[SeriesKey, Floats]


def series(clause: Clause) -> SeriesKey:
    """Name the series that a clause looks at."""
    return clause.metric, clause.version or "", clause.stage.value if clause.stage else ""


def row_statistic(rows: Floats, statistic: str) -> Floats:
    """Give the statistic of each row over its values that are not NaN; NaN where a row has none.

    Percentiles interpolate linearly between ranks, as DuckDB's ``quantile_cont`` does.

    Args:
        rows: one drawn batch a row, shape (batches, reports).
        statistic: p and a percentage, mean, min, max or sum.

    Raises:
        ValueError: another statistic.
    """
    ordered = np.sort(rows, axis=1)  # NaN goes last
    count = np.count_nonzero(~np.isnan(rows), axis=1)
    found = np.full(len(rows), np.nan)
    some = count > 0
    if statistic[:1] == "p" and statistic[1:].isdigit():
        found[some] = _quantile(ordered[some], count[some], int(statistic[1:]) / 100)
    elif statistic in ("mean", "sum"):
        total = np.nansum(ordered[some], axis=1)
        found[some] = total / count[some] if statistic == "mean" else total
    elif statistic == "min":
        found[some] = ordered[some, 0]
    elif statistic == "max":
        found[some] = ordered[some, count[some] - 1]
    else:
        raise ValueError(f"There is no statistic {statistic!r}.")
    return found


def _quantile(ordered: Floats, count: Integers, share: float) -> Floats:
    place = (count - 1) * share
    low = np.floor(place).astype(np.int64)
    high = np.minimum(low + 1, count - 1)
    row = np.arange(len(ordered))
    below, above = ordered[row, low], ordered[row, high]
    found: Floats = below + (above - below) * (place - low)
    return found


def simulate(
    clauses: Sequence[Clause],
    samples: Sequence[Sample],
    size: int,
    repeats: int,
    rng: np.random.Generator,
    *,
    broken: Sequence[Sample] = (),
    n_broken: int = 0,
) -> Floats:
    """Draw batches and give the statistic of every clause on each: shape (repeats, clauses).

    Each drawn batch comes from one measured batch, chosen at random, so that differences between batches stay
    differences between batches. With fewer than ``MIN_BATCHES`` of them the measured batch is resampled first, and
    the new one is drawn from that: a measured batch is itself only a sample, and nothing else shows by how much it
    may be off. With more, their own differences show that. All clauses are measured on the same drawn reports.

    Args:
        clauses: with statistics over series that every sample has.
        samples: the measured batches, at least one.
        size: reports in a drawn batch.
        repeats: batches to draw.
        rng: every random number comes from it.
        broken: measured broken batches.
        n_broken: how many of the ``size`` reports come from a broken batch instead.
    """
    found = np.empty((repeats, len(clauses)))
    for start, chunk in _chunks(repeats, max(size, *(s.size for s in (*samples, *broken)))):
        drawn = _draw(samples, size - n_broken, chunk, rng)
        bad = _draw(broken, n_broken, chunk, rng) if n_broken else None
        for column, clause in enumerate(clauses):
            rows = _pool(samples, clause)[drawn]
            if bad is not None:
                rows = np.concatenate([rows, _pool(broken, clause)[bad]], axis=1)
            found[start : start + chunk, column] = row_statistic(rows, clause.statistic)
    return found


def _chunks(repeats: int, width: int) -> Iterator[tuple[int, int]]:
    step = max(1, _CELLS // max(1, width))
    for start in range(0, repeats, step):
        yield start, min(step, repeats - start)


def _pool(samples: Sequence[Sample], clause: Clause) -> Floats:
    return np.concatenate([s.values[series(clause)] for s in samples])


def _draw(samples: Sequence[Sample], size: int, repeats: int, rng: np.random.Generator) -> Integers:
    """Give places in the pool of all samples, shape (repeats, size)."""
    sizes = np.array([s.size for s in samples])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    which = rng.integers(0, len(samples), repeats)
    own = sizes[which][:, None]
    picked = np.floor(rng.random((repeats, size)) * own).astype(np.int64)
    if len(samples) < MIN_BATCHES:
        resampled = np.floor(rng.random((repeats, int(sizes.max()))) * own).astype(np.int64)
        picked = np.take_along_axis(resampled, picked, axis=1)
    places: Integers = starts[which][:, None] + picked
    return places


def trips(clause: Clause, observed: Floats, threshold: float) -> npt.NDArray[np.bool_]:
    """Say which observed values break a clause at a threshold; NaN, which is unknown, holds a batch as well."""
    kept = {
        ">=": observed >= threshold,
        ">": observed > threshold,
        "<=": observed <= threshold,
        "<": observed < threshold,
        "==": observed == threshold,
    }
    broken: npt.NDArray[np.bool_] = ~kept[clause.operator.value]
    return broken
