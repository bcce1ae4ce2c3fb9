"""From measured distributions to thresholds: what to propose for each clause, with its evidence, or why not.

Belongs here: the rules of a calibration, on plain values. Does not belong here: resampling (``calibrate_draws``), power
(``calibrate_power``), reading values, drawing, accepting.

The false-alarm rate is asked for the contract as a whole and divided by the number of clauses that have a limit to
calibrate (Bonferroni): they are measured on the same reports, so nothing may be assumed about how they depend on each
other, and the division holds whatever they do. At 1 % over five clauses the rate that assumes independence (Šidák)
would be 0.2008 % in place of 0.2 %: the difference is not worth the assumption.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median

import numpy as np

from quality.contract.calibrate_draws import MIN_BATCHES, Floats, Sample, series, simulate, trips
from quality.contract.calibrate_power import Power, power
from quality.contract.model import ROW_COUNT, Clause, Contract, Operator
from quality.model import Mode

MIN_REPORTS = 10
"""Fewer measured reports than this say nothing about a tail."""

MIN_DETECTION = 0.90
"""Of batches that are broken as the broken ones are, at least this share must be held, else the distributions overlap
too much."""

SHOWS = 0.60
"""A fault shows in a clause when a broken batch looks worse than a healthy one with this probability (0.5: it does not).
Where it does not show, while it does in another clause, the clause is calibrated on the healthy batches alone."""

REPEATS = 20_000
CLEARED = 0.10
"""An alert ends where nine healthy batches in ten lie."""

WITHIN_ONLY = "within-batch only"
"""What the evidence says where fewer than ``MIN_BATCHES`` healthy batches were measured."""


@dataclass(frozen=True, slots=True)
class WhatIf:
    """What one threshold would do: the shares of drawn batches, and of measured reports, on its wrong side."""

    threshold: float
    healthy_batches: float
    healthy_reports: float
    broken_batches: float | None
    broken_reports: float | None
    role: str = ""  # in force, proposed


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a calibration says about one clause. ``state``: proposed, kept (nothing to calibrate) or refused."""

    clause: Clause
    state: str
    reason: str
    threshold: float
    clear_at: float | None = None
    rate: float | None = None  # of false alarms, at the threshold, in drawn healthy batches
    detection: float | None = None  # share of drawn broken batches that it holds
    evidence: str = ""
    healthy: Floats = field(default_factory=lambda: np.empty(0))  # the clause's statistic of each drawn batch
    broken: Floats = field(default_factory=lambda: np.empty(0))
    what_if: tuple[WhatIf, ...] = ()


@dataclass(frozen=True, slots=True)
class Calibration:
    """A whole calibration: its terms, one proposal a clause, and what the contract does as a whole."""

    size: int
    false_alarm: float
    per_clause: float
    repeats: int
    seed: int
    within_only: bool
    proposals: tuple[Proposal, ...]
    tells_apart: (
        bool  # some clause holds enough of the broken batches and spares the healthy ones; True without any
    )
    contract_rate: float  # share of drawn healthy batches that some blocking clause holds
    contract_detection: float | None
    power: Power | None = None  # None: no broken batch was given, or none is told apart

    @property
    def changes(self) -> bool:
        """Say whether anything is proposed."""
        return any(p.state == "proposed" for p in self.proposals)


@dataclass(frozen=True, slots=True)
class Terms:
    """What is asked of a calibration."""

    false_alarm: float
    day: str  # YYYY-MM-DD of the calibration
    size: int | None = None  # reports in a batch; None: the median of the healthy batches, ten at least
    repeats: int = REPEATS
    seed: int = 0


