"""What a release lifts, and what it cannot."""

import pytest

from quality.gate.release import CONTRACT, Release, gate_part, settle
from quality.model import GateResult, Mode, Outcome, Reason

ADA = Release("Ada", "an essay")


def reason(rule):
    return Reason(rule, Mode.BLOCK, "observed", "needed")


def gate(*rules):
    return GateResult(Outcome.HOLD if rules else Outcome.INGEST, tuple(reason(r) for r in rules), (), ())


@pytest.mark.parametrize(
    ("own", "contract", "release", "outcome", "holds", "lifted"),
    [
        ((), (), None, "ingest", [], []),
        (("cited",), (), None, "hold", ["cited"], []),
        (("cited",), (), ADA, "ingest", [], ["cited"]),
        (("cited",), (CONTRACT,), ADA, "hold", [CONTRACT], ["cited"]),
        ((), (CONTRACT,), ADA, "hold", [CONTRACT], []),
        (("unreadable", "cited"), (), ADA, "hold", ["unreadable"], ["cited"]),
    ],
)
def test_settle(own, contract, release, outcome, holds, lifted):
    found = settle(gate(*own), [reason(r) for r in contract], release)
    assert found.outcome == outcome
    assert [r.rule for r in found.reasons] == holds
    assert [r.rule for r in found.lifted] == lifted
    assert found.release == (ADA if lifted else None)


def test_gate_part_gives_the_gates_own_result_back_from_what_was_recorded():
    settled = settle(gate("cited", "dirty_entries"), [reason(CONTRACT)], ADA)
    assert gate_part("hold", settled.reasons, settled.lifted) == gate("cited", "dirty_entries")
