"""Dagster's UI as people meet it: the graph, a failed check, a batch's numbers."""

import pytest

from tests.browser.conftest import opened

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
ORDER = ("corpus", "shadow_audit", "references", "contract", "gate", "knowledge_base")


def test_graph_stands_in_the_order_of_the_work(browser, server):
    with opened(browser, f"{server}/asset-groups", width=1440) as (page, seen):
        page.locator("svg foreignObject", has_text="knowledge_base").first.wait_for()
        at = [
            max(box["x"] for e in page.get_by_text(name, exact=True).all() if (box := e.bounding_box()))
            for name in ORDER
        ]
        assert at == sorted(at)
        assert len(set(at)) == len(ORDER)
        assert seen.errors == []
        assert seen.outside("127.0.0.1") == []


def test_failed_check_names_clause_numbers_and_worst_reports(browser, server):
    place = f"{server}/assets/ingestion_decisions?view=checks&checkDetail=inbound_rate_p10"
    with opened(browser, place, width=1440) as (page, seen):
        page.get_by_text("worst_reports").first.wait_for()
        said = page.inner_text("body")
        for text in (
            "This is a blocking asset check.",
            "inbound_rate v3 (rebuilt) P10 is 0, needs >= 0.60, over 12 reports",
            "Failed",
            "broken",
            "brief-00, brief-02, brief-04, brief-06, brief-08, brief-10",
        ):
            assert text in said
        lines = said.split("\n")
        shown = {name: lines[lines.index(name) + 1] for name in ("clause", "observed", "threshold", "n")}
        assert shown == {"clause": "inbound_rate_p10", "observed": "0", "threshold": "0.6", "n": "12"}
        assert seen.errors == []
        assert seen.outside("127.0.0.1") == []


def test_numbers_of_a_batch_stand_at_its_asset(browser, server):
    place = f"{server}/assets/batch_metrics?view=partitions&partition=broken"
    with opened(browser, place, width=1440) as (page, seen):
        page.get_by_text("rebuilt_inbound_rate_v3_p10", exact=True).first.wait_for()
        for name, value in (("rebuilt_inbound_rate_v3_p10", "0"), ("rebuilt_inbound_rate_v3_p50", "0.5")):
            row = page.locator("tr", has=page.get_by_text(name, exact=True)).first
            assert row.locator("td").nth(1).inner_text() == value
        assert seen.errors == []
        assert seen.outside("127.0.0.1") == []


def test_asset_says_which_question_it_answers(browser, server):
    with opened(browser, f"{server}/assets/ingestion_decisions?view=overview", width=1440) as (page, seen):
        page.get_by_text(
            "May each report enter the knowledge base, and if not, what has to be fixed?"
        ).wait_for()
        assert seen.errors == []