def calibrate(
    contract: Contract, healthy: Sequence[Sample], broken: Sequence[Sample], terms: Terms
) -> Calibration:
    """Propose a threshold for every clause that has one to calibrate.

    Args:
        contract: the one in force; its clauses are calibrated.
        healthy: measured batches that are to pass, at least one.
        broken: measured batches that are to be held; may be empty.
        terms: rate of false alarms of the whole contract, size, seed.
    """
    size = terms.size or max(MIN_REPORTS, round(median(s.size for s in healthy)))
    judged = [c for c in contract.clauses if c.mode is not Mode.OFF]
    kept = {c.clause: why for c in judged if (why := _nothing_to_calibrate(c, healthy, broken))}
    open_clauses = [c for c in judged if c.clause not in kept]
    rate = terms.false_alarm / max(1, len(open_clauses))
    known = [c for c in judged if c.metric != ROW_COUNT and _measured(c, [*healthy, *broken])]
    rng = np.random.default_rng(terms.seed)
    good = simulate(known, healthy, size, terms.repeats, rng)
    bad = simulate(known, broken, size, terms.repeats, rng) if broken else None
    columns = {c.clause: i for i, c in enumerate(known)}
    drawn = {
        c.clause: Drawn(
            good[:, columns[c.clause]], bad[:, columns[c.clause]] if bad is not None else None, healthy, broken, size
        )
        for c in open_clauses
    }  # fmt: skip
    told = any(_tells_apart(c, drawn[c.clause], rate) for c in open_clauses)
    found = [
        Proposal(c, "kept", kept[c.clause], float(c.threshold))
        if c.clause in kept
        else _propose(c, drawn[c.clause], rate, terms, told)
        for c in judged
    ]
    felt = _power(found, columns, healthy, broken, size, terms) if told else None
    return Calibration(
        size, terms.false_alarm, rate, terms.repeats, terms.seed, len(healthy) < MIN_BATCHES,
        tuple(_with_power(p, felt) for p in found), told or not broken, _any_trips(found, good, columns),
        _any_trips(found, bad, columns) if bad is not None else None, felt,
    )  # fmt: skip


def _power(
    proposals: Sequence[Proposal],
    columns: Mapping[str, int],
    healthy: Sequence[Sample],
    broken: Sequence[Sample],
    size: int,
    terms: Terms,
) -> Power:
    """Try the thresholds that the contract would have on batches of which a part is broken."""
    tried = [(p.clause, p.threshold) for p in proposals if p.clause.clause in columns]
    return power(tried, healthy, broken, size, seed=terms.seed)


def _with_power(proposal: Proposal, felt: Power | None) -> Proposal:
    """Add to a proposal's evidence how much of a batch must be broken before it trips."""
    if felt is None or not proposal.evidence or (share := felt.smallest(proposal.clause.clause)) is None:
        return proposal
    said = f" Of a batch of {felt.size}, {share:.0%} broken reports trip it in nine batches of ten."
    return replace(proposal, evidence=proposal.evidence + said)


@dataclass(frozen=True, slots=True)
class Drawn:
    """One clause's statistic on drawn batches, and the batches that they were drawn from."""

    healthy: Floats
    broken: Floats | None
    healthy_samples: Sequence[Sample]
    broken_samples: Sequence[Sample]
    size: int


def _any_trips(proposals: Sequence[Proposal], drawn: Floats, columns: dict[str, int]) -> float:
    """Share of drawn batches that some blocking clause holds at its proposed (or kept) threshold."""
    hit = np.zeros(len(drawn), dtype=bool)
    for p in proposals:
        if p.clause.mode is Mode.BLOCK and p.clause.clause in columns:
            hit |= trips(p.clause, drawn[:, columns[p.clause.clause]], p.threshold)
    return float(hit.mean())


def _measured(clause: Clause, samples: Sequence[Sample]) -> bool:
    return all(not np.isnan(s.values.get(series(clause), np.array([np.nan]))).all() for s in samples)


def _nothing_to_calibrate(clause: Clause, healthy: Sequence[Sample], broken: Sequence[Sample]) -> str | None:
    """Say why a clause has no threshold to be found, or None when it has."""
    if clause.metric == ROW_COUNT or clause.operator is Operator.EQUAL:
        return "it asks for an exact value, which is a requirement and no limit that one could measure"
    for s in (*healthy, *broken):
        if not _measured(clause, [s]):
            name = f"{clause.metric} {clause.version} ({clause.stage})"
            return f"no report of batch {s.batch_id!r} has a measured {name}; versions of a metric are never mixed"
    n = measured_reports(clause, healthy)
    if n < MIN_REPORTS:
        return f"only {n} healthy reports were measured, {MIN_REPORTS} are needed"
    return None


def measured_reports(clause: Clause, samples: Sequence[Sample]) -> int:
    """Count the reports that a clause's series was measured for."""
    return sum(int(np.count_nonzero(~np.isnan(s.values[series(clause)]))) for s in samples)


