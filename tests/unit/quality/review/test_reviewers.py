"""The reviewers: rules, a scripted model, and findings from outside; each examines every report exactly once."""

import asyncio
import json

import pytest

from quality.errors import InputError
from quality.llm.model import Answer, AskError, Passage
from quality.model import Report, UnreadableReport
from quality.review.asked import MAX_CHARS, AskingReviewer, Findings, question
from quality.review.brought import NOT_NAMED, brought_review
from quality.review.mechanical import MechanicalReviewer
from quality.review.model import Category, Corpus, Severity
from quality.review.prompts.load import prompt

BODY = "# Dunes\n\nSand moved [1]. Wind rose [7].\n\n## References\n\n[1] Dune fields in motion\n[2] Coastal winds <tool_call>search</tool_call> TODO\n"
REPORT = Report("r1", BODY)
SILENT = Report("r2", "# Nothing\n\nNo mark anywhere in this text.\n")
BROKEN = UnreadableReport("r3", "not_utf8", "The file is not UTF-8.", b"\xff")
CORPUS = Corpus((REPORT, SILENT, BROKEN))


class Scripted:
    """Answers by the report's id; an error is raised."""

    def __init__(self, answers):
        self.answers = answers
        self.asked = []

    async def ask(self, request):
        self.asked.append(request)
        answer = self.answers[request.subject]
        if isinstance(answer, AskError):
            raise answer
        return answer


def said(value, stop="end_turn") -> Answer:
    text = value if isinstance(value, str) else json.dumps(value)
    return Answer((Passage(text),), stop, "m")


def examined(reviewer, corpus=CORPUS):
    review = asyncio.run(reviewer.review(corpus))
    assert [e.report_id for e in review.examinations] == [r.report_id for r in corpus.reports]
    return {e.report_id: e for e in review.examinations}


def test_the_rules_find_what_dangles_what_is_uncited_and_what_is_dirty_with_the_place():
    of = examined(MechanicalReviewer())
    found = {(f.category, f.quote) for f in of["r1"].findings}
    assert (Category.DANGLING_CITATION, "[7]") in found
    assert any(c is Category.UNCITED_ENTRY and "TODO" in q for c, q in found)
    assert any(c is Category.DIRTY_ENTRY for c, _ in found)
    assert all(BODY[f.start : f.end] == f.quote for f in of["r1"].findings)
    assert [f.category for f in of["r2"].findings] == [Category.NO_CITATION]


def closing(n: int, last: str, **fields) -> Report:
    return Report(
        f"c{n}", f"# Report {n}\n\nSand moved {n} m [1].\n\n{last}\n\n## References\n\n[1] Dunes\n", **fields
    )


def test_the_rules_find_closings_that_reports_share_and_those_of_the_known_list():
    shared = [closing(n, "May every beach of this coast keep its sand for good.") for n in range(3)]
    own = closing(3, "The gauge at the pier broke on the last night.")
    listed = closing(4, "I hope this report helps! Let me know if you have any questions.")
    of = examined(MechanicalReviewer(), Corpus((*shared, own, listed)))
    stock = {i: [f.quote for f in e.findings if f.category is Category.STOCK_CLOSING] for i, e in of.items()}
    assert [len(stock[f"c{n}"]) for n in range(5)] == [1, 1, 1, 0, 1]
    assert stock["c0"] == ["May every beach of this coast keep its sand for good."]
    of = examined(MechanicalReviewer(), Corpus(tuple(shared[:2])))
    assert all(f.category is not Category.STOCK_CLOSING for e in of.values() for f in e.findings)


def test_the_rules_find_methods_that_the_manifest_does_not_back():
    claim = "We surveyed 312 residents of the coast in May."
    bare = closing(0, claim, evidence={"respondents": 0})
    backed = closing(1, claim, evidence={"respondents": 312})
    missing = closing(2, claim)
    of = examined(MechanicalReviewer(), Corpus((bare, backed, missing)))
    found = {
        i: [(f.severity, f.quote) for f in e.findings if f.category is Category.UNBACKED_METHOD]
        for i, e in of.items()
    }
    assert found == {"c0": [(Severity.HIGH, claim)], "c1": [], "c2": [(Severity.MEDIUM, claim)]}
    of = examined(MechanicalReviewer(), Corpus((missing,)))
    assert all(f.category is not Category.UNBACKED_METHOD for f in of["c2"].findings)


def test_a_report_that_cannot_be_read_was_not_examined():
    assert examined(MechanicalReviewer())["r3"].fault == "not_utf8: The file is not UTF-8."
    assert examined(
        AskingReviewer(Scripted({"r1": said({"findings": []}), "r2": said({"findings": []})}), "m")
    )["r3"].fault


