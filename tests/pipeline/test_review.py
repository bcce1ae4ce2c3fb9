"""The blind review over a real batch: our rules, a model behind a local server, a recording, and findings from outside."""

import asyncio
import json

import pytest

from pipelines.gateway.client import Access
from pipelines.gateway.settings import Claude
from pipelines.panel import ReviewPanel
from quality.llm.ledger import Price
from tests.pipeline.corpus import broken
from tests.servers.messages_api import Reply, messages_api, text

DANGLING = {
    "category": "dangling_citation",
    "severity": "high",
    "explanation": "No entry has this number.",
    "quote": "the whole estuary [7]",
}


def reviewer_of(answers: dict[str, Reply], default: Reply):
    """A model that knows a report by its heading."""

    def answer(body, _number):
        report = body["messages"][0]["content"][0]["source"]["data"]
        return next((reply for words, reply in answers.items() if words in report), default)

    return messages_api(answer)


CLEAN = text(json.dumps({"findings": []}))


@pytest.fixture
def batch(run, sluicegate, monkeypatch):
    """Twelve reports; every second cites [7], [8] and [9], which no table has."""
    run(broken(), batch="b")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a key of this test")
    return sluicegate


def configured(tmp_path, url: str) -> None:
    (tmp_path / "sluicegate.toml").write_text(
        f'[paths]\nhome = "home"\n[claude]\nbase_url = "{url}"\nmax_retries = 0\nreviewer = "claude-test-1"\n'
        "[claude.prices.claude-test-1]\ninput = 3.0\noutput = 15.0\ncache_read = 0.3\ncache_write = 3.75\n",
        encoding="utf-8",
    )


def query(sluicegate, sql: str):
    code, out, err = sluicegate("sql", sql, "--json")
    assert code == 0, err
    return json.loads(out)


def test_rules_and_a_model_share_what_dangles_and_a_failed_call_is_no_clean_report(batch, tmp_path):
    answers = {
        "# Estuary brief 0\n": text(json.dumps({"findings": [DANGLING]})),
        "# Estuary brief 2\n": text(f"```json\n{json.dumps({'findings': [DANGLING]})}\n```"),
        "# Estuary brief 4\n": text("All fine, I would let it pass."),
        "# Estuary brief 6\n": Reply(status=529),
        "# Estuary brief 8\n": Reply(stop_reason="refusal"),
    }
    with reviewer_of(answers, CLEAN) as api:
        configured(tmp_path, api.url)
        code, out, err = batch("review", "b", "--json", "--record", "calls.jsonl")
    assert code == 2, err
    facts = json.loads(out)
    assert [(r["reviewer"], r["kind"], r["reports"]) for r in facts["reviews"]] == [
        ("mechanical", "mechanical", 12),
        ("claude-test-1", "model", 12),
    ]
    faults = facts["reviews"][1]["not_examined"]
    assert {report: fault.split(":")[0] for report, fault in faults.items()} == {
        "brief-04": "structure",
        "brief-06": "overloaded",
        "brief-08": "refused",
    }
    # brief 10 dangles too, but the model found nothing there: nine reports compared, two shared, at the same place
    first = facts["convergence"][0]
    assert (first["category"], first["compared"], first["shared_reports"], first["shared_passages"]) == (
        "dangling_citation",
        9,
        2,
        2,
    )
    assert first["found_by"] == {"mechanical": 6, "claude-test-1": 2}
    _stored(batch)
    _replayed(batch, tmp_path, facts)


def _stored(sluicegate) -> None:
    assert query(
        sluicegate,
        "SELECT validity, count(*) AS n, sum(n_findings)::INT AS found FROM examinations "
        "WHERE reviewer = 'claude-test-1' GROUP BY ALL ORDER BY 1",
    ) == [{"validity": "measured", "n": 9, "found": 2}, {"validity": "unknown", "n": 3, "found": None}]
    calls = query(
        sluicegate,
        "SELECT status, stop_reason, count(*) AS n, max(cost) AS cost FROM llm_calls GROUP BY ALL ORDER BY ALL",
    )
    # 11 tokens in at 3, 7 out at 15, 3 read from the cache at 0.3, for a million each
    assert [(c["status"], c["stop_reason"], c["n"]) for c in calls] == [
        ("answered", "end_turn", 10),
        ("answered", "refusal", 1),
        ("failed", None, 1),
    ]
    assert calls[0]["cost"] == pytest.approx(11 * 3e-6 + 7 * 15e-6 + 3 * 0.3e-6)
    assert calls[2]["cost"] is None


