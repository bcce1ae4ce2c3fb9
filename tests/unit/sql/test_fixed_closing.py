"""fixed_closing in SQL: by list, by recurrence, and the states of reports that have no closing."""

import pytest

from sql.loader import statement

B1 = {"batch_id": "b1"}


def closings(store, rows, extra=0):
    """Reports with these (kind, key, frame), and ``extra`` ones that end in words of their own; id -> value."""
    made = [*rows, *((None, f"own {i}", None) for i in range(extra))]
    store.put("reports", *({"report_id": f"r{i}", "ordinal": i} for i in range(len(made))))
    store.put(
        "closings",
        *(
            {"report_id": f"r{i}", "kind": kind, "closing_key": key, "frame": frame}
            for i, (kind, key, frame) in enumerate(made)
        ),
    )
    store.run(statement("fixed_closing"), B1)
    found = store.ask("FROM report_metrics WHERE metric = 'fixed_closing'")
    assert {(r["stage"], r["metric_version"], r["validity"]) for r in found} == {("shadow", "v1", "measured")}
    return {r["report_id"]: r["value"] for r in found}


@pytest.mark.parametrize(
    ("rows", "extra", "stock"),
    [
        ([("offer", "a", None), (None, "b", None)], 0, {"r0"}),
        ([(None, "a", None)] * 3, 0, {"r0", "r1", "r2"}),
        ([(None, "a", None)] * 2, 0, set()),  # two are no habit
        ([(None, "a", "f"), (None, "b", "f"), (None, "c", "f")], 0, {"r0", "r1", "r2"}),
        ([(None, "a", None), (None, "b", None), (None, "c", None)], 0, set()),  # no frame is no likeness
        ([(None, "a", None)] * 3, 57, {"r0", "r1", "r2"}),  # 3 of 60 are 5 %
        ([(None, "a", None)] * 3, 58, set()),  # 3 of 61 are fewer
        ([(None, "a", None)] * 4, 58, {"r0", "r1", "r2", "r3"}),
        ([(None, "a", "f"), (None, "a", "f"), ("offer", "b", "f")], 0, {"r0", "r1", "r2"}),
    ],
)
def test_stock_is_what_is_listed_or_recurs(store, rows, extra, stock):
    values = closings(store, rows, extra)
    assert {i for i, value in values.items() if value == 1} == stock
    assert set(values.values()) <= {0.0, 1.0}
    assert len(values) == len(rows) + extra


def test_a_report_without_a_closing_is_absent_or_unknown(store):
    store.put(
        "reports",
        {"report_id": "prose"},
        {"report_id": "titles"},
        {"report_id": "never"},
        {"report_id": "bad", "status": "unreadable", "body_chars": None},
    )
    span = {"start_offset": 0, "end_offset": 10}
    store.put("segments", {"report_id": "prose", **span}, {"report_id": "titles", "kind": "heading", **span})
    store.put("closings", {"report_id": "prose", "kind": "sign_off"})
    store.run(statement("fixed_closing"), B1)
    found = {
        r["report_id"]: (r["validity"], r["value"], r["detail"]) for r in store.ask("FROM report_metrics")
    }
    assert found == {
        "prose": ("measured", 1.0, "sign_off"),
        "titles": ("absent", None, "the report has no prose"),
        "never": ("unknown", None, "the report was not audited"),
        "bad": ("unknown", None, "the report is unreadable"),
    }


def test_the_other_batch_does_not_count(store):
    store.put("reports", {"report_id": "r0"})
    store.put("closings", {"report_id": "r0", "closing_key": "a"})
    for batch in ("b2", "b3", "b4"):
        store.run(
            f"INSERT INTO closings SELECT * REPLACE ('{batch}' AS batch_id) FROM closings WHERE batch_id = 'b1'"
        )
    store.run(statement("fixed_closing"), B1)
    assert [r["value"] for r in store.ask("FROM report_metrics")] == [0.0]
