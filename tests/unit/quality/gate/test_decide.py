"""The gate: every rule with its faulty twin, every reason with its remedy."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.errors import ConfigError
from quality.gate.decide import GateInput, decide
from quality.gate.passages import Passage
from quality.gate.policy import GatePolicy, Rule, parse_modes
from quality.model import Measurement, Mode, Outcome, UnreadableReport, Validity


def measured(metric, value, version="v1", numerator=None, denominator=None):
    return Measurement(metric, version, value, Validity.MEASURED, numerator, denominator)


def state(metric, validity, version="v1", detail="the reason"):
    return Measurement(metric, version, None, validity, detail=detail)


def numbers(inbound=1.0, cited=1.0, dirty=0.0):
    return (
        measured("inbound_rate", inbound, "v3"),
        measured("cited", cited),
        measured("dirty_entries", dirty),
    )


def hold(**fields):
    result = decide(GateInput(**fields))
    assert result.outcome is Outcome.HOLD
    return result.reasons


def test_a_sound_report_may_be_ingested():
    result = decide(GateInput(numbers()))
    assert (result.outcome, result.reasons, result.would_hold) == (Outcome.INGEST, (), ())
    assert result.off == ("identifiers", "method claims")


@pytest.mark.parametrize(
    ("given", "rules"),
    [
        (numbers(inbound=0.5), []),
        (numbers(inbound=0.4999), ["inbound_rate"]),
        (numbers(inbound=0.0), ["inbound_rate"]),
        (numbers(cited=0.0), ["cited"]),
        (numbers(dirty=2.0), []),
        (numbers(dirty=3.0), ["dirty_entries"]),
        (numbers(inbound=0.1, cited=0.0, dirty=9.0), ["inbound_rate", "cited", "dirty_entries"]),
    ],
)
def test_the_limits(given, rules):
    result = decide(GateInput(given))
    assert [r.rule for r in result.reasons] == rules
    assert result.outcome is (Outcome.HOLD if rules else Outcome.INGEST)


def test_the_rate_after_the_rebuild_in_version_three_is_asked():
    given = (*numbers(), measured("inbound_rate", 0.0, "v1"), measured("inbound_rate", 0.0, "v2"))
    assert decide(GateInput(given)).outcome is Outcome.INGEST


def test_a_low_rate_names_every_dangling_citation():
    given = (
        measured("inbound_rate", 5 / 16, "v3", 5, 16),
        measured("cited", 1.0),
        measured("dirty_entries", 0.0),
    )
    dangling = (
        Passage("[7]", 12, "cited once, no entry"),
        Passage("《潮汐》", 40, "cited 3 times, no entry"),
    )
    first, second = hold(measurements=given, dangling=dangling)
    assert first.observed == "inbound_rate v3 is 0.31 (5 of 16 citations); [7]: cited once, no entry"
    # (5 + 3) of 16 is 0.50
    assert first.needed == (
        "at least 0.50, that is entries for 3 more citations: add an entry for [7], or remove the citation"
    )
    assert (first.rule, first.mode, first.passage, first.line) == ("inbound_rate", Mode.BLOCK, "[7]", 12)
    assert (second.passage, second.line) == ("《潮汐》", 40)


def test_a_long_list_of_faults_names_ten_and_counts_the_rest():
    given = (
        measured("inbound_rate", 0.0, "v3", 0, 40),
        measured("cited", 1.0),
        measured("dirty_entries", 12.0),
    )
    dangling = tuple(Passage(f"[{i}]", i, "cited once, no entry") for i in range(1, 41))
    dirty = tuple(Passage(f"| {i}", i, "pipe_residue") for i in range(1, 13))
    reasons = hold(measurements=given, dangling=dangling, dirty=dirty)
    inbound = [r for r in reasons if r.rule == "inbound_rate"]
    assert [r.passage for r in inbound] == [f"[{i}]" for i in range(1, 12)]
    assert inbound[-1].observed == (
        "inbound_rate v3 is 0 (0 of 40 citations); 30 more citations ([11] to [40]) without an entry"
    )
    assert inbound[-1].needed == (
        "at least 0.50, that is entries for 20 more citations: add entries for them, or remove the citations"
    )
    entries = [r for r in reasons if r.rule == "dirty_entries"]
    assert [r.line for r in entries] == list(range(1, 12))
    assert entries[-1].observed == "12 dirty entries; 2 more of them"


def test_a_report_that_cites_nothing_is_told_so():
    given = (*numbers(cited=0.0), measured("citation_count", 0.0))
    assert [r.observed for r in hold(measurements=given)] == ["the report cites nothing"]


def test_a_rate_just_below_the_limit_is_not_written_as_the_limit():
    (reason,) = hold(measurements=numbers(inbound=0.4999))
    assert reason.observed == "inbound_rate v3 is 0.4999"


def test_too_many_dirty_entries_are_all_named():
    dirty = tuple(Passage(f"[{i}] a | b | c", 50 + i, "pipe_residue") for i in range(3))
    reasons = hold(measurements=numbers(dirty=3.0), dirty=dirty)
    assert [(r.passage, r.line) for r in reasons] == [
        ("[0] a | b | c", 50),
        ("[1] a | b | c", 51),
        ("[2] a | b | c", 52),
    ]
    assert reasons[0].observed == "3 dirty entries; this one: pipe_residue"
    assert (
        reasons[0].needed == "at most 2: write the entry's title without the residue, or name a real source"
    )


def test_dirty_entries_within_the_limit_give_no_reason():
    assert (
        decide(GateInput(numbers(dirty=2.0), dirty=(Passage("[1] a | b | c", 5, "pipe_residue"),))).reasons
        == ()
    )


def test_a_report_without_citations_is_held_by_cited():
    given = (
        state("inbound_rate", Validity.ABSENT, "v3", "the report has no citations"),
        measured("cited", 0.0),
        state("dirty_entries", Validity.ABSENT),
    )
    (reason,) = hold(measurements=given)
    assert (reason.rule, reason.observed) == ("cited", "no citation has an entry")
    assert reason.needed == "cite at least one source in the body that the table lists"


@pytest.mark.parametrize("mode", [Mode.RECORD, Mode.OFF])
def test_without_cited_an_absent_rate_still_does_not_pass(mode):
    given = (
        state("inbound_rate", Validity.ABSENT, "v3", "the report has no citations"),
        measured("cited", 0.0),
        measured("dirty_entries", 0.0),
    )
    (reason,) = hold(measurements=given, policy=GatePolicy({Rule.CITED: mode}))
    assert (reason.rule, reason.observed) == (
        "inbound_rate",
        "inbound_rate is absent: the report has no citations",
    )


@pytest.mark.parametrize(
    ("metric", "version"), [("inbound_rate", "v3"), ("cited", "v1"), ("dirty_entries", "v1")]
)
def test_unknown_is_not_a_pass(metric, version):
    given = [m for m in numbers() if m.metric != metric]
    (reason,) = hold(
        measurements=[*given, state(metric, Validity.UNKNOWN, version, "fault in the audit: KeyError")]
    )
    assert (reason.rule, reason.observed) == (
        metric,
        f"{metric} {version} is unknown: fault in the audit: KeyError",
    )
    assert "run the audit again" in reason.needed
    (reason,) = hold(measurements=given)
    assert reason.observed == f"{metric} {version} is unknown: it was not measured"


def test_a_report_that_could_not_be_read_is_held_with_what_to_do():
    broken = UnreadableReport("r2", "not_utf8", "byte 4 is no UTF-8: save the file as UTF-8", b"\xff")
    unknown = [state(m.metric, Validity.UNKNOWN, m.version, "not_utf8") for m in numbers()]
    reasons = hold(measurements=unknown, unreadable=broken)
    assert [r.rule for r in reasons] == ["unreadable", "inbound_rate", "cited", "dirty_entries"]
    assert reasons[0].observed == "the report could not be read: not_utf8"
    assert reasons[0].needed == "byte 4 is no UTF-8: save the file as UTF-8"


def test_a_report_whose_id_was_taken_is_held():
    (reason,) = hold(measurements=numbers(), duplicate_of="r1")
    assert (reason.rule, reason.passage) == ("duplicate_id", "r1")
    assert reason.observed == "another report of the batch has the id 'r1'"


def test_a_rule_in_record_does_not_hold_and_says_that_it_would():
    result = decide(GateInput(numbers(cited=0.0, dirty=9.0), policy=GatePolicy({Rule.CITED: Mode.RECORD})))
    assert [r.rule for r in result.reasons] == ["dirty_entries"]
    assert [(r.rule, r.mode) for r in result.would_hold] == [("cited", Mode.RECORD)]
    result = decide(GateInput(numbers(cited=0.0), policy=GatePolicy({Rule.CITED: Mode.RECORD})))
    assert (result.outcome, len(result.would_hold)) == (Outcome.INGEST, 1)


def test_a_rule_that_is_off_is_named():
    result = decide(GateInput(numbers(cited=0.0), policy=GatePolicy({Rule.CITED: Mode.OFF})))
    assert (result.outcome, result.would_hold) == (Outcome.INGEST, ())
    assert result.off == ("cited", "identifiers", "method claims")


def test_the_limits_may_be_the_users_own():
    policy = GatePolicy(min_inbound_rate=0.9, max_dirty_entries=0)
    assert [r.rule for r in hold(measurements=numbers(inbound=0.89, dirty=1.0), policy=policy)] == [
        "inbound_rate",
        "dirty_entries",
    ]


@pytest.mark.parametrize("rate", [0.0, -0.1, 1.1, float("nan"), float("inf")])
def test_a_rate_that_every_report_or_none_would_meet_is_refused(rate):
    with pytest.raises(ConfigError, match="min_inbound_rate"):
        GatePolicy(min_inbound_rate=rate)


def test_a_negative_count_is_refused():
    with pytest.raises(ConfigError, match="max_dirty_entries"):
        GatePolicy(max_dirty_entries=-1)


@pytest.mark.parametrize("mode", [Mode.RECORD, Mode.OFF])
def test_what_could_not_be_read_can_only_be_held(mode):
    with pytest.raises(ConfigError, match="unreadable can only block"):
        GatePolicy({Rule.UNREADABLE: mode})


def test_modes_are_read_by_name():
    assert parse_modes({"cited": "record", "duplicate_id": "off"}) == {
        Rule.CITED: Mode.RECORD,
        Rule.DUPLICATE_ID: Mode.OFF,
    }
    with pytest.raises(ConfigError, match="no gate rule 'sparkle'"):
        parse_modes({"sparkle": "block"})
    with pytest.raises(ConfigError, match="cited has the mode 'loud'"):
        parse_modes({"cited": "loud"})


STATES = st.sampled_from([None, *Validity]).flatmap(
    lambda v: st.just((v, None)) if v is not Validity.MEASURED else st.tuples(st.just(v), st.floats(0, 5))
)


@given(STATES, STATES, STATES, st.booleans())
def test_nothing_unknown_and_nothing_without_evidence_is_ingested(inbound, cited, dirty, duplicate):
    given_numbers = [
        Measurement(metric, version, value, validity)
        for (metric, version), (validity, value) in zip(
            [("inbound_rate", "v3"), ("cited", "v1"), ("dirty_entries", "v1")],
            [inbound, cited, dirty],
            strict=True,
        )
        if validity is not None
    ]
    result = decide(GateInput(given_numbers, duplicate_of="r" if duplicate else None))
    assert (result.outcome is Outcome.INGEST) == (result.reasons == ())
    if result.outcome is Outcome.INGEST:
        assert not duplicate
        assert cited == (Validity.MEASURED, 1.0)
        assert Validity.UNKNOWN not in {inbound[0], dirty[0]}
        assert None not in {inbound[0], dirty[0]}
    assert all(reason.needed and reason.observed for reason in result.reasons)
