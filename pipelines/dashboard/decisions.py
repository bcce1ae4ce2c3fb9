"""The table of decisions: every report with its decision and the reasons, to be sorted and filtered.

Belongs here: that section as markup. Does not belong here: how it sorts and filters (static/dashboard.js), deciding.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from pipelines.dashboard.facts import Facts, Row
from pipelines.dashboard.markup import Html, said, tag

CONTRACT: Final = "contract"
SENTENCE: Final = 240
COLUMNS: Final = ("report", "batch", "decision", "inbound as written", "inbound rebuilt", "reasons")
_NUMERIC: Final = (3, 4)
_DECISIONS: Final = ("ingest", "hold", "undecided")


def decision_section(facts: Facts) -> Html:
    """The section with its filters; without scripts the whole table stands there, in its own order."""
    shown = len(facts.decisions)
    rules = sorted({rule for row in facts.decisions for rule in _rules(row)})
    batches = list(dict.fromkeys(str(row["batch_id"]) for row in facts.decisions))
    return tag(
        "section",
        tag("h2", "Decisions, with reasons"),
        tag(
            "p",
            f"{shown} of {facts.n_decisions} reports, the newest batch first, what is held on top. A held report was delivered all "
            "the same. “contract” holds the whole batch, whatever the gate says about the report.",
        ),
        tag(
            "div",
            tag(
                "label",
                "Search",
                tag("input", type="search", id="filter-text", placeholder="id, title, reason"),
            ),
            _select("decision", "Decision", _DECISIONS),
            _select("batch", "Batch", batches),
            _select("rule", "Rule", rules),
            tag("output", id="decisions-count", aria_live="polite", for_="filter-text"),
            class_="filters",
            role="search",
            hidden=True,
        ),
        tag(
            "table",
            tag("caption", "Decisions; the column heads sort"),
            tag("thead", tag("tr", [_head(i, name) for i, name in enumerate(COLUMNS)])),
            tag("tbody", [_row(row) for row in facts.decisions]),
            id="decisions-table",
            class_="cards decisions",
        ),
        id="decisions",
        class_="card",
    )


def _select(name: str, label: str, options: Sequence[str]) -> Html:
    listed = [tag("option", "all", value="")] + [tag("option", option, value=option) for option in options]
    return tag("label", label, tag("select", listed, data_filter=name, id=f"filter-{name}"))


def _head(position: int, name: str) -> Html:
    numeric = "number" if position in _NUMERIC else None
    return tag("th", tag("button", name, type="button"), scope="col", class_=numeric)


def _row(row: Row) -> Html:
    rules = _rules(row)
    decision = str(row["decision"] or "undecided")
    cells = (
        (
            tag("strong", said(row["report_id"])),
            tag("br") if row["title"] else None,
            _title(row),
            row["report_id"],
        ),
        (said(row["batch_id"]), row["batch_id"]),
        (_decision(row, decision), f"{decision}{row['gate_outcome'] or ''}"),
        (_value(row["before"], row["before_validity"]), "" if row["before"] is None else row["before"]),
        (_value(row["after"], row["after_validity"]), "" if row["after"] is None else row["after"]),
        (_reasons(row), " ".join(rules)),
    )
    made = [
        tag(
            "td" if i else "th",
            *cell[:-1],
            scope=None if i else "row",
            data_label=COLUMNS[i],
            data_sort=cell[-1],
            class_="number" if i in _NUMERIC else None,
        )
        for i, cell in enumerate(cells)
    ]
    return tag("tr", made, data_decision=decision, data_batch=row["batch_id"], data_rule="\n".join(rules))


def _title(row: Row) -> Html | None:
    return tag("span", said(_cut(str(row["title"]))), class_="quiet") if row["title"] else None


def _decision(row: Row, decision: str) -> Html:
    sign = {"ingest": "●", "hold": "▼"}.get(decision, "○")
    words = tag("span", f"{sign} {decision}", class_=f"badge {decision}")
    if decision == "hold" and row["gate_outcome"] == "ingest":
        return tag("span", words, tag("br"), tag("span", "by itself, the gate says ingest", class_="quiet"))
    return words


def _value(value: float | None, validity: str | None) -> Html | str:
    """A rate, or in words why there is none."""
    if value is None:
        return tag("span", str(validity or "not measured"), class_=f"no-value {validity or ''}".strip())
    return "1" if value == 1 else "0" if value == 0 else f"{value:.2f}"


def _reasons(row: Row) -> Html | str:
    """One item a rule: its first reason in full, and how many more of the same rule there are."""
    items = [_contract(row)] if any(r["rule"] == CONTRACT for r in _stored(row["reasons"])) else []
    items += [_reason(rs, "") for rule, rs in _by_rule(row["reasons"]) if rule != CONTRACT]
    items += [_reason(rs, "only recorded: ") for _, rs in _by_rule(row["would_hold"])]
    if row["status"] == "unreadable":
        items.append(tag("li", said(_cut(f"{row['reason']}: {row['detail']}"))))
    return tag("ul", items) if items else "–"


def _contract(row: Row) -> Html:
    """The clauses of the whole batch stand on top of the page, not in each of its rows."""
    n = sum(r["rule"] == CONTRACT for r in _stored(row["reasons"]))
    clauses = "1 clause" if n == 1 else f"{n} clauses"
    return tag(
        "li", tag("code", CONTRACT), f" the whole batch is held: {clauses} ({row['contract_verdict']})"
    )


def _reason(reasons: Sequence[dict[str, Any]], prefix: str) -> Html:
    first, more = reasons[0], len(reasons) - 1
    line = f" (line {first['line']})" if first.get("line") else ""
    return tag(
        "li",
        tag("em", prefix) if prefix else None,
        tag("code", str(first["rule"])),
        " ",
        said(_cut(str(first["observed"]))),
        line,
        f"; {more} more of this rule" if more else None,
        tag("br"),
        tag("span", "Needed: ", said(_cut(str(first["needed"]))), class_="quiet"),
    )


def _by_rule(stored: object) -> list[tuple[str, list[dict[str, Any]]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for reason in _stored(stored):
        found.setdefault(str(reason["rule"]), []).append(reason)
    return list(found.items())


def _rules(row: Row) -> list[str]:
    return list(
        dict.fromkeys(str(r["rule"]) for r in (*_stored(row["reasons"]), *_stored(row["would_hold"])))
    )


def _stored(reasons: object) -> list[dict[str, Any]]:
    return list(json.loads(str(reasons))) if reasons else []


def _cut(text: str) -> str:
    return text if len(text) <= SENTENCE else f"{text[:SENTENCE]}…"
