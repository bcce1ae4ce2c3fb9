"""Power: how much of a batch must be broken before the contract notices.

Belongs here: the chance that a partly broken batch trips a clause, and the smallest share that it nearly always does.
Does not belong here: thresholds (``calibrate``), resampling (``calibrate_draws``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from quality.contract.calibrate_draws import Sample, simulate, trips
from quality.contract.model import Clause
from quality.model import Mode

WANTED = 0.90
"""A share of broken reports counts as noticed when it trips with this probability."""

REPEATS = 2_000
_STEPS = 20


@dataclass(frozen=True, slots=True)
class Power:
    """The chance to trip at each share of broken reports; the whole contract stands under the empty name."""

    size: int
    shares: tuple[float, ...]
    chances: dict[str, tuple[float, ...]]

    def smallest(self, clause: str = "") -> float | None:
        """Give the smallest of the shares that trips with the wanted probability, and so does every larger one.

        None: not even a batch that is broken throughout does.
        """
        found = None
        for share, chance in zip(reversed(self.shares), reversed(self.chances[clause]), strict=True):
            if chance < WANTED:
                break
            found = share
        return found


def power(
    thresholds: Sequence[tuple[Clause, float]],
    healthy: Sequence[Sample],
    broken: Sequence[Sample],
    size: int,
    *,
    seed: int,
    repeats: int = REPEATS,
) -> Power:
    """Draw batches of which more and more reports are broken, and see what trips.

    Args:
        thresholds: clauses with the thresholds to try, each over a series that every sample has.
        healthy: measured healthy batches, at least one.
        broken: measured broken batches, at least one.
        size: reports in a batch; every number of broken ones is tried up to twenty, about twenty of them beyond.
        seed: of the draws.
        repeats: batches drawn at each share; with 2,000 a chance of 90 % is known to within about 1.3 points.
    """
    clauses = [clause for clause, _ in thresholds]
    rng = np.random.default_rng(seed)
    counts = sorted({round(size * step / min(size, _STEPS)) for step in range(min(size, _STEPS) + 1)})
    chances: dict[str, list[float]] = {name: [] for name in ("", *(c.clause for c in clauses))}
    for count in counts:
        drawn = simulate(clauses, healthy, size, repeats, rng, broken=broken, n_broken=count)
        some = np.zeros(repeats, dtype=bool)
        for column, (clause, threshold) in enumerate(thresholds):
            hit = trips(clause, drawn[:, column], threshold)
            chances[clause.clause].append(float(hit.mean()))
            if clause.mode is Mode.BLOCK:
                some |= hit
        chances[""].append(float(some.mean()))
    return Power(size, tuple(c / size for c in counts), {name: tuple(c) for name, c in chances.items()})
