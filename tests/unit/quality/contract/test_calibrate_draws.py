"""Drawn batches and their statistics: worked out by hand, against numpy, and by simulation with fixed seeds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.contract.calibrate_draws import MIN_BATCHES, Sample, row_statistic, series, simulate, trips
from quality.contract.model import Clause

NAN = float("nan")


def clause(**changes):
    fields = {
        "clause": "rate", "metric": "inbound_rate", "version": "v3", "stage": "rebuilt", "statistic": "p10",
        "operator": ">=", "threshold": 0.6, "evidence": "a test",
    }  # fmt: skip
    return Clause(**(fields | changes))


KEY = series(clause())


def sample(values, name="b"):
    return Sample(name, "2026-01-01", len(values), {KEY: np.array(values, dtype=float)})


@pytest.mark.parametrize(
    ("statistic", "value"),
    # five values: P10 at rank 0.4, so 0.1 + 0.4 * 0.1
    [("p10", 0.14), ("p50", 0.3), ("p90", 0.76), ("mean", 0.4), ("min", 0.1), ("max", 1.0), ("sum", 2.0)],
)
def test_statistics_by_hand_and_nan_is_left_out(statistic, value):
    rows = np.array([[0.3, NAN, 0.1, 1.0, 0.2, NAN, 0.4]])
    assert row_statistic(rows, statistic) == pytest.approx([value])


def test_a_row_without_values_has_no_statistic():
    assert np.isnan(row_statistic(np.array([[NAN, NAN], [0.5, NAN]]), "p10")).tolist() == [True, False]


def test_an_unknown_statistic_is_refused():
    with pytest.raises(ValueError, match="'p1x'"):
        row_statistic(np.zeros((1, 2)), "p1x")


@given(st.lists(st.lists(st.floats(0, 1) | st.just(NAN), min_size=4, max_size=4), min_size=1, max_size=5))
def test_percentiles_are_those_of_numpy(rows):
    values = np.array(rows)
    for q in (10, 50):
        found = row_statistic(values, f"p{q}")
        for row, mine in zip(values, found, strict=True):
            known = row[~np.isnan(row)]
            expected = np.quantile(known, q / 100) if len(known) else NAN
            assert mine == pytest.approx(expected, nan_ok=True)


def test_the_same_seed_draws_the_same_batches():
    samples = [sample(np.linspace(0, 1, 20))]
    first, second, other = (
        simulate([clause()], samples, 12, 50, np.random.default_rng(seed)) for seed in (4, 4, 5)
    )
    assert (first == second).all()
    assert (first != other).any()
    assert first.shape == (50, 1)


def test_a_drawn_batch_comes_from_one_measured_batch():
    samples = [sample([value] * 7, f"b{value}") for value in (0.1, 0.5, 0.9)]
    found = simulate([clause(statistic="mean")], samples, 9, 3000, np.random.default_rng(0))[:, 0]
    assert sorted(set(found.round(6))) == [0.1, 0.5, 0.9]
    assert (found.round(6) == 0.1).mean() == pytest.approx(1 / 3, abs=0.03)


def test_all_clauses_see_the_same_reports():
    samples = [sample(np.linspace(0, 1, 30))]
    found = simulate(
        [clause(statistic="min"), clause(statistic="max"), clause(statistic="p50")],
        samples, 10, 200, np.random.default_rng(1),
    )  # fmt: skip
    assert (found[:, 0] <= found[:, 2]).all()
    assert (found[:, 2] <= found[:, 1]).all()


def test_as_many_reports_are_broken_as_were_asked_for():
    good, bad = [sample([1.0] * 5)], [sample([0.0] * 3, "x")]
    for n_broken in (0, 3, 10):
        found = simulate(
            [clause(statistic="sum")], good, 10, 20, np.random.default_rng(2), broken=bad, n_broken=n_broken
        )
        assert set(found[:, 0]) == {10.0 - n_broken}


@pytest.mark.parametrize(("batches", "factor"), [(1, 2.0), (MIN_BATCHES, 1.0)])
def test_few_batches_are_taken_for_samples_themselves(batches, factor):
    """The mean of n reports varies by s²/n; where the measured batch may be off as well, by twice that."""
    values = np.random.default_rng(3).normal(0, 1, 400)
    samples = [sample(values, f"b{i}") for i in range(batches)]
    found = simulate([clause(statistic="mean")], samples, 400, 3000, np.random.default_rng(4))[:, 0]
    assert found.var() == pytest.approx(factor * values.var() / 400, rel=0.1)


def test_large_batches_are_drawn_in_parts(monkeypatch):
    import quality.contract.calibrate_draws as draws

    monkeypatch.setattr(draws, "_CELLS", 100)
    found = simulate([clause()], [sample(np.linspace(0, 1, 20))], 12, 50, np.random.default_rng(4))
    assert not np.isnan(found).any()
    assert len(np.unique(found)) > 10


@pytest.mark.parametrize(
    ("operator", "broken"),
    [
        (">=", [True, False, False]),
        (">", [True, True, False]),
        ("<=", [False, False, True]),
        ("<", [False, True, True]),
        ("==", [True, False, True]),
    ],
)
def test_which_values_break_a_clause(operator, broken):
    assert trips(clause(operator=operator), np.array([0.5, 0.6, 0.7]), 0.6).tolist() == broken


def test_unknown_breaks_every_clause():
    for operator in (">=", ">", "<=", "<", "=="):
        assert trips(clause(operator=operator), np.array([NAN]), 0.6).tolist() == [True]
