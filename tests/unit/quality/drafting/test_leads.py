"""Leads from a file, sources for a lead, and what people get of a draft that was not verified."""

import pytest

from quality.drafting.collect import Collection, terms
from quality.drafting.leads import read_leads
from quality.drafting.model import Draft, End, Lead, Objection, Raiser, Round, Story
from quality.drafting.papers import notice, rejected
from quality.errors import InputError, UsageError
from quality.model import Source


def leads(tmp_path, text):
    file = tmp_path / "leads.jsonl"
    file.write_text(text, encoding="utf-8")
    return read_leads(file)


def test_a_lead_has_a_question_and_may_have_more(tmp_path):
    assert leads(
        tmp_path,
        '{"id": "a", "question": "q"}\n\n'
        '{"id": "b", "question": "q2", "audience": "gardeners", "language": "zh", "sources": ["s1"], '
        '"budget": {"calls": 5, "tokens": 1000, "cost": 0.5}}\n',
    ) == (Lead("a", "q"), Lead("b", "q2", "gardeners", "zh", ("s1",), 5, 1000, 0.5))
    assert leads(tmp_path, "") == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"id": "a"}\n', "line 1: question"),
        ('{"id": "a", "question": "q"}\n{"id": "a", "question": "r"}\n', "line 2: the lead 'a' comes twice"),
        ("{\n", "line 1"),
        ("[]\n", "line 1"),
        ('{"id": "a", "question": "q", "budget": {"calls": 0}}\n', "budget.calls"),
        ('{"id": "a", "question": "q", "deadline": "now"}\n', "deadline"),
    ],
)
def test_a_line_that_is_no_lead_is_named(tmp_path, text, said):
    with pytest.raises(InputError, match=said):
        leads(tmp_path, text)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(UsageError, match="nowhere"):
        read_leads(tmp_path / "nowhere.jsonl")


CATALOGUE = [
    Source("s1", "Dune fields in motion", text="Sand moved in one night."),
    Source("s2", "Wind over bare ground", text="Wind rose, and the sand of the dunes with it."),
    Source("s3", "Bread without salt", text="The loaf was flat."),
    Source("s4", "Dunes and their sand", text=None),
    Source("s5", "Report about dunes", text="Sand and dunes.", kind="report"),
    Source("z1", "沙丘一夜移动三米", text="沙丘在一夜之间移动。"),
]


def collected(question, **lead):
    return [s.source_id for s in Collection(CATALOGUE).collect(Lead("q", question, **lead))]


def test_sources_are_those_that_the_question_is_about_with_text_and_no_reports():
    # "in" stands in s1 alone and makes it the best; "the" reaches s3, behind all that speak of dunes
    found = collected("How far do dunes of sand go?")
    assert set(found) == {"s1", "s2"}
    assert collected("沙丘移动了多远？") == ["z1"]
    assert collected("Quarks?") == []


def test_a_lead_that_names_its_sources_gets_these_in_its_order():
    assert collected("Bread?", sources=("s2", "s1", "s2")) == ["s2", "s1"]


@pytest.mark.parametrize(
    ("name", "why"), [("s4", "has no text"), ("s9", "is not in the catalogue"), ("s5", "has no text")]
)
def test_a_named_source_that_cannot_be_used_is_an_error(name, why):
    with pytest.raises(InputError, match=why):
        collected("q", sources=(name,))


def test_terms_are_folded_words_and_pairs_of_characters():
    assert terms("Dune-Fields, ÜBER 沙丘一夜") == ["dune", "fields", "über", "沙丘", "丘一", "一夜"]


def story(end=End.CAP_REACHED):
    objection = Objection(
        Raiser.GATE, "quote_not_verbatim", "These words stand in no source.", "so far\nand no further"
    )
    draft = Draft((), "The secret draft [1].\n", ())
    return Story(
        Lead("q1", "How far?"), end, (Round(1, draft, "approve", (objection,)),), (objection,), "why"
    )


def test_the_operator_gets_the_draft_with_its_objections_and_the_requester_does_not():
    assert "The secret draft" in rejected(story())
    assert (
        "**quote_not_verbatim** (gate): These words stand in no source. – “so far and no further”"
        in rejected(story())
    )
    assert "The secret draft" not in notice(story())
    assert "1 objection is open" in notice(story())


@pytest.mark.parametrize("end", [e for e in End if e is not End.VERIFIED])
def test_every_bad_end_is_told_in_words(end):
    assert f"**{end.value}**" in rejected(story(end))
    assert "is not delivered" in notice(story(end))
