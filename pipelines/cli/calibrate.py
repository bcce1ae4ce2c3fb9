"""``sluicegate calibrate``: thresholds for the contract out of measured batches, with their evidence.

Belongs here: the command, its inputs and its printing. Does not belong here: the numbers (quality/contract/calibrate.py),
pictures (calibrate_plot.py), accepting what is proposed (contract.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.text import Text
from typer.core import TyperCommand

from pipelines.cli.output import Config, Json, console, print_json, program, table
from pipelines.settings import load_settings
from quality.errors import UsageError

if TYPE_CHECKING:
    from quality.contract.calibrate import Calibration, Proposal
    from quality.contract.model import Contract

LISTS = ("--healthy", "--broken")
STYLE = {"proposed": "bold green", "kept": "bold", "refused": "bold yellow"}


class Spread(TyperCommand):
    """A command whose list options may be written once with several values: ``--healthy a b c``."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """Repeat the option before each of its values, as the parser wants them."""
        return super().parse_args(ctx, spread(args))


def spread(args: Sequence[str]) -> list[str]:
    """Turn ``--healthy a b`` into ``--healthy a --healthy b``."""
    found: list[str] = []
    option, taken = "", False
    for arg in args:
        if arg.startswith("--"):
            option, taken = (arg, False) if arg in LISTS else ("", False)
            found.append(arg)
        elif option and taken:
            found += [option, arg]
        else:
            taken = bool(option)
            found.append(arg)
    return found


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("calibrate", cls=Spread)(calibrate)


def calibrate(
    healthy: Annotated[
        list[str],
        typer.Option(help="Batches that are to pass; several after one another.", show_default=False),
    ],
    broken: Annotated[
        list[str] | None,
        typer.Option(help="Batches that are to be held: what the contract shall catch.", show_default=False),
    ] = None,
    false_alarm: Annotated[
        float,
        typer.Option(help="Share of healthy batches that the whole contract may hold.", min=0.0001, max=0.5),
    ] = 0.01,
    size: Annotated[
        int | None,
        typer.Option(
            help="Reports in a batch. Left out: the median of the healthy ones, ten at least.", min=1
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(help="Of the random draws; the same seed gives the same proposal.")
    ] = 0,
    out: Annotated[
        Path | None, typer.Option(help="Write the proposed contract to this file.", show_default=False)
    ] = None,
    chart: Annotated[
        Path | None, typer.Option(help="Draw the distributions: a file in .html or .svg.", show_default=False)
    ] = None,
    as_json: Json = False,
    config: Config = None,
) -> int:
    """Propose thresholds from measured batches, for a person to accept; nothing is changed.

    Exit code: 0 something was proposed, or the thresholds may stay; 2 healthy and broken cannot be told apart, and
    nothing is written.
    """
    from pipelines.cli.calibrate_samples import read_samples
    from pipelines.contracts import look, standing
    from pipelines.resources.warehouse import utc_now
    from quality.contract.calibrate import Terms
    from quality.contract.calibrate import calibrate as compute

    settings = load_settings(config)
    contract = standing(settings).contract
    _check(healthy, broken or [])
    with look(settings) as source:
        good, bad = (read_samples(source, ids, contract) for ids in (healthy, broken or []))
    terms = Terms(false_alarm, utc_now().date().isoformat(), size, seed=seed)
    calibration = compute(contract, good, bad, terms)
    refused = not calibration.tells_apart
    if refused or not calibration.changes:
        out = None
    if chart is not None:
        from pipelines.cli.calibrate_plot import save_chart

        save_chart(calibration, chart)
    if out is not None:
        _write(out, contract, calibration)
    if as_json:
        print_json(_facts(contract, calibration, out))
    else:
        _show(console(), contract, calibration, out, chart, refused)
    return 2 if refused else 0


def _check(healthy: Sequence[str], broken: Sequence[str]) -> None:
    both = [*healthy, *broken]
    if twice := sorted({i for i in both if both.count(i) > 1}):
        raise UsageError(
            f"Named more than once: {', '.join(twice)}.",
            remedy="Name each batch once, as healthy or as broken.",
        )


def _write(out: Path, contract: Contract, calibration: Calibration) -> None:
    from quality.contract.calibrate_proposal import proposed_contract
    from quality.contract.text import contract_text

    remark = (
        "A proposal of `sluicegate calibrate`: read the evidence of each clause, change what you know better, then "
        f"`sluicegate contract diff accepted {out}` and `sluicegate contract accept {out} --who NAME --why REASON`."
    )
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(contract_text(proposed_contract(contract, calibration), (remark,)), encoding="utf-8")


def _facts(contract: Contract, c: Calibration, out: Path | None) -> dict[str, Any]:
    return {
        "contract_version": contract.version,
        "size": c.size,
        "false_alarm": c.false_alarm,
        "false_alarm_per_clause": c.per_clause,
        "drawn_batches": c.repeats,
        "seed": c.seed,
        "within_batch_only": c.within_only,
        "contract_false_alarm": c.contract_rate,
        "contract_detection": c.contract_detection,
        "power": None
        if c.power is None
        else {
            "shares": c.power.shares,
            "chances": {name or "contract": chances for name, chances in c.power.chances.items()},
            "smallest_share": {name or "contract": c.power.smallest(name) for name in c.power.chances},
        },
        "proposed_file": str(out) if out else None,
        "clauses": [
            {
                "clause": p.clause.clause,
                "state": p.state,
                "reason": p.reason,
                "operator": p.clause.operator.value,
                "in_force": float(p.clause.threshold),
                "threshold": p.threshold,
                "clear_at": p.clear_at,
                "false_alarm": p.rate,
                "detection": p.detection,
                "evidence": p.evidence,
                "what_if": [{name: getattr(w, name) for name in w.__slots__} for w in p.what_if],
            }
            for p in c.proposals
        ],
    }


def _show(
    out: Console, contract: Contract, c: Calibration, file: Path | None, chart: Path | None, refused: bool
) -> None:
    _say(
        out,
        f"Contract {contract.version}: {c.false_alarm:.3g} of healthy batches may be held by it as a whole, so "
        f"{c.per_clause:.3g} by each clause that has a limit (divided, because clauses are measured on the same reports "
        f"and nothing is assumed about how they depend). Batches of {c.size} reports, {c.repeats:,} drawn, seed {c.seed}.",
    )
    if c.within_only:
        _say(
            out,
            "Within-batch only: fewer than five healthy batches cannot show how batches differ.",
            "yellow",
        )
    for p in c.proposals:
        if len(p.healthy):
            _show_proposal(out, p)
    out.print()
    for reason in dict.fromkeys(p.reason for p in c.proposals if not len(p.healthy)):
        names = ", ".join(p.clause.clause for p in c.proposals if p.reason == reason)
        _say(out, f"Kept as it is: {names}: {reason}.")
    held = "" if c.contract_detection is None else f", and {c.contract_detection:.2%} of drawn broken ones"
    out.print()
    _say(
        out,
        f"The contract as a whole would hold {c.contract_rate:.2%} of drawn healthy batches{held}.",
        "bold",
    )
    _show_power(out, c)
    if c.contract_rate > c.false_alarm and not refused:
        loud = loudest(c.proposals)
        _say(
            out,
            f"That is more than the {c.false_alarm:.2%} asked for: {loud.clause.clause}, whose threshold stays {loud.threshold:g} "
            f"for the reason given, alone holds {loud.rate or 0.0:.2%}.",
            "yellow",
        )
    if refused:
        _say(out, "Nothing is proposed: these distributions do not tell healthy from broken.", "bold yellow")
    elif not c.changes:
        _say(out, "Nothing is proposed: every threshold stays, and no file is written.")
    elif file is not None:
        _say(out, f"Proposed contract: {file}. Next: {program()} contract diff accepted {file}")
    if chart is not None:
        _say(out, f"Chart: {chart}")


def loudest(proposals: Sequence[Proposal]) -> Proposal:
    """The blocking clause that would hold most drawn healthy batches; one that is only recorded holds none."""
    return max((p for p in proposals if p.clause.mode == "block"), key=lambda p: p.rate or 0.0)


def _show_power(out: Console, c: Calibration) -> None:
    """Say how much of a batch must be broken before each clause, and the contract, notices."""
    if c.power is None:
        return
    found = {name: c.power.smallest(name) for name in c.power.chances}
    told = ", ".join(f"{name} {share:.0%}" for name, share in found.items() if name and share is not None)
    never = ", ".join(name for name, share in found.items() if name and share is None)
    whole = found[""]
    _say(
        out,
        f"Smallest share of broken reports that is noticed in nine batches of ten: {told or 'none'}"
        + (f"; whatever the share, not {never}" if never else "")
        + (
            f"; the contract as a whole {whole:.0%}."
            if whole is not None
            else "; not even the contract as a whole."
        ),
    )


def _say(out: Console, text: str, style: str = "") -> None:
    out.print(Text(text, style=style), soft_wrap=True)


def _show_proposal(out: Console, p: Proposal) -> None:
    from pipelines.cli.calibrate_plot import terminal

    out.print()
    change = f"{p.clause.operator} {p.clause.threshold:g}"
    if p.state == "proposed":
        change += f" → {p.threshold:g}"
    out.print(
        Text.assemble((p.clause.clause, "bold"), "  ", (p.state, STYLE[p.state]), f"  {change}: {p.reason}"),
        soft_wrap=True,
    )
    if p.evidence:
        _say(out, p.evidence)
    for line in terminal(p):
        _say(out, line)
    _say(out, f"{'':>8} o in force   ▲ proposed" if p.state == "proposed" else f"{'':>8} ▲ in force")
    with_broken = len(p.broken) > 0
    columns = ["threshold", "", "healthy batches held", "healthy reports beyond"]
    columns += ["broken batches held", "broken reports beyond"] if with_broken else []
    rows = [
        [f"{w.threshold:g}", w.role, f"{w.healthy_batches:.2%}", f"{w.healthy_reports:.1%}"]
        + ([f"{w.broken_batches:.2%}", f"{w.broken_reports:.1%}"] if with_broken else [])
        for w in p.what_if
    ]
    out.print(table(columns, rows))
