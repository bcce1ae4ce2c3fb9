"""The identifier rate: found over found and not found, unknown apart, worked out by hand."""

from quality.metrics.identifiers import measure_identifiers, unknown_identifiers
from quality.model import Identifier, Validity
from quality.registries.check import Check, Reference, Standing
from quality.registries.compare import Comparison
from quality.registries.verdict import State, Verdict


def check(n, standing, kind="doi", covered=True):
    one = Identifier(kind, f"10.5555/{n}")
    return Check(Reference("[1]", (one,)), one, Verdict(one, State.UNKNOWN), Comparison(), standing), covered


def test_three_of_four():
    checks = [
        check(1, Standing.FOUND),
        check(1, Standing.FOUND),
        check(2, Standing.CONTRADICTED),
        check(3, Standing.RETRACTED),
        check(4, Standing.NOT_FOUND),
        check(5, Standing.UNKNOWN),
        check(6, Standing.NOT_FOUND, kind="url"),
        check(7, Standing.FOUND, kind="title"),
    ]
    rate, retracted = measure_identifiers(checks)
    assert (rate.value, rate.numerator, rate.denominator) == (0.75, 3, 4)
    assert rate.detail == "1 more could not be looked up"
    assert retracted.value == 1


def test_nothing_to_look_up_is_absent():
    for checks in (
        [],
        [check(1, Standing.FOUND, kind="url")],
        [check(1, Standing.UNKNOWN, kind="isbn", covered=False)],
    ):
        assert {m.validity for m in measure_identifiers(checks)} == {Validity.ABSENT}


def test_nothing_but_silence_is_unknown():
    assert {m.validity for m in measure_identifiers([check(1, Standing.UNKNOWN)])} == {Validity.UNKNOWN}
    assert {m.validity for m in unknown_identifiers("no body")} == {Validity.UNKNOWN}
