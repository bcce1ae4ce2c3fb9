"""The statements that compute rows: values worked out by hand, and their faulty twins."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sql.loader import statement

B1 = {"batch_id": "b1"}


def audited(store, *spans, **report):
    store.put("reports", report)
    if spans:
        rows = [{"ordinal": i, "start_offset": a, "end_offset": b} for i, (a, b) in enumerate(spans)]
        store.put("segments", *rows)
    store.run(statement("audited_share"), B1)
    (row,) = store.ask("FROM report_metrics WHERE metric = 'audited_share'")
    return row


@pytest.mark.parametrize(
    ("spans", "share"),
    [
        ([(0, 4), (4, 10)], 1.0),
        ([(0, 10)], 1.0),
        ([(0, 0), (0, 10), (10, 10)], 1.0),
        ([(0, 4), (5, 10)], 0.9),  # a gap
        ([(0, 6), (4, 10)], 0.8),  # an overlap that covers everything
        ([(0, 10), (0, 10)], 0.0),
        ([(0, 10), (2, 4), (2, 4)], 0.8),  # three deep
        ([(0, 5)], 0.5),  # a reader that saw a prefix only
        ([(5, 10), (0, 5)], 1.0),  # order does not matter
        ([(0, 12)], 0.8),  # two characters that do not exist
        ([(-1, 10)], 0.9),
        ([(0, 10), (8, 6)], 0.8),  # an end before its start
        ([(20, 30)], 0.0),
    ],
)
def test_audited_share_counts_characters_that_lie_in_exactly_one_segment(store, spans, share):
    row = audited(store, *spans)
    assert row["validity"] == "measured"
    assert row["value"] == pytest.approx(share)
    assert row["denominator"] == 10
    assert row["numerator"] == pytest.approx(share * 10)
    assert (row["detail"] is None) is (share == 1.0)
    assert (row["batch_id"], row["report_id"], row["stage"], row["metric_version"]) == (
        "b1",
        "r1",
        "shadow",
        "v1",
    )


OFFSETS = st.integers(-2, 12)


@given(st.lists(st.tuples(OFFSETS, OFFSETS), min_size=1, max_size=5))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
def test_audited_share_is_one_exactly_when_the_segments_tile(store, spans):
    for table in ("reports", "segments", "report_metrics"):
        store.run(f"DELETE FROM {table}")
    value = audited(store, *spans)["value"]
    depth = [sum(a <= i < b for a, b in spans) for i in range(10)]
    assert (value == 1.0) is (set(depth) == {1} and all(0 <= a <= b <= 10 for a, b in spans))
    assert 0 <= value <= depth.count(1) / 10
    if all(0 <= a <= b <= 10 for a, b in spans):
        assert value == depth.count(1) / 10


def test_audited_share_of_an_empty_original_is_absent(store):
    row = audited(store, body_chars=0)
    assert (row["validity"], row["value"]) == ("absent", None)


@pytest.mark.parametrize(
    ("report", "detail"),
    [
        ({"status": "unreadable", "body_chars": None}, "the report is unreadable"),
        ({}, "no segments were recorded"),
    ],
)
def test_audited_share_of_what_was_never_read_is_unknown(store, report, detail):
    row = audited(store, **report)
    assert (row["validity"], row["value"], row["detail"]) == ("unknown", None, detail)


def test_audited_share_looks_at_the_original_of_its_own_batch_only(store):
    store.put("reports", {"batch_id": "b2"})
    store.put("segments", {"batch_id": "b2", "start_offset": 0, "end_offset": 10})
    store.put("segments", {"stage": "rebuilt", "start_offset": 0, "end_offset": 10})
    row = audited(store, (0, 5))
    assert row["value"] == 0.5
    assert len(store.ask("FROM report_metrics")) == 1


def statistics(store):
    rows = store.ask(statement("batch_metrics"), B1)
    return {(r["stage"], r["metric"], r["metric_version"], r["statistic"]): r for r in rows}


def test_batch_metrics_interpolates_percentiles_over_measured_values(store):
    values = [0.1, 0.2, 0.4, 0.8, 1.0]
    ids = [f"r{i}" for i in range(7)]
    store.put("reports", *({"report_id": i} for i in ids))
    store.put(
        "report_metrics",
        *({"report_id": i, "value": v} for i, v in zip(ids, values, strict=False)),
        {"report_id": "r5", "validity": "absent"},
        {"report_id": "r6", "validity": "unknown"},
    )
    found = statistics(store)
    got = {key[3]: row["value"] for key, row in found.items()}
    # p10 lies 0.4 of the way from the first to the second value
    assert got == pytest.approx({"p10": 0.14, "p50": 0.4, "mean": 0.5, "min": 0.1, "max": 1.0, "sum": 2.5})
    assert {(r["n"], r["n_absent"], r["n_unknown"]) for r in found.values()} == {(5, 1, 1)}


def test_batch_metrics_keeps_stages_and_versions_apart(store):
    store.put("reports")
    store.put(
        "report_metrics",
        {"value": 0.25},
        {"value": 0.5, "metric_version": "v1"},
        {"value": 1.0, "stage": "rebuilt"},
    )
    found = statistics(store)
    assert len(found) == 18
    assert found["shadow", "inbound_rate", "v3", "p10"]["value"] == 0.25
    assert found["shadow", "inbound_rate", "v1", "p10"]["value"] == 0.5
    assert found["rebuilt", "inbound_rate", "v3", "p10"]["value"] == 1.0


def test_a_metric_that_is_absent_for_all_has_rows_without_value(store):
    store.put("reports", {}, {"report_id": "r2"})
    store.put("report_metrics", {"validity": "absent"}, {"report_id": "r2", "validity": "absent"})
    found = statistics(store)
    assert {k[3] for k in found} == {"p10", "p50", "mean", "min", "max", "sum"}
    assert {(r["value"], r["n"], r["n_absent"], r["n_unknown"]) for r in found.values()} == {(None, 0, 2, 0)}


def test_a_report_without_a_row_counts_as_unknown(store):
    store.put("reports", {}, {"report_id": "r2"}, {"report_id": "r3"})
    store.put("report_metrics", {"value": 1.0}, {"report_id": "r2", "validity": "absent"})
    assert {(r["n"], r["n_absent"], r["n_unknown"]) for r in statistics(store).values()} == {(1, 1, 1)}


def test_batch_metrics_of_a_batch_without_metrics_has_no_rows(store):
    store.put("reports")
    assert statistics(store) == {}
