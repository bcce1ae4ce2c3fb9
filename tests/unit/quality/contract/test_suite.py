"""Great Expectations against a plain comparison, and what is made of its results."""

import copy
import itertools
import math
import operator
from importlib import resources

import pytest

from quality.contract.evaluate import batch_verdict, evaluate
from quality.contract.load import load_contract
from quality.contract.model import Clause, Judged, Statistic
from quality.contract.suite import (
    build_suite,
    frame_of,
    judge,
    outcomes,
    suite_document,
    suite_text,
    validate,
)
from quality.model import Mode, Verdict

pytestmark = pytest.mark.slow

COMPARE = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt, "==": operator.eq}
THRESHOLDS = [0, 1, 0.6, 0.9, 0.1 + 0.2, -1, 1e-9, 1e9]


def clause(name, op=">=", threshold=0.6):
    return Clause(
        clause=name,
        metric="row_count",
        statistic="count",
        operator=op,
        threshold=threshold,
        evidence="a test",
    )


def around(threshold):
    threshold = float(threshold)
    return [
        threshold,
        math.nextafter(threshold, math.inf),
        math.nextafter(threshold, -math.inf),
        threshold + 0.01,
        threshold - 0.01,
        0.0,
        1.0,
        0.3,
        -5.0,
        5.0,
    ]


def test_great_expectations_and_a_plain_comparison_agree():
    triples = [(op, t, v) for op, t in itertools.product(COMPARE, THRESHOLDS) for v in around(t)]
    clauses = [clause(f"c{i}", op, t) for i, (op, t, _) in enumerate(triples)]
    found = judge(clauses, {f"c{i}": v for i, (_, _, v) in enumerate(triples)}).passed
    assert found == {f"c{i}": COMPARE[op](v, t) for i, (op, t, v) in enumerate(triples)}
    assert len(found) == 400
    assert {True, False} == set(found.values())


def test_no_clauses_are_no_answer():
    assert judge([], {}) == Judged({})


def test_a_missing_column_is_left_out():
    assert judge([clause("here"), clause("gone")], {"here": 1.0}).passed == {"here": True}


@pytest.mark.parametrize("value", [math.nan, None])
def test_a_null_is_left_out_though_the_expectation_passes(value):
    clauses = [clause("here"), clause("empty")]
    frame = frame_of({"here": 1.0}).assign(empty=[value])
    result = validate(build_suite(clauses), frame)
    assert result.success
    assert outcomes(result) == {"here": True}


@pytest.mark.parametrize("rows", [0, 2])
def test_a_frame_that_is_not_one_row_answers_nothing(rows):
    import pandas as pd

    frame = pd.DataFrame({"here": [1.0] * rows}, dtype="float64")
    assert outcomes(validate(build_suite([clause("here")]), frame)) == {}


def test_a_result_that_is_dropped_is_left_out_though_the_suite_reports_success():
    clauses = [clause("a"), clause("b")]
    result = validate(build_suite(clauses), frame_of({"a": 1.0, "b": 1.0}))
    dropped = copy.copy(result)
    dropped.results = [r for r in result.results if (r.expectation_config.meta or {}).get("clause") != "b"]
    assert dropped.success
    assert outcomes(dropped) == {"a": True}


def test_the_default_contract_from_statistics_to_verdict():
    contract = load_contract()
    few = ("dirty_entries", "fixed_closing", "blank_share")
    good = {c.key: Statistic(0.0 if c.metric in few else 1.0, 12) for c in contract.clauses}
    results = evaluate(contract, good)
    assert [r.verdict for r in results] == [Verdict.PASS] * 13
    assert batch_verdict(results).verdict is Verdict.PASS

    bad = good | {("dirty_entries", "v1", "rebuilt", "p50"): Statistic(0.5, 12)}
    results = evaluate(contract, bad)
    assert [r.clause for r in results if r.verdict is Verdict.BREACH] == ["dirty_entries_p50"]
    assert (
        batch_verdict(results).reason == "dirty_entries v1 (rebuilt) P50 is 0.50, needs == 0, over 12 reports"
    )


def test_the_suite_that_is_kept_is_the_one_that_the_contract_generates():
    kept = resources.files("quality.contract").joinpath("suites", "default.json").read_text("utf-8")
    assert kept == suite_text(load_contract()), "stale: python -m quality.contract.suite"


def test_a_suite_that_is_kept_is_a_suite_again():
    import great_expectations as gx

    document = suite_document(load_contract())
    again = gx.ExpectationSuite(**document)
    observed = {c.clause: float(c.threshold) for c in load_contract().clauses}
    assert outcomes(validate(again, frame_of(observed))) == dict.fromkeys(observed, True)
    assert outcomes(validate(again, frame_of(observed | {"cited_share": 0.89})))["cited_share"] is False


def test_severity_and_mode_are_part_of_the_suite():
    found = {e["meta"].get("clause"): e for e in suite_document(load_contract())["expectations"]}
    assert (found["cited_share"]["severity"], found["cited_share"]["meta"]["mode"]) == ("critical", "block")
    assert (found["canonical_rate_p10"]["severity"], found["canonical_rate_p10"]["meta"]["mode"]) == (
        "warning",
        "record",
    )


def test_a_clause_that_is_off_is_in_no_suite():
    contract = load_contract()
    off = tuple(c.model_copy(update={"mode": Mode.OFF}) for c in contract.clauses[1:])
    document = suite_document(contract.model_copy(update={"clauses": (contract.clauses[0], *off)}))
    assert [e["meta"].get("clause") for e in document["expectations"]] == [None, "row_count"]


def test_what_is_kept_of_a_judgement_is_the_same_each_time_and_names_what_was_raised():
    clauses = [clause("here"), clause("gone"), clause("low", threshold=2)]
    first, second = (judge(clauses, {"here": 1.0, "low": 1.0}) for _ in range(2))
    assert first == second
    assert first.passed == {"here": True, "low": False}
    assert first.engine.startswith("great_expectations 1.")
    said = {r["expectation_config"]["meta"].get("clause"): r for r in first.document["results"]}
    assert said["low"]["result"]["partial_unexpected_list"] == [1.0]
    assert said["gone"]["exception_info"]["raised_exception"] is True
    assert "gone" in said["gone"]["exception_info"]["exception_message"]
    assert "Traceback" not in str(first.document)
    assert first.document["success"] is False