def test_findings_of_a_model_are_placed_by_their_quote_or_by_nothing():
    one = {
        "category": "dangling_citation",
        "severity": "high",
        "explanation": "7 is no entry",
        "quote": "Wind rose [7]",
    }
    other = {"category": "other", "severity": "low", "explanation": "hm", "quote": "words that nobody wrote"}
    of = examined(
        AskingReviewer(Scripted({"r1": said({"findings": [one, other]}), "r2": said({"findings": []})}), "m")
    )
    placed, nowhere = of["r1"].findings
    assert (placed.category, placed.severity, BODY[placed.start : placed.end]) == (
        Category.DANGLING_CITATION,
        Severity.HIGH,
        "Wind rose [7]",
    )
    assert (nowhere.located, nowhere.quote) == (False, "words that nobody wrote")
    assert (of["r2"].findings, of["r2"].fault) == ((), None)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (said("I see no problems at all."), "structure"),
        (
            said({"findings": [{"category": "bad", "severity": "high", "explanation": "x", "quote": None}]}),
            "structure",
        ),
        (said({"findings": []}, "max_tokens"), "truncated"),
        (said("", "refusal"), "refused"),
        (said(""), "empty"),
        (AskError("overloaded", "The API answered 529."), "overloaded"),
    ],
)
def test_an_answer_that_says_nothing_is_a_fault_and_not_a_clean_report(answer, kind):
    of = examined(AskingReviewer(Scripted({"r1": answer, "r2": said({"findings": []})}), "m"))
    assert of["r1"].fault.startswith(f"{kind}: ")
    assert of["r2"].fault is None


def test_a_body_is_asked_about_whole_or_not_at_all():
    long = Report("long", "x" * (MAX_CHARS + 1))
    asker = Scripted({"r1": said({"findings": []})})
    of = examined(AskingReviewer(asker, "m"), Corpus((REPORT, long)))
    assert of["long"].fault.startswith("too long")
    assert [r.documents[0].text for r in asker.asked] == [BODY]


def test_the_report_is_data_and_the_agreed_shape_names_every_category():
    asked = question(REPORT, "m")
    assert BODY not in asked.system
    assert [t.text for t in asked.turns] == ["Examine the report in the document. Answer with the findings."]
    categories = Findings.model_json_schema()["$defs"]["_Said"]["properties"]["category"]["enum"]
    assert set(categories) == {c.value for c in Category}
    assert all(f"- {c}:" in asked.system for c in Category)
    assert asked.prompt_version == prompt("reviewer")[1] == "reviewer-1"


def test_a_reviewer_is_asked_the_same_whatever_others_found():
    first = Scripted({"r1": said({"findings": []}), "r2": said({"findings": []})})
    second = Scripted(first.answers)
    examined(AskingReviewer(first, "m"))
    examined(MechanicalReviewer())
    examined(AskingReviewer(second, "m"))
    assert first.asked == second.asked


def brought(*values):
    return brought_review("Ana", [(f"f:{n}", v) for n, v in enumerate(values, 1)], CORPUS)


def test_findings_from_outside_are_placed_by_span_or_quote_and_unnamed_reports_were_not_examined():
    review = brought(
        {"report_id": "r1", "category": "other", "severity": "low", "quote": "Wind rose"},
        {"report_id": "r1", "category": "other", "severity": "low", "start": 2, "end": 7},
        {"report_id": "r2", "examined": True},
    )
    of = {e.report_id: e for e in review.examinations}
    assert [(f.start, f.end, f.quote) for f in of["r1"].findings] == [(25, 34, "Wind rose"), (2, 7, "Dunes")]
    assert (of["r2"].findings, of["r2"].fault) == ((), None)
    assert of["r3"].fault == NOT_NAMED


@pytest.mark.parametrize(
    "line",
    [
        [],
        {"category": "other", "severity": "low"},
        {"report_id": "r9", "category": "other", "severity": "low"},
        {"report_id": "r1", "category": "odd", "severity": "low"},
        {"report_id": "r1", "category": "other"},
        {"report_id": "r1", "category": "other", "severity": "low", "start": 3},
        {"report_id": "r1", "category": "other", "severity": "low", "start": 3, "end": 2},
        {"report_id": "r1", "category": "other", "severity": "low", "start": 0, "end": 10_000},
        {"report_id": "r1", "category": "other", "severity": "low", "note": "?"},
    ],
)
def test_a_line_from_outside_that_makes_no_sense_is_named(line):
    with pytest.raises(InputError, match=r"f:2"):
        brought({"report_id": "r1", "examined": True}, line)
