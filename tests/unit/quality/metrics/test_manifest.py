"""The evidence manifest, and what follows for a report that claims something."""

import math

import pytest

from quality.citations.reader import read
from quality.kernel import Supplied, audit_report
from quality.metrics.claims import judge
from quality.metrics.manifest import Supply, is_backed, needed, read_manifest
from quality.model import Report, Stage, Validity

SURVEY = "We surveyed 312 residents of the valley."


def manifest(**evidence):
    return read_manifest(Report("r", "x", evidence=evidence), batch_has_manifests=True)


@pytest.mark.parametrize(
    ("value", "count"),
    [
        (3, 3),
        (3.0, 3),
        ("12", 12),
        (True, 1),
        (False, 0),
        (None, 0),
        ([], 0),
        (["a", "b"], 2),
        ([{"name": "search", "calls": 4}, {"name": "fetch", "calls": 7}], 11),
        ({"search": 4, "fetch": 7}, 11),
        ({"name": "search", "calls": 4}, 4),
        ({"spring": "yes", "autumn": "yes"}, 2),
    ],
)
def test_a_field_is_counted_however_it_is_written(value, count):
    assert manifest(tools=value).counts["tools"] == count


@pytest.mark.parametrize(
    "value", [-1, math.nan, math.inf, "many", object(), [{"name": "x", "calls": "often"}, 2], {"calls": -3}]
)
def test_a_field_that_cannot_be_counted_breaks_the_manifest(value):
    found = manifest(respondents=value)
    if isinstance(value, list):  # a list of two things is two things
        assert found.counts["respondents"] == 2
        return
    assert found.supply is Supply.BROKEN
    assert found.fault == "its `respondents` cannot be counted"


def test_what_is_not_stated_was_not_done():
    assert manifest().counts == dict.fromkeys(
        ("tools", "sources_read", "datasets", "respondents", "interviews", "experiments"), 0
    )


@pytest.mark.parametrize(
    ("text", "evidence", "backed", "needs"),
    [
        (SURVEY, {"respondents": 312}, True, "respondents >= 312"),
        (SURVEY, {"respondents": 311}, False, "respondents >= 312"),
        (SURVEY, {"interviews": 400}, False, "respondents >= 312"),
        ("Our respondents ranked noise first.", {"respondents": 1}, True, "respondents >= 1"),
        ("We interviewed 14 planners.", {"interviews": 14}, True, "interviews >= 14"),
        ("We consulted 12 experts for this report.", {"respondents": 12}, True, "interviews or respondents >= 12"),
        ("Our experiments show it.", {"experiments": 1}, True, "experiments >= 1"),
        ("Our experiments show it.", {"tools": 9, "sources_read": 9}, False, "experiments >= 1"),
        ("This report draws on 80 sources.", {"sources_read": 80}, True, "sources_read >= 80"),
        ("This report draws on 80 sources.", {"sources_read": 12, "tools": 99}, False, "sources_read >= 80"),
        ("I searched the web for prices.", {"tools": {"search": 3}}, True, "sources_read or tools >= 1"),
        ("I searched the web for prices.", {}, False, "sources_read or tools >= 1"),
    ],
)  # fmt: skip
def test_a_claim_is_backed_by_the_field_that_speaks_about_it(text, evidence, backed, needs):
    (claim,) = judge(text)
    assert needed(claim) == needs
    assert is_backed(claim, manifest(**evidence)) is backed


CLAIMS = f"# Valley\n\n{SURVEY} Shade helps.\n"
SILENT = "# Valley\n\nShade helps in summer.\n"


@pytest.mark.parametrize(
    ("body", "evidence", "flags", "manifests", "validity", "value", "denominator", "says"),
    [
        (CLAIMS, {"respondents": 312}, (), True, Validity.MEASURED, 1.0, None, None),
        (CLAIMS, {"respondents": 0}, (), True, Validity.MEASURED, 0.0, None, "not backed: survey (needs respondents >= 312)"),
        (CLAIMS, {}, (), True, Validity.MEASURED, 0.0, None, "not backed"),
        (CLAIMS, None, (), True, Validity.UNKNOWN, None, None, "no evidence manifest for: survey"),
        (CLAIMS, None, (), False, Validity.ABSENT, None, None, "not checked: no report of the batch"),
        (CLAIMS, None, ("evidence_broken",), True, Validity.UNKNOWN, None, None, "the evidence manifest is broken"),
        (SILENT, None, ("evidence_broken",), True, Validity.UNKNOWN, None, None, "the evidence manifest is broken"),
        (SILENT, {"respondents": "lots"}, (), True, Validity.UNKNOWN, None, None, "`respondents` cannot be counted"),
        (SILENT, {"respondents": 5}, (), True, Validity.ABSENT, None, 0, "claims no method"),
        (SILENT, None, (), True, Validity.ABSENT, None, None, "claims no method"),
        (SILENT, None, (), False, Validity.ABSENT, None, None, "not checked"),
    ],
)  # fmt: skip
def test_the_states_of_method_honesty(body, evidence, flags, manifests, validity, value, denominator, says):
    report = Report("r", body, evidence=evidence, flags=flags)
    audit = audit_report(report, None, Stage.SHADOW, Supplied(manifests=manifests))
    (found,) = [m for m in audit.measurements if m.metric == "method_honesty"]
    assert (found.validity, found.value, found.denominator) == (validity, value, denominator)
    assert (says or "") in (found.detail or "")
    assert len(audit.claims) == (body is CLAIMS)


def test_one_claim_of_two_that_is_not_backed_is_named_alone():
    body = f"{SURVEY} We interviewed 14 planners.\n"
    report = Report("r", body, evidence={"respondents": 400})
    audit = audit_report(report, None, Stage.SHADOW, Supplied(manifests=True))
    (found,) = [m for m in audit.measurements if m.metric == "method_honesty"]
    assert found.value == 0.0
    assert found.detail == "not backed: interview (needs interviews >= 14): We interviewed 14 planners."


def test_the_rebuilt_report_is_not_asked_again():
    audit = audit_report(Report("r", CLAIMS), None, Stage.REBUILT, Supplied(manifests=True))
    assert audit.claims == ()
    assert "method_honesty" not in {m.metric for m in audit.measurements}
    assert read(CLAIMS).marks == ()