def _known(drawn: Drawn) -> Floats:
    return np.sort(drawn.healthy[~np.isnan(drawn.healthy)])


def _tells_apart(clause: Clause, drawn: Drawn, rate: float) -> bool:
    """Say whether a clause holds enough of the drawn broken batches at the threshold that spares the healthy ones."""
    if drawn.broken is None:
        return False
    return (
        float(trips(clause, drawn.broken, tail(_known(drawn), rate, low=is_low(clause))).mean())
        >= MIN_DETECTION
    )


def worse(clause: Clause, healthy: Floats, broken: Floats) -> float:
    """Give the probability that a broken batch looks worse than a healthy one, a tie counting half.

    One half says that the clause cannot tell them apart, 1 that it always can.
    """
    good, bad = (np.sort(v[~np.isnan(v)]) for v in (healthy, broken))
    below = np.searchsorted(good, bad, side="left").sum()
    up_to = np.searchsorted(good, bad, side="right").sum()
    better = (below + up_to) / 2 / (len(good) * len(bad))
    return float(1 - better if is_low(clause) else better)


def _propose(clause: Clause, drawn: Drawn, rate: float, terms: Terms, told: bool) -> Proposal:
    """Propose a threshold for one clause, keep the one in force, or refuse; ``told``: some clause tells them apart."""
    good, bad, known = drawn.healthy, drawn.broken, _known(drawn)
    old, low = float(clause.threshold), is_low(clause)
    new = tail(known, rate, low=low)
    held = float(trips(clause, bad, new).mean()) if bad is not None else None
    fault = _no_spread(known, rate, old, low=low)
    if fault is None and bad is not None:
        fault = _overlap(clause, drawn, new, rate, told)
    if fault is not None:
        state, reason = fault
        return Proposal(
            clause, state, reason, old, rate=float(trips(clause, good, old).mean()), healthy=good,
            broken=_or_none(bad), detection=float(trips(clause, bad, old).mean()) if bad is not None else None,
            what_if=what_if(clause, drawn, _grid(known, bad, old, old if state == "kept" else new), old, None),
        )  # fmt: skip
    return Proposal(
        clause, "proposed", f"false alarms in {_one_in(rate)} batches of {drawn.size} at most", new,
        clear_at=tail(known, CLEARED, low=low), rate=float(trips(clause, good, new).mean()), detection=held,
        healthy=good, broken=_or_none(bad), evidence=_evidence(clause, drawn, new, held, rate, terms),
        what_if=what_if(clause, drawn, _grid(known, bad, old, new), old, new),
    )  # fmt: skip


