"""Distributions of a calibration as pictures: in the terminal, and as one self-contained file through Altair.

Belongs here: drawing what was computed. Does not belong here: computing it (quality/contract/calibrate.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from quality.contract.calibrate import Calibration, Proposal
from quality.contract.calibrate_draws import Floats
from quality.contract.calibrate_power import WANTED, Power
from quality.errors import UsageError

if TYPE_CHECKING:
    import altair as alt

WIDTH = 60
_BARS = " ▁▂▃▄▅▆▇█"
_BINS = 60
_COLOURS = {"healthy": "#2b7a4b", "broken": "#b3261e"}


def terminal(proposal: Proposal) -> list[str]:
    """Draw one clause: a line of bars for each distribution of drawn batches, and the thresholds under them."""
    found = dict(_distributions(proposal))
    low, high = _ends(proposal, found)
    lines = []
    for name, values in found.items():
        counts, _ = np.histogram(values, bins=WIDTH, range=(low, high))
        lines.append(f"{name:>8} {_bars(counts)}")
    marks = [" "] * WIDTH
    for value, mark in ((float(proposal.clause.threshold), "o"), (proposal.threshold, "▲")):
        marks[min(WIDTH - 1, max(0, int((value - low) / (high - low) * WIDTH)))] = mark
    lines.append(f"{'':>8} {''.join(marks)}")
    lines.append(f"{'':>8} {low:<{WIDTH // 2}.2f}{high:>{WIDTH // 2}.2f}")
    return lines


def _distributions(proposal: Proposal) -> Iterator[tuple[str, Floats]]:
    for name, values in (("healthy", proposal.healthy), ("broken", proposal.broken)):
        known = values[~np.isnan(values)]
        if len(known):
            yield name, known


def _ends(proposal: Proposal, found: dict[str, Floats]) -> tuple[float, float]:
    values = [*found.values(), np.array([float(proposal.clause.threshold), proposal.threshold])]
    low, high = min(float(v.min()) for v in values), max(float(v.max()) for v in values)
    room = (high - low) * 0.02 or 0.5
    return low - room, high + room


def _bars(counts: Any) -> str:  # noqa: ANN401 - an array of counts, whose type numpy leaves open
    top = max(1, int(counts.max()))
    return "".join(_BARS[0 if c == 0 else max(1, round(c / top * 8))] for c in counts)


def save_chart(calibration: Calibration, file: Path) -> None:
    """Write all clauses as one page or picture that needs nothing from anywhere.

    Raises:
        UsageError: the name ends neither in .html nor in .svg, or there is nothing to draw.
    """
    drawn = [p for p in calibration.proposals if len(p.healthy)]
    if file.suffix not in (".html", ".svg"):
        raise UsageError(f"{file} is no name for a chart.", remedy="Let it end in .html or .svg.")
    if not drawn:
        raise UsageError("No clause has a distribution to draw.", remedy="Leave --chart out.")
    import altair as alt

    panels = [_panel(p, calibration) for p in drawn]
    if calibration.power is not None:
        panels.append(_power_panel(calibration.power))
    chart = (
        alt.vconcat(*panels)
        .properties(title="Statistics of drawn batches, and the thresholds on them")
        .resolve_scale(strokeDash="independent", color="independent")
    )
    file.parent.mkdir(parents=True, exist_ok=True)
    if file.suffix == ".html":
        chart.save(str(file), inline=True)
    else:
        chart.save(str(file))


def _panel(proposal: Proposal, calibration: Calibration) -> alt.LayerChart | alt.FacetChart:
    import altair as alt

    found = dict(_distributions(proposal))
    low, high = _ends(proposal, found)
    rows = []
    for name, values in found.items():
        counts, edges = np.histogram(values, bins=_BINS, range=(low, high))
        rows += [
            {"batches": name, "from": float(a), "to": float(b), "share": float(c / len(values)), "none": 0}
            for c, a, b in zip(counts, edges[:-1], edges[1:], strict=True)
            if c
        ]
    rules = [{"threshold": "in force", "value": float(proposal.clause.threshold)}]
    if proposal.state == "proposed":
        rules.append({"threshold": "proposed", "value": proposal.threshold})
    colour = alt.Scale(domain=list(_COLOURS), range=list(_COLOURS.values()))
    bars = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_bar(opacity=0.6)
        .encode(
            x=alt.X("from:Q", title=proposal.clause.subject, scale=alt.Scale(domain=[low, high], nice=False)),
            x2="to:Q",
            y=alt.Y("share:Q", title="share of batches"),
            y2="none:Q",
            color=alt.Color("batches:N", scale=colour),
        )
    )
    lines = (
        alt.Chart(alt.InlineData(values=rules))
        .mark_rule(size=2, color="#1c2430")
        .encode(x="value:Q", strokeDash=alt.StrokeDash("threshold:N"))
    )
    title = f"{proposal.clause.clause}: {proposal.state}, batches of {calibration.size} reports"
    return alt.layer(bars, lines).properties(width=640, height=150, title=title)


def _power_panel(power: Power) -> alt.LayerChart | alt.FacetChart:
    """The chance to trip against the share of broken reports, a line for each clause and one for the contract."""
    import altair as alt

    rows = [
        {"clause": name or "the whole contract", "share": share, "chance": chance}
        for name, chances in power.chances.items()
        for share, chance in zip(power.shares, chances, strict=True)
    ]
    lines = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_line(point=True)
        .encode(
            x=alt.X("share:Q", title="share of broken reports", axis=alt.Axis(format="%")),
            y=alt.Y("chance:Q", title="chance that it trips", axis=alt.Axis(format="%")),
            strokeDash=alt.StrokeDash("clause:N", title="power of"),
        )
    )
    wanted = (
        alt.Chart(alt.InlineData(values=[{"chance": WANTED}])).mark_rule(opacity=0.5).encode(y="chance:Q")
    )
    title = f"Power: what a batch of {power.size} reports must hold to be noticed"
    return alt.layer(lines, wanted).properties(width=640, height=200, title=title)
