"""The order of judgement, with a plain comparison in the place of Great Expectations."""

import math
import operator
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.contract.evaluate import batch_verdict, evaluate
from quality.contract.model import Clause, Contract, Statistic
from quality.model import Mode, Verdict

COMPARE = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt, "==": operator.eq}
PASS, BREACH, UNKNOWN = Verdict.PASS, Verdict.BREACH, Verdict.UNKNOWN


def plain_judge(clauses, observed):
    return {c.clause: COMPARE[c.operator](observed[c.clause], c.threshold) for c in clauses}


def clause(name="rate", **changes):
    fields = {
        "clause": name,
        "metric": "inbound_rate",
        "version": "v3",
        "stage": "rebuilt",
        "statistic": "p10",
        "operator": ">=",
        "threshold": 0.6,
        "evidence": "a test",
    }
    return Clause(**(fields | changes))


FLOOR = Clause(
    clause="floor", metric="row_count", statistic="count", operator=">=", threshold=1, evidence="a test"
)
FLOOR_KEY = ("row_count", None, None, "count")
RATE_KEY = ("inbound_rate", "v3", "rebuilt", "p10")


def contract(*clauses):
    return Contract(format=1, name="t", approved_by="me", approved_on="2026-01-01", clauses=clauses)


def judged(statistic, judge=plain_judge, **changes):
    statistics = {} if statistic is None else {RATE_KEY: statistic}
    (result,) = evaluate(contract(clause(**changes)), statistics, judge)
    return result


@pytest.mark.parametrize(
    ("statistic", "verdict", "reason"),
    [
        (
            Statistic(0.31, 12),
            BREACH,
            "inbound_rate v3 (rebuilt) P10 is 0.31, needs >= 0.60, over 12 reports",
        ),
        (Statistic(0.6, 12), PASS, "inbound_rate v3 (rebuilt) P10 is 0.60, needs >= 0.60, over 12 reports"),
        (
            Statistic(0.59999, 12),
            BREACH,
            "inbound_rate v3 (rebuilt) P10 is 0.59999, needs >= 0.60, over 12 reports",
        ),
        (None, UNKNOWN, "inbound_rate v3 (rebuilt) P10 could not be judged: the statistic is missing"),
        (
            Statistic(None, 12),
            UNKNOWN,
            "inbound_rate v3 (rebuilt) P10 could not be judged: there is no value",
        ),
        (
            Statistic(math.nan, 12),
            UNKNOWN,
            "inbound_rate v3 (rebuilt) P10 could not be judged: the value nan is not finite",
        ),
        (
            Statistic(math.inf, 12),
            UNKNOWN,
            "inbound_rate v3 (rebuilt) P10 could not be judged: the value inf is not finite",
        ),
        (
            Statistic(1.0, 9),
            UNKNOWN,
            "inbound_rate v3 (rebuilt) P10 could not be judged: 9 reports measured, needs 10",
        ),
        (
            Statistic(1.0, 1, 8, 0),
            UNKNOWN,
            "inbound_rate v3 (rebuilt) P10 could not be judged: 1 report measured, needs 10 (8 with "
            "nothing to measure)",
        ),
        (
            Statistic(1.0, 18, 0, 3),
            UNKNOWN,
            "inbound_rate v3 (rebuilt) P10 could not be judged: 3 of 21 reports are unknown, more than 10% "
            "may not be",
        ),
        (
            Statistic(1.0, 18, 0, 2),
            PASS,
            "inbound_rate v3 (rebuilt) P10 is 1, needs >= 0.60, over 18 reports",
        ),
        (
            Statistic(0.0, 18, 0, 2),
            BREACH,
            "inbound_rate v3 (rebuilt) P10 is 0, needs >= 0.60, over 18 reports",
        ),
    ],
)
def test_a_clause_is_judged_in_order(statistic, verdict, reason):
    result = judged(statistic)
    assert (result.verdict, result.reason) == (verdict, reason)


def test_reports_with_nothing_to_measure_do_not_dilute_the_unknown_ones():
    assert judged(Statistic(1.0, 12, 100, 2)).verdict is UNKNOWN


def test_the_limits_are_the_clauses_own():
    assert judged(Statistic(1.0, 3), min_n=3).verdict is PASS
    assert judged(Statistic(1.0, 3), min_n=4).verdict is UNKNOWN
    assert judged(Statistic(1.0, 12, 0, 6), max_unknown_share=0.5).verdict is PASS
    assert judged(Statistic(1.0, 12, 0, 1), max_unknown_share=0.0).verdict is UNKNOWN


def test_a_result_carries_what_it_was_judged_on():
    result = judged(Statistic(0.31, 12, 3, 1), severity="warn", mode="record")
    assert (result.observed, result.n, result.n_absent, result.n_unknown) == (0.31, 12, 3, 1)
    assert (result.clause, result.metric, result.version, result.stage) == (
        "rate",
        "inbound_rate",
        "v3",
        "rebuilt",
    )
    assert (result.statistic, result.operator, result.threshold) == ("p10", ">=", 0.6)
    assert (result.mode, result.severity) == ("record", "warn")


def test_nothing_that_is_not_finite_is_observed():
    assert judged(Statistic(math.nan, 12)).observed is None


def test_a_clause_that_is_off_has_no_result():
    assert evaluate(contract(clause(mode="off")), {RATE_KEY: Statistic(0.0, 12)}, plain_judge) == []


