"""What people were told, and what people decided: alerts, and releases that stand.

Belongs here: these two sections as markup. Does not belong here: sending, releasing.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.dashboard.facts import Facts, Row
from pipelines.dashboard.markup import Html, cell_table, said, tag
from pipelines.dashboard.top import badge

_STATES = {"pending": "○ pending", "sent": "● sent", "skipped": "– skipped"}


def alert_section(facts: Facts) -> Html | None:
    """Who was told of breach, outage and recovery; nothing where nothing was raised."""
    if not facts.alerts:
        return None
    return tag(
        "section",
        tag("h2", "Alerts"),
        tag("p", f"{len(facts.alerts)} of {facts.n_alerts} alerts, the newest first. One for each change, not one for each run."),
        cell_table(
            ("raised", "kind", "batch", "clauses", "message", "why"),
            [_alert(row) for row in facts.alerts],
            caption="Alerts and what became of their messages",
        ),
        id="alerts",
        class_="card",
    )  # fmt: skip


def _alert(row: Row) -> Sequence[Html | str]:
    kind = str(row["kind"])
    return (
        row["raised_at"].isoformat(sep=" ", timespec="minutes"),
        badge({"recovery": "pass"}.get(kind, kind), words=kind),
        said(row["batch_id"]),
        ", ".join(map(str, row["clauses"])) or "–",
        _STATES.get(str(row["state"]), str(row["state"])),
        said(row["reason"]),
    )


def release_section(facts: Facts) -> Html | None:
    """Reports that a person let in although the gate holds them; nothing where nobody did."""
    if not facts.releases:
        return None
    return tag(
        "section",
        tag("h2", "Released by people"),
        tag(
            "p",
            f"{len(facts.releases)} of {facts.n_releases} releases that stand. A release lifts the gate's reasons for this very "
            "input, never the contract's.",
        ),
        cell_table(
            ("report", "batch", "who", "why", "recorded"),
            [
                (
                    said(r["report_id"]),
                    said(r["batch_id"]),
                    said(r["who"]),
                    said(r["why"]),
                    r["recorded_at"].isoformat(sep=" ", timespec="minutes"),
                )
                for r in facts.releases
            ],
            caption="Releases that stand, the newest first",
        ),
        id="releases",
        class_="card",
    )  # fmt: skip
