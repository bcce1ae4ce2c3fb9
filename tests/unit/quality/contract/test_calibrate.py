"""Calibration: the rules by hand, the rate of false alarms by simulation, refusals with their reasons."""

import numpy as np
import pytest

from quality.contract.calibrate import Terms, calibrate, tail, worse
from quality.contract.calibrate_draws import Sample, row_statistic, series
from quality.contract.calibrate_proposal import proposed_contract
from quality.contract.load import load_contract, parse_contract
from quality.contract.model import Contract
from quality.contract.text import contract_text
from tests.unit.quality.contract.recipe import after, before
from tests.unit.quality.contract.test_calibrate_draws import KEY, clause, sample

DAY = "2026-03-01"


def terms(**changes):
    return Terms(**({"false_alarm": 0.01, "day": DAY, "repeats": 4000, "seed": 1} | changes))


def contract(*clauses):
    floor = load_contract().clauses[0]
    return Contract(format=1, name="t", clauses=(floor, *(clauses or (clause(),))))


def of(calibration, name="rate"):
    return next(p for p in calibration.proposals if p.clause.clause == name)


@pytest.mark.parametrize(
    ("rate", "low", "value"),
    # of 0.001 … 1.000: one in a hundred is ten values, so the eleventh, rounded outwards
    [(0.01, True, 0.01), (0.0, True, 0.0), (0.0155, True, 0.01), (0.01, False, 0.99), (0.0155, False, 0.99)],
)
def test_the_tail_by_hand(rate, low, value):
    ordered = np.arange(1, 1001) / 1000
    found = tail(ordered, rate, low=low)
    assert found == value
    beyond = ordered < found if low else ordered > found
    assert beyond.mean() <= rate + 1e-12


def test_a_tie_at_the_tail_is_no_false_alarm():
    assert tail(np.array([0.5] * 90 + [1.0] * 10), 0.01, low=True) == 0.5


def test_worse_is_a_probability_with_ties_counted_half():
    # pairs of healthy 1, 2 with broken 0, 1, 2: worse, worse; half, worse; better, half
    assert worse(clause(), np.array([1.0, 2.0]), np.array([0.0, 1.0, 2.0])) == pytest.approx(4 / 6)
    assert worse(clause(operator="<="), np.array([1.0, 2.0]), np.array([0.0, 1.0, 2.0])) == pytest.approx(
        2 / 6
    )
    assert worse(clause(), np.array([1.0]), np.array([1.0])) == 0.5


def test_the_rate_is_divided_by_the_clauses_that_have_a_limit():
    values = np.linspace(0.5, 1, 60)
    limits = [clause(clause=f"c{i}", statistic=s) for i, s in enumerate(("p10", "p50", "mean", "min"))]
    exact = clause(clause="exact", operator="==", threshold=1)
    off = clause(clause="off", mode="off")
    found = calibrate(contract(*limits, exact, off), [sample(values)], [], terms())
    assert found.per_clause == pytest.approx(0.01 / 4)
    assert [p.state for p in found.proposals] == ["kept", *["proposed"] * 4, "kept"]
    assert "exact value" in of(found, "exact").reason


@pytest.mark.parametrize(
    ("statistic", "batches", "most"), [("p10", 8, 0.01), ("mean", 8, 0.01), ("p10", 1, 0.03)]
)
def test_no_more_false_alarms_than_asked_for_on_average(statistic, batches, most):
    """Thresholds calibrated on samples of a known distribution, tried on fresh batches of it.

    One batch of 60 reports can be off by itself: half of the thresholds keep the rate by far, and some do not.
    """
    rng = np.random.default_rng(11)
    rates = []
    for seed in range(12):
        healthy = [sample(rng.beta(9, 1.3, 60), f"b{i}") for i in range(batches)]
        found = of(calibrate(contract(clause(statistic=statistic)), healthy, [], terms(seed=seed, size=60)))
        assert found.state == "proposed"
        fresh = row_statistic(rng.beta(9, 1.3, (2000, 60)), statistic)
        rates.append((fresh < found.threshold).mean())
    assert np.mean(rates) <= most
    assert np.median(rates) <= 0.01


def test_the_proposal_on_the_recipes_distributions():
    """Two samples of 148 reports with the quantiles of the practice: its 0.60 was chosen by hand."""
    good, bad = after(), before()
    assert row_statistic(good[None], "p10") == pytest.approx([0.857], abs=1e-9)
    assert row_statistic(good[None], "p50") == pytest.approx([1.0])
    assert row_statistic(bad[None], "p10") == pytest.approx([0.176], abs=1e-9)
    assert row_statistic(bad[None], "p50") == pytest.approx([0.45], abs=1e-9)
    found = calibrate(contract(), [sample(good, "after")], [sample(bad, "before")], terms(repeats=20_000))
    p10 = of(found)
    assert 0.60 <= p10.threshold <= 0.66
    assert p10.detection == 1.0
    assert {w.role for w in p10.what_if} == {"", "in force", "proposed"}
    at_hand = next(w for w in p10.what_if if w.role == "in force")
    assert (at_hand.threshold, at_hand.broken_batches) == (0.6, 1.0)
    assert at_hand.healthy_batches < 0.004
    assert found.within_only
    assert "Within-batch only" in p10.evidence
    assert "1 batch (after; made 2026-01-01; 148 of 148 reports measured)" in p10.evidence


