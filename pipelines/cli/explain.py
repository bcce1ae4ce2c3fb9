"""``sluicegate explain REPORT``: everything that is recorded about one report, on one screen.

Belongs here: which report or batch is meant, the questions about a report and their printing.
Does not belong here: judging, and what is told about a batch (explain_batch.py).
"""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from pipelines.cli.explain_batch import gather_batch, show_batch
from pipelines.cli.explain_draft import draft_batch_of, gather_draft, show_draft
from pipelines.cli.output import Config, Json, console, print_json, shown, table
from pipelines.resources.reader import Reader, reader
from pipelines.settings import load_settings
from quality.errors import UsageError

METRICS = """
SELECT metric, metric_version,
    any_value(struct_pack(value := value, validity := validity, numerator := numerator, denominator := denominator, detail := detail)) FILTER (stage = 'shadow') AS shadow,
    any_value(struct_pack(value := value, validity := validity, numerator := numerator, denominator := denominator, detail := detail)) FILTER (stage = 'rebuilt') AS rebuilt
FROM report_metrics WHERE batch_id = $batch AND report_id = $report
GROUP BY ALL ORDER BY metric, metric_version
"""
CITATIONS = """
SELECT c.key, c.style, c.occurrences, c.scope, c.entry_ordinal, coalesce(e.title, e.text) AS entry, r.state, r.tier, r.source_id, c.self_contained
FROM cited_keys c
LEFT JOIN reference_entries e ON (e.batch_id, e.report_id, e.stage, e.ordinal)
    = (c.batch_id, c.report_id, c.stage, c.entry_ordinal)
LEFT JOIN resolutions r ON (r.batch_id, r.report_id, r.stage, r.subject, r.ordinal)
    = (c.batch_id, c.report_id, c.stage, 'citation', c.ordinal)
WHERE c.batch_id = $batch AND c.report_id = $report AND c.stage = $stage ORDER BY c.ordinal
"""
QUESTIONS = {
    "report": "SELECT * EXCLUDE (extra, evidence) FROM reports WHERE batch_id = $batch AND report_id = $report",
    "withdrawn": "SELECT * FROM withdrawn_reports WHERE batch_id = $batch AND report_id = $report",
    "rebuild": "SELECT * FROM rebuilds WHERE batch_id = $batch AND report_id = $report",
    "decisions": "SELECT * FROM ingestion_decisions WHERE batch_id = $batch AND report_id = $report ORDER BY decision_id",
    "versions": "SELECT * EXCLUDE (batch_id, report_id) FROM report_versions WHERE batch_id = $batch "
    "AND report_id = $report ORDER BY version",
    "releases": "SELECT * EXCLUDE (batch_id, report_id) FROM releases WHERE batch_id = $batch "
    "AND report_id = $report ORDER BY release_id",
    "delivery": "SELECT * FROM deliveries WHERE batch_id = $batch AND report_id = $report",
    "knowledge_base": "SELECT * FROM kb_documents WHERE batch_id = $batch AND report_id = $report",
    "dirty_entries": "SELECT stage, key, text, dirty_reasons FROM reference_entries WHERE batch_id = $batch "
    "AND report_id = $report AND len(dirty_reasons) > 0 ORDER BY stage DESC, ordinal",
}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("explain")(explain)


def explain(
    name: Annotated[
        str | None,
        typer.Argument(help="Id of a report, of a lead, or of a batch.", metavar="[REPORT|LEAD|BATCH]"),
    ] = None,
    batch: Annotated[
        str | None,
        typer.Option(
            help="The report's batch, needed where several have a report of that id; alone: explain this batch."
        ),
    ] = None,
    as_json: Json = False,
    config: Config = None,
) -> None:
    """Show one report's numbers before and after the rebuild, its citations, its decision and what to fix.

    For a lead: the story of its draft, round by round. For a batch: what the rebuild was worth, which tables were left and
    why, how the contract judged it.
    """
    from assets.batches import batch_of_report

    with reader(load_settings(config).home) as connection:
        if whole := _whole_batch(connection, name, batch):
            facts, show_facts = gather_batch(connection, whole), show_batch
        elif drafted := _draft_alone(connection, str(name), batch):
            facts, show_facts = drafted, show_draft
        else:
            report = str(name)
            left = _batch_it_left(connection, report, batch)
            facts = gather(connection, left or batch_of_report(connection, report, batch), report)
            show_facts = show
    if as_json:
        print_json(facts)
    else:
        show_facts(console(), facts)


