"""Closings, method claims, depth and own metrics through the whole line; nothing that came in is changed."""

import dataclasses
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from assets.remeasure import remeasure
from pipelines.resources.warehouse import Warehouse
from pipelines.run import run_batch
from quality.errors import UsageError
from quality.gate.policy import GatePolicy, Rule
from quality.metrics.catalogue import CATALOGUE
from quality.metrics.definition import Definition, Metric, Value
from quality.model import Mode, Stage
from tests.pipeline.corpus import WORKS, described, write_reports

ENDS = [
    f"{who} wait."
    for who in "Eels Gulls Seals Crabs Terns Swifts Otters Herons Plaice Coots Ducks Rails Stoats".split()
]
ROOT = Path(__file__).parents[2]
SURVEY = "We surveyed 40 skippers along the quay."
CLOSING = "The board of town {} will publish the minutes of the harbour in {} days."


def body(number, claim="", closing=None):
    title, url = WORKS[number % len(WORKS)][1:]
    text = f"# Brief {number}\n\n{claim} Mixing sets the pace [1]. {closing or ENDS[number]}\n\n"
    return f"{text}## References\n\n[1] {title}. {url}\n"


def lines():
    """Twelve reports: one with a backed survey, one with an invented one, one without manifest, one broken manifest."""
    made = [
        {"id": "backed", "body": body(0, SURVEY), "evidence": {"respondents": 41}},
        {"id": "invented", "body": body(1, SURVEY), "evidence": {"tools": {"search": 3}}},
        {"id": "silent", "body": body(2), "evidence": {"respondents": 2}},
        {"id": "bare", "body": body(3, SURVEY)},
        {"id": "broken", "body": body(4), "evidence": "a lot"},
    ]
    made += [{"id": f"same-{i}", "body": body(5 + i, closing=CLOSING.format(i, 3 + i))} for i in range(3)]
    made += [{"id": f"own-{i}", "body": body(9 + i)} for i in range(2)]
    made += [{"id": "offer", "body": body(12, closing="Let me know if you need more detail.")}]
    return [*made, {"id": "no-prose", "body": "# Only a title\n"}]


def digests(folder):
    return {
        p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in sorted(folder.rglob("*")) if p.is_file()
    }


def ask(settings, question):
    with duckdb.connect(str(settings.home / "warehouse.duckdb"), read_only=True) as connection:
        return connection.execute(question).fetchall()


def brevity(version, least):
    definition = Definition(
        id="brevity", version=version, title="Brevity", unit="count", formula="characters", stages=(Stage.SHADOW,),
        absent_when="never", statistics=("mean",), owner="tests", says_not="Short is not good.",
    )  # fmt: skip
    return Metric(definition, lambda subject: Value(float(max(least, len(subject.body)))))


