"""``verify`` and ``registry build`` as a user calls them: printed standings, files, SARIF, exit codes."""

import json

import pytest

from pipelines.cli.main import call

WORKS = [
    {
        "doi": "10.5555/a",
        "title": "Counting seals from the air",
        "authors": ["Doe, Jane"],
        "year": 2019,
        "venue": "Journal of Seals",
    },
    {"doi": "10.5555/r", "title": "How salt marshes store carbon", "retracted": True},
]
REPORT = """---
title: Seals
---
# Seals

Counted [1], stored [2], mixed [3].

## References

[1] Doe, J. (2019). Counting seals from the air. https://doi.org/10.5555/a
[2] Roe, P. (2020). Sediment traps: a field manual. https://doi.org/10.5555/a
[3] Poe, E. (2021). Tidal mixing in narrow estuaries. https://doi.org/10.5555/none
"""


@pytest.fixture
def snapshot(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SLUICEGATE_HOME", str(tmp_path / "home"))
    (tmp_path / "works.jsonl").write_text("".join(json.dumps(w) + "\n" for w in WORKS), encoding="utf-8")
    assert call(["registry", "build", "works.jsonl", "--out", "s.parquet"]) == 0
    return "s.parquet"


def checks(capsys, *arguments):
    capsys.readouterr()
    code = call(["verify", *arguments, "--json"])
    printed = json.loads(capsys.readouterr().out)
    assert printed["exit_code"] == code
    return code, printed["checks"]


@pytest.mark.parametrize(
    ("arguments", "code", "standings"),
    [
        (["10.5555/A"], 0, ["found"]),
        (["https://doi.org/10.5555/r"], 1, ["retracted"]),
        (["10.5555/a", "10.5555/none"], 0, ["found", "unknown"]),
        (["10.5555/none"], 2, ["unknown"]),
        (["10.5555/none", "--authoritative"], 1, ["not_found"]),
        (["ISBN 0-13-110362-7"], 1, ["not_found"]),
    ],
)
def test_identifiers_on_the_command_line(snapshot, capsys, arguments, code, standings):
    got, rows = checks(capsys, *arguments, "--snapshot", snapshot)
    assert (got, [r["standing"] for r in rows]) == (code, standings)


def test_a_report_with_lines_and_fields(snapshot, capsys, tmp_path):
    (tmp_path / "r.md").write_text(REPORT, encoding="utf-8")
    code, rows = checks(capsys, "r.md", "--snapshot", snapshot, "--authoritative")
    assert code == 1
    assert [(r["line"], r["standing"]) for r in rows] == [
        (10, "found"),
        (11, "contradicted"),
        (12, "not_found"),
    ]
    assert rows[1]["differing"] == ["title", "authors"]


def test_references_as_json_lines(snapshot, capsys, tmp_path):
    rows = [
        {"title": "Counting seals from the air", "author": "Jane Doe", "year": "2019", "journal": "J. Seals"},
        {"title": "Counting seals from the air", "author": "Yuki Sato", "year": "2035"},
        {"title": "Nobody knows this title at all"},
    ]
    (tmp_path / "refs.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    code, got = checks(capsys, "refs.jsonl", "--snapshot", snapshot)
    assert code == 1
    assert [(r["standing"], r["reason"]) for r in got] == [
        ("found", None),
        ("contradicted", None),
        ("unknown", "nothing_to_verify"),
    ]
    assert got[1]["differing"] == ["authors", "year"]


def test_a_text_with_an_identifier_a_line(snapshot, capsys, tmp_path):
    (tmp_path / "ids.txt").write_text("10.5555/a\n\nnothing here\nsee doi:10.5555/r.\n", encoding="utf-8")
    code, rows = checks(capsys, "ids.txt", "--snapshot", snapshot)
    assert [(r["line"], r["standing"]) for r in rows] == [(1, "found"), (4, "retracted")]
    assert code == 1


def test_sarif_names_rule_and_line(snapshot, capsys, tmp_path):
    (tmp_path / "r.md").write_text(REPORT, encoding="utf-8")
    capsys.readouterr()
    assert call(["verify", "r.md", "--snapshot", snapshot, "--authoritative", "--format", "sarif"]) == 1
    run = json.loads(capsys.readouterr().out)["runs"][0]
    got = [
        (r["ruleId"], r["locations"][0]["physicalLocation"]["region"]["startLine"]) for r in run["results"]
    ]
    assert got == [("identifier-contradicted", 11), ("identifier-not-found", 12)]
    assert {r["ruleId"] for r in run["results"]} <= {rule["id"] for rule in run["tool"]["driver"]["rules"]}


def test_the_table_says_what_nobody_is_asked_about(snapshot, capsys):
    capsys.readouterr()
    assert call(["verify", "10.5555/a", "10.5555/none", "--snapshot", snapshot]) == 0
    out = capsys.readouterr().out
    assert "1 found, 1 unknown" in out
    assert "nobody is asked about" in out


def test_without_any_registry_everything_is_unknown(snapshot, capsys):
    code, rows = checks(capsys, "10.5555/a")
    assert (code, rows[0]["reason"]) == (2, "no_registry_covers")


@pytest.mark.parametrize(
    "arguments", [["hello"], ["10.5555/a", "--authoritative"], ["10.5555/a", "--snapshot", "none.parquet"]]
)
def test_wrong_calls(snapshot, capsys, arguments):
    assert call(["verify", *arguments]) == 64


def test_refused_lines_are_said(snapshot, capsys, tmp_path):
    (tmp_path / "bad.jsonl").write_text('{"doi": "10.5555/a", "title": "T"}\n{\n', encoding="utf-8")
    assert call(["registry", "build", "bad.jsonl", "--out", "t.parquet", "--json"]) == 1
    assert json.loads(capsys.readouterr().out.split("keys\n")[-1])["refused"] == 1
    assert call(["registry", "build", "bad.jsonl", "--out", "bad.jsonl"]) == 64
