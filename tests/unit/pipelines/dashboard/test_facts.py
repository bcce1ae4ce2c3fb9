"""What is read from a publication, against rows whose answers are plain."""

from pipelines.dashboard.facts import Limits, gather
from pipelines.resources.reader import reader
from quality.gate.policy import GatePolicy
from tests.unit.pipelines.dashboard.conftest import ROWS, batch, fill


def test_batches_come_newest_first_with_their_counts(facts):
    shown = [
        (b["batch_id"], b["verdict"], b["n_held"], b["n_held_by_gate"], b["n_may"], b["n_in_kb"])
        for b in facts.batches
    ]
    assert shown == [("03", "unknown", 1, 0, 0, 0), ("02", "breach", 2, 1, 0, 0), ("01", "pass", 1, 1, 1, 0)]
    assert facts.newest is facts.batches[0]


def test_clause_that_was_off_is_a_row_without_verdict_or_value(facts):
    rows = {(c["batch_id"], c["clause"]): c for c in facts.clauses}
    assert len(rows) == 6
    off = rows["02", "canonical_rate_p10"]
    assert (off["verdict"], off["observed"], off["mode"]) == (None, None, "off")
    assert rows["02", "inbound_rate_p10"]["verdict"] == "breach"


def test_bars_count_measured_values_only_and_one_belongs_to_the_last(facts):
    bars = {(b["batch_id"], b["stage"]): {} for b in facts.bars}
    for b in facts.bars:
        bars[b["batch_id"], b["stage"]][b["bar"]] = b["n"]
    assert bars == {
        ("01", "shadow"): {10: 1},
        ("01", "rebuilt"): {19: 1, 5: 1},
        ("02", "shadow"): {1: 1, 0: 1},
        ("02", "rebuilt"): {10: 1, 2: 1},
        ("03", "rebuilt"): {19: 1},
    }


def test_spread_counts_what_lies_below_the_gate_and_what_has_no_value(facts):
    spread = {
        (s["batch_id"], s["stage"]): (s["n"], s["n_absent"], s["n_unknown"], s["n_below"])
        for s in facts.spread
    }
    assert spread["01", "rebuilt"] == (2, 0, 0, 1)
    assert spread["02", "rebuilt"] == (2, 0, 0, 1)  # 0.5 itself is not below 0.5
    assert spread["03", "shadow"] == (0, 1, 1, 0)


def test_decisions_name_reports_that_nobody_decided_about(facts):
    shown = [(d["batch_id"], d["report_id"], d["decision"]) for d in facts.decisions]
    assert shown[:2] == [("03", "lost", None), ("03", "a", "hold")]
    assert shown[2:] == [
        ("02", "evil", "hold"),
        ("02", "a", "hold"),
        ("01", "b", "hold"),
        ("01", "a", "ingest"),
    ]


def test_a_verdict_about_an_earlier_state_is_none(home):
    fill(home, {"batches": [batch("03", 3, batch_fingerprint="changed since")]})
    with reader(home) as connection:
        facts = gather(connection, GatePolicy(), published={})
    assert facts.newest["verdict"] is None
    assert not [c for c in facts.clauses if c["batch_id"] == "03"]


def test_large_homes_are_bounded_and_the_totals_are_kept(home):
    limits = Limits(batches=2, distributions=1, decisions=3)
    with reader(home) as connection:
        facts = gather(connection, GatePolicy(), published={}, limits=limits)
    assert [b["batch_id"] for b in facts.batches] == ["03", "02"]
    assert (facts.n_batches, facts.n_decisions) == (3, len(ROWS["reports"]))
    assert len(facts.decisions) == 3
    assert facts.distributed == ("03",)
    assert {c["batch_id"] for c in facts.clauses} == {"02", "03"}


def test_the_limit_of_the_gate_is_the_one_in_force(home):
    with reader(home) as connection:
        facts = gather(connection, GatePolicy(min_inbound_rate=0.96), published={})
    below = {s["batch_id"]: s["n_below"] for s in facts.spread if s["stage"] == "rebuilt"}
    assert below == {"01": 1, "02": 2, "03": 1}