@pytest.mark.parametrize(("count", "verdict"), [(0, BREACH), (1, PASS), (3, PASS)])
def test_the_row_count_is_judged_whatever_the_smallest_number_says(count, verdict):
    (result,) = evaluate(contract(FLOOR), {FLOOR_KEY: Statistic(count, count)}, plain_judge)
    assert (result.verdict, result.reason) == (verdict, f"row_count is {count}, needs >= 1")


def test_an_empty_batch_is_a_breach():
    results = evaluate(
        contract(FLOOR, clause()), {FLOOR_KEY: Statistic(0, 0), RATE_KEY: Statistic(None, 0)}, plain_judge
    )
    assert [r.verdict for r in results] == [BREACH, UNKNOWN]
    assert batch_verdict(results).verdict is BREACH


@pytest.mark.parametrize(
    "judge",
    [
        lambda clauses, observed: {},
        lambda clauses, observed: 1 / 0,
        lambda clauses, observed: {"another": True},
    ],
    ids=["no result", "raises", "a result for something else"],
)
def test_what_the_comparison_does_not_answer_is_unknown(judge):
    result = judged(Statistic(1.0, 12), judge)
    assert result.verdict is UNKNOWN
    assert "expectation_missing" in result.reason


def test_a_fault_of_the_comparison_is_named():
    assert "ZeroDivisionError" in judged(Statistic(1.0, 12), lambda clauses, observed: 1 / 0).reason


def test_a_suite_that_drops_one_of_its_expectations_is_no_pass():
    clauses = [FLOOR, *(clause(f"rate_{i}") for i in range(4))]
    statistics = {FLOOR_KEY: Statistic(12, 12), RATE_KEY: Statistic(1.0, 12)}
    results = evaluate(contract(*clauses), statistics, lambda c, o: {x.clause: True for x in c[:-1]})
    assert [r.verdict for r in results] == [PASS] * 4 + [UNKNOWN]
    assert batch_verdict(results).verdict is UNKNOWN


def test_the_comparison_is_not_asked_about_what_is_in_doubt():
    asked = []

    def judge(clauses, observed):
        asked.append(dict(observed))
        return plain_judge(clauses, observed)

    statistics = {FLOOR_KEY: Statistic(3, 3), RATE_KEY: Statistic(1.0, 3)}
    evaluate(contract(FLOOR, clause()), statistics, judge)
    assert asked == [{"floor": 3.0}]


def verdicts(*pairs):
    results = [judged(Statistic({PASS: 1.0, BREACH: 0.0, UNKNOWN: None}[v], 12), mode=m) for v, m in pairs]
    return batch_verdict(results)


@pytest.mark.parametrize(
    ("pairs", "verdict"),
    [
        ([(PASS, "block"), (PASS, "block")], PASS),
        ([(PASS, "block"), (BREACH, "record"), (UNKNOWN, "record")], PASS),
        ([(UNKNOWN, "block"), (BREACH, "block"), (PASS, "block")], BREACH),
        ([(UNKNOWN, "block"), (PASS, "block")], UNKNOWN),
        ([(PASS, "record")], UNKNOWN),
        ([], UNKNOWN),
    ],
)
def test_the_batch(pairs, verdict):
    assert verdicts(*pairs).verdict is verdict


def test_the_batch_says_why():
    assert verdicts((PASS, "block"), (BREACH, "block")).reason == (
        "inbound_rate v3 (rebuilt) P10 is 0, needs >= 0.60, over 12 reports"
    )
    assert verdicts().reason == "nothing_evaluated: no clause in mode block was evaluated"
    assert verdicts((PASS, "block"), (PASS, "record")).reason == "all 1 blocking clauses passed"


@pytest.mark.slow
def test_judging_imports_great_expectations_only_when_it_must_compare():
    code = """
import sys
from quality.contract.evaluate import batch_verdict, evaluate
from quality.contract.load import load_contract
results = evaluate(load_contract(), {})
assert batch_verdict(results).verdict == "unknown", results
assert not [m for m in sys.modules if m.startswith(("great_expectations", "pandas"))], "imported"
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


VALUES = st.none() | st.floats(allow_nan=True, allow_infinity=True) | st.floats(0, 1)
COUNTS = st.integers(0, 40)


@given(
    VALUES,
    COUNTS,
    COUNTS,
    COUNTS,
    st.sampled_from(list(COMPARE)),
    st.floats(0, 1),
    st.sampled_from(list(Mode)),
)
def test_only_what_was_measured_often_enough_and_compares_well_passes(
    value, n, absent, unknown, op, threshold, mode
):
    rule = clause(operator=op, threshold=threshold, mode=mode)
    results = evaluate(contract(rule), {RATE_KEY: Statistic(value, n, absent, unknown)}, plain_judge)
    if mode is Mode.OFF:
        assert results == []
        assert batch_verdict(results).verdict is UNKNOWN
        return
    (result,) = results
    solid = value is not None and math.isfinite(value) and n >= 10 and unknown <= 0.10 * (n + unknown)
    good = solid and COMPARE[op](value, threshold)
    assert result.verdict is (PASS if good else BREACH if solid else UNKNOWN)
    assert batch_verdict(results).verdict is (result.verdict if mode is Mode.BLOCK else UNKNOWN)
    assert result.observed is None or math.isfinite(result.observed)
