"""The trailing window: who is in it, in which order, and what comes out; values worked out by hand."""

from datetime import timedelta

import pytest

from assets.contract_window import windows_of
from quality.contract.evaluate import evaluate_batch
from quality.contract.model import Clause, Contract, Statistic
from tests.unit.sql.conftest import NOW

KEY = ("inbound_rate", "v3", "rebuilt", "p10")
ROW = {"stage": "rebuilt"}


def clause(**changes):
    fields = {
        "clause": "rate", "metric": "inbound_rate", "version": "v3", "stage": "rebuilt", "statistic": "p10",
        "operator": ">=", "threshold": 0.6, "evidence": "a test",
    }  # fmt: skip
    return Clause(**(fields | changes))


def contract(*clauses):
    return Contract(format=1, name="t", clauses=clauses or (clause(),))


def batch(store, name, values, *, days=0.0, producer="p", version="v3", texts=None):
    """A batch made ``days`` before NOW; a value is a number, or "absent", "unknown" or None (no row at all)."""
    created = NOW - timedelta(days=days)
    store.put("batches", {"batch_id": name, "producer": producer, "created_at": created})
    for i, value in enumerate(values):
        text = texts[i] if texts else f"{name}/{i}"
        store.put(
            "reports",
            {"batch_id": name, "report_id": f"r{i}", "ordinal": i, "content_fingerprint": text},
        )
        if value is not None:
            row = {"value": value} if isinstance(value, float) else {"value": None, "validity": value}
            store.put(
                "report_metrics",
                {"batch_id": name, "report_id": f"r{i}", "metric_version": version, **ROW, **row},
            )


def window(store, n, name="now", *, n_absent=0, n_unknown=0, of=None):
    own = {KEY: Statistic(None, n, n_absent, n_unknown)}
    return windows_of(store.tx, name, of or contract(), own)


def members(found):
    return [(b, r) for b, r in found.members.select("member_batch_id", "member_report_id").iter_rows()]


def test_the_latest_reports_come_first_and_no_more_than_are_needed(store):
    batch(store, "old", [0.1] * 5, days=9)
    batch(store, "newer", [0.8, 0.9], days=2)
    batch(store, "now", [1.0] * 6)
    found = window(store, 6)
    assert members(found) == [("newer", "r1"), ("newer", "r0"), ("old", "r4"), ("old", "r3")]
    # own 1.0 six times, and 0.1, 0.1, 0.8, 0.9: P10 of ten lies at rank 0.9 between 0.1 and 0.1
    assert found.statistics["rate"].value == pytest.approx(0.1)
    assert found.statistics["rate"].n == 10
    assert found.statistics["rate"].n_window == 4


def test_the_statistic_is_over_own_and_earlier_reports_alike(store):
    batch(store, "old", [0.2, 0.4, 0.6, 0.8], days=1)
    batch(store, "now", [1.0] * 6)
    own = {("inbound_rate", "v3", "rebuilt", s): Statistic(1.0, 6) for s in ("p10", "p50", "mean", "min")}
    clauses = [clause(clause=s, statistic=s) for s in ("p10", "p50", "mean", "min")]
    found = windows_of(store.tx, "now", contract(*clauses), own).statistics
    # sorted: 0.2 0.4 0.6 0.8 and six 1.0; P10 lies at rank 0.9, so 0.2 + 0.9 * 0.2
    values = {name: s.value for name, s in found.items()}
    assert values == pytest.approx({"p10": 0.38, "p50": 1.0, "mean": 0.8, "min": 0.2})


@pytest.mark.parametrize(
    ("days", "inside"), [(29.9, True), (30, True), (30.1, False), (-0.1, False)], ids=str
)
def test_thirty_days_back_and_nothing_later(store, days, inside):
    batch(store, "other", [0.5] * 5, days=days)
    batch(store, "now", [1.0] * 6)
    assert bool(members(window(store, 6))) is inside


