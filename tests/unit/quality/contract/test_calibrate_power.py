"""Power: shares worked out by hand where chance plays no part, and by the binomial where it does."""

from math import comb

import pytest

from quality.contract.calibrate_power import power
from quality.model import Mode
from tests.unit.quality.contract.recipe import after, before
from tests.unit.quality.contract.test_calibrate_draws import clause, sample

GOOD, BAD = [sample([1.0] * 6)], [sample([0.0] * 6, "x")]


@pytest.mark.parametrize(
    ("statistic", "threshold", "share"),
    # of ten reports: the mean falls below 0.75 with three broken ones; the median below 0.6 with five (then 0.5);
    # P10 lies at rank 0.9, so one broken report leaves 0.9 and two leave 0; the minimum falls with the first
    [("mean", 0.75, 0.3), ("p50", 0.6, 0.5), ("p10", 0.6, 0.2), ("p10", 0.95, 0.1), ("min", 0.6, 0.1)],
)
def test_the_smallest_share_by_hand(statistic, threshold, share):
    found = power([(clause(statistic=statistic), threshold)], GOOD, BAD, 10, seed=1, repeats=50)
    assert found.smallest("rate") == pytest.approx(share)
    assert found.chances["rate"][0] == 0.0


def test_a_chance_is_that_of_the_binomial():
    """Half of the broken reports look healthy: the minimum of a batch with k broken ones falls with 1 - 0.5^k."""
    bad = [sample([0.0, 1.0] * 500, "x")]
    found = power([(clause(statistic="min"), 0.6)], GOOD, bad, 10, seed=2)
    assert found.chances["rate"] == pytest.approx([1 - 0.5**k for k in range(11)], abs=0.03)
    assert found.smallest("rate") == pytest.approx(0.4)  # 1 - 1/16 is the first beyond 0.9
    two = sum(comb(6, k) for k in range(2, 7)) / 2**6
    third = power([(clause(statistic="p10"), 0.6)], GOOD, bad, 10, seed=3).chances["rate"][6]
    assert third == pytest.approx(two, abs=0.03)  # P10 falls below 0.6 with two bad values of ten


def test_the_contract_trips_with_any_of_its_blocking_clauses():
    clauses = [
        (clause(clause="low", statistic="min"), 0.6),
        (clause(clause="mean", statistic="mean"), 0.75),
        (clause(clause="only_noted", statistic="min", mode=Mode.RECORD), 1.1),
    ]
    found = power(clauses, GOOD, BAD, 10, seed=1, repeats=50)
    assert (found.smallest("low"), found.smallest("mean"), found.smallest()) == (0.1, 0.3, 0.1)
    assert found.smallest("only_noted") == 0.0


def test_what_never_trips_has_no_share():
    assert power([(clause(), 0.6)], GOOD, GOOD, 10, seed=1, repeats=50).smallest("rate") is None


def test_large_batches_are_tried_at_twenty_shares():
    found = power([(clause(statistic="mean"), 0.75)], GOOD, BAD, 200, seed=1, repeats=20)
    assert found.shares == pytest.approx([i / 20 for i in range(21)])
    assert found.smallest("rate") == pytest.approx(0.3)


def test_larger_batches_notice_smaller_shares():
    found = [
        power([(clause(), 0.6)], [sample(after())], [sample(before(), "x")], size, seed=1).smallest("rate")
        for size in (10, 40, 148)
    ]
    assert None not in found
    assert found[0] > found[1] >= found[2]
