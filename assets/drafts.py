"""Group ``drafts``: reports that our own loop writes from leads.

Belongs here: from a batch's leads to reports, rejected drafts, notices and rows. Does not belong here: the loop
(``quality/drafting``), how models are reached (``pipelines``).

Whoever writes never signs: what leaves here as a report was verified by code, and goes through the whole line like any
other report. With the policy ``always`` the others become reports too, and the gate's rule ``draft`` holds them.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path
from typing import Any

import dagster as dg
import polars as pl

from assets.batches import Batch, batch_file, batch_folder, touch_batch
from assets.calls import keep_answers, write_calls
from assets.common import holder, line_asset, result
from assets.files import write_if_changed
from assets.ports import Drafted, Drafter, Store
from quality.drafting.leads import read_leads
from quality.drafting.model import Draft, End, Objection, Round, Story
from quality.drafting.papers import notice, rejected
from quality.drafting.prompts.load import prompt
from quality.errors import SluicegateError, UsageError
from quality.intake.batch import read_batch, write_batch
from quality.intake.catalogue import load_sources
from quality.model import Source
from quality.names import safe_name

DRAFT_STAGE = "draft"
PRODUCER = "sluicegate drafting"
_DRAFTS: dict[str, Any] = {
    "lead_id": pl.String,
    "ordinal": pl.Int32,
    "question": pl.String,
    "end_state": pl.String,
    "reason": pl.String,
    "n_rounds": pl.Int32,
    "n_sources": pl.Int32,
    "n_cited": pl.Int32,
    "n_open": pl.Int32,
    "open_objections": pl.String,
    "calls": pl.String,
    "cost": pl.Float64,
    "prompt_versions": pl.List(pl.String),
    "body_file": pl.String,
    "report_id": pl.String,
    "rejected_file": pl.String,
    "notice_file": pl.String,
}
_ROUNDS: dict[str, Any] = {
    "lead_id": pl.String,
    "round": pl.Int32,
    "sceptic": pl.String,
    "verified": pl.Boolean,
    "objections": pl.String,
    "flags": pl.List(pl.String),
    "dropped": pl.List(pl.String),
    "aimed": pl.Boolean,
    "changed_elsewhere": pl.Int32,
    "diff": pl.String,
    "n_cited": pl.Int32,
}


@line_asset(
    "drafts",
    tables={
        "drafts": "one row a lead of a batch",
        "draft_rounds": "one row a round",
        "llm_calls": "one row a call",
    },
    kinds=frozenset({"duckdb", "python"}),
)
def drafts(
    context: dg.AssetExecutionContext,
    store: dg.ResourceParam[Store],
    drafter: dg.ResourceParam[Drafter],
) -> dg.MaterializeResult[None]:
    """Which reports did our own loop write for this batch's leads, and which of them did its gate verify?

    A batch whose reports come from elsewhere has no leads, and nothing happens here. A draft that was not verified goes to
    the operator with its open objections, and whoever asked gets a notice.
    """
    batch = batch_file(store.home, context.partition_key)
    if batch.leads is None:
        return result({"leads": 0})
    try:
        stories = draft_batch(store, batch, drafter, holder(context))
    except SluicegateError as error:
        raise dg.Failure(description=str(error), allow_retries=False) from error
    ends = {f"ended_{end.value}": sum(s.end is end for s in stories) or None for end in End}
    return result({"leads": len(stories), **ends}, _shown(stories))


def _shown(stories: Sequence[Story]) -> dict[str, dg.MetadataValue]:
    """What the UI shows beside the numbers: how each lead ended, and the instructions with their versions."""
    lines = ["| lead | end | rounds | why |", "|---|---|---|---|"]
    for s in stories:
        cells = (s.lead.id, s.end.value, str(len(s.rounds)), s.reason)
        lines.append("| " + " | ".join(" ".join(c.replace("|", "\\|").split()) for c in cells) + " |")
    texts = {f"prompt_{name}": prompt(name) for name in ("writer", "sceptic", "judge")}
    prompts = {
        name: dg.MetadataValue.md(f"**{version}**\n\n{text}") for name, (text, version) in texts.items()
    }
    return {"ends": dg.MetadataValue.md("\n".join(lines)), **prompts}


def draft_batch(store: Store, batch: Batch, drafter: Drafter, who: str) -> Sequence[Story]:
    """Draft the leads of a batch, and keep everything that came of it.

    Raises:
        UsageError: the batch has no leads, or no catalogue to cite from.
        InputError, ConfigError: leads, catalogue, recording or configuration are wrong.
    """
    if batch.leads is None:
        raise UsageError(f"Batch {batch.id!r} has no leads.", remedy="Name them: `sluicegate draft LEADS`.")
    if batch.sources is None:
        raise UsageError(
            f"Batch {batch.id!r} has no source catalogue, so nothing can be cited.",
            remedy="Name one with --sources.",
        )
    leads = read_leads(batch.leads)
    catalogue = load_sources(batch.sources).sources
    drafted = drafter.draft(leads, catalogue, store.home / "drafting" / f"{safe_name(batch.id)}.jsonl")
    batch = _with_found(store.home, batch, catalogue, drafted.found)
    become = {s.lead.id for s in drafted.stories if _becomes_report(s, drafter.policy)}
    write_if_changed(batch.reports, _reports(drafted.stories, become, batch.created_at.date()))
    papers = _papers(store.home, batch.id, drafted.stories)
    bodies = _bodies(drafted.stories)
    body_file = store.write_bodies(batch.id, bodies) if bodies.height else None
    text_file = keep_answers(store, batch.id, drafted.calls)
    with store.write(who) as tx:
        touch_batch(tx, batch)
        tx.replace("drafts", _rows(drafted, become, papers, body_file), where={"batch_id": batch.id})
        tx.replace("draft_rounds", _round_rows(drafted.stories), where={"batch_id": batch.id})
        if drafted.calls:
            write_calls(tx, batch.id, drafted.calls, text_file)
    return drafted.stories


def _with_found(home: Path, batch: Batch, catalogue: Sequence[Source], found: Sequence[Source]) -> Batch:
    """The batch with a catalogue that holds what was found outside too, so that it is part of its snapshot."""
    known = {s.source_id for s in catalogue}
    fresh = [s for s in found if s.source_id not in known]
    if not fresh:
        return batch
    folder = batch_folder(home, batch.id)
    rows = [{k: v for k, v in asdict(s).items() if v not in (None, ())} for s in (*catalogue, *fresh)]
    file = folder / "sources.jsonl"
    write_if_changed(file, "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows).encode())
    written = read_batch(folder)
    write_batch(folder, written.model_copy(update={"sources": str(file)}))
    return replace(batch, sources=file)


def _becomes_report(story: Story, policy: str) -> bool:
    return story.end is End.VERIFIED or (policy == "always" and story.draft is not None)


def _reports(stories: Iterable[Story], become: set[str], day: date) -> bytes:
    """The batch's reports as JSON lines, each with the evidence of what the loop really did."""
    lines = [_report(s, s.draft, day) for s in stories if s.lead.id in become and s.draft is not None]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def _report(story: Story, draft: Draft, day: date) -> dict[str, object]:
    return {
        "id": story.lead.id,
        "title": _title(draft, story.lead.question),
        "body": draft.body,
        "language": story.lead.language,
        "producer": PRODUCER,
        "question": story.lead.question,
        "created_at": day.isoformat(),
        "evidence": {
            "tools": [{"name": f"language model: {who}", "calls": n} for who, n in story.counts.items()],
            "sources_read": [s.source_id for s in story.sources],
        },
    }


