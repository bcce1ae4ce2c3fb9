"""Answers survive being stored, and only what was stored comes back."""

import pytest

from quality.registries.answers import (
    Found,
    NotFound,
    Notice,
    NoticeKind,
    Record,
    Relation,
    Unknown,
    from_plain,
    state_of,
    to_plain,
)

FULL = Record(
    title="T", subtitle="S", authors=("Doe, J.",), years=(2019, 2020), venues=("V",), kind="article", identifiers=("pmid:1",),
    notices=(Notice(NoticeKind.RETRACTED, "doi:10.5555/r"),), relations=(Relation("preprint_of", "doi:10.5555/p"),),
    agency="crossref",
)  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        (Found(FULL, "10.5555/x"), "found"),
        (Found(Record()), "found"),
        (NotFound(), "not_found"),
        (NotFound("malformed"), "not_found"),
        (Unknown("timeout", "30 s"), "unknown"),
    ],
)
def test_an_answer_comes_back_as_it_was(answer, state):
    assert from_plain(to_plain(answer)) == answer
    assert state_of(answer) == state


def test_another_state_is_refused():
    with pytest.raises(ValueError, match="maybe"):
        from_plain({"state": "maybe"})


def test_a_bare_record_has_no_metadata():
    assert not Record(agency="JaLC").has_metadata
    assert Record(title="T").has_metadata
