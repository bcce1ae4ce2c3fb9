"""The verdict in words: how a batch ended, and what to do about it.

Belongs here: sentences about rows that are recorded. Does not belong here: judging, markup.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from pipelines.dashboard.facts import Facts, Row
from sql.loader import literal

_PLAIN = re.compile(r"[\w.-]+", re.ASCII)
SYMBOLS = {"pass": "●", "breach": "▼", "unknown": "◆", "off": "–"}
"""A verdict's sign beside its word: colour is never the only carrier."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do: a sentence, and the command that does it, if there is one."""

    sentence: str
    command: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """How the newest batch ended."""

    state: str  # pass, breach, unknown or none
    title: str
    sentence: str
    causes: tuple[str, ...]  # one sentence a blocking clause that did not pass
    steps: tuple[Step, ...]


def verdict_of(facts: Facts, batch: Row) -> Verdict:
    """Tell how a batch ended and what to do."""
    state = str(batch["verdict"] or "none")
    stopped = [
        c
        for c in facts.clauses
        if c["batch_id"] == batch["batch_id"] and c["mode"] == "block" and c["verdict"] != "pass"
    ]
    title, sentence = {"pass": _passed, "breach": _broken, "unknown": _undetermined}.get(state, _none)(batch)
    return Verdict(
        state, title, sentence, tuple(_cause(c) for c in stopped), tuple(_steps(batch, state, stopped))
    )


def reports(n: int) -> str:
    """A number of reports in words."""
    return f"{n} report" if n == 1 else f"{n} reports"


def subject(row: Row) -> str:
    """Name what a clause looks at: ``inbound_rate v3 (rebuilt) P10``."""
    statistic = str(row["statistic"])
    if row["metric"] == "row_count":
        return "row_count"
    shown = statistic.upper() if statistic[:1] == "p" and statistic[1:].isdigit() else statistic
    return f"{row['metric']} {row['metric_version']} ({row['stage']}) {shown}"


def _passed(batch: Row) -> tuple[str, str]:
    said = f"All {batch['n_blocking']} blocking clauses of the contract hold. "
    inside, may, held = batch["n_in_kb"], batch["n_may"], batch["n_held"]
    if inside:
        said += f"{inside} of {reports(batch['n_reports'])} are in the knowledge base"
    elif may:
        said += f"{reports(may)} may enter the knowledge base, and none was ingested: recorded only"
    else:
        said += "No report of it may enter the knowledge base"
    said += f"; {held} held by the gate." if held else "."
    return "Contract kept", said


def _broken(batch: Row) -> tuple[str, str]:
    n = len(batch["clauses_breached"])
    clauses = "1 blocking clause is" if n == 1 else f"{n} blocking clauses are"
    return (
        "Contract broken: kept out of the knowledge base",
        f"{clauses} broken, so all {reports(batch['n_reports'])} are held. "
        f"{batch['n_delivered']} of them were delivered all the same; by itself, the gate would hold {batch['n_held_by_gate']}.",
    )


def _undetermined(batch: Row) -> tuple[str, str]:
    n = len(batch["clauses_unknown"])
    clauses = "1 blocking clause" if n == 1 else f"{n} blocking clauses"
    return (
        "Could not be determined: kept out of the knowledge base",
        f"{clauses} could not be judged, and unknown is not a pass: all {reports(batch['n_reports'])} are held. "
        f"{batch['n_delivered']} of them were delivered all the same.",
    )


def _none(batch: Row) -> tuple[str, str]:
    return (
        "No verdict yet",
        f"There is no verdict on the {reports(batch['n_reports'])} of this batch as they stand: a run did not get as far "
        f"as the contract. {batch['n_delivered']} were delivered; nothing of it enters the knowledge base.",
    )


def _cause(clause: Row) -> str:
    return f"{clause['clause']}: {clause['reason']}"


def _steps(batch: Row, state: str, stopped: Sequence[Row]) -> list[Step]:
    name = shlex.quote(str(batch["batch_id"]))
    again = f"sluicegate run --batch {name}"
    if state == "breach":
        worst = list(dict.fromkeys(str(i) for c in stopped for i in c["worst_reports"]))
        read = [
            Step(
                "Read one of the worst reports: it lists every dangling citation, and what is needed.",
                f"sluicegate explain {shlex.quote(worst[0])} --batch {name}",
            )
        ]
        return [
            *(read if worst else []),
            Step(
                "Mend the source of the fault (the writer's prompt, the catalogue), not the symptom, and run again.",
                again,
            ),
        ]
    if state == "unknown":
        return [
            Step(
                "See which reports could not be measured, or whether there are too few of them.",
                "sluicegate batches",
            ),
            Step("Mend what made them unknown, or put more reports into the batch, and run again.", again),
        ]
    if state == "none":
        return [Step("Run the batch again: what failed is printed, and the next run converges.", again)]
    steps = []
    if batch["n_may"] and not batch["n_in_kb"]:
        steps.append(Step("Ingest what may enter.", again))
    if batch["n_held"]:
        steps.append(
            Step(
                "Read why reports are held in the table of decisions; fix them, or leave them out: the batch passes without them.",
                f"sluicegate sql {_held_question(str(batch['batch_id']))}",
            )
        )
    return steps or [Step("Nothing to do.")]


def _held_question(batch_id: str) -> str:
    """The question as one word of a shell, whatever the id is made of."""
    question = f"SELECT report_id, rules FROM held_reports WHERE batch_id = {literal(batch_id)}"  # noqa: S608 - quoted, and shown
    return f'"{question}"' if _PLAIN.fullmatch(batch_id) else shlex.quote(question)
