"""The charts, as Vega-Lite specifications made with Altair.

Belongs here: what is drawn, from rows that were read and counted before. Does not belong here: reading, words around a
chart, colours: a colour is the name of a custom property of the page's style ("var(--pass)"), which the page's script
looks up whenever the scheme is light or dark.

A value that is absent or unknown has no place on a scale: it is drawn as a sign that stands in the middle of the chart,
never at zero.

Altair takes a tenth of a second for a layered chart and copies the data along: so each kind of chart is made once, with
named data sets, and the rows are put beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import altair as alt
from altair.utils.schemapi import debug_mode

from pipelines.dashboard.facts import BINS, Row
from pipelines.dashboard.words import reports, subject

Spec = dict[str, Any]
INK: Final = "var(--ink)"
ACCENT: Final = "var(--accent)"
MUTED: Final = "var(--muted)"
_VERDICTS: Final = ["pass", "breach", "unknown"]
_COLOURS: Final = ["var(--pass)", "var(--breach)", "var(--unknown)"]
_SHAPES: Final = ["circle", "triangle-down", "diamond"]
_TENTHS: Final = [0, 0.2, 0.4, 0.6, 0.8, 1]
LABELLED: Final = 8
"""Points carry their number while there are at most this many of them."""
UPRIGHT: Final = 4
"""Names of batches stand upright on the axis while there are at most this many."""


def trend(clause: Sequence[Row], batches: Sequence[Row]) -> Spec:
    """One clause over the batches, oldest first: what was observed, the threshold, and the batches kept out.

    Args:
        clause: its rows, one a batch that has a verdict, or for which it is off.
        batches: the batches on the axis, oldest first.
    """
    order = tuple(str(b["batch_id"]) for b in batches)
    rows = [_point(row) for row in clause]
    first = clause[0]
    said = (
        f"{first['clause']}: {subject(first)} over {len(order)} batches; dashes are the threshold, "
        "shaded batches were kept out."
    )
    data: dict[str, list[Row]] = {
        "seen": [r for r in rows if r["observed"] is not None],
        "asked": [r for r in rows if r["verdict"] != "off"],
        "missing": [r for r in rows if r["observed"] is None],
        "kept_out": [{"batch": str(b["batch_id"])} for b in batches if b["verdict"] in ("breach", "unknown")],
    }
    return _filled(_trend_spec(order, len(rows) <= LABELLED, _is_share(rows)), said, data)


def distribution(bars: Sequence[Row], *, limit: float, highest: int, label: str) -> Spec:
    """How the reports of one batch spread between 0 and 1 at one stage, and where the gate's limit lies.

    Args:
        bars: rows of bar (0 to 19) and n.
        limit: the gate's.
        highest: top of the axis, so that the two stages of a batch compare.
        label: what is drawn, in words.
    """
    rows = [{"low": b["bar"] / BINS, "high": (b["bar"] + 1) / BINS, "n": b["n"]} for b in bars]
    data = {"bars": rows, "gate": [{"limit": limit, "name": f"gate {limit:g}"}]}
    return _filled(_distribution_spec(max(highest, 1)), label, data)


def before_after(rows: Sequence[Row], *, threshold: float | None, label: str) -> Spec:
    """As written (hollow) and after the rebuild (filled), a line between them, one row a corpus.

    Args:
        rows: of name, before, after, in order; a missing value is not drawn.
        threshold: of the contract's clause about the second one, if there is one.
        label: what is drawn, in words.
    """
    stages = {"written": ("before", "as written"), "rebuilt": ("after", "rebuilt")}
    data: dict[str, list[Row]] = {
        name: [{"name": str(r["name"]), "value": r[key], "stage": stage} for r in rows if r[key] is not None]
        for name, (key, stage) in stages.items()
    }
    data["both"] = [r for r in rows if r["before"] is not None and r["after"] is not None]
    data["missing"] = [
        {"name": str(r["name"]), "sign": "nothing measured"}
        for r in rows
        if r["before"] is None and r["after"] is None
    ]
    data["asked"] = [] if threshold is None else [{"threshold": threshold}]
    return _filled(_before_after_spec(tuple(str(r["name"]) for r in rows)), label, data)


def summary(rows: Sequence[Row]) -> str:
    """The counts beside a distribution, apart from it: what was measured, and what has no value."""
    n, absent, unknown = (sum(int(r[k]) for r in rows) for k in ("n", "n_absent", "n_unknown"))
    return f"{reports(n)} measured, {absent} absent, {unknown} unknown"


def _point(row: Row) -> dict[str, object]:
    verdict = str(row["verdict"] or "off")
    return {
        "batch": str(row["batch_id"]),
        "observed": row["observed"],
        "threshold": row["threshold"],
        "needs": f"{row['operator']} {row['threshold']:g}",
        "verdict": verdict,
        "mode": str(row["mode"]),
        "n": row["n"],
        "absent": row["n_absent"],
        "unknown": row["n_unknown"],
        "sign": "off" if verdict == "off" else "?",
    }


def _is_share(rows: Iterable[Mapping[str, Any]]) -> bool:
    """Whether everything lies between 0 and 1, so that charts of several batches have one scale."""
    return all(0 <= r[k] <= 1 for r in rows for k in ("observed", "threshold") if r[k] is not None)


@lru_cache(maxsize=64)
def _trend_spec(order: tuple[str, ...], labelled: bool, share: bool) -> Spec:
    with debug_mode(False):
        return _made(alt.layer(*_trend_layers(list(order), labelled, share)), 150)


def _trend_layers(order: list[str], labelled: bool, share: bool) -> list[alt.Chart]:
    axis = alt.Axis(
        labelAngle=0 if len(order) <= UPRIGHT else -40, labelLimit=110, labelOverlap=True, ticks=False
    )
    spread = alt.Scale(domain=order, paddingInner=0, paddingOuter=0)
    x = alt.X("batch:N", sort=order, title=None, scale=spread, axis=axis)
    scale = alt.Scale(domain=[0, 1], nice=False) if share else alt.Scale(zero=True, nice=True)
    y = alt.Y("observed:Q", title=None, scale=scale, axis=alt.Axis(tickCount=5, format="~g"))
    colour = alt.Color("verdict:N", scale=alt.Scale(domain=_VERDICTS, range=_COLOURS), legend=None)
    shape = alt.Shape("verdict:N", scale=alt.Scale(domain=_VERDICTS, range=_SHAPES), legend=None)
    tips = ["batch:N", "observed:Q", "needs:N", "verdict:N", "mode:N", "n:Q", "absent:Q", "unknown:Q"]
    layers = [
        _data("kept_out").mark_rect(color="var(--kept-out)", opacity=1).encode(x=x),
        _data("asked")
        .mark_rule(strokeDash=[5, 3], strokeWidth=1.5, color=INK)
        .encode(
            x=alt.X("batch:N", sort=order, bandPosition=0),
            x2=alt.X2("batch:N", bandPosition=1),
            y=alt.Y("threshold:Q"),
        ),
        _data("seen").mark_line(color=MUTED, strokeWidth=1.5).encode(x=x, y=y),
        _data("seen")
        .mark_point(size=90, filled=True, opacity=1)
        .encode(x=x, y=y, color=colour, shape=shape, tooltip=tips),
        _data("missing")
        .mark_text(color="var(--unknown)", fontWeight="bold", fontSize=13)
        .encode(x=x, y=alt.value(60), text="sign:N", tooltip=["batch:N", "verdict:N", "mode:N"]),
    ]
    if labelled:
        text = alt.Text("observed:Q", format=".2~f")
        layers.append(_data("seen").mark_text(dy=-12, color=INK, fontSize=11).encode(x=x, y=y, text=text))
    return layers


@lru_cache(maxsize=64)
def _distribution_spec(highest: int) -> Spec:
    with debug_mode(False):
        x = alt.X(
            "low:Q",
            bin="binned",
            title=None,
            scale=alt.Scale(domain=[0, 1]),
            axis=alt.Axis(format=".1f", values=_TENTHS),
        )
        y = alt.Y(
            "n:Q",
            title="reports",
            scale=alt.Scale(domain=[0, highest]),
            axis=alt.Axis(tickCount=3, tickMinStep=1, format="d"),
        )
        drawn = (
            _data("bars")
            .mark_bar(color=ACCENT, stroke="var(--paper)", strokeWidth=1)
            .encode(x=x, x2="high:Q", y=y, tooltip=["low:Q", "high:Q", "n:Q"])
        )
        rule = _data("gate").mark_rule(strokeDash=[5, 3], strokeWidth=1.5, color=INK).encode(x="limit:Q")
        name = (
            _data("gate")
            .mark_text(align="left", baseline="top", dx=4, color=INK, fontSize=11)
            .encode(x="limit:Q", y=alt.value(2), text="name:N")
        )
        return _made(alt.layer(drawn, rule, name), 84)


@lru_cache(maxsize=16)
def _before_after_spec(order: tuple[str, ...]) -> Spec:
    with debug_mode(False):
        y = alt.Y(
            "name:N",
            sort=list(order),
            title=None,
            scale=alt.Scale(domain=list(order)),
            axis=alt.Axis(labelLimit=150, ticks=False, domain=False, offset=12),
        )
        scale, axis = alt.Scale(domain=[0, 1]), alt.Axis(format=".1f", values=_TENTHS)
        x = alt.X("value:Q", title=None, scale=scale, axis=axis)
        span = alt.X("before:Q", title=None, scale=scale, axis=axis)
        tips = ["name:N", "stage:N", "value:Q"]
        layers = [
            _data("both").mark_rule(strokeWidth=2, color=MUTED).encode(y=y, x=span, x2="after:Q"),
            _data("written")
            .mark_point(size=170, filled=True, fill="var(--paper)", stroke=ACCENT, strokeWidth=2, opacity=1)
            .encode(y=y, x=x, tooltip=tips),
            _data("rebuilt")
            .mark_point(size=45, filled=True, color=ACCENT, opacity=1, shape="square")
            .encode(y=y, x=x, tooltip=tips),
            _data("missing")
            .mark_text(color="var(--unknown)", fontStyle="italic", fontSize=11)
            .encode(y=y, text="sign:N"),
            _data("asked").mark_rule(strokeDash=[5, 3], strokeWidth=1.5, color=INK).encode(x="threshold:Q"),
        ]
        return _made(alt.layer(*layers), max(60, 26 * len(order)))


def _data(name: str) -> alt.Chart:
    return alt.Chart(alt.NamedData(name=name))


def _made(chart: alt.LayerChart | alt.FacetChart, height: int) -> Spec:
    made: Spec = chart.properties(width="container", height=height).to_dict(validate=False)
    return made


def _filled(spec: Spec, description: str, data: Mapping[str, Iterable[Row]]) -> Spec:
    rows = {name: [dict(row) for row in found] for name, found in data.items()}
    return {**spec, "description": description, "datasets": rows}
