"""What a message says, and what it never says."""

import dataclasses

from hypothesis import given
from hypothesis import strategies as st

from quality.alerts.message import MAX_TEXT, MAX_TITLE, text_of, title_of
from quality.alerts.model import REPORTS_UNKNOWN, Change, Draft, Kind, Observation
from quality.model import Verdict

UI = "http://127.0.0.1:3000"


def observation(
    clause="inbound_rate_p10", *, observed=0.2, worst=("r7", "r3"), reason="", verdict=Verdict.BREACH
):
    subject = "inbound_rate v3 (rebuilt) P10"
    return Observation(clause, subject, "v3", verdict, observed, ">=", 0.6, 0.6, 1, 12, reason, worst)


def draft(kind, *changes, still=(), batch="monday"):
    return Draft(kind, batch, "desk", 12, changes, still)


def test_breach_says_number_threshold_before_n_worst_remedy_and_place():
    told = draft(Kind.BREACH, Change(observation(), previous=0.93, previous_batch="sunday"))
    assert title_of(told) == "Sluicegate: batch monday breaks its contract (inbound_rate_p10)"
    text = text_of(told, ui=UI)
    assert "inbound_rate v3 (rebuilt) P10 is 0.20, needs >= 0.60 (n 12)" in text
    assert "before: 0.93 in batch sunday" in text
    assert "worst reports: r7, r3" in text
    assert "sluicegate explain r7 --batch monday" in text
    assert f"{UI}/assets/ingestion_decisions?view=partitions&partition=monday" in text
    assert text.endswith("docs/runbook.md#breach")


def test_what_ends_an_alert_is_said_where_it_is_more_than_the_threshold():
    assert "over at" not in text_of(draft(Kind.BREACH, Change(observation())), ui=UI)
    strict = dataclasses.replace(observation(), recovery=0.7, clear_needs=2)
    text = text_of(draft(Kind.BREACH, Change(strict)), ui=UI)
    assert "over at: 0.70, 2 evaluations in succession" in text


def test_no_value_before_is_not_made_up():
    assert "before:" not in text_of(draft(Kind.BREACH, Change(observation())), ui=UI)


def test_outage_is_one_message_with_its_cause_and_a_count():
    worst = tuple(f"r{i}" for i in range(50))
    reason = "50 of 50 reports are held as unknown: crossref did not answer in time (50)"
    seen = observation(REPORTS_UNKNOWN, observed=None, worst=worst, reason=reason, verdict=Verdict.UNKNOWN)
    text = text_of(draft(Kind.UNKNOWN, Change(seen)), ui=UI)
    assert reason in text
    assert "r0, r1, r2, r3, r4, and 45 more" in text
    assert "No citation is called fake" in text


def test_recovery_says_what_is_over_and_what_is_still_kept_out():
    told = draft(Kind.RECOVERY, Change(observation(observed=0.95, verdict=Verdict.PASS), since="sunday"))
    text = text_of(told, ui=UI, kept=["sunday"])
    assert "told in batch sunday" in text
    assert "Their own verdict still keeps out: sunday." in text
    assert "worst reports" not in text


def test_ids_wake_nobody_and_stay_on_one_line():
    told = draft(Kind.BREACH, Change(observation(worst=("@everyone\n\x1b[31m",))), batch="a\nb @here")
    text = text_of(told, ui=UI)
    assert "@everyone" not in text
    assert "@here" not in text + title_of(told)
    assert "\x1b" not in text
    assert "\n" not in title_of(told)


@given(st.lists(st.text(max_size=300), max_size=40), st.integers(1, 30), st.text(min_size=1, max_size=200))
def test_bounds_hold_whatever_the_ids_are(worst, clauses, batch):
    changes = [
        Change(observation(f"clause_{i}", worst=tuple(worst), reason="x" * 900)) for i in range(clauses)
    ]
    for kind in Kind:
        told = draft(kind, *changes, batch=batch)
        assert len(title_of(told)) <= MAX_TITLE
        text = text_of(told, ui=UI)
        assert len(text) <= MAX_TEXT or len(batch) > 50
        assert text.splitlines()[-1].startswith("Runbook: ")
