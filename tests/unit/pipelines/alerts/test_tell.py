"""From recorded results to a receiver: once for each change, again after a failure, never lost."""

import json
from datetime import UTC, datetime, timedelta

import duckdb
import polars as pl
import pytest

from pipelines.alerts import tell as told
from pipelines.alerts.outbox import MAX_ATTEMPTS, outbox
from pipelines.alerts.tell import Alerting, alerts_after, is_news, retry, tell
from pipelines.resources.warehouse import Warehouse
from quality.contract.load import load_contract

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
CONTRACT = load_contract()


class Clock:
    def __init__(self):
        self.now = START

    def __call__(self):
        self.now += timedelta(seconds=1)
        return self.now


class Home:
    """A warehouse that results are put into by hand, and whoever is told about them."""

    def __init__(self, path, monkeypatch, url):
        self.clock = Clock()
        self.store = Warehouse(path, clock=self.clock)
        self.alerting = Alerting("TEST_ALERT_URLS", "http://127.0.0.1:3000", self.clock)
        monkeypatch.setenv("TEST_ALERT_URLS", url)
        with outbox(path, self.clock()):
            pass

    def evaluate(self, batch, value, *, threshold=0.9, clear_at=None, needs=1, verdict=None, producer=None):
        """Record one blocking clause of a batch, and tell."""
        row = next(c for c in CONTRACT.clauses if c.clause == "inbound_rate_p10")
        clause = row.model_copy(update={"threshold": threshold, "clear_at": clear_at, "clear_needs": needs})
        contract = CONTRACT.model_copy(update={"clauses": (clause,)})
        judged = verdict or ("pass" if value >= threshold else "breach")
        with self.store.write("test") as tx:
            version = {"contract_version": contract.version, "content": contract.canonical()}
            version |= {"first_used_at": START}
            tx.replace(
                "contract_versions",
                pl.DataFrame([version]),
                where={"contract_version": contract.version},
            )
            known = {
                "batch_id": batch,
                "reports_path": "in",
                "status": "loaded",
                "n_reports": 12,
                "n_unreadable": 0,
            }
            known |= {"producer": producer, "contract_version": contract.version}
            tx.replace(
                "batches",
                pl.DataFrame([known], schema_overrides={"producer": pl.String}),
                where={"batch_id": batch},
            )
            result = {
                "batch_id": batch, "contract_version": contract.version, "batch_fingerprint": "f", "clause": clause.clause,
                "metric": clause.metric, "metric_version": clause.version, "stage": "rebuilt", "statistic": "p10",
                "operator": ">=", "threshold": threshold, "observed": None if judged == "unknown" else value, "n": 12,
                "n_absent": 0, "n_unknown": 0, "verdict": judged, "mode": "block", "severity": "error",
                "reason": f"P10 is {value}", "worst_reports": ["r1"], "evaluated_at": self.clock(),
            }  # fmt: skip
            tx.append_changed(
                "contract_results", pl.DataFrame([result], schema_overrides={"observed": pl.Float64})
            )
        tell(self.store, self.alerting)

    def states(self):
        return [(a.alert_id, a.state, a.attempts) for a in alerts_after(self.store, self.alerting)]

    def published(self, question):
        with duckdb.connect(str(self.store.home / "warehouse.duckdb"), read_only=True) as connection:
            return connection.execute(question).fetchall()


@pytest.fixture
def home(tmp_path, monkeypatch, receiver):
    return Home(tmp_path / "home", monkeypatch, receiver.url)


def test_series_around_the_threshold_is_two_messages(home, receiver):
    for i, value in enumerate([0.95, 0.899, 0.901, 0.898, 0.902, 0.897, 0.93, 0.94]):
        home.evaluate(f"b{i}", value, clear_at=0.92, needs=2)
    assert [m["type"] for m in receiver.messages] == ["failure", "success"]
    assert home.states() == [
        ("b1/breach/1", "sent", 1),
        ("b3/breach/1", "skipped", 0),
        ("b5/breach/1", "skipped", 0),
        ("b7/recovery/1", "sent", 1),
    ]
    assert "before: 0.95 in batch b0" in receiver.messages[0]["message"]
    assert "keeps out: b1, b3, b5" in receiver.messages[1]["message"]