def _replayed(sluicegate, tmp_path, facts) -> None:
    """The same review again, from the recording, without a key, at an address where nobody listens."""
    before = query(sluicegate, "SELECT * EXCLUDE (called_at, seconds) FROM llm_calls ORDER BY call_id")
    code, out, _ = sluicegate("review", "b", "--json", "--replay", "calls.jsonl")
    assert code == 2
    again = json.loads(out)
    assert again["convergence"] == facts["convergence"]
    assert again["reviews"][1]["findings"] == facts["reviews"][1]["findings"]
    assert (
        query(sluicegate, "SELECT * EXCLUDE (called_at, seconds) FROM llm_calls ORDER BY call_id") == before
    )


def test_what_others_found_is_no_part_of_the_question(batch, tmp_path):
    with reviewer_of({}, CLEAN) as api:
        configured(tmp_path, api.url)
        batch("review", "b")
        (tmp_path / "ana.jsonl").write_text(
            json.dumps(
                {"report_id": "brief-00", "category": "other", "severity": "low", "quote": "Marshes keep"}
            )
        )
        assert (
            batch("review", "b", "--bring", "ana.jsonl", "--as", "Ana")[0] == 2
        )  # she looked at one of twelve
        batch("review", "b")
    first, second = api.requests[:12], api.requests[12:]
    assert len(second) == 12
    assert sorted(map(json.dumps, first)) == sorted(map(json.dumps, second))


def test_without_a_model_our_rules_sit_alone_and_findings_from_outside_join_them(batch, tmp_path):
    code, out, _ = batch("review", "b")
    assert code == 0
    assert "dangling_citation" in out
    lines = [
        {
            "report_id": "brief-00",
            "category": "dangling_citation",
            "severity": "high",
            "quote": "estuary [7]",
        },
        {"report_id": "brief-01", "examined": True},
    ]
    (tmp_path / "ana.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    code, out, _ = batch("review", "b", "--bring", "ana.jsonl", "--as", "Ana", "--json")
    assert code == 2
    first = json.loads(out)["convergence"][0]
    assert (first["category"], first["compared"], first["shared_reports"]) == ("dangling_citation", 2, 1)
    assert query(batch, "SELECT rank, category, shared_passages FROM convergence ORDER BY rank LIMIT 1") == [
        {"rank": 1, "category": "dangling_citation", "shared_passages": 1}
    ]


def test_reviews_of_another_state_of_the_batch_are_not_compared(batch, run, tmp_path):
    batch("review", "b")
    (tmp_path / "ana.jsonl").write_text(
        json.dumps(
            {"report_id": "brief-00", "category": "dangling_citation", "severity": "high", "quote": "[7]. "}
        )
    )
    run({**broken(), "brief-00": "# Written anew\n\nNothing cited.\n"}, batch="b")
    code, out, _ = batch("review", "b", "--bring", "ana.jsonl", "--as", "Ana", "--json")
    assert code == 2
    assert [r["examined_by"] for r in json.loads(out)["convergence"]] == [{"Ana": 1}]


def test_a_wrong_call_names_what_is_wrong(batch):
    calls = [
        (("nowhere",), "nowhere"),
        (("b", "--bring", "x.jsonl"), "--as"),
        (("b", "--replay", "x.jsonl"), "No model reviews"),
        (("b", "--model", "m", "--replay", "x.jsonl", "--record", "y.jsonl"), "exclude"),
        (("b", "--model", "m", "--replay", "missing.jsonl"), "cannot be read"),
        (("b", "--bring", "missing.jsonl", "--as", "Ana"), "missing.jsonl"),
    ]
    for arguments, said in calls:
        code, _, err = batch("review", *arguments)
        assert (code >= 64, said in err) == (True, True), (arguments, code, err)


def test_a_panel_without_a_model_asks_nobody():
    async def names() -> list[str]:
        async with ReviewPanel(Claude(Access(), None, {"m": Price(1, 1, 1, 1)})).sit() as seats:
            assert seats.calls == ()
            return [type(r).__name__ for r in seats.reviewers]

    assert asyncio.run(names()) == ["MechanicalReviewer"]
