"""Leads to reports over a local server that speaks the Messages API: verified ones enter the line, the rest is kept out."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.servers.messages_api import Reply, messages_api, text
from tests.unit.quality.drafting.test_search import server as search_server

TEXTS = {
    "s1": "Sand moved 3 m in one night. Nobody saw it.",
    "s2": "Wind rose to 14 m/s before dawn.",
}
SOURCES = [
    {"source_id": "s1", "title": "Dune fields in motion", "doi": "10.5555/dunes.1", "text": TEXTS["s1"]},
    {
        "source_id": "s2",
        "title": "Wind over bare ground",
        "url": "https://papers.test/wind",
        "text": TEXTS["s2"],
    },
]
APPROVE = text('{"verdict": "approve", "objections": []}')
KEY = {"ANTHROPIC_API_KEY": "a key of this test"}


def block(said: str, document: int, words: str, titles=("s1", "s2")) -> dict:
    """A cited block as the API streams it."""
    start = TEXTS[titles[document]].index(words)
    citation = {
        "type": "char_location",
        "cited_text": words,
        "document_index": document,
        "document_title": "t",
        "start_char_index": start,
        "end_char_index": start + len(words),
    }
    return {"type": "text", "text": said, "citations": [citation]}


SOUND = Reply(
    content=[
        block("The sand moved three metres in one night.", 0, "Sand moved 3 m in one night."),
        block(" The wind rose before dawn.", 1, "Wind rose to 14 m/s before dawn."),
    ]
)
BARE = Reply(content=[*SOUND.content, {"type": "text", "text": " Costs fell by half in two years."}])


def is_writer(body) -> bool:
    return "output_config" not in body


def question(body) -> str:
    return next(c["text"] for c in body["messages"][0]["content"] if c["type"] == "text")


def answering(writers: dict[str, Reply], sceptics: dict[str, Reply] | None = None, wait: float = 0.0):
    """A server that knows a lead by a word of its question."""

    def answer(body, _number):
        known = writers if is_writer(body) else (sceptics or {})
        default = SOUND if is_writer(body) else APPROVE
        reply = next((r for word, r in known.items() if word in question(body)), default)
        time.sleep(wait)
        return reply

    return messages_api(answer)


@pytest.fixture
def desk(settings, tmp_path, monkeypatch):
    """A working directory with catalogue and leads; ``desk(url, ids)`` writes the configuration and the leads."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY["ANTHROPIC_API_KEY"])
    (tmp_path / "sources.jsonl").write_text("".join(json.dumps(s) + "\n" for s in SOURCES), encoding="utf-8")

    def prepare(url: str, ids, drafting: str = "leads_at_once = 20") -> None:
        leads = [
            {"id": i, "question": f"How far did the sand of {i} move?", "sources": ["s1", "s2"]} for i in ids
        ]
        (tmp_path / "leads.jsonl").write_text("".join(json.dumps(x) + "\n" for x in leads), encoding="utf-8")
        (tmp_path / "sluicegate.toml").write_text(
            f'[paths]\nhome = "home"\n[claude]\nbase_url = "{url}"\nmax_retries = 0\nmax_calls_at_once = 20\n'
            f'[drafting]\nwriter = "claude-w-1"\nsceptic = "claude-s-1"\n{drafting}\n',
            encoding="utf-8",
        )

    return prepare


def query(sluicegate, sql: str):
    code, out, err = sluicegate("sql", sql, "--json")
    assert code == 0, err
    return json.loads(out)


def draft(sluicegate, *options: str):
    code, out, err = sluicegate("draft", "leads.jsonl", "--sources", "sources.jsonl", "--json", *options)
    return code, (json.loads(out) if out else None), err


