"""The middle of the page: trends, distributions, before and after, and what could be measured at all.

Belongs here: figures with their captions, their numbers as tables, and their specifications. Does not belong here: how a
chart is drawn (``charts``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipelines.dashboard import charts
from pipelines.dashboard.facts import Facts, Row
from pipelines.dashboard.markup import Child, Html, cell_table, said, tag
from pipelines.dashboard.top import badge, mode_badge, number
from pipelines.dashboard.words import subject
from quality.metrics.numbers import plain

STAGES = (("shadow", "as written"), ("rebuilt", "after the rebuild"))


class Figures:
    """The figures of one page: each gives its markup, and its specification is kept for the page's script."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self.specs: dict[str, charts.Spec] = {}

    def _chart(self, spec: charts.Spec) -> Html:
        name = f"chart-{len(self.specs) + 1}"
        self.specs[name] = spec
        return tag("div", data_chart=name, class_="chart")

    def trends(self) -> Html | None:
        """The trend of each clause; blocking ones first."""
        shown = list(self._trends())
        if not shown:
            return None
        return tag(
            "section",
            tag("h2", "Trend of each clause"),
            tag(
                "p",
                f"The {len(self._facts.batches)} newest of {self._facts.n_batches} batches, the oldest first. ",
                badge("pass"), " ", badge("breach"), " ", badge("unknown"),
                " The dashed line is the threshold. Shaded batches were kept out of the knowledge base. “?” is unknown and "
                "“off” was not checked: neither has a place on the scale.",
                class_="legend",
            ),
            tag("div", shown, class_="grid"),
            id="trends",
            class_="card",
        )  # fmt: skip

    def _trends(self) -> Iterator[Html]:
        oldest_first = list(reversed(self._facts.batches))
        clauses: dict[str, list[Row]] = {}
        position = {b["batch_id"]: i for i, b in enumerate(oldest_first)}
        for row in sorted(self._facts.clauses, key=lambda r: position[r["batch_id"]]):
            clauses.setdefault(str(row["clause"]), []).append(row)
        for name, rows in sorted(clauses.items(), key=lambda item: _urgency(item[1][-1])):
            last = rows[-1]
            numbers = [
                (
                    said(r["batch_id"]),
                    number(
                        r["observed"],
                        float(r["threshold"]),
                        missing="off" if r["verdict"] is None else "unknown",
                    ),
                    f"{r['operator']} {plain(r['threshold'])}",
                    badge(str(r["verdict"] or "off")),
                )
                for r in rows
            ]
            yield tag(
                "figure",
                tag("figcaption", tag("strong", name), " ", mode_badge(str(last["mode"])), tag("br"), tag("span", f"{subject(last)} {last['operator']} {plain(last['threshold'])}", class_="quiet")),
                self._chart(charts.trend(rows, oldest_first)),
                _numbers(("batch", "observed", "needs", "verdict"), numbers, f"{name}, batch by batch", numeric=(1, 2)),
            )  # fmt: skip

    def distributions(self) -> Html | None:
        """Inbound rate before and after, one pair a batch, with the gate's limit."""
        facts = self._facts
        if not facts.distributed:
            return None
        limit = facts.gate.min_inbound_rate
        return tag(
            "section",
            tag("h2", "Inbound rate, before and after the rebuild"),
            tag(
                "p",
                f"How many reports have which share of their distinct citations in their reference table (inbound_rate v3). "
                f"The gate holds a report below {plain(limit)} after the rebuild (dashed). Reports with nothing to measure, and "
                f"reports that could not be measured, are counted beside the scale, never at 0. "
                f"The {len(facts.distributed)} newest of {facts.n_batches} batches.",
            ),
            tag("div", [self._pair(batch_id, limit) for batch_id in facts.distributed], class_="grid"),
            id="distributions",
            class_="card",
        )

    def _pair(self, batch_id: str, limit: float) -> Html:
        bars = [b for b in self._facts.bars if b["batch_id"] == batch_id]
        highest = max((int(b["n"]) for b in bars), default=0)
        parts: list[Child] = []
        for stage, words in STAGES:
            spread = [s for s in self._facts.spread if s["batch_id"] == batch_id and s["stage"] == stage]
            below = sum(int(s["n_below"]) for s in spread)
            p10 = number(spread[0]["p10"] if spread else None, missing="no value")
            parts.append(tag("p", tag("strong", words), f": {charts.summary(spread)}; {below} below {plain(limit)}; P10 {p10}", class_="quiet"))  # fmt: skip
            label = f"inbound_rate v3 {words}, batch {batch_id}: {charts.summary(spread)}"
            own = [b for b in bars if b["stage"] == stage]
            parts.append(self._chart(charts.distribution(own, limit=limit, highest=highest, label=label)))
        return tag("figure", tag("figcaption", tag("strong", said(batch_id))), parts)

    def changes(self) -> Html | None:
        """What the rebuild was worth: per batch, and per producer where there are several."""
        facts = self._facts
        if not facts.changes:
            return None
        several = len({str(p["producer"]) for p in facts.producers}) > 1
        return tag(
            "section",
            tag("h2", "What the rebuild was worth"),
            tag(
                "p",
                "Inbound rate as written (○) and after the rebuild (■). Where every citation can be resolved the rate after it is "
                "1 ",
                tag("a", "by construction", href="#construction"),
                ".",
            ),
            tag("div", [self._dumbbell(s, w) for s, w in (("p10", "P10: the worst tenth"), ("p50", "P50: the median"))], class_="grid"),
            self._change_table(),
            self._producer_table() if several else None,
            id="changes",
            class_="card",
        )  # fmt: skip

    def _dumbbell(self, statistic: str, words: str) -> Html:
        facts = self._facts
        found = {
            str(c["batch_id"]): c
            for c in facts.changes
            if (c["metric"], c["statistic"]) == ("inbound_rate", statistic)
        }
        rows = [
            {"name": str(b["batch_id"]), "before": c.get("before"), "after": c.get("after")}
            for b in facts.batches
            for c in [found.get(str(b["batch_id"]), {})]
        ]
        newest = facts.batches[0]["batch_id"]
        asked = [
            float(c["threshold"])
            for c in facts.clauses
            if (c["batch_id"], c["metric"], c["stage"], c["statistic"])
            == (newest, "inbound_rate", "rebuilt", statistic)
        ]
        label = f"Inbound rate {words}, as written and after the rebuild, one row a batch"
        needs = f" (dashed: the contract asks for {plain(asked[0])})" if asked else ""
        return tag(
            "figure",
            tag("figcaption", tag("strong", words), needs),
            self._chart(charts.before_after(rows, threshold=asked[0] if asked else None, label=label)),
        )

    def _change_table(self) -> Html:
        wanted = (
            ("inbound_rate", "p10", "inbound rate P10"),
            ("inbound_rate", "p50", "inbound rate P50"),
            ("canonical_rate", "p50", "canonical rate P50"),
            ("cited", "mean", "share that cites something"),
            ("dirty_entries", "sum", "dirty entries"),
        )
        found = {(str(c["batch_id"]), c["metric"], c["statistic"]): c for c in self._facts.changes}
        rows = [
            (said(b["batch_id"]), *(_change(found.get((str(b["batch_id"]), m, s))) for m, s, _ in wanted))
            for b in self._facts.batches
        ]
        return cell_table(
            ("batch", *(w for *_, w in wanted)),
            rows,
            caption="As written → after the rebuild, by batch",
            numeric=range(1, 6),
        )

    def _producer_table(self) -> Html:
        rows = [
            (
                said(p["producer"]),
                str(p["n_reports"]),
                *(_arrow(p[f"{s}_before"], p[f"{s}_after"]) for s in ("p10", "p50")),
            )
            for p in self._facts.producers
        ]
        columns = ("producer", "reports", "inbound rate P10", "inbound rate P50")
        return cell_table(
            columns, rows, caption="As written → after the rebuild, by producer", numeric=(1, 2, 3)
        )

    def validity(self) -> Html | None:
        """For the newest batch: how many reports each number rests on, and how many have none."""
        batch = self._facts.newest
        if batch is None or not self._facts.validity:
            return None
        gaps = [v for v in self._facts.validity if v["n_absent"] or v["n_unknown"]]
        whole = [v for v in self._facts.validity if v not in gaps]
        return tag(
            "section",
            tag("h2", "What could be measured"),
            tag(
                "p",
                "Batch ", said(batch["batch_id"]), ": reports by the state of their value. ",
                _key("measured"), " there is a number. ",
                _key("absent"), " there was nothing to measure. ",
                _key("unknown"), " there was, and it could not be measured. Neither of the last two is 0, and neither passes.",
                class_="legend",
            ),
            _validity_table(gaps, "Reports without a number, by metric and stage") if gaps else tag("p", "Every number could be measured for every report."),
            tag("details", tag("summary", f"{len(whole)} numbers are measured for every report"), _validity_table(whole, "Measured for every report")) if whole else None,
            id="validity",
            class_="card",
        )  # fmt: skip


