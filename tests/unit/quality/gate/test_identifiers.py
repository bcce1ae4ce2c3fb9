"""The rules about identifiers: each standing with its remedy, unknown included, and nothing where nobody was asked."""

import pytest

from quality.gate.decide import MOST_NAMED, GateInput, decide
from quality.gate.identifiers import IdentifierFault
from quality.gate.policy import GatePolicy, Rule, usual_mode
from quality.model import Measurement, Mode, Outcome, Validity
from quality.registries.check import Standing

SOUND = tuple(
    Measurement(metric, version, value, Validity.MEASURED)
    for metric, version, value in (
        ("inbound_rate", "v3", 1.0), ("cited", "v1", 1.0), ("dirty_entries", "v1", 0.0), ("identifier_rate", "v1", 0.5),
    )
)  # fmt: skip


def fault(standing, kind="doi", value="10.5555/a", reason="not registered", title=None):
    return IdentifierFault(kind, value, standing, reason, title, "[3]", 12)


def asked(*faults, measured=SOUND, **policy):
    return decide(GateInput(measured, identifiers=faults, policy=GatePolicy(**policy)))


@pytest.mark.parametrize(
    ("standing", "observed", "needed"),
    [
        (Standing.NOT_FOUND, "doi 10.5555/a does not exist: not registered", "a work that exists"),
        (Standing.CONTRADICTED, "names another work, registered for 'Another'", "the work that is meant"),
        (Standing.RETRACTED, "taken back", "cite another work"),
        (Standing.UNKNOWN, "could not be looked up", "what is unknown does not pass"),
    ],
)
def test_what_does_not_stand_holds_with_its_remedy(standing, observed, needed):
    result = asked(fault(standing, title="Another"))
    assert result.outcome is Outcome.HOLD
    (reason,) = result.reasons
    assert (reason.rule, reason.passage, reason.line) == ("identifiers", "[3]: doi 10.5555/a", 12)
    assert observed in reason.observed
    assert needed in reason.needed


def test_without_a_fault_nothing_holds_and_the_rule_is_not_off():
    result = asked()
    assert (result.outcome, result.off) == (Outcome.INGEST, ("method claims",))


def test_nobody_asked_is_off_and_said_aloud():
    result = decide(GateInput(SOUND))
    assert (result.outcome, result.off) == (Outcome.INGEST, ("identifiers", "method claims"))


def test_addresses_and_titles_are_recorded_and_may_be_made_to_block():
    page = fault(Standing.NOT_FOUND, kind="url", value="https://a.test/x")
    title = fault(Standing.CONTRADICTED, kind="title", value="T")
    result = asked(page, title)
    assert result.outcome is Outcome.INGEST
    assert [r.rule for r in result.would_hold] == ["locators", "locators"]
    assert asked(page, modes={Rule.LOCATORS: Mode.BLOCK}).outcome is Outcome.HOLD
    assert usual_mode(Rule.IDENTIFIERS) is Mode.BLOCK


def test_a_rule_that_is_off_is_said():
    result = asked(fault(Standing.NOT_FOUND), modes={Rule.IDENTIFIERS: Mode.OFF})
    assert result.outcome is Outcome.INGEST
    assert result.off == ("identifiers", "method claims")


def test_a_report_that_was_not_looked_up_since_its_last_audit_is_held():
    result = asked(measured=SOUND[:-1])
    assert result.outcome is Outcome.HOLD
    assert "identifier_rate v1 is unknown" in result.reasons[0].observed


def test_many_faults_are_told_as_a_number():
    result = asked(*(fault(Standing.NOT_FOUND, value=f"10.5555/{n}") for n in range(MOST_NAMED + 5)))
    assert len(result.reasons) == MOST_NAMED + 1
    assert "5 more identifiers: each does not exist" in result.reasons[-1].observed