def test_leads_end_in_their_ways_and_only_verified_ones_become_reports(desk, sluicegate, tmp_path):
    objection = {
        "point": "It says more than the source.",
        "kind": "unsupported",
        "passage": "The wind rose before dawn.",
        "source": "s2",
        "severity": "high",
    }
    rejected = text(json.dumps({"verdict": "reject", "objections": [objection]}))
    writers = {
        "alpha": SOUND,
        "bravo": BARE,
        "charlie": Reply(stop_reason="refusal"),
        "delta": Reply(content=SOUND.content, stop_reason="max_tokens"),
        "foxtrot": Reply(status=529),
    }
    sceptics = {"echo": rejected, "golf": text("I would let it pass.")}
    leads = ("alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf")
    with answering(writers, sceptics) as api:
        desk(api.url, leads)
        code, facts, err = draft(sluicegate)
    assert code == 2, err
    assert {d["lead_id"]: (d["end_state"], d["n_rounds"]) for d in facts["drafts"]} == {
        "alpha": ("verified", 1),
        "bravo": ("no_progress", 3),
        "charlie": ("refused", 1),
        "delta": ("truncated", 1),
        "echo": ("no_progress", 3),
        "foxtrot": ("error", 1),
        "golf": ("error", 1),
    }
    home = tmp_path / "home"
    assert [r["report_id"] for r in query(sluicegate, "SELECT report_id FROM reports")] == ["alpha"]
    assert [p.stem for p in sorted((home / "delivered" / "leads").glob("*.md"))] == ["alpha"]
    assert sorted(p.stem for p in (home / "rejected" / "leads").glob("*.md")) == sorted(
        set(leads) - {"alpha"}
    )
    operator = (home / "rejected" / "leads" / "bravo.md").read_text(encoding="utf-8")
    assert "statement_without_source" in operator
    assert "Costs fell by half in two years." in operator
    requester = (home / "notices" / "leads" / "bravo.md").read_text(encoding="utf-8")
    assert "is not delivered" in requester
    assert "sand moved" not in requester
    evidence = query(sluicegate, "SELECT evidence FROM reports")[0]["evidence"]
    assert json.loads(evidence)["sources_read"] == ["s1", "s2"]
    (metric,) = query(
        sluicegate,
        "SELECT value FROM report_metrics WHERE metric = 'inbound_rate' AND metric_version = 'v3' AND stage = 'rebuilt'",
    )
    assert metric["value"] == 1.0


def test_the_policy_always_makes_a_report_of_it_and_the_gate_holds_it(desk, sluicegate):
    with answering({"bravo": BARE}) as api:
        desk(api.url, ("alpha", "bravo"), 'policy = "always"')
        code, facts, _ = draft(sluicegate)
    assert code == 1
    assert [d["report_id"] for d in facts["drafts"]] == ["alpha", "bravo"]
    (held,) = query(
        sluicegate,
        "SELECT reasons FROM latest_decisions WHERE report_id = 'bravo'",
    )
    assert "draft" in {r["rule"] for r in json.loads(held["reasons"])}


def test_a_recording_tells_the_same_story_without_key_or_network(desk, sluicegate, tmp_path, monkeypatch):
    with answering({"bravo": BARE}) as api:
        desk(api.url, ("alpha", "bravo"))
        code, live, _ = draft(sluicegate, "--record", "calls.jsonl")
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    again_code, again, _ = draft(sluicegate, "--replay", "calls.jsonl")
    assert (again_code, again["drafts"]) == (code, live["drafts"])
    (tmp_path / "sources.jsonl").write_text(
        "".join(json.dumps({**s, "text": s["text"] + " More."}) + "\n" for s in SOURCES), encoding="utf-8"
    )
    code, changed, _ = draft(sluicegate, "--replay", "calls.jsonl")
    assert code == 2
    assert all("differs in documents" in d["reason"] for d in changed["drafts"])


def test_a_bound_on_calls_ends_the_rest_without_another_call(desk, sluicegate):
    with answering({}) as api:
        desk(api.url, [f"lead-{n}" for n in range(4)], "max_calls = 4\nleads_at_once = 1")
        code, facts, _ = draft(sluicegate)
    assert (code, len(api.requests)) == (1, 4)
    assert [d["end_state"] for d in facts["drafts"]] == ["verified", "verified", "budget", "budget"]


