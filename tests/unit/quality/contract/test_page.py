"""The result page: everything is on it, nothing is loaded, and no text of a report is obeyed."""

from quality.contract.page import ResultPage, render_page

ROW = {
    "clause": "rate", "verdict": "breach", "observed": 0.25, "operator": ">=", "threshold": 0.6, "n": 12, "n_window": 0,
    "n_absent": 1, "n_unknown": 2, "mode": "block", "reason": "it is 0.25", "note": None, "worst_reports": ["r1"],
}  # fmt: skip


def page(**changes):
    fields = {
        "batch_id": "b", "verdict": "breach", "contract_version": "ours-1", "approval": "approved by me",
        "evaluated_at": "2026-03-01", "results": [ROW],
    }  # fmt: skip
    return render_page(ResultPage(**(fields | changes)))


def test_it_says_what_was_asked_found_and_where():
    html = page(evidence={"rate": "forty reports"})
    for part in ("breach", "0.25", "&gt;= 0.6", "it is 0.25", "r1", "forty reports", "ours-1, approved by me",
                 "1 with nothing to measure", "2 unknown", "1 of 1 blocking clauses did not pass (rate)"):  # fmt: skip
        assert part in html


def test_markup_in_any_text_stays_text():
    evil = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'"
    row = {
        **ROW,
        "clause": evil,
        "reason": evil,
        "note": evil,
        "worst_reports": [evil],
        "operator": evil,
        "mode": evil,
    }
    member = {"member_batch_id": evil, "member_report_id": evil, "value": None, "validity": evil}
    html = page(
        batch_id=evil, contract_version=evil, approval=evil, evaluated_at=evil, results=[row], evidence={evil: evil},
        windows={evil: [member]}, engine=evil, validation={evil: evil}, verdict=evil,
    )  # fmt: skip
    assert "<script" not in html
    assert "<img" not in html
    assert "&lt;script&gt;" in html


def test_nothing_is_loaded_from_anywhere():
    html = page(validation={"success": False}, engine="great_expectations 1")
    assert "default-src 'none'" in html
    assert "http://" not in html
    assert "https://" not in html
    assert "src=" not in html


def test_a_pass_and_a_value_that_is_not_there():
    html = page(verdict="pass", results=[{**ROW, "verdict": "pass", "observed": None}])
    assert "All 1 blocking clauses passed" in html
    assert ">–<" in html


def test_members_of_a_window_are_listed_and_counted():
    members = [
        {"member_batch_id": "old", "member_report_id": f"r{i}", "value": 0.5, "validity": "measured"}
        for i in range(35)
    ]
    html = page(windows={"rate": members}, results=[{**ROW, "n_window": 35}])
    assert "35 reports" in html
    assert "r29" in html
    assert "r30" not in html
    assert "and 5 more" in html
