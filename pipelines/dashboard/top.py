"""The upper half of the page: the verdict on the newest batch, its clauses, and all batches.

Belongs here: these sections as markup. Does not belong here: sentences (``words``), charts, the page around them.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.dashboard.facts import Facts, Row
from pipelines.dashboard.markup import Html, cell_table, joined, said, tag
from pipelines.dashboard.words import SYMBOLS, verdict_of
from quality.metrics.numbers import beside, plain

WORST = 3


def verdict_card(facts: Facts) -> Html:
    """The last verdict, in words and numbers, with what to do."""
    batch = facts.newest
    if batch is None:
        return tag("section", tag("h2", "No batch yet"), tag("p", "Run one: ", tag("code", "sluicegate run --reports my-reports/")), id="verdict", class_="card verdict none")  # fmt: skip
    verdict = verdict_of(facts, batch)
    numbers = [
        ("reports", batch["n_reports"]),
        ("delivered", batch["n_delivered"]),
        ("in the knowledge base", batch["n_in_kb"]),
        ("held", batch["n_held"]),
        ("held by the gate itself", batch["n_held_by_gate"]),
        ("could not be read", batch["n_unreadable"]),
    ]
    return tag(
        "section",
        tag("p", "Newest batch: ", tag("strong", said(batch["batch_id"])), _made(batch), class_="eyebrow"),
        tag("h2", badge(str(batch["verdict"] or "none")), " ", verdict.title),
        tag("p", verdict.sentence, class_="lead"),
        tag(
            "dl",
            [tag("div", tag("dt", name), tag("dd", int(value))) for name, value in numbers],
            class_="numbers",
        ),
        tag("h3", "Why") if verdict.causes else None,
        tag("ul", [tag("li", said(cause)) for cause in verdict.causes]) if verdict.causes else None,
        tag("h3", "What to do"),
        tag(
            "ol",
            [
                tag("li", s.sentence, tag("pre", tag("code", s.command)) if s.command else None)
                for s in verdict.steps
            ],
        ),
        id="verdict",
        class_=f"card verdict {verdict.state}",
    )


def clause_table(facts: Facts) -> Html | None:
    """Every clause of the newest batch's contract: mode, observed, threshold, what it rests on, the worst reports."""
    batch = facts.newest
    rows = [c for c in facts.clauses if batch is not None and c["batch_id"] == batch["batch_id"]]
    if batch is None or not rows:
        return None
    contract = facts.contracts.get(str(batch["contract_version"]), {})
    columns = (
        "clause",
        "mode",
        "verdict",
        "observed",
        "needs",
        "measured",
        "absent",
        "unknown",
        "worst reports",
    )
    return tag(
        "section",
        tag("h2", "The contract, clause by clause"),
        tag(
            "p",
            f"Batch {batch['batch_id']} is judged by contract {batch['contract_version']}",
            f", approved by {contract['approved_by']} on {contract['approved_on']}. " if contract else ". ",
            "A clause in mode ",
            mode_badge("block"),
            " keeps the batch out when it does not pass; one in mode ",
            mode_badge("record"),
            " only records; one that is ",
            mode_badge("off"),
            " was not checked at all.",
        ),
        cell_table(
            columns,
            [_clause(c) for c in rows],
            caption="Clauses of the newest batch",
            numeric=(3, 4, 5, 6, 7),
        ),
        id="contract",
        class_="card",
    )


def _clause(row: Row) -> Sequence[Html | str]:
    off = row["verdict"] is None
    worst = [str(i) for i in row["worst_reports"]]
    more = f" and {len(worst) - WORST} more" if len(worst) > WORST else ""
    return (
        tag("code", str(row["clause"])),
        mode_badge(str(row["mode"])),
        badge("off" if off else str(row["verdict"]), words="not checked" if off else None),
        number(row["observed"], float(row["threshold"]), missing="–" if off else "unknown"),
        f"{row['operator']} {plain(row['threshold'])}",
        *("–" if off else str(row[k]) for k in ("n", "n_absent", "n_unknown")),
        joined([", ".join(worst[:WORST]), more]) if worst else "–",
    )


def batch_table(facts: Facts) -> Html:
    """All batches, the newest first."""
    columns = (
        "batch",
        "made",
        "producer",
        "verdict",
        "clauses broken or unknown",
        "reports",
        "in KB",
        "held",
        "unread",
    )
    shown = len(facts.batches)
    return tag(
        "section",
        tag("h2", "Batches"),
        tag("p", f"{shown} of {facts.n_batches} batches, the newest first." if shown else "There is no batch yet."),
        cell_table(columns, [_batch(b) for b in facts.batches], caption="Batches and their verdicts", numeric=(5, 6, 7, 8)) if shown else None,
        id="batches",
        class_="card",
    )  # fmt: skip


def _batch(row: Row) -> Sequence[Html | str]:
    stopped = [*(row["clauses_breached"] or []), *(row["clauses_unknown"] or [])]
    return (
        said(row["batch_id"]),
        row["created_at"].date().isoformat() if row["created_at"] else "–",
        said(row["producer"] or "–"),
        badge(str(row["verdict"] or "none")),
        ", ".join(map(str, stopped)) or "–",
        *(str(row[k]) for k in ("n_reports", "n_in_kb", "n_held", "n_unreadable")),
    )


def badge(verdict: str, *, words: str | None = None) -> Html:
    """A verdict with its sign; the word stands there, so that colour is not the only carrier."""
    return tag(
        "span",
        SYMBOLS.get(verdict, "○"),
        " ",
        words or {"none": "no verdict"}.get(verdict, verdict),
        class_=f"badge {verdict}",
    )


def mode_badge(mode: str) -> Html:
    """A mode, drawn apart from the verdicts."""
    return tag("span", mode, class_=f"mode {mode}")


def number(value: float | None, threshold: float = 0.0, *, missing: str) -> str:
    """A number with the digits that tell it from its threshold; a missing one in words, never as 0."""
    return missing if value is None else beside(float(value), threshold)


def _made(batch: Row) -> str:
    made = f", made {batch['created_at'].date().isoformat()}" if batch["created_at"] else ""
    return f"{made}, by {batch['producer']}" if batch["producer"] else made
