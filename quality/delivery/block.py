"""The audit block: what a person reads first in a delivered file.

Belongs here: its words and its order. Does not belong here: the marks around it (``envelope``), the front
matter (``head``). Every line is part of one Markdown block quote; every value from a report goes through
``literal``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from quality.delivery.escape import literal
from quality.delivery.model import DeliveredReport, DeliveryState
from quality.model import Measurement, Reason, RebuildPath, Validity

MAX_LISTED: Final = 50
"""Dangling citations that the block names; the front matter holds all of them."""
MAX_SENTENCE: Final = 500
"""Characters of what was observed and what is needed that the block shows."""

_TITLES: Final = {
    DeliveryState.PENDING: "decision pending",
    DeliveryState.INGEST: "ingest",
    DeliveryState.HOLD: "hold",
    DeliveryState.WITHDRAWN: "withdrawn",
    DeliveryState.INCOMPLETE: "verification incomplete",
}
_MEANINGS: Final = {
    DeliveryState.PENDING: "The report is audited; whether it enters the knowledge base is not decided yet.",
    DeliveryState.INGEST: "The report enters the knowledge base.",
    DeliveryState.HOLD: "The report is delivered, and kept out of the knowledge base.",
    DeliveryState.WITHDRAWN: (
        "The report left its batch after it was delivered, and is out of the knowledge base: what was said about it here "
        "before stands no more."
    ),
    DeliveryState.INCOMPLETE: (
        "The audit did not finish: nothing below was verified. The original is delivered unchanged, and kept "
        "out of the knowledge base."
    ),
}
_PATHS: Final = {
    RebuildPath.REBUILT: "The reference table was rebuilt from the citations in the body",
    RebuildPath.MERGED: "The reference table was kept, and what the body cites was merged into it",
    RebuildPath.LEFT: "The reference table was left as written",
    RebuildPath.FAILED: "The rebuild failed, and the reference table was left as written",
}
_BY_CONSTRUCTION: Final = (
    "Where every citation can be resolved, the inbound rate after a rebuild is 1 by construction: it checks the "
    "rebuild, and says nothing about whether the sources support the text."
)


def audit_block(report: DeliveredReport) -> str:
    """Render the block; every line starts with ``>`` and ends with a line end."""
    paragraphs = [part for part in _parts(report) if part]
    lines = [line for part in paragraphs for line in (*part, "")][:-1]
    return "".join(f"> {line}\n" if line else ">\n" for line in lines)


def _parts(report: DeliveredReport) -> Iterator[Sequence[str]]:
    yield [f"**Sluicegate audit: {_TITLES[report.state]}**"]
    version = f" (version {report.version}, submitted again)" if report.version > 1 else ""
    name = f"Report {literal(report.report_id)}{version} of batch {literal(report.batch_id)}"
    yield [f"{name}. {_MEANINGS[report.state]}"]
    if report.withdrawn_at is not None:
        yield [f"Withdrawn on {literal(report.withdrawn_at)}."]
    if report.failure is not None:
        yield [f"What went wrong: {literal(report.failure)}"]
    yield _verdicts(report)
    yield _section("What holds it, and what is needed", [_reason(reason) for reason in report.reasons])
    yield _released(report)
    yield _section("Recorded, and holds nothing yet", [_reason(reason) for reason in report.would_hold])
    yield _table(report.before, report.after)
    yield _rebuild(report)
    if report.dangling:
        yield [f"**Dangling, that is cited with no entry:** {_dangling(report.dangling)}"]
    if report.not_checked:
        yield [f"**Not checked:** {', '.join(_words(name) for name in report.not_checked)}."]


def _verdicts(report: DeliveredReport) -> Sequence[str]:
    said = []
    if report.contract_verdict is not None:
        version = f" (version {literal(report.contract_version)})" if report.contract_version else ""
        said.append(f"Contract of the batch{version}: {report.contract_verdict}.")
    if report.gate_outcome is not None:
        said.append(f"By itself, the gate says {report.gate_outcome} for this report.")
    return [" ".join(said)] if said else []


def _released(report: DeliveredReport) -> Sequence[str]:
    """Tell who overruled the gate, why, and what the gate still says."""
    if report.released_by is None:
        return []
    said = f"**Released** by {literal(report.released_by)}: {_sentence(report.release_why or '')}"
    return [f"{said} The gate by itself says:", "", *(f"- {_reason(reason)}" for reason in report.lifted)]


def _section(title: str, items: Sequence[str]) -> Sequence[str]:
    return [f"**{title}:**", "", *(f"- {item}" for item in items)] if items else []


def _reason(reason: Reason) -> str:
    place = [literal(reason.passage)] if reason.passage else []
    place += [f"line {reason.line} of the body"] if reason.line is not None else []
    where = f" ({', '.join(place)})" if place else ""
    return (
        f"{literal(reason.rule)}{where}: {_sentence(reason.observed)} **Needed:** {_sentence(reason.needed)}"
    )


def _sentence(text: str) -> str:
    shown = literal(text, MAX_SENTENCE)
    return shown if shown.endswith((".", "!", "?", "。")) else f"{shown}."


def _table(before: Iterable[Measurement], after: Iterable[Measurement]) -> Sequence[str]:
    shadow = {(item.metric, item.version): item for item in before}
    rebuilt = {(item.metric, item.version): item for item in after}
    keys = list(dict.fromkeys([*shadow, *rebuilt]))
    if not keys:
        return []
    rows = [
        f"| {literal(key[0])} {literal(key[1])} | {_number(shadow.get(key))} | {_number(rebuilt.get(key))} |"
        for key in keys
    ]
    return ["| metric | as written | after the rebuild |", "|:--|--:|--:|", *rows]


def _number(item: Measurement | None) -> str:
    if item is None:
        return "–"
    if item.validity is not Validity.MEASURED or item.value is None:
        return str(item.validity)
    value = f"{item.value:.3f}".rstrip("0").rstrip(".")
    if item.numerator is None or not item.denominator:
        return value
    return f"{value} ({item.numerator:.12g} of {item.denominator:.12g})"


def _rebuild(report: DeliveredReport) -> Sequence[str]:
    if report.rebuild_path is None:
        return []
    reason = f" ({literal(report.rebuild_reason)})" if report.rebuild_reason else ""
    changed = report.rebuild_path in {RebuildPath.REBUILT, RebuildPath.MERGED}
    note = f" {_BY_CONSTRUCTION}" if changed else ""
    return [f"{_PATHS[report.rebuild_path]}{reason}.{note}"]


def _dangling(keys: Sequence[str]) -> str:
    shown = [literal(key) for key in keys[:MAX_LISTED]]
    rest = len(keys) - len(shown)
    return "; ".join([*shown, f"and {rest:,} more, in the front matter"] if rest else shown)


def _words(name: str) -> str:
    return literal(name.replace("_", " "))
