"""What changes a fingerprint, and what does not."""

from dataclasses import replace

import pytest

from quality.intake.fingerprint import batch_fingerprint, input_fingerprint
from quality.model import ListedSource, Report, UnreadableReport

REPORT = Report("r", "# Body", title="T", evidence={"a": 1, "b": [2]}, sources=(ListedSource(title="A"),))
BASE = input_fingerprint(REPORT, "s1")


def test_form():
    assert len(BASE) == 64
    assert input_fingerprint(REPORT, "s1") == BASE


@pytest.mark.parametrize(
    "same",
    [
        replace(REPORT, report_id="other"),
        replace(REPORT, title="Other", language="en", producer="p", extra={"x": 1}),
        replace(REPORT, evidence={"b": [2], "a": 1}),
        replace(REPORT, flags=("duplicate_id",), original=b"# Body"),
    ],
)
def test_what_does_not_count(same):
    assert input_fingerprint(same, "s1") == BASE


@pytest.mark.parametrize(
    "other",
    [
        replace(REPORT, body="# Body\n"),
        replace(REPORT, body="# Body\r\n"),
        replace(REPORT, evidence={"a": 1, "b": [3]}),
        replace(REPORT, evidence={}),
        replace(REPORT, evidence=None),
        replace(REPORT, evidence=None, flags=("evidence_broken",)),
        replace(REPORT, sources=()),
        replace(REPORT, sources=(ListedSource(entry="A"),)),
        UnreadableReport("r", "not_text", "x", b"# Body"),
    ],
)
def test_what_counts(other):
    assert input_fingerprint(other, "s1") != BASE


def test_missing_and_broken_evidence_differ():
    missing = replace(REPORT, evidence=None)
    assert input_fingerprint(missing, "s1") != input_fingerprint(
        replace(missing, flags=("evidence_broken",)), "s1"
    )


def test_snapshot_counts_and_cannot_run_into_the_next_part():
    assert input_fingerprint(REPORT, "s2") != BASE
    assert input_fingerprint(REPORT, None) != BASE
    assert input_fingerprint(Report("r", "ab"), "c") != input_fingerprint(Report("r", "a"), "bc")


def test_unreadable_counts_by_bytes():
    one = UnreadableReport("a", "not_text", "x", b"\x00")
    assert input_fingerprint(one, "s1") == input_fingerprint(replace(one, report_id="b", detail="y"), "s2")
    assert input_fingerprint(one, "s1") != input_fingerprint(replace(one, original=b"\x01"), "s1")


def test_batch_fingerprint_ignores_the_order_only():
    pairs = [("a", "1"), ("b", "2")]
    assert batch_fingerprint(pairs) == batch_fingerprint(reversed(pairs))
    assert batch_fingerprint(pairs) != batch_fingerprint([("a", "2"), ("b", "1")])
    assert batch_fingerprint(pairs) != batch_fingerprint(pairs[:1])
    assert batch_fingerprint([("ab", "c")]) != batch_fingerprint([("a", "bc")])
    assert batch_fingerprint([]) != batch_fingerprint([("", "")])