def test_the_same_batch_again_is_not_told_again(home, receiver):
    for _ in range(3):
        home.evaluate("b9", 0.7)
        tell(home.store, home.alerting)
    assert len(receiver.messages) == 1
    assert home.published("SELECT alert_id, state, attempts FROM alerts") == [("b9/breach/1", "sent", 1)]
    states = "SELECT state FROM alert_states ORDER BY alert_state_id"
    assert home.published(states) == [("pending",), ("sent",)]


def test_a_batch_that_breaks_again_after_its_recovery_is_told_again(home, receiver):
    for value in (0.7, 0.95, 0.7):
        home.evaluate("b9", value)
    assert [m["type"] for m in receiver.messages] == ["failure", "success", "failure"]
    assert [i for i, *_ in home.states()] == ["b9/breach/1", "b9/recovery/1", "b9/breach/2"]


def test_producers_are_followed_apart(home, receiver):
    home.evaluate("a1", 0.7, producer="a")
    home.evaluate("b1", 0.7, producer="b")
    assert len(receiver.messages) == 2


def test_unknown_is_a_message_of_its_own(home, receiver):
    home.evaluate("b1", 0.0, verdict="unknown")
    assert [m["type"] for m in receiver.messages] == ["warning"]
    assert "could not be judged" in receiver.titles[0]


def test_failed_delivery_waits_and_is_made_up_for(home, receiver):
    receiver.status = 503
    home.evaluate("b1", 0.7)
    assert home.states() == [("b1/breach/1", "pending", 1)]
    ((reason,),) = home.published("SELECT reason FROM alerts")
    assert reason.startswith("json (number 1): it answered with HTTP 503; tried again from 2026-03-01 12:0")
    receiver.status = 200
    tell(home.store, home.alerting)  # too early
    assert receiver.messages == []
    assert not is_news(home.store, home.alerting)
    home.clock.now += timedelta(minutes=2)
    assert is_news(home.store, home.alerting)
    tell(home.store, home.alerting)
    assert len(receiver.messages) == 1
    assert home.states() == [("b1/breach/1", "sent", 2)]


def test_a_service_that_stays_down_is_tried_a_bounded_number_of_times_and_nothing_is_lost(home, receiver):
    receiver.status = 500
    home.evaluate("b1", 0.7)
    for _ in range(MAX_ATTEMPTS + 1):
        home.clock.now += timedelta(hours=7)
        tell(home.store, home.alerting)
    assert len(receiver.paths) == MAX_ATTEMPTS
    assert home.states() == [("b1/breach/1", "pending", MAX_ATTEMPTS)]
    receiver.status = 200
    (alert,) = retry(home.store, home.alerting)
    assert (alert.state, len(receiver.messages)) == ("sent", 1)


def test_one_service_down_does_not_make_the_other_hear_twice(home, receiver, mails, monkeypatch):
    monkeypatch.setenv("TEST_ALERT_URLS", f"{mails.url} {receiver.url}")
    receiver.status = 500
    home.evaluate("b1", 0.7)
    assert (len(mails.envelopes), len(receiver.messages)) == (1, 0)
    receiver.status = 200
    home.clock.now += timedelta(minutes=5)
    tell(home.store, home.alerting)
    assert (len(mails.envelopes), len(receiver.messages)) == (1, 1)