def test_a_bound_on_money_needs_prices(desk, sluicegate):
    with answering({}) as api:
        desk(api.url, ("alpha",), "max_cost = 1.0")
        code, facts, _ = draft(sluicegate)
    assert code == 2
    assert "has no price" in json.dumps(facts["faults"])
    assert api.requests == []


def test_a_run_that_was_killed_goes_on_without_paying_twice(desk, settings, sluicegate, tmp_path):
    ids = [f"lead-{n:02}" for n in range(12)]
    with answering({}, wait=0.25) as api:
        desk(api.url, ids)
        config = tmp_path / "sluicegate.toml"
        config.write_text(config.read_text().replace("max_calls_at_once = 20", "max_calls_at_once = 2"))
        command = [
            str(Path(sys.executable).with_name("sluicegate")),
            "draft", "leads.jsonl", "--sources", "sources.jsonl",
        ]  # fmt: skip
        process = subprocess.Popen(
            command,
            cwd=tmp_path,
            env={**os.environ, **KEY},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        journal = settings.home / "drafting" / "leads.jsonl"
        deadline = time.monotonic() + 90
        while time.monotonic() < deadline and (
            not journal.exists() or len(journal.read_bytes().splitlines()) < 9
        ):
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
        paid = len(journal.read_bytes().splitlines())
        assert 9 <= paid < 24
        seen = len(api.requests)
        code, facts, err = draft(sluicegate)
    assert [d["end_state"] for d in facts["drafts"]] == ["verified"] * 12, err
    assert code in (0, 2)  # every lead is verified; the contract of so few reports may be unknown
    assert len(api.requests) - seen == 24 - paid


def test_what_a_search_finds_is_part_of_the_snapshot_and_nothing_else_can_be_cited(
    desk, sluicegate, tmp_path
):
    hit = {
        "id": "9",
        "source": "MED",
        "title": "Sand at night",
        "pmid": "9",
        "abstractText": "Sand moved 5 m.",
    }
    found = json.dumps({"hitCount": 1, "resultList": {"result": [hit]}}).encode()
    citation = {
        "type": "char_location", "cited_text": "Sand moved 5 m.", "document_title": "t",
        "start_char_index": 0, "end_char_index": 15,
    }  # fmt: skip

    def answer(body, _number):
        if not is_writer(body):
            return APPROVE
        titles = [c["title"] for c in body["messages"][0]["content"] if c["type"] == "document"]
        at = next(n for n, title in enumerate(titles) if title.startswith("europepmc:MED:9"))
        block = {
            "type": "text",
            "text": "It moved five metres.",
            "citations": [{**citation, "document_index": at}],
        }
        return Reply(content=[block])

    with messages_api(answer) as api, search_server(200, found) as (url, _):
        desk(api.url, (), f'search = "europepmc"\nsearch_url = "{url}"')
        (tmp_path / "leads.jsonl").write_text(
            '{"id": "a", "question": "How far does sand move?"}\n', encoding="utf-8"
        )
        code, facts, err = draft(sluicegate)
        assert [d["end_state"] for d in facts["drafts"]] == ["verified"], err
        again, second, _ = draft(sluicegate)
    assert (again, second["drafts"]) == (code, facts["drafts"])
    held = query(
        sluicegate,
        "SELECT source_id, pmid FROM sources JOIN batches USING (snapshot_id) WHERE source_id LIKE 'europepmc%'",
    )
    assert held == [{"source_id": "europepmc:MED:9", "pmid": "9"}]


def test_a_lead_that_names_a_source_without_text_is_named(desk, sluicegate, tmp_path):
    desk("http://127.0.0.1:9", ())
    (tmp_path / "leads.jsonl").write_text(
        '{"id": "a", "question": "q", "sources": ["s9"]}\n', encoding="utf-8"
    )
    code, facts, err = draft(sluicegate)
    assert code == 2
    assert "s9" in json.dumps(facts["faults"]) + err
