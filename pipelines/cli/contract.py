"""``sluicegate contract``: read the contract, compare versions, accept one, and read what it said about a batch.

Belongs here: the commands and their printing. Does not belong here: what is in force (pipelines/contracts.py), the
values shown (contract_facts.py).
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pipelines.cli.output import Config, Json, console, errors, print_json, program, table
from pipelines.settings import load_settings

if TYPE_CHECKING:
    from quality.contract.page import ResultPage

HELP = (
    "The contract that batches are judged by: show it, compare versions, accept a changed one, and read the result of a "
    "batch. A contract file is a proposal until it is accepted; nothing else puts it in force."
)
NAMED = (
    "A file, a version (or its start), `accepted` for the one in force, or `default` for the one that ships."
)
VERDICT_STYLE = {"pass": "bold green", "breach": "bold red", "unknown": "bold yellow"}
Named = Annotated[str, typer.Argument(help=NAMED)]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(name="contract", help=HELP, no_args_is_help=True)
    for command in (show, diff, accept, history, result, suite):
        group.command(command.__name__)(command)
    app.add_typer(group)


def show(which: Named = "accepted", as_json: Json = False, config: Config = None) -> None:
    """Show a contract: every clause with its threshold, its evidence, and who approved it as it stands."""
    from pipelines.cli.contract_facts import contract_facts
    from pipelines.contracts import look, named_contract, standing

    settings = load_settings(config)
    stands = standing(settings)
    with look(settings) as source:
        contract, _ = named_contract(source, which, settings.catalogue)
        facts = contract_facts(source, contract, in_force=contract.version == stands.contract.version)
    facts["notice"] = stands.notice
    if as_json:
        print_json(facts)
        return
    _show(console(), facts)
    if stands.notice:
        errors().print(Text(stands.notice, style="yellow"), soft_wrap=True)


def _show(out: Console, facts: dict[str, Any]) -> None:
    state = "in force for new batches" if facts["in_force"] else "not in force"
    out.print(Text.assemble(("Contract ", ""), (facts["version"], "bold"), f"  {state}"))
    why = f": {facts['why']}" if facts["why"] else ""
    out.print(Text(f"Approved by {facts['approved_by']} on {facts['approved_on']}{why}"), soft_wrap=True)
    rows = [
        (c["clause"], f"{c['subject']} {c['operator']} {c['threshold']:g}", c["mode"])
        for c in facts["clauses"]
    ]
    out.print(_kept_whole(table(("clause", "needs", "mode"), rows), "clause"))
    for c in facts["clauses"]:
        out.print(
            Text.assemble((f"{c['clause']}: ", "bold"), c["evidence"], _terms(c, facts)), soft_wrap=True
        )


def _terms(c: dict[str, Any], facts: dict[str, Any]) -> str:
    """The rest of a clause in words: how many reports, when an alert ends, and who approved it where that differs."""
    said = [f"At least {c['min_n']} reports."] if c["version"] else []
    if c["clear_at"] != c["threshold"] or c["clear_needs"] > 1:
        times = "" if c["clear_needs"] == 1 else f", {c['clear_needs']} times in succession"
        said.append(f"An alert ends at {c['clear_at']:g}{times}.")
    said += [f"Severity {c['severity']}."] if (c["severity"] == "error") != (c["mode"] == "block") else []
    if (c["approved_by"], c["approved_on"]) != (facts["approved_by"], facts["approved_on"]):
        said.append(f"Approved by {c['approved_by']} on {c['approved_on']}.")
    return "".join(f" {part}" for part in said)


def _kept_whole(made: Table, *columns: str) -> Table:
    """The table with some of its columns never folded, whatever the width."""
    for column in made.columns:
        column.no_wrap = column.header in columns
    return made


def diff(
    a: Annotated[str, typer.Argument(help=NAMED, metavar="A")],
    b: Annotated[str, typer.Argument(help=NAMED, metavar="B")],
    as_json: Json = False,
    config: Config = None,
) -> None:
    """Compare two contracts, clause by clause and field by field."""
    from pipelines.cli.contract_facts import change_facts
    from pipelines.contracts import look, named_contract

    settings = load_settings(config)
    with look(settings) as source:
        (before, _), (after, _) = (named_contract(source, name, settings.catalogue) for name in (a, b))
    changes = change_facts(before, after)
    if as_json:
        print_json({"before": before.version, "after": after.version, "changes": changes})
        return
    out = console()
    if not changes:
        out.print(Text(f"{before.version} and {after.version} say the same."))
        return
    out.print(Text(f"{before.version} → {after.version}: {_number(len(changes), 'difference')}"))
    out.print(_changes(changes))


def _number(count: int, what: str) -> str:
    return f"{count} {what}" + ("" if count == 1 else "s")


def _changes(changes: list[dict[str, Any]]) -> Table:
    rows = [
        (c["clause"] or "(contract)", c["change"], c["field"] or "(whole clause)", c["before"], c["after"])
        for c in changes
    ]
    return table(("clause", "change", "field", "before", "after"), rows)


def accept(
    file: Annotated[Path, typer.Argument(help="The contract file.")],
    who: Annotated[str, typer.Option(help="Who accepts it.", show_default=False)],
    why: Annotated[str, typer.Option(help="Why: what it rests on.", show_default=False)],
    as_json: Json = False,
    config: Config = None,
) -> None:
    """Put a contract file in force for new batches, and record who did and why.

    Batches that were evaluated before stay with the contract of their first evaluation; `run --batch B --contract
    accepted` moves one over.
    """
    from pipelines.cli.contract_facts import change_facts
    from pipelines.contracts import accept as accept_file
    from pipelines.contracts import standing
    from pipelines.resources.warehouse import Warehouse

    settings = load_settings(config)
    store = Warehouse(settings.home, lock_wait=settings.lock_wait)
    before = standing(settings).contract
    contract, fresh = accept_file(store, file, who=who, why=why, catalogue=settings.catalogue)
    changes = change_facts(before, contract)
    if as_json:
        print_json(
            {"version": contract.version, "replaces": before.version, "changed": fresh, "changes": changes}
        )
        return
    out = console()
    if not fresh:
        out.print(Text(f"Contract {contract.version} is in force already; nothing was written."))
        return
    out.print(
        Text(f"Contract {contract.version} is in force for new batches, accepted by {who}: {why}"),
        soft_wrap=True,
    )
    out.print(_changes(changes))
    out.print(
        Text(f"It replaces {before.version}, which batches evaluated so far keep; `{program()} run --batch B --contract "
             "accepted` moves one over. A UI that is open shows new clauses once its code location is reloaded."),
        soft_wrap=True,
    )  # fmt: skip


def history(as_json: Json = False, config: Config = None) -> None:
    """List every contract that was in force, who accepted it and why, and what it changed."""
    from pipelines.cli.contract_facts import history_facts
    from pipelines.contracts import look

    with look(load_settings(config)) as source:
        found = history_facts(source)
    if as_json:
        print_json(found)
        return
    rows = [
        (
            f["accepted_on"][:10],
            f["contract_version"],
            f["accepted_by"],
            f["why"],
            len(f["changes"]),
            f["batches"],
        )
        for f in found
    ]
    made = table(("day", "version", "accepted by", "why", "changes", "batches"), rows)
    console().print(_kept_whole(made, "day", "version"))


def result(
    batch: Annotated[str, typer.Argument(help="Id of the batch.")],
    html: Annotated[
        Path | None, typer.Option(help="Write the page to this file; it works offline.", show_default=False)
    ] = None,
    as_json: Json = False,
    config: Config = None,
) -> int:
    """Show what the contract said about a batch, clause by clause.

    Exit code: 0 it passed, 1 breach, 2 it could not be determined.
    """
    from pipelines.cli.contract_facts import result_page
    from pipelines.contracts import look
    from quality.contract.page import render_page

    with look(load_settings(config)) as source:
        page = result_page(source, batch)
    if html is not None:
        html.parent.mkdir(parents=True, exist_ok=True)
        html.write_text(render_page(page), encoding="utf-8")
    if as_json:
        print_json(dataclasses.asdict(page))
    elif html is not None:
        console().print(Text(f"{batch}: {page.verdict}. The page is {html}."), soft_wrap=True)
    else:
        _show_result(console(), page)
    return {"pass": 0, "breach": 1}.get(page.verdict, 2)


def _show_result(out: Console, page: ResultPage) -> None:
    out.print(
        Text.assemble(
            "Batch ", (page.batch_id, "bold"), "  ", (page.verdict, VERDICT_STYLE.get(page.verdict, "bold"))
        )
    )
    out.print(
        Text(f"Contract {page.contract_version}, {page.approval}. Evaluated {page.evaluated_at}."),
        soft_wrap=True,
    )
    rows = [
        (
            r["clause"],
            r["verdict"],
            r["observed"],
            f"{r['operator']} {r['threshold']:g}",
            f"{r['n']}" + (f" ({r['n_window']} earlier)" if r["n_window"] else ""),
            r["mode"],
        )
        for r in page.results
    ]
    made = table(("clause", "verdict", "observed", "needs", "n", "mode"), rows)
    out.print(_kept_whole(made, "clause", "verdict", "needs", "mode"))
    for r in page.results:
        if r["verdict"] != "pass" or r["note"]:
            note = f" {r['note']}." if r["note"] else ""
            worst = f" Worst: {', '.join(r['worst_reports'])}." if r["worst_reports"] else ""
            out.print(
                Text.assemble((f"{r['clause']}: ", "bold"), f"{r['reason']}.{note}{worst}"), soft_wrap=True
            )


def suite(which: Named = "accepted", config: Config = None) -> None:
    """Print a contract as the Great Expectations suite that is generated from it."""
    from pipelines.contracts import look, named_contract
    from quality.contract.suite import suite_text

    settings = load_settings(config)
    with look(settings) as source:
        contract, _ = named_contract(source, which, settings.catalogue)
    print(suite_text(contract), end="")