def test_nobody_configured_is_said_and_can_be_made_up_for(home, receiver, monkeypatch):
    monkeypatch.setenv("TEST_ALERT_URLS", "")
    home.evaluate("b1", 0.7)
    assert home.published("SELECT state, reason FROM alerts") == [
        ("skipped", "nobody configured: TEST_ALERT_URLS is empty")
    ]
    monkeypatch.setenv("TEST_ALERT_URLS", receiver.url)
    tell(home.store, home.alerting)
    assert receiver.messages == []
    assert [a.state for a in retry(home.store, home.alerting, "b1/breach/1")] == ["sent"]
    assert len(receiver.messages) == 1


def test_what_was_evaluated_before_the_outbox_was_made_is_not_told(home, receiver):
    with outbox(home.store.home, START) as box:
        box.remember("since", (START + timedelta(days=1)).isoformat())
    home.evaluate("b1", 0.7)
    assert receiver.messages == []
    assert home.states() == [("b1/breach/1", "skipped", 0)]


def test_killed_while_it_notes_or_sends_an_alert_is_still_told(home, receiver, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(told, "title_of", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            home.evaluate("b1", 0.7)
    assert home.states() == []
    with monkeypatch.context() as patched:
        patched.setattr(told, "send", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            tell(home.store, home.alerting)
    assert home.states() == [("b1/breach/1", "pending", 0)]
    home.clock.now += timedelta(minutes=5)  # until then the killed sender's claim holds
    tell(home.store, home.alerting)
    assert len(receiver.messages) == 1


@pytest.mark.parametrize("said", ["10.5555/x is unknown: {}", "doi 10.5555/x could not be looked up: {}"])
def test_fifty_reports_unknown_for_one_reason_are_one_message(home, receiver, said):
    home.evaluate("b1", 0.95)
    reason = {"rule": "identifiers", "mode": "block", "needed": "x", "passage": None, "line": None}
    reason["observed"] = said.format("crossref did not answer in time")
    rows = [
        {
            "batch_id": "b1", "report_id": f"r{i}", "input_fingerprint": "f", "contract_version": "c", "decision": "hold",
            "gate_outcome": "hold", "contract_verdict": "pass", "reasons": json.dumps([reason]), "would_hold": "[]",
            "not_checked": [], "decided_at": START,
        }
        for i in range(50)
    ]  # fmt: skip
    reports = [
        {"batch_id": "b1", "report_id": f"r{i}", "written_id": f"r{i}", "ordinal": i, "status": "read",
         "content_fingerprint": "c", "has_evidence": False, "flags": []}
        for i in range(50)
    ]  # fmt: skip
    with home.store.write("test") as tx:
        tx.execute("UPDATE batches SET n_reports = 50")
        tx.replace(
            "reports",
            pl.DataFrame(reports, schema_overrides={"flags": pl.List(pl.String)}),
            where={"batch_id": "b1"},
        )
        tx.append_changed(
            "ingestion_decisions", pl.DataFrame(rows, schema_overrides={"not_checked": pl.List(pl.String)})
        )
    tell(home.store, home.alerting)
    (message,) = receiver.messages
    assert "50 of 50 reports are held as unknown: crossref did not answer in time (50)" in message["message"]
    assert message["type"] == "warning"
    with home.store.write("test") as tx:
        cleared = [{**row, "decision": "ingest", "reasons": "[]", "gate_outcome": "ingest"} for row in rows]
        tx.append_changed(
            "ingestion_decisions", pl.DataFrame(cleared, schema_overrides={"not_checked": pl.List(pl.String)})
        )
    tell(home.store, home.alerting)
    assert [m["type"] for m in receiver.messages] == ["warning", "success"]


def test_no_secret_is_stored_or_published(home, receiver):
    receiver.status = 500
    home.evaluate("b1", 0.7)
    receiver.status = 200
    home.evaluate("b2", 0.95)
    files = [p for p in home.store.home.rglob("*") if p.is_file()]
    assert len(files) > 3
    assert [p.name for p in files if b"s3cr3t" in p.read_bytes()] == []
    assert (home.store.home / "private" / "alerts.sqlite").stat().st_mode & 0o077 == 0
