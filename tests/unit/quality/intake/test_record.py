"""Fields to a report."""

import pytest

from quality.delivery.model import DeliveredReport, DeliveryState
from quality.delivery.render import render
from quality.intake.decode import Refusal
from quality.intake.record import Written, first_heading, to_report, written_id
from quality.model import Report


def made(fields, body="# Heading\n\nText [1].\n", flags=()):
    report = to_report(fields, body, "r1", flags)
    assert isinstance(report, Report)
    return report


def test_known_and_unknown_fields():
    report = made(
        {
            "title": "T",
            "language": "en",
            "producer": "p",
            "question": "Why?\nBecause.",
            "created_at": "2026-09-01",
            "evidence": {"respondents": 3},
            "score": float("nan"),
            "nested": {"a": [1]},
        }
    )
    assert (report.title, report.language, report.producer) == ("T", "en", "p")
    assert report.question == "Why?\nBecause."
    assert report.evidence == {"respondents": 3}
    assert report.extra == {"score": None, "nested": {"a": [1]}}
    assert report.flags == ()


def test_title_defaults_to_the_first_heading():
    assert made({}).title == "Heading"
    assert made({"title": " "}).title == "Heading"
    assert made({}, "No heading.").title is None


@pytest.mark.parametrize(
    ("body", "heading"),
    [
        ("```\n# comment\n```\n## Real ##\n", "Real"),
        ("~~~~\n```\n# no\n~~~~\n# Yes", "Yes"),
        ("#hashtag\n# Title", "Title"),
        ("    # code\n# Title", "Title"),
        ("# **Bold title**\n", "Bold title"),
        ("# 2 * 3 and *b*\n", "2 * 3 and *b*"),
        ("#\n# Title\r\n", "Title"),
        ("# C#\n", "C#"),
        ("text", None),
    ],
)
def test_first_heading(body, heading):
    assert first_heading(body) == heading


@pytest.mark.parametrize("value", ["none", 7, [], [1], "{broken", True])
def test_broken_evidence_is_flagged_and_kept_as_written(value):
    report = made({"evidence": value})
    assert report.evidence is None
    assert report.flags == ("evidence_broken",)
    assert report.extra == {"evidence": value}


def test_missing_and_empty_evidence_are_not_broken():
    assert made({"evidence": None}).flags == ()
    assert made({"evidence": {}}).evidence == {}
    assert made({"evidence": '{"datasets": 1}'}).evidence == {"datasets": 1}


def test_broken_sources_are_flagged():
    report = made({"sources": [{"title": "A"}, 7]})
    assert [source.title for source in report.sources] == ["A"]
    assert report.flags == ("sources_broken",)
    assert report.extra == {"sources": [{"title": "A"}, 7]}


@pytest.mark.parametrize("body", [None, "", " \r\n\t", 7, ["text"], "\ufeff"])
def test_no_body(body):
    refusal = to_report({}, body, "r1")
    assert isinstance(refusal, Refusal)
    assert refusal.reason == "no_body"


def test_nul_is_no_text():
    refusal = to_report({}, "a\x00b", "r1")
    assert isinstance(refusal, Refusal)
    assert refusal.reason == "not_text"


def test_surrogates_and_marks():
    assert made({}, "\ufeff# A\n\ud83d").body == "# A\n\ufffd"
    assert made({}, "\ufeff# A\n\ud83d").flags == ("surrogate_replaced", "bom")
    assert made({"q\ud800": "x\udfff"}).extra == {"q\ufffd": "x\ufffd"}


def test_line_ends_stay():
    assert made({}, "# A\r\n\rB\u2028C\n").body == "# A\r\n\rB\u2028C\n"


def test_own_heads_are_taken_off_a_row_too():
    inner = render(DeliveredReport("b", "r", "# Body\n", DeliveryState.INGEST))
    outer = render(DeliveredReport("b", "r", inner, DeliveryState.HOLD))
    report = made({}, outer)
    assert report.body == "# Body\n"
    assert report.flags == ("delivered",)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("a/../b", "a/../b"),
        (" a ", " a "),
        (7, "7"),
        (7.5, "7.5"),
        (True, "true"),
        (["a"], '["a"]'),
        ("x\ud800", "x\ufffd"),
        (None, None),
        ("", None),
        (" \n", None),
    ],
)
def test_written_id(value, written):
    assert written_id(value, "line-3") == Written(written, "line-3")
    assert written_id(value, "line-3").report_id == ("line-3" if written is None else written)


def test_a_mark_behind_an_own_head_is_taken_off():
    body = render(DeliveredReport("b", "r", "\ufeff# Body\n", DeliveryState.HOLD))
    assert made({}, body).body == "# Body\n"