def _title(draft: Draft, question: str) -> str:
    first = draft.body.lstrip().split("\n", 1)[0]
    return first.lstrip("# ").strip() if first.startswith("#") else question


def _papers(home: Path, batch_id: str, stories: Iterable[Story]) -> dict[str, tuple[str, str]]:
    """Write what the operator and the requester get of each unverified draft: lead -> (rejected file, notice file)."""
    files: dict[str, tuple[str, str]] = {}
    kept: set[Path] = set()
    for story in stories:
        if story.end is End.VERIFIED:
            continue
        name = f"{safe_name(story.lead.id)}.md"
        pair = [Path(folder) / safe_name(batch_id) / name for folder in ("rejected", "notices")]
        for file, text in zip(pair, (rejected(story), notice(story)), strict=True):
            write_if_changed(home / file, text.encode())
            kept.add(home / file)
        files[story.lead.id] = (str(pair[0]), str(pair[1]))
    for folder in ("rejected", "notices"):
        for stale in set((home / folder / safe_name(batch_id)).glob("*.md")) - kept:
            stale.unlink()
    return files


def _bodies(stories: Iterable[Story]) -> pl.DataFrame:
    rows = [(s.lead.id, DRAFT_STAGE, s.draft.body) for s in stories if s.draft is not None]
    return pl.DataFrame(
        rows, schema={"report_id": pl.String, "stage": pl.String, "body": pl.String}, orient="row"
    )


def _rows(
    drafted: Drafted, become: set[str], papers: dict[str, tuple[str, str]], body_file: str | None
) -> pl.DataFrame:
    costs: dict[str, float | None] = {}
    prompts: dict[str, set[str]] = {}
    for call in drafted.calls:
        before = costs.get(call.request.subject, 0.0)
        spent = 0.0 if call.error is not None else call.cost
        costs[call.request.subject] = None if before is None or spent is None else before + spent
        prompts.setdefault(call.request.subject, set()).add(call.request.prompt_version)
    rows = []
    for n, story in enumerate(drafted.stories):
        lead, draft = story.lead, story.draft
        rejected_file, notice_file = papers.get(lead.id, (None, None))
        rows.append(
            (
                lead.id,
                n,
                lead.question,
                story.end.value,
                story.reason,
                len(story.rounds),
                len(story.sources),
                None if draft is None else len(draft.cited),
                len(story.objections),
                _json(story.objections),
                json.dumps(dict(story.counts)),
                costs.get(lead.id),
                sorted(prompts.get(lead.id, ())),
                None if draft is None else body_file,
                lead.id if lead.id in become else None,
                rejected_file,
                notice_file,
            )
        )
    return pl.DataFrame(rows, schema=_DRAFTS, orient="row")


def _round_rows(stories: Iterable[Story]) -> pl.DataFrame:
    rows = [_round_row(story.lead.id, one) for story in stories for one in story.rounds]
    return pl.DataFrame(rows, schema=_ROUNDS, orient="row")


def _round_row(lead_id: str, one: Round) -> tuple[object, ...]:
    draft = one.draft
    verified = draft is not None and one.sceptic in ("approve", "reject") and not one.objections
    return (
        lead_id,
        one.number,
        one.sceptic,
        verified,
        _json(one.objections),
        list(one.flags),
        list(one.dropped),
        one.aimed,
        one.changed_elsewhere,
        one.diff,
        None if draft is None else len(draft.cited),
    )


def _json(objections: Sequence[Objection]) -> str:
    return json.dumps([asdict(o) for o in objections], ensure_ascii=False)
