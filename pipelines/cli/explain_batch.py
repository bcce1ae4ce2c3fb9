"""``sluicegate explain BATCH``: what a batch was, what the rebuild was worth, and how it was judged, on one screen.

Belongs here: the questions about a batch and their printing. Does not belong here: single reports (explain.py).
"""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from pipelines.cli.output import shown, table
from pipelines.resources.reader import Reader

VERSIONS = {"v1": "exact", "v2": "containment, shown only", "v3": "safe tiers"}
WORST = 5
QUESTIONS = {
    "batch": "SELECT b.*, s.n_sources FROM batches b LEFT JOIN source_snapshots s USING (snapshot_id) "
    "WHERE batch_id = $batch",
    "before_after": "SELECT * EXCLUDE (batch_id, created_at, producer) FROM batch_before_after WHERE batch_id = $batch",
    "rebuild_paths": "SELECT * EXCLUDE (batch_id) FROM rebuild_paths WHERE batch_id = $batch ORDER BY n_reports DESC, path",
    "contract": "SELECT * FROM batch_contract WHERE batch_id = $batch",
    "clauses": "SELECT clause, verdict, mode, observed, threshold, reason, n, n_absent, n_unknown, worst_reports "
    "FROM latest_results WHERE batch_id = $batch ORDER BY mode, clause",
    "decisions": "SELECT decision, count(*) AS reports, count(*) FILTER (gate_outcome = 'hold') AS held_by_gate "
    "FROM latest_decisions d JOIN reports r USING (batch_id, report_id) WHERE d.batch_id = $batch "
    "AND d.input_fingerprint = r.input_fingerprint GROUP BY decision ORDER BY decision",
    "knowledge_base": "SELECT count(*) AS documents FROM kb_documents WHERE batch_id = $batch",
    "worst_reports": "SELECT report_id, inbound_rate_shadow, inbound_rate_rebuilt, dangling_after, rebuild_path, rules "
    "FROM report_scorecard WHERE batch_id = $batch AND (rules <> [] OR dangling_after > 0) "
    "ORDER BY inbound_rate_rebuilt NULLS FIRST, dangling_after DESC, report_id",
}


def gather_batch(connection: Reader, batch_id: str) -> dict[str, Any]:
    """Everything recorded about one batch as a whole, as plain values."""
    return {name: connection.query(text, {"batch": batch_id}).to_dicts() for name, text in QUESTIONS.items()}


def show_batch(out: Console, facts: dict[str, Any]) -> None:
    """Print the facts for a person."""
    batch = facts["batch"][0]
    out.print(Text.assemble("Batch ", (batch["batch_id"], "bold"), f"  {batch['n_reports']} reports"))
    written = f"written by {batch['producer']}, " if batch["producer"] else ""
    against = (
        f"against {batch['n_sources']} sources ({batch['snapshot_id']})"
        if batch["sources_path"]
        else "without a catalogue"
    )
    out.print(Text(f"{written}made {shown(batch['created_at'])}, audited {against}"), soft_wrap=True)
    for figures in facts["before_after"]:
        out.print(table(("", "as written", "after the rebuild", "reports"), before_after_rows(figures)))
    _show_paths(out, facts)
    _show_contract(out, facts)
    held = {d["decision"]: d["reports"] for d in facts["decisions"]}
    out.print(
        Text(
            f"Decisions: {held.get('ingest', 0)} ingest, {held.get('hold', 0)} hold; "
            f"{facts['knowledge_base'][0]['documents']} in the knowledge base"
        )
    )
    if worst := facts["worst_reports"]:
        rows = [tuple(r.values()) for r in worst[:WORST]]
        columns = ("report", "inbound as written", "rebuilt", "dangling", "path", "held by")
        title = f"worst reports ({min(WORST, len(worst))} of {len(worst)} that are held or dangle)"
        out.print(table(columns, rows, title=title))


def before_after_rows(figures: dict[str, Any]) -> list[tuple[object, ...]]:
    """The before/after table of one batch; each version of the inbound rate is a row of its own."""
    n = f"{shown(figures['inbound_n_before'])} → {shown(figures['inbound_n_after'])}"
    rows: list[tuple[object, ...]] = [
        (
            f"inbound rate P50, {version} ({how})",
            figures[f"inbound_p50_{version}_before"],
            figures[f"inbound_p50_{version}_after"],
            n,
        )
        for version, how in VERSIONS.items()
    ]
    rows.append(
        ("inbound rate P10, v3", figures["inbound_p10_v3_before"], figures["inbound_p10_v3_after"], n)
    )
    rows.append(
        (
            "dirty entries, of all entries",
            _of(figures["dirty_before"], figures["entries_before"]),
            _of(figures["dirty_after"], figures["entries_after"]),
            figures["n_reports"],
        )
    )
    rows.append(
        (
            "citations whose title is cut short",
            _of(figures["citations_truncated"], figures["citations"]),
            None,
            figures["n_reports"],
        )
    )
    singles = (
        ("stock closings", "fixed_closing", None),
        ("honest method claims", "method_honesty", None),
        ("deep sources", None, "deep_share"),
        ("blank sources", None, "blank_share"),
    )
    for name, before, after in singles:
        values = (figures[before] if before else None, figures[after] if after else None)
        if values != (None, None):
            rows.append((name, *values, figures["n_reports"]))
    return rows


def _of(part: object, whole: object) -> str | None:
    return None if whole is None else f"{part} of {whole}"


def _show_paths(out: Console, facts: dict[str, Any]) -> None:
    for path in facts["rebuild_paths"]:
        why = f" ({path['reason']}; {path['example']} for one)" if path["reason"] else ""
        out.print(Text(f"Tables {path['path']}: {path['n_reports']}{why}"), soft_wrap=True)


def _show_contract(out: Console, facts: dict[str, Any]) -> None:
    for contract in facts["contract"]:
        out.print(Text(f"Contract {contract['contract_version']}: {contract['verdict']}"))
    for clause in facts["clauses"]:
        if clause["verdict"] != "pass":
            mode = "" if clause["mode"] == "block" else "  (only recorded)"
            out.print(Text(f"  {clause['clause']}: {clause['reason']}{mode}"), soft_wrap=True)