def _urgency(row: Row) -> tuple[int, bool]:
    """Blocking clauses first, and among them those that do not pass now."""
    return {"block": 0, "record": 1}.get(str(row["mode"]), 2), row["verdict"] == "pass"


def _validity_table(rows: Sequence[Row], caption: str) -> Html:
    words = dict(STAGES)
    cells = [
        (
            tag("code", f"{v['metric']} {v['metric_version']}"),
            words[str(v["stage"])],
            _bar(int(v["n"]), int(v["n_absent"]), int(v["n_unknown"])),
            *(str(v[k]) for k in ("n", "n_absent", "n_unknown")),
        )
        for v in rows
    ]
    columns = ("metric", "stage", "reports", "measured", "absent", "unknown")
    return cell_table(columns, cells, caption=caption, numeric=(3, 4, 5), class_="validity")


def _numbers(
    columns: Sequence[str], rows: Sequence[Sequence[Child]], caption: str, *, numeric: Sequence[int]
) -> Html:
    """The numbers of a chart, for those who would rather read them."""
    return tag(
        "details", tag("summary", "Numbers"), cell_table(columns, rows, caption=caption, numeric=numeric)
    )


def _change(row: Row | None) -> str:
    return "–" if row is None else _arrow(row["before"], row["after"])


def _arrow(before: float | None, after: float | None) -> str:
    return f"{_short(before)} → {_short(after)}"