def test_of_two_batches_of_one_instant_only_one_looks_at_the_other(store):
    batch(store, "a", [1.0] * 6)
    batch(store, "b", [1.0] * 6)
    assert members(window(store, 6, "a")) == []
    assert {b for b, _ in members(window(store, 6, "b"))} == {"a"}


def test_reports_of_that_producer_or_of_all_where_none_is_named(store):
    batch(store, "theirs", [0.5] * 5, days=1, producer="q")
    batch(store, "nobodys", [0.5] * 5, days=2, producer=None)
    batch(store, "now", [1.0] * 6)
    assert members(window(store, 6)) == []
    batch(store, "anybody", [1.0] * 6, days=-0.5, producer=None)
    assert {b for b, _ in members(window(store, 6, "anybody"))} == {"now"}
    batch(store, "few", [1.0] * 2, days=-1, producer=None)
    assert {b for b, _ in members(window(store, 2, "few"))} == {"anybody", "now"}


def test_versions_of_a_metric_are_never_mixed(store):
    batch(store, "old", [0.5] * 9, days=1, version="v2")
    batch(store, "now", [1.0] * 6)
    assert members(window(store, 6)) == []


def test_held_reports_are_in_it_as_well(store):
    batch(store, "old", [0.5] * 5, days=1)
    store.put(
        "ingestion_decisions", {"batch_id": "old", "report_id": "r4", "decision": "hold", "reasons": "[{}]"}
    )
    batch(store, "now", [1.0] * 6)
    assert ("old", "r4") in members(window(store, 6))


def test_the_same_text_counts_once(store):
    batch(store, "older", [0.1, 0.2], days=2, texts=["x", "z"])
    batch(store, "old", [0.3, 0.4], days=1, texts=["x", "y"])
    batch(store, "now", [1.0, 1.0], texts=["y", "w"])
    assert members(window(store, 2)) == [("old", "r0"), ("older", "r1")]


def test_unknown_and_absent_reports_are_counted_and_make_up_for_nothing(store):
    batch(store, "old", [0.9, "absent", "unknown", None, 0.8, 0.7, 0.6], days=1)
    batch(store, "now", [1.0] * 6)
    found = window(store, 6, n_absent=1)
    assert members(found) == [("old", f"r{i}") for i in (6, 5, 4, 3, 2, 1, 0)]
    assert found.statistics["rate"].n == 10
    assert (found.statistics["rate"].n_absent, found.statistics["rate"].n_unknown) == (2, 2)
    (result,) = evaluate_batch(contract(), {}, lambda *_: {"rate": True}, found.statistics).results
    assert result.verdict == "unknown"
    assert "2 of 12 reports are unknown" in result.reason


def test_a_window_that_is_still_too_small_is_unknown_and_says_so(store):
    batch(store, "old", [0.9, 0.8], days=1)
    batch(store, "now", [1.0] * 6)
    found = window(store, 6)
    (result,) = evaluate_batch(contract(), {}, lambda *_: {"rate": True}, found.statistics).results
    assert (result.verdict, result.n, result.n_window) == ("unknown", 8, 2)
    assert result.reason.endswith("8 reports measured, 2 of them of earlier batches, needs 10")


def test_a_window_that_is_large_enough_is_judged_and_says_so(store):
    batch(store, "old", [0.9] * 4, days=1)
    batch(store, "now", [1.0] * 6)
    (result,) = evaluate_batch(contract(), {}, lambda *_: {"rate": True}, window(store, 6).statistics).results
    assert result.verdict == "pass"
    assert result.reason == (
        "inbound_rate v3 (rebuilt) P10 is 0.90, needs >= 0.60, over 10 reports, 4 of them of earlier batches"
    )


@pytest.mark.parametrize(("n", "off"), [(0, False), (10, False), (6, True)])
def test_no_window_where_there_is_nothing_to_judge_or_no_need(store, n, off):
    batch(store, "old", [0.9] * 9, days=1)
    batch(store, "now", [1.0] * 6)
    of = contract(clause(mode="off" if off else "block"))
    assert window(store, n, of=of).statistics == {}