def test_every_state_from_the_file_to_the_verdict(settings, tmp_path):
    given = tmp_path / "in"
    given.mkdir()
    (given / "reports.jsonl").write_text("".join(json.dumps(row) + "\n" for row in lines()), "utf-8")
    works = [
        {
            "source_id": i,
            "title": title,
            "url": url,
            "text": "silt " * 200 if n == 0 else "silt" if n == 1 else None,
        }
        for n, (i, title, url) in enumerate(WORKS)
    ]
    (given / "sources.jsonl").write_text("".join(json.dumps(work) + "\n" for work in works), "utf-8")
    before = digests(given)
    recording = {rule: Mode.RECORD for rule in Rule if rule is not Rule.UNREADABLE}
    settings = dataclasses.replace(settings, gate=GatePolicy(recording))
    outcome = run_batch(settings, described(settings, given / "reports.jsonl", given / "sources.jsonl", "b"))
    assert outcome.faults == {}

    assert digests(given) == before
    log = (settings.home / "shadow" / "b.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["report_id"] for line in log] == [row["id"] for row in lines()]

    honesty = {
        i: (validity, value)
        for i, validity, value in ask(
            settings, "SELECT report_id, validity, value FROM report_metrics WHERE metric = 'method_honesty'"
        )
    }
    assert honesty["backed"] == ("measured", 1.0)
    assert honesty["invented"] == ("measured", 0.0)
    assert (honesty["silent"], honesty["own-0"]) == (("absent", None), ("absent", None))
    assert (honesty["bare"], honesty["broken"]) == (("unknown", None), ("unknown", None))
    assert ask(
        settings,
        "SELECT n, n_absent, n_unknown, value FROM batch_metrics WHERE metric = 'method_honesty' AND statistic = 'mean'",
    ) == [(3, 7, 2, 0.5)]
    held = ask(
        settings,
        "SELECT report_id FROM latest_decisions WHERE json_extract_string(would_hold, '$[*].rule').list_contains('method_honesty')"
        " ORDER BY ALL",
    )
    assert held == [("bare",), ("broken",), ("invented",)]
    assert ask(settings, "SELECT count(*) FROM latest_decisions WHERE gate_outcome = 'hold'") == [(0,)]
    assert ask(
        settings, "SELECT DISTINCT list_contains(not_checked, 'method claims') FROM latest_decisions"
    ) == [(False,)]
    assert ask(settings, "SELECT report_id, claimed, backed FROM method_claims ORDER BY ALL") == [
        ("backed", 40, True),
        ("bare", 40, None),
        ("invented", 40, False),
    ]

    closing = dict(
        ask(settings, "SELECT report_id, value FROM report_metrics WHERE metric = 'fixed_closing'")
    )
    assert {i for i, value in closing.items() if value == 1} == {"same-0", "same-1", "same-2", "offer"}
    assert closing["no-prose"] is None

    shares = ask(
        settings,
        "SELECT metric, sum(value), count(value) FROM report_metrics WHERE stage = 'rebuilt' AND metric IN "
        "('deep_share', 'shallow_share', 'blank_share') GROUP BY ALL ORDER BY ALL",
    )
    assert [metric for metric, *_ in shares] == ["blank_share", "deep_share", "shallow_share"]
    assert sum(total for _, total, _ in shares) == pytest.approx(11)
    assert {count for *_, count in shares} == {11}
    assert {m: t for m, t, _ in shares}["deep_share"] == 3  # briefs 0, 5 and 10 cite the first work

    store = Warehouse(settings.home)
    added = remeasure(store, "b", CATALOGUE.extended(brevity("v1", 0)), holder="tests")
    assert (added.shadow, added.rebuilt, added.reports) == (("brevity v1",), (), 12)
    again = remeasure(store, "b", CATALOGUE.extended(brevity("v2", 10_000)), holder="tests")
    assert again.shadow == ("brevity v2",)
    assert remeasure(store, "b", CATALOGUE.extended(brevity("v2", 10_000)), holder="tests").added == 0
    with store.read_primary() as reader:
        rows = reader.query(
            "SELECT metric_version, count(*), max(value), max(measured_now) FROM report_metrics JOIN metric_definitions "
            "USING (metric, metric_version) WHERE metric = 'brevity' GROUP BY ALL ORDER BY ALL"
        ).rows()
        figures = reader.query(
            "SELECT DISTINCT metric_version, n FROM batch_metrics WHERE metric = 'brevity' ORDER BY ALL"
        ).rows()
    assert [(version, n, now) for version, n, _, now in rows] == [("v1", 12, False), ("v2", 12, True)]
    assert rows[0][2] < 10_000 == rows[1][2]
    assert figures == [("v1", 12), ("v2", 12)]
    with pytest.raises(UsageError, match="never audited"):
        remeasure(store, "other", CATALOGUE, holder="tests")


OWN = """\
from quality.metrics.definition import BOTH_STAGES, Definition, Metric, Value

def headings(subject):
    return Value(sum(s.kind == "heading" for s in subject.reading.segments))

METRICS = (Metric(Definition(id="headings", version="v1", title="Headings", unit="count", formula="headings of the body",
    stages=BOTH_STAGES, absent_when="never", statistics=("min",), owner="heading_metrics", says_not="No structure."), headings),)
"""
CLAUSE = """\
format = 1
name = "mine"
approved_by = "A. Tester"
approved_on = "2026-11-30"
[[clauses]]
clause = "row_count"
metric = "row_count"
statistic = "count"
operator = ">="
threshold = 1
evidence = "none is too few"
[[clauses]]
clause = "headings_min"
metric = "headings"
version = "v1"
stage = "shadow"
statistic = "min"
operator = ">="
threshold = 3
min_n = 2
evidence = "two of our own have two"
"""
SCRIPT = """\
import sys
from pathlib import Path
from pipelines.cli.run import describe
from pipelines.cli.contract import accept, diff, suite
from pipelines.run import run_batch
from pipelines.settings import load_settings
settings = load_settings()
diff("default", "mine.toml")
suite("mine.toml")
accept(Path("mine.toml"), "A. Tester", "a test")
outcome = run_batch(settings, describe(settings, Path("in"), None, "b", "tests"), ingest=False)
print(outcome.summary.verdict, [(c.clause, c.reason) for c in outcome.summary.clauses])
"""


def test_a_metric_and_a_clause_of_ones_own_in_another_folder(tmp_path):
    write_reports(tmp_path / "in", {"a": body(1), "b": body(2)})
    for name, text in (("heading_metrics.py", OWN), ("mine.toml", CLAUSE), ("go.py", SCRIPT)):
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "sluicegate.toml").write_text('[metrics]\nmodules = ["heading_metrics"]\n', "utf-8")
    done = subprocess.run(
        [sys.executable, "go.py"],
        cwd=tmp_path,
        env={k: v for k, v in os.environ.items() if not k.startswith(("SLUICEGATE_", "DAGSTER_"))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said = done.stdout.strip().splitlines()[-1]
    assert said.startswith("breach ")
    assert "headings v1 (shadow) min is 2, needs >= 3, over 2 reports" in said
    with duckdb.connect(str(tmp_path / "var" / "warehouse.duckdb"), read_only=True) as connection:
        rows = connection.execute(
            "SELECT DISTINCT stage, value FROM report_metrics WHERE metric = 'headings' ORDER BY stage"
        ).fetchall()
    assert rows == [("rebuilt", 2.0), ("shadow", 2.0)]
    assert ROOT not in tmp_path.parents