def _short(value: float | None) -> str:
    if value is None:
        return "no value"
    return str(int(value)) if value == int(value) else f"{value:.2f}"


def _key(state: str) -> Html:
    return tag("span", _swatch(state), f" {state}:", class_="key")


def _swatch(state: str) -> Html:
    return tag(
        "svg",
        tag("rect", x=0.5, y=0.5, width=13, height=9, class_=f"v-{state}"),
        width=14,
        height=10,
        aria_hidden="true",
    )


def _bar(measured: int, absent: int, unknown: int) -> Html:
    """Three stretches that differ in filling, not only in colour."""
    total = max(1, measured + absent + unknown)
    parts, at = [], 0.0
    for state, n in (("measured", measured), ("absent", absent), ("unknown", unknown)):
        width = 198 * n / total
        if n:
            parts.append(
                tag(
                    "rect",
                    x=f"{at + 1:.2f}",
                    y=1,
                    width=f"{max(width - 1, 0.5):.2f}",
                    height=10,
                    class_=f"v-{state}",
                )
            )
        at += width
    return tag(
        "svg",
        parts,
        viewBox="0 0 200 12",
        class_="bar",
        role="img",
        aria_label=f"{measured} measured, {absent} absent, {unknown} unknown",
        preserveAspectRatio="none",
    )