def _no_spread(known: Floats, rate: float, old: float, *, low: bool) -> tuple[str, str] | None:
    """Keep a threshold where drawn healthy batches hardly differ: nothing shows how far a healthy one may fall."""
    k = math.floor(rate * len(known) + 1e-9)
    middle = known[len(known) // 2]
    if (known[k] if low else known[-1 - k]) != middle:
        return None
    return "kept", (
        f"no spread: it is {middle:.4g} in all drawn healthy batches but {_one_in(rate)} at most, which does not say how "
        f"far a healthy one may fall; the threshold stays {old:g}"
    )


def _overlap(clause: Clause, drawn: Drawn, new: float, rate: float, told: bool) -> tuple[str, str] | None:
    """Refuse where broken batches look worse and cannot be told from healthy ones, or where no clause can tell them."""
    bad = drawn.broken if drawn.broken is not None else np.empty(0)
    held = float(trips(clause, bad, new).mean())
    apart = worse(clause, drawn.healthy, bad)
    if held >= MIN_DETECTION or (told and apart < SHOWS):
        return None
    return "refused", (
        f"the distributions overlap: at {new:g}, which keeps false alarms to {_one_in(rate)}, {held:.0%} of batches broken "
        f"like these would be held, and {MIN_DETECTION:.0%} is the least (a broken batch looks worse than a healthy one "
        f"with probability {apart:.2f}); the threshold stays {clause.threshold:g}"
    )


def _or_none(values: Floats | None) -> Floats:
    return np.empty(0) if values is None else values


def is_low(clause: Clause) -> bool:
    """Say whether low values break the clause."""
    return clause.operator in (Operator.AT_LEAST, Operator.ABOVE)


def tail(ordered: Floats, rate: float, *, low: bool) -> float:
    """Give the last value such that at most the share ``rate`` of ``ordered`` lies beyond it, rounded outwards.

    Two decimals are kept: a threshold is read and remembered by people, and rounding outwards only lowers the rate.
    """
    k = math.floor(rate * len(ordered) + 1e-9)
    value = float(ordered[k] if low else ordered[-1 - k])
    return math.floor(value * 100 + 1e-9) / 100 if low else math.ceil(value * 100 - 1e-9) / 100


def _grid(healthy: Floats, broken: Floats | None, old: float, new: float) -> tuple[float, ...]:
    """Thresholds worth a look: from the middle of one distribution to the middle of the other, and the two at issue."""
    ends = [float(np.median(healthy)), old, new]
    if broken is not None:
        ends.append(float(np.nanmedian(broken)))
    steps = np.round(np.linspace(min(ends), max(ends), 9), 2)
    return tuple(sorted({*map(float, steps), old, new}))


def what_if(
    clause: Clause, drawn: Drawn, grid: Sequence[float], old: float, new: float | None
) -> tuple[WhatIf, ...]:
    """Say for each threshold which share of drawn batches, and of measured reports, it would hold."""
    bad = drawn.broken
    roles = {old: "in force"} | ({new: "proposed"} if new is not None else {})
    if new == old:
        roles = {old: "in force, proposed"}
    return tuple(
        WhatIf(
            t,
            float(trips(clause, drawn.healthy, t).mean()),
            _reports_beyond(clause, drawn.healthy_samples, t),
            float(trips(clause, bad, t).mean()) if bad is not None else None,
            _reports_beyond(clause, drawn.broken_samples, t) if bad is not None else None,
            roles.get(t, ""),
        )
        for t in grid
    )


def _reports_beyond(clause: Clause, samples: Sequence[Sample], threshold: float) -> float:
    """Share of measured reports that are on the wrong side of a threshold, each batch weighing the same."""
    shares = []
    for s in samples:
        values = s.values[series(clause)]
        shares.append(trips(clause, values[~np.isnan(values)], threshold).mean())
    return float(np.mean(shares))


def _one_in(rate: float) -> str:
    return f"1 in {round(1 / rate):,}"


def _evidence(clause: Clause, drawn: Drawn, new: float, held: float | None, rate: float, terms: Terms) -> str:
    """Say in words what the threshold rests on: distributions with sizes and dates, rate, seed, limits."""
    low, mid, high = np.nanquantile(drawn.healthy, [0.01, 0.5, 0.99])
    said = [
        f"Calibrated {terms.day} on {describe(clause, drawn.healthy_samples)}. {_name(clause)} of a batch of {drawn.size}: "
        f"median {mid:.3g}, 98 % between {low:.3g} and {high:.3g}; {_one_in(rate)} at most falls beyond {new:g} "
        f"({terms.repeats:,} drawn batches, seed {terms.seed})."
    ]
    if len(drawn.healthy_samples) < MIN_BATCHES:
        said.append(
            f"{WITHIN_ONLY.capitalize()}: {MIN_BATCHES} batches are needed to see how batches differ."
        )
    if held is None or drawn.broken is None:
        said.append("No broken batch was measured: what it catches is unknown.")
    elif held < MIN_DETECTION:
        said.append(
            f"The fault of {describe(clause, drawn.broken_samples)} does not show in it: what it catches is unknown."
        )
    else:
        bad = np.nanmedian(drawn.broken)
        said.append(
            f"Broken: {describe(clause, drawn.broken_samples)}, median {bad:.3g}; {held:.1%} of such batches are held."
        )
    return " ".join(said)


def _name(clause: Clause) -> str:
    s = clause.statistic
    return s.upper() if s[1:].isdigit() else s.capitalize()


def describe(clause: Clause, samples: Sequence[Sample]) -> str:
    """Name a distribution by its batches, its reports and its dates."""
    names = [s.batch_id for s in samples]
    shown = ", ".join(names) if len(names) <= 6 else f"{names[0]} … {names[-1]}"
    days = sorted({s.day for s in samples})
    span = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    total = sum(s.size for s in samples)
    what = "batch" if len(names) == 1 else "batches"
    return f"{len(names)} {what} ({shown}; made {span}; {measured_reports(clause, samples)} of {total} reports measured)"
