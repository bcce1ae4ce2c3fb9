"""When an alert fires, stays and ends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.alerts.changes import evaluate_batch
from quality.alerts.model import BatchView, Kind, Observation
from quality.model import Verdict


def seen(
    value, *, clause="inbound_rate_p10", threshold=0.9, recovery=0.92, needs=2, version="v3", verdict=None
):
    passed = value is not None and value >= threshold
    judged = verdict or (Verdict.PASS if passed else Verdict.BREACH if value is not None else Verdict.UNKNOWN)
    return Observation(
        clause, "inbound_rate v3 (rebuilt) P10", version, judged, value, ">=", threshold, recovery, needs, 12, "a sentence"
    )  # fmt: skip


def follow(series, **options):
    """Feed one batch for each value; gives the drafts by position."""
    states, told = {}, []
    for i, value in enumerate(series):
        observation = value if isinstance(value, Observation) else seen(value, **options)
        states, drafts = evaluate_batch(states, BatchView(f"b{i}", None, 12, (observation,)))
        told.append(drafts)
    return told


def loud(told):
    return [(i, d.kind.value) for i, drafts in enumerate(told) for d in drafts if not d.quiet]


def test_value_that_sways_around_its_threshold_alerts_once():
    series = [0.95, 0.899, 0.901, 0.898, 0.902, 0.897, 0.93, 0.94]
    told = follow(series)
    assert loud(told) == [(1, "breach"), (7, "recovery")]
    assert [i for i, drafts in enumerate(told) for d in drafts if d.quiet] == [3, 5]
    (recovery,) = told[7]
    assert recovery.changes[0].since == "b1"
    assert recovery.changes[0].kept == ("b1", "b3", "b5")


def test_without_hysteresis_each_crossing_is_told():
    series = [0.95, 0.899, 0.901, 0.898]
    assert loud(follow(series, recovery=0.9, needs=1)) == [(1, "breach"), (2, "recovery"), (3, "breach")]


@pytest.mark.parametrize(
    ("series", "expected"),
    [
        ([0.93, 0.94], []),  # never broken: nothing to recover from
        ([0.8, 0.93, 0.901, 0.94], [(0, "breach")]),  # not in succession
        ([0.8, 0.93, None, 0.94], [(0, "breach"), (2, "unknown")]),  # unknown is not a pass
        ([0.8, 0.93, None, 0.94, 0.95], [(0, "breach"), (2, "unknown"), (4, "recovery")]),
        ([None, None, 0.95, 0.95], [(0, "unknown"), (3, "recovery")]),
        ([None, 0.91, 0.91], [(0, "unknown"), (2, "recovery")]),  # it was never broken: a pass is enough
        ([None, 0.8], [(0, "unknown"), (1, "breach")]),
        ([0.8, 0.8], [(0, "breach")]),
    ],
)
def test_breach_unknown_and_recovery_are_messages_of_their_own(series, expected):
    assert loud(follow(series)) == expected


def test_an_older_batch_that_passes_again_ends_nothing():
    states, told = {}, []
    for batch, order, value in (("old", 1, 0.95), ("new", 2, 0.5), ("old", 1, 0.96), ("new", 2, 0.95)):
        one = seen(value, needs=1)
        states, drafts = evaluate_batch(states, BatchView(batch, None, 12, (one,), order))
        told.append([d.kind.value for d in drafts])
    assert told == [[], ["breach"], [], ["recovery"]]


def test_upper_bounds_recover_downwards():
    def dirty(value):
        verdict = Verdict.PASS if value <= 3 else Verdict.BREACH
        return Observation("dirt", "dirt", "v1", verdict, value, "<=", 3, 1, 1, 12, "a sentence")

    assert loud(follow([dirty(5), dirty(2), dirty(1)])) == [(0, "breach"), (2, "recovery")]


def test_previous_value_is_of_the_same_version_only():
    told = follow([seen(0.95, version="v2"), seen(0.7, version="v3")])
    assert told[1][0].changes[0].previous is None
    told = follow([seen(0.95), seen(0.7)])
    change = told[1][0].changes[0]
    assert (change.previous, change.previous_batch) == (0.95, "b0")


def test_clauses_of_one_evaluation_are_one_message_of_each_kind():
    one = (seen(0.5, clause="a"), seen(0.5, clause="b"), seen(None, clause="c"), seen(0.95, clause="d"))
    states, drafts = evaluate_batch({}, BatchView("b0", None, 12, one))
    assert [(d.kind, d.clauses) for d in drafts] == [(Kind.BREACH, ("a", "b")), (Kind.UNKNOWN, ("c",))]
    two = (seen(0.5, clause="a"), seen(0.95, clause="b"), seen(0.5, clause="d"))
    _, drafts = evaluate_batch(states, BatchView("b1", None, 12, two))
    assert [(d.kind, d.clauses, len(d.still)) for d in drafts] == [(Kind.BREACH, ("d",), 1)]


@given(st.lists(st.one_of(st.none(), st.floats(0, 1)), max_size=30), st.integers(1, 3))
def test_messages_alternate_and_never_repeat_a_standing_state(series, needs):
    standing = set()
    for _, kind in loud(follow(series, needs=needs)):
        if kind == "recovery":
            assert standing
            standing.clear()
        elif kind == "breach":
            assert "breach" not in standing
            standing.add("breach")
        else:
            assert "unknown" not in standing
            standing.add("unknown")
