"""Judging a batch: statistics in, one result per clause out, and what they say together.

Belongs here: the order of judgement, in which validity decides before any comparison; the batch's verdict.
Does not belong here: computing statistics (SQL), comparing (Great Expectations, through ``suite``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from quality.contract.model import (
    ROW_COUNT,
    BatchVerdict,
    Clause,
    ClauseResult,
    Contract,
    Judged,
    Statistic,
    StatisticKey,
)
from quality.metrics.numbers import beside, plain
from quality.model import Mode, Verdict

Judge = Callable[[Sequence[Clause], Mapping[str, float]], Judged | Mapping[str, bool]]
"""Compares; gives True (pass) or False (breach) by clause, and leaves out what it could not evaluate. One that keeps no
record of what it did may give the answers alone."""

EXPECTATION_MISSING = "expectation_missing"
NOTHING_EVALUATED = "nothing_evaluated"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The results of all clauses that are not off, in the contract's order, and what the comparison said as a whole."""

    results: list[ClauseResult]
    judged: Judged


def evaluate(
    contract: Contract,
    statistics: Mapping[StatisticKey, Statistic],
    judge: Judge | None = None,
) -> list[ClauseResult]:
    """Judge every clause that is not off, as ``evaluate_batch`` does, and give the results alone."""
    return evaluate_batch(contract, statistics, judge).results


def evaluate_batch(
    contract: Contract,
    statistics: Mapping[StatisticKey, Statistic],
    judge: Judge | None = None,
    windows: Mapping[str, Statistic] | None = None,
) -> Evaluation:
    """Judge every clause that is not off.

    A clause is ``unknown`` when its statistic is missing, has no finite value, stands on fewer than ``min_n``
    measured reports, or on too large a share of unknown ones; the share is taken over the reports that had
    something to measure. ``row_count`` is judged whatever ``min_n`` says. Everything else is compared by
    ``judge`` (Great Expectations unless given); what that does not answer is ``unknown`` as well.

    Args:
        contract: its clauses are judged.
        statistics: what was measured on the batch.
        judge: compares.
        windows: clause -> the statistic to judge it by instead, over this batch's reports and earlier ones, where
            the batch is too small by itself.
    """
    clauses = [c for c in contract.clauses if c.mode is not Mode.OFF]
    found = {c.clause: (windows or {}).get(c.clause, statistics.get(c.key)) for c in clauses}
    doubts = {c.clause: _doubt(c, found[c.clause]) for c in clauses}
    sure = [c for c in clauses if doubts[c.clause] is None]
    observed = {c.clause: float(value) for c in sure if (value := _value(found[c.clause])) is not None}
    judged, fault = _judged(judge or _great_expectations, sure, observed)
    for c in sure:
        if c.clause not in judged.passed:
            doubts[c.clause] = f"{EXPECTATION_MISSING}: {fault or 'the comparison raised, or gave no result'}"
    results = [
        _result(c, found[c.clause], doubts[c.clause], judged.passed.get(c.clause, False)) for c in clauses
    ]
    return Evaluation(
        [_noted(r, statistics.get(c.key)) for r, c in zip(results, clauses, strict=True)], judged
    )


def _noted(result: ClauseResult, own: Statistic | None) -> ClauseResult:
    """Say beside a result over a window what the batch's own reports come to."""
    if not result.n_window or own is None or own.value is None:
        return result
    note = f"{_reports(own.n)} of this batch alone: {beside(own.value, result.threshold)}"
    return replace(result, note=note)


def batch_verdict(results: Sequence[ClauseResult]) -> BatchVerdict:
    """Say what the results mean for the batch: only clauses in mode ``block`` count.

    Breach if one is breached, else unknown if one is unknown or if there is none, else pass.
    """
    blocking = [r for r in results if r.mode is Mode.BLOCK]
    for verdict in (Verdict.BREACH, Verdict.UNKNOWN):
        if hit := [r.reason for r in blocking if r.verdict is verdict]:
            return BatchVerdict(verdict, "; ".join(hit))
    if not blocking:
        return BatchVerdict(Verdict.UNKNOWN, f"{NOTHING_EVALUATED}: no clause in mode block was evaluated")
    return BatchVerdict(Verdict.PASS, f"all {len(blocking)} blocking clauses passed")


