"""Alerts of real runs: told once, over HTTP and by mail, and printed where nobody is configured."""

import json

import pytest

from pipelines.cli.main import call
from tests.pipeline.corpus import broken, sound
from tests.receivers import Mails, Receiver

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture
def receiver():
    made = Receiver()
    yield made
    made.close()


@pytest.fixture
def mails():
    made = Mails()
    yield made
    made.controller.stop()


def test_breach_and_recovery_are_told_once_each_to_everybody(
    run, settings, receiver, mails, monkeypatch, capsys
):
    monkeypatch.setenv("SLUICEGATE_ALERT_URLS", f"{receiver.url} {mails.url}")
    outcome = run(broken())
    assert outcome.exit_code == 1
    assert [(a.kind, a.state) for a in outcome.alerts] == [("breach", "sent")]
    assert [m["type"] for m in receiver.messages] == ["failure"]
    text = receiver.messages[0]["message"]
    assert "inbound_rate v3 (rebuilt) P10 is 0, needs >= 0.60 (n 12)" in text
    assert "brief-00" in text
    assert "explain brief-00 --batch b" in text
    assert run(broken()).alerts == ()
    assert [a.kind for a in run(sound()).alerts] == ["recovery"]
    assert [m["type"] for m in receiver.messages] == ["failure", "success"]
    assert len(mails.envelopes) == 2
    capsys.readouterr()
    assert call(["alerts", "list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [(a["alert_id"], a["state"]) for a in listed] == [("b/breach/1", "sent"), ("b/recovery/1", "sent")]
    assert call(["sql", "--json", "SELECT state FROM alerts ORDER BY raised_at"]) == 0
    assert json.loads(capsys.readouterr().out) == [{"state": "sent"}, {"state": "sent"}]
    assert call(["alerts", "test"]) == 0
    assert receiver.titles[-1] == "Sluicegate: a test message"
    receiver.status = 500
    assert call(["alerts", "test"]) == 2
    out = capsys.readouterr().out
    assert "json (number 1)  did not take it: it answered with HTTP 500" in out
    assert "mailto (number 2)  took it" in out


def test_a_service_that_is_down_costs_the_run_nothing_and_the_next_run_makes_up_for_it(
    run, settings, receiver, monkeypatch, capsys
):
    monkeypatch.setenv("SLUICEGATE_ALERT_URLS", receiver.url)
    receiver.status = 503
    outcome = run(broken())
    assert (outcome.exit_code, outcome.faults) == (1, {})
    assert [(a.state, a.attempts) for a in outcome.alerts] == [("pending", 1)]
    assert call(["alerts", "retry"]) == 2
    receiver.status = 200
    assert call(["alerts", "retry"]) == 0
    assert len(receiver.messages) == 1
    assert "sent  b/breach/1: taken by json (number 1)" in capsys.readouterr().out


def test_where_nobody_is_configured_the_run_prints_the_text(run, settings, monkeypatch, capsys):
    from pipelines.cli.output import console
    from pipelines.cli.run import show

    monkeypatch.delenv("SLUICEGATE_ALERT_URLS", raising=False)
    outcome = run(broken())
    show(console(), outcome)
    out = capsys.readouterr().out
    assert "Alert      skipped: Sluicegate: batch b breaks its contract" in out
    assert "nobody configured: SLUICEGATE_ALERT_URLS is empty" in out
    assert "worst reports: brief-00" in out
    assert call(["alerts", "test"]) == 64