def _draft_alone(connection: Reader, lead: str, batch: str | None) -> dict[str, Any] | None:
    """The draft of a lead that became no report; None: there is a report of that id, or no such lead."""
    reports = connection.query(
        "SELECT count(*) FROM reports WHERE report_id = ? AND batch_id = coalesce(?, batch_id)", [lead, batch]
    ).item()
    of = None if reports else draft_batch_of(connection, lead, batch)
    return None if of is None else gather_draft(connection, of, lead)


def _whole_batch(connection: Reader, name: str | None, batch: str | None) -> str | None:
    """The batch that is asked about as a whole; None where a report is.

    Raises:
        UsageError: nothing is named, or no batch of that id.
    """
    if name is None and batch is None:
        raise UsageError("Nothing is named to explain.", remedy="Name a report, or a batch.")
    known = "SELECT count(*) FROM batches WHERE batch_id = ?"
    if name is not None:
        reports = connection.query("SELECT count(*) FROM reports WHERE report_id = ?", [name]).item()
        return name if batch is None and not reports and connection.query(known, [name]).item() else None
    if not connection.query(known, [batch]).item():
        raise UsageError(f"There is no batch {batch!r}.", remedy="`sluicegate batches` lists them.")
    return batch


def _batch_it_left(connection: Reader, report: str, batch: str | None) -> str | None:
    """The batch that a report left last; None while a batch has it, or when it left none."""
    found = connection.query(
        "SELECT batch_id FROM withdrawn_reports WHERE report_id = $report AND ($batch IS NULL OR batch_id = $batch) "
        "AND NOT EXISTS (SELECT 1 FROM reports WHERE report_id = $report AND ($batch IS NULL OR batch_id = $batch)) "
        "ORDER BY withdrawn_at DESC LIMIT 1",
        {"report": report, "batch": batch},
    )
    return str(found.item()) if found.height else None


def gather(connection: Reader, batch_id: str, report_id: str) -> dict[str, Any]:
    """Everything recorded about one report, as plain values."""
    params = {"batch": batch_id, "report": report_id}
    facts: dict[str, Any] = {
        name: connection.query(text, params).to_dicts() for name, text in QUESTIONS.items()
    }
    facts["metrics"] = connection.query(METRICS, params).to_dicts()
    for stage in ("shadow", "rebuilt"):
        facts[f"citations_{stage}"] = connection.query(CITATIONS, {**params, "stage": stage}).to_dicts()
    for decision in facts["decisions"]:
        for column in ("reasons", "would_hold", "lifted"):
            decision[column] = json.loads(decision[column] or "[]")
    facts["draft"] = gather_draft(connection, batch_id, report_id)
    return facts


