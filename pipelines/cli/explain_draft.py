"""The story of a draft of our own loop, round by round, for ``sluicegate explain``.

Belongs here: its questions and their printing. Does not belong here: reports (``explain``) and batches (``explain_batch``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

from pipelines.cli.output import shown
from pipelines.resources.reader import Reader

DRAFT = "SELECT * FROM drafts WHERE batch_id = $batch AND lead_id = $lead"
ROUNDS = "SELECT * FROM draft_rounds WHERE batch_id = $batch AND lead_id = $lead ORDER BY round"
CALLS = """
SELECT purpose, model, prompt_version, status, stop_reason, error, input_tokens, output_tokens, cost, called_at
FROM llm_calls WHERE batch_id = $batch AND subject = $lead AND purpose IN ('writer', 'sceptic', 'judge')
ORDER BY called_at, purpose
"""
BODY = "SELECT body FROM draft_bodies WHERE batch_id = $batch AND lead_id = $lead"


def draft_batch_of(connection: Reader, lead: str, batch: str | None) -> str | None:
    """The latest batch with a lead of this id (of this batch, where one is named); None: there is none."""
    rows = connection.query(
        "SELECT d.batch_id FROM drafts d JOIN batches b USING (batch_id) WHERE d.lead_id = ? "
        "AND d.batch_id = coalesce(?, d.batch_id) ORDER BY b.created_at DESC, d.batch_id LIMIT 1",
        [lead, batch],
    )
    return None if rows.is_empty() else str(rows.item())


def gather_draft(connection: Reader, batch_id: str, lead: str) -> dict[str, Any] | None:
    """Everything recorded about the draft of one lead, as plain values; None: the lead was never drafted."""
    params = {"batch": batch_id, "lead": lead}
    found = connection.query(DRAFT, params).to_dicts()
    if not found:
        return None
    draft = found[0]
    for column in ("open_objections", "calls"):
        draft[column] = json.loads(draft[column])
    rounds = connection.query(ROUNDS, params).to_dicts()
    for one in rounds:
        one["objections"] = json.loads(one["objections"])
    bodies = connection.query(BODY, params)
    return {
        "draft": draft,
        "rounds": rounds,
        "model_calls": connection.query(CALLS, params).to_dicts(),
        "body": None if bodies.is_empty() else bodies.item(),
    }


def show_draft(out: Console, facts: Mapping[str, Any]) -> None:
    """Print the story for a person."""
    draft = facts["draft"]
    style = "bold green" if draft["end_state"] == "verified" else "bold red"
    out.print(
        Text.assemble(("draft of lead ", ""), (draft["lead_id"], "bold"), f"  batch {draft['batch_id']}")
    )
    out.print(Text(f"  asks: {draft['question']}"), soft_wrap=True)
    for one in facts["rounds"]:
        _show_round(out, one)
    out.print(
        Text.assemble(("  ended as ", ""), (draft["end_state"], style), f": {draft['reason']}"),
        soft_wrap=True,
    )
    calls = ", ".join(f"{who} {n}" for who, n in draft["calls"].items()) or "none"
    out.print(
        Text(f"  calls: {calls}; cost: {shown(draft['cost'])}; prompts: {shown(draft['prompt_versions'])}")
    )
    if draft["rejected_file"]:
        out.print(
            Text(f"  rejected: {draft['rejected_file']}; notice: {draft['notice_file']}"), soft_wrap=True
        )


def _show_round(out: Console, one: Mapping[str, Any]) -> None:
    cited = "no draft" if one["n_cited"] is None else _count(one["n_cited"], "source") + " cited"
    aimed = ", aimed at what came again" if one["aimed"] else ""
    verdict = "verified" if one["verified"] else _count(len(one["objections"]), "objection")
    out.print(
        Text(f"  round {one['round']}{aimed}: {cited}; sceptic: {one['sceptic']}; gate: {verdict}"),
        soft_wrap=True,
    )
    for o in one["objections"]:
        where = o["identifier"] or o["passage"] or o["source_id"] or ""
        told = f" ({' '.join(where.split())})" if where else ""
        out.print(Text(f"    {o['rule']} ({o['raised_by']}): {o['point']}{told}"), soft_wrap=True)
    for flag in one["flags"]:
        out.print(Text(f"    flag: {flag}"))
    if one["changed_elsewhere"]:
        changed = _count(one["changed_elsewhere"], "line")
        out.print(Text(f"    {changed} changed that no objection was about"))


def _count(n: int, one: str) -> str:
    return f"{n} {one}" if n == 1 else f"{n} {one}s"
