"""The example leads: the committed recording is what the scripts say today, and every lead ends as the story tells."""

from examples.drafting.chapter import ENDS
from examples.drafting.record import HERE, record


def test_the_recording_is_the_one_that_the_scripts_make(tmp_path):
    stories = record(tmp_path / "calls.jsonl")
    assert {s.lead.id: (s.end.value, len(s.rounds)) for s in stories} == ENDS
    assert (tmp_path / "calls.jsonl").read_bytes() == (HERE / "calls.jsonl").read_bytes()


def test_each_story_has_its_reason(tmp_path):
    stories = {s.lead.id: s for s in record(tmp_path / "calls.jsonl")}
    rules = {i: {o.rule for o in s.objections} for i, s in stories.items()}
    assert "identifier_not_found" in rules["wet-bogs"]
    assert {"no_evidence", "citations_dropped"} <= rules["cool-rooms"]
    assert rules["night-buses"] == {"omitted"}
    first = stories["old-streets"].rounds[0].objections
    assert [(o.rule, o.passage) for o in first] == [("statement_without_source", "北方城市的结果也会一样。")]
    assert all(not rules[i] for i, (end, _) in ENDS.items() if end == "verified")