def test_five_batches_are_more_than_within_batch():
    healthy = [sample(np.linspace(0.5, 1, 40), f"b{i}") for i in range(5)]
    found = calibrate(contract(), healthy, [], terms())
    assert not found.within_only
    assert "Within-batch" not in of(found).evidence
    assert "5 batches (b0, b1, b2, b3, b4;" in of(found).evidence
    assert "No broken batch was measured" in of(found).evidence


def test_the_same_seed_gives_the_same_proposal():
    first, second = (calibrate(contract(), [sample(after())], [sample(before(), "x")], terms()) for _ in "ab")
    assert of(first).threshold == of(second).threshold
    assert of(first).evidence == of(second).evidence


def test_distributions_that_overlap_are_refused_with_the_reason():
    rng = np.random.default_rng(5)
    good, bad = rng.beta(6, 2, 40), rng.beta(6, 2.3, 40)
    found = calibrate(contract(), [sample(good)], [sample(bad, "x")], terms())
    p = of(found)
    assert (p.state, p.threshold) == ("refused", 0.6)
    assert "the distributions overlap" in p.reason
    assert "90% is the least" in p.reason
    assert not found.changes
    assert not found.tells_apart


def test_a_healthy_batch_given_as_broken_is_refused():
    found = calibrate(contract(), [sample(after())], [sample(after(), "x")], terms())
    assert of(found).state == "refused"
    assert not found.tells_apart


def two_series(rates, cited, name):
    values = {KEY: np.array(rates, dtype=float), series(CITED): np.array(cited, dtype=float)}
    return Sample(name, "2026-01-01", len(rates), values)


CITED = clause(clause="cited", metric="cited", version="v1", statistic="mean", threshold=0.9)


def test_a_fault_that_shows_in_one_clause_leaves_the_others_to_the_healthy_batches():
    cited = [1.0] * 36 + [0.0] * 4
    healthy = [two_series(np.linspace(0.8, 1, 40), cited, f"b{i}") for i in range(5)]
    broken = [two_series(np.linspace(0.1, 0.5, 40), cited, "x")]
    found = calibrate(contract(clause(), CITED), healthy, broken, terms())
    assert (of(found).state, of(found, "cited").state) == ("proposed", "proposed")
    assert of(found, "cited").threshold < 0.9
    assert "does not show in it" in of(found, "cited").evidence
    assert found.contract_rate <= 0.01
    assert found.contract_detection == 1.0


def test_no_spread_is_no_limit():
    found = calibrate(contract(), [sample([1.0] * 40)], [], terms())
    assert (of(found).state, of(found).threshold) == ("kept", 0.6)
    assert "no spread" in of(found).reason


def test_too_few_reports_and_other_versions_say_nothing():
    few = calibrate(contract(), [sample([0.9] * 5 + [float("nan")] * 9)], [], terms())
    assert "only 5 healthy reports were measured, 10 are needed" in of(few).reason
    other = calibrate(contract(clause(version="v2")), [sample(after())], [], terms())
    assert "no report of batch 'b' has a measured inbound_rate v2 (rebuilt)" in of(other).reason
    assert of(other).state == "kept"


def test_high_values_may_be_what_breaks_a_clause():
    rng = np.random.default_rng(6)
    limit = clause(operator="<=", threshold=0.5, statistic="mean")
    found = calibrate(
        contract(limit), [sample(rng.beta(2, 9, 50))], [sample(rng.beta(9, 2, 50), "x")], terms()
    )
    p = of(found)
    assert p.state == "proposed"
    assert 0.15 < p.threshold < 0.4
    assert p.clear_at <= p.threshold


def test_what_if_by_hand():
    good, bad = [0.5] * 10 + [1.0] * 10, [0.25] * 20
    found = calibrate(contract(clause(statistic="min")), [sample(good)], [sample(bad, "x")], terms())
    rows = {w.threshold: w for w in of(found).what_if}
    assert rows[0.6].healthy_reports == 0.5
    assert rows[0.6].broken_reports == 1.0
    assert rows[0.6].broken_batches == 1.0
    assert rows[0.6].healthy_batches > 0.99


def test_the_proposed_contract_is_a_contract_and_carries_its_evidence():
    base = load_contract()
    key = ("inbound_rate", "v3", "rebuilt")
    good, bad = (
        Sample(n, "2026-01-01", 148, {key: v}) for n, v in (("after", after()), ("before", before()))
    )
    found = calibrate(base, [good], [bad], terms())
    made = proposed_contract(base, found)
    again = parse_contract(contract_text(made, ("A remark of several words.",)).encode(), "proposal")
    assert again == made
    assert (again.name, again.approved_by, again.approved_on) == ("calibrated", None, None)
    changed = next(c for c in again.clauses if c.clause == "inbound_rate_p10")
    assert changed.threshold == of(found, "inbound_rate_p10").threshold
    assert changed.recovery >= changed.threshold
    assert changed.evidence == of(found, "inbound_rate_p10").evidence
    kept = [c for c in again.clauses if c.clause == "dirty_entries_p50"]
    assert kept == [c for c in base.clauses if c.clause == "dirty_entries_p50"]