def _judged(judge: Judge, sure: Sequence[Clause], observed: Mapping[str, float]) -> tuple[Judged, str]:
    """Compare what can be compared; a comparison that fails as a whole answers nothing, and says why."""
    if not sure:
        return Judged({}), ""
    try:
        answer = judge(sure, observed)
    except Exception as error:  # a verdict must be recorded in any case, and this one is unknown
        return Judged({}), f"the comparison failed with {type(error).__name__}: {error}"
    return (answer if isinstance(answer, Judged) else Judged(answer)), ""


def _great_expectations(clauses: Sequence[Clause], observed: Mapping[str, float]) -> Judged:
    from quality.contract.suite import judge

    return judge(clauses, observed)


def _value(statistic: Statistic | None) -> float | None:
    """Give the value if there is a finite one."""
    if statistic is None or statistic.value is None or not math.isfinite(statistic.value):
        return None
    return statistic.value


def _doubt(clause: Clause, statistic: Statistic | None) -> str | None:
    """Say why a clause cannot be judged, or None when it can."""
    if statistic is None:
        return "the statistic is missing"
    if clause.metric != ROW_COUNT:
        something = statistic.n + statistic.n_unknown
        if something and statistic.n_unknown > clause.max_unknown_share * something:
            return (
                f"{statistic.n_unknown} of {something} reports are unknown, more than "
                f"{clause.max_unknown_share:.0%} may not be"
            )
        if statistic.n < clause.min_n:
            return f"{_reports(statistic.n)} measured{_earlier(statistic)}, needs {clause.min_n}{_beside_them(statistic)}"
    if _value(statistic) is None:
        return (
            "there is no value" if statistic.value is None else f"the value {statistic.value} is not finite"
        )
    return None


def _result(clause: Clause, statistic: Statistic | None, doubt: str | None, passed: bool) -> ClauseResult:
    if doubt is not None:
        verdict, reason = Verdict.UNKNOWN, f"{clause.subject} could not be judged: {doubt}"
    else:
        verdict, reason = (Verdict.PASS if passed else Verdict.BREACH), _sentence(clause, statistic)
    counts = statistic or Statistic(None, 0)
    return ClauseResult(
        clause=clause.clause,
        metric=clause.metric,
        version=clause.version,
        stage=clause.stage,
        statistic=clause.statistic,
        operator=clause.operator,
        threshold=float(clause.threshold),
        observed=_value(statistic),
        n=counts.n,
        n_absent=counts.n_absent,
        n_unknown=counts.n_unknown,
        verdict=verdict,
        mode=clause.mode,
        severity=clause.severity,
        reason=reason,
        clear_at=clause.recovery,
        clear_needs=clause.clear_needs,
        n_window=counts.n_window,
    )


def _sentence(clause: Clause, statistic: Statistic | None) -> str:
    value, n = (_value(statistic) or 0.0), (statistic.n if statistic else 0)
    over = "" if clause.metric == ROW_COUNT else f", over {_reports(n)}"
    over += _earlier(statistic) if statistic else ""
    needs = f"needs {clause.operator} {plain(clause.threshold)}"
    return f"{clause.subject} is {beside(value, clause.threshold)}, {needs}{over}"


def _earlier(statistic: Statistic) -> str:
    return f", {statistic.n_window} of them of earlier batches" if statistic.n_window else ""


def _reports(n: int) -> str:
    return f"{n} report" if n == 1 else f"{n} reports"


def _beside_them(statistic: Statistic) -> str:
    counts = [(statistic.n_absent, "with nothing to measure"), (statistic.n_unknown, "unknown")]
    written = [f"{count} {what}" for count, what in counts if count]
    return f" ({', '.join(written)})" if written else ""