def show(out: Console, facts: dict[str, Any]) -> None:
    """Print the facts for a person."""
    if facts["withdrawn"]:
        _show_withdrawn(out, facts)
        return
    report = facts["report"][0]
    if facts["draft"]:
        show_draft(out, facts["draft"])
    out.print(
        Text.assemble((report["report_id"], "bold"), f"  batch {report['batch_id']}  {report['title'] or ''}")
    )
    if report["status"] != "read":
        out.print(Text(f"could not be read: {report['reason']}: {report['detail']}", style="bold red"))
    for v in facts["versions"]:
        by = f"resubmitted by {v['submitted_by']}" if v["submitted_by"] else "from the batch's own input"
        end = f"superseded {shown(v['superseded_at'])}" if v["superseded_at"] else "current"
        out.print(Text(f"version {v['version']}: {by}, {shown(v['submitted_at'])}; {end}"), soft_wrap=True)
    for rebuild in facts["rebuild"]:
        out.print(Text(f"rebuild: {rebuild['path']}: {rebuild['reason']}"))
    rows = [
        (m["metric"], m["metric_version"], _value(m["shadow"]), _value(m["rebuilt"]))
        for m in facts["metrics"]
    ]
    out.print(table(("metric", "version", "as written", "rebuilt"), rows))
    _show_citations(out, facts)
    if facts["dirty_entries"]:
        rows = [(d["stage"], d["key"], d["text"], d["dirty_reasons"]) for d in facts["dirty_entries"]]
        out.print(table(("stage", "entry", "text", "dirty because"), rows))
    _show_decisions(out, facts)
    for delivery in facts["delivery"]:
        out.print(
            Text(
                f"delivered: {delivery['file']} ({delivery['body_used']} body, {delivery['state']}); original: {delivery['original_file']}"
            ),
            soft_wrap=True,
        )
    for r in facts["releases"]:
        if r["action"] == "withdraw":
            said = f"release withdrawn by {r['who']}, {shown(r['recorded_at'])}: {r['why']}"
            out.print(Text(said), soft_wrap=True)
    shown_in = "shown" if facts["knowledge_base"] else "not in it"
    out.print(Text(f"knowledge base: {shown_in}"))


def _show_withdrawn(out: Console, facts: dict[str, Any]) -> None:
    """Say that a report left its batch, when, and what was decided about it before."""
    gone = facts["withdrawn"][0]
    out.print(Text.assemble((gone["report_id"], "bold"), f"  batch {gone['batch_id']}"))
    said = f"withdrawn {shown(gone['withdrawn_at'])}: the report is no longer part of the batch"
    out.print(Text(said, style="bold yellow"), soft_wrap=True)
    _show_decisions(out, facts)
    out.print(Text("knowledge base: not in it"))


def _value(cell: dict[str, Any] | None) -> str:
    """A value with its parts; absent and unknown in words."""
    if cell is None:
        return "–"
    if cell["validity"] != "measured":
        return f"{cell['validity']}: {cell['detail'] or 'no reason recorded'}"
    parts = (
        f"  ({shown(cell['numerator'])} of {shown(cell['denominator'])})"
        if cell["denominator"] is not None
        else ""
    )
    return shown(cell["value"]) + parts


def _show_citations(out: Console, facts: dict[str, Any]) -> None:
    stage = "rebuilt" if facts["citations_rebuilt"] else "shadow"
    columns = ("citation", "style", "marks", "entry", "source", "tier")
    rows = [
        (
            c["key"],
            c["style"],
            c["occurrences"],
            c["entry"] or ("its own link" if c["self_contained"] else "none: dangling"),
            c["source_id"] or c["state"],
            c["tier"],
        )
        for c in facts[f"citations_{stage}"]
    ]
    if rows:
        out.print(table(columns, rows, title=f"citations ({stage})"))


def _show_decisions(out: Console, facts: dict[str, Any]) -> None:
    for decision in facts["decisions"]:
        style = "bold green" if decision["decision"] == "ingest" else "bold red"
        by = f"contract {decision['contract_version']}: {decision['contract_verdict']}; gate: {decision['gate_outcome']}"
        out.print(Text.assemble((decision["decision"], style), f"  {shown(decision['decided_at'])}  {by}"))
        if decision["released_by"]:
            said = f"  released by {decision['released_by']}: {decision['release_why']}"
            out.print(Text(said, style="bold yellow"), soft_wrap=True)
        told = (("", "reasons"), ("lifted: ", "lifted"), ("would hold: ", "would_hold"))
        for kind, reasons in ((kind, decision[column]) for kind, column in told):
            for reason in reasons:
                line = f" (line {reason['line']})" if reason["line"] else ""
                out.print(
                    Text(f"  {kind}{reason['rule']}: {reason['observed']}{line}. Fix: {reason['needed']}"),
                    soft_wrap=True,
                )
        if decision["not_checked"]:
            out.print(Text(f"  not checked: {', '.join(decision['not_checked'])}"))
