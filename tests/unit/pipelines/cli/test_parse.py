"""``sluicegate parse``: what is written for each report."""

from __future__ import annotations

import json

import pytest

from pipelines.cli.parse import parse_file, parse_report
from quality.errors import InputError, UsageError

BODY = (
    "Water rises [1][2], falls [9] (see [Tides](https://papers.test/x)).\n\n## References\n\n"
    "[1] Alder. Tides. https://papers.test/1\n[2] Birch. Winds.\n[3] Cedar. Rains. https://papers.test/3\n"
)


def test_a_report_comes_back_with_everything_read():
    out = parse_report("a", BODY)
    assert out["id"] == "a"
    assert out["cited"] == {"1": 1, "2": 1, "9": 1, "https://papers.test/x": 1}
    assert out["dangling"] == ["9"]
    assert out["uncited"] == ["3"]
    assert [(e["key"], e["url"], e["title"]) for e in out["entries"]] == [
        ("1", "https://papers.test/1", "Tides"),
        ("2", None, "Winds."),
        ("3", "https://papers.test/3", "Rains"),
    ]
    assert [BODY[a:b] for _, a, b in out["spans"]] == ["[1]", "[2]", "[9]", "[Tides](https://papers.test/x)"]


def test_a_number_with_its_own_link_dangles_only_beside_a_list():
    linked = "Water rises [[7]](https://papers.test/7)."
    assert parse_report("a", linked)["dangling"] == []
    assert parse_report("a", linked + BODY[BODY.index("\n\n##") :])["dangling"] == ["7"]


def test_a_title_that_only_begins_like_an_entry_dangles_as_the_gate_says():
    cited = (
        "见《城市热岛效应综述》，另见《城市热岛与行道树》。"  # containment would take both for the one entry
    )
    body = f"{cited}\n\n## 参考文献\n\n1. 王一：《城市热岛效应综述》，2019。\n"
    assert parse_report("a", body)["dangling"] == ["城市热岛与行道树"]


def test_out_of_body_sources_settle_what_dangles_but_are_no_entries_of_the_body():
    from quality.model import ListedSource

    out = parse_report("a", "Water rises [1], falls [2].", [ListedSource(entry="[1] https://papers.test/1")])
    assert (out["entries"], out["dangling"]) == ([], ["2"])


def test_a_file_of_reports(tmp_path):
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    rows = [{"id": "a", "body": BODY}, {"id": "b", "body": "No.", "sources": [{"title": "x"}]}]
    source.write_text("\n\n".join(json.dumps(r) for r in rows), encoding="utf-8")
    assert parse_file(source, target) == 2
    assert [json.loads(line)["id"] for line in target.read_text(encoding="utf-8").splitlines()] == ["a", "b"]


@pytest.mark.parametrize("line", ["{", "[]", '{"id": "a"}', '{"body": "x"}', '{"id": "a", "body": 3}'])
def test_what_is_no_report_is_refused_with_its_line(tmp_path, line):
    source = tmp_path / "in.jsonl"
    source.write_text(json.dumps({"id": "a", "body": "x"}) + "\n" + line, encoding="utf-8")
    with pytest.raises(InputError, match=":2:"):
        parse_file(source, tmp_path / "out.jsonl")


def test_a_missing_file_is_usage(tmp_path):
    with pytest.raises(UsageError):
        parse_file(tmp_path / "no.jsonl", tmp_path / "out.jsonl")
