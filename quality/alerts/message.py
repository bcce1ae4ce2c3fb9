"""The words of an alert: title and text, plain, for any service.

Belongs here: wording and its bounds. Does not belong here: what changed (``changes``), any address, sending.

Only ids, numbers and rules are told, never a report's text. The bounds: chat services cut at 2,000 characters, so a text
stays below ``MAX_TEXT``; what is left out is counted, and the warehouse has all of it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator
from urllib.parse import quote

from quality.alerts.model import REPORTS_UNKNOWN, Change, Draft, Kind
from quality.metrics.numbers import beside, plain

MAX_TITLE = 150
MAX_TEXT = 1_800
MAX_CLAUSES = 6
MAX_WORST = 5
MAX_SENTENCE = 220
_TITLES = {
    Kind.BREACH: "batch {batch} breaks its contract",
    Kind.UNKNOWN: "batch {batch} could not be judged",
    Kind.RECOVERY: "batch {batch} recovers",
}
_RUNBOOK = {Kind.BREACH: "breach", Kind.UNKNOWN: "unknown", Kind.RECOVERY: "recovery"}


def title_of(draft: Draft) -> str:
    """One line: what happened to which batch."""
    names = ", ".join(draft.clauses[:3]) + (f" and {len(draft.clauses) - 3} more" * (len(draft.clauses) > 3))
    return _cut(f"Sluicegate: {_TITLES[draft.kind].format(batch=safe(draft.batch_id))} ({names})", MAX_TITLE)


def text_of(draft: Draft, *, ui: str, program: str = "sluicegate", kept: Collection[str] = ()) -> str:
    """Everything that a person needs to act, clause by clause.

    Args:
        draft: what changed.
        ui: where Dagster's UI is, without a slash at the end.
        program: how the command is called.
        kept: batches that are still kept out by their own verdict, for a recovery.
    """
    parts = [_opening(draft), *_clauses(draft)]
    if draft.still and draft.changes:
        names = ", ".join(f"{c.observation.clause} (since {safe(c.since or '?')})" for c in draft.still)
        parts.append(f"Unchanged since it was told before: {names}.")
    if draft.kind is Kind.RECOVERY and kept:
        parts.append(f"Their own verdict still keeps out: {_some(sorted(kept))}.")
    tail = "\n".join(_remedy(draft, program, ui))
    return f"{_cut(chr(10).join(parts), MAX_TEXT - len(tail) - 2)}\n\n{tail}"


def safe(text: str) -> str:
    """Give an id on one line, without control characters, and without waking anybody whom an ``@`` would call."""
    shown = "".join(" " if unicodedata.category(c)[0] == "C" else c for c in text)
    return _cut(" ".join(shown.split()).replace("@", "@\u2060"), 120)


def _opening(draft: Draft) -> str:
    if all(name == REPORTS_UNKNOWN for name in draft.clauses) and draft.kind is Kind.UNKNOWN:
        return "The gate holds reports because something could not be determined. No citation is called fake for it."
    return {
        Kind.BREACH: f"All {draft.n_reports} reports are delivered, and the whole batch is kept out of the knowledge base.",
        Kind.UNKNOWN: f"Unknown is not a pass: all {draft.n_reports} reports are delivered, and the whole batch is kept out.",
        Kind.RECOVERY: "What was told before is over.",
    }[draft.kind]


def _clauses(draft: Draft) -> Iterator[str]:
    for change in draft.changes[:MAX_CLAUSES] or draft.still[:MAX_CLAUSES]:
        yield from _clause(change, draft.kind)
    if (rest := len(draft.changes) - MAX_CLAUSES) > 0:
        yield f"and {rest} more clauses"


def _clause(change: Change, kind: Kind) -> Iterator[str]:
    seen = change.observation
    if kind is Kind.UNKNOWN or seen.observed is None:
        yield f"\n{seen.clause}: {_cut(safe_sentence(seen.reason), MAX_SENTENCE)}"
    else:
        value = beside(seen.observed, seen.threshold)
        yield f"\n{seen.clause}: {seen.subject} is {value}, needs {seen.operator} {plain(seen.threshold)} (n {seen.n})"
    if change.previous is not None:
        yield f"  before: {plain(round(change.previous, 4))} in batch {safe(change.previous_batch or '?')}"
    if kind is Kind.BREACH and (seen.recovery != seen.threshold or seen.clear_needs > 1):
        yield f"  over at: {plain(seen.recovery)}{_in_succession(seen.clear_needs)}"
    if kind is Kind.RECOVERY and change.since:
        yield f"  told in batch {safe(change.since)}"
    if seen.worst and kind is not Kind.RECOVERY:
        yield f"  worst reports: {_some(seen.worst)}"


def _in_succession(times: int) -> str:
    return f", {times} evaluations in succession" if times > 1 else ""


def safe_sentence(text: str) -> str:
    """Give a recorded sentence on one line, see ``safe``."""
    return " ".join("".join(" " if unicodedata.category(c)[0] == "C" else c for c in text).split()).replace(
        "@", "@\u2060"
    )


def _some(ids: Collection[str]) -> str:
    shown = [safe(i) for i in list(ids)[:MAX_WORST]]
    rest = len(ids) - len(shown)
    return ", ".join([*shown, f"and {rest} more"] if rest else shown)


def _remedy(draft: Draft, program: str, ui: str) -> Iterator[str]:
    batch = safe(draft.batch_id)
    worst = next((c.observation.worst[0] for c in draft.changes if c.observation.worst), None)
    quoted = f"'{batch}'" if " " in batch else batch
    if draft.kind is Kind.RECOVERY:
        yield f"Nothing to do for it; `{program} batches` shows every batch."
    elif draft.kind is Kind.UNKNOWN:
        yield f"What to do: when the cause is gone, run the batch again: `{program} run --batch {quoted}`."
    else:
        if worst is not None:
            yield f"What to do: read why: `{program} explain {safe(worst)} --batch {quoted}`;"
        yield f"mend the cause, then `{program} run --batch {quoted}`, or one report: `{program} resubmit FILE --for REPORT`."
    yield f"Where to look: {ui}/assets/ingestion_decisions?view=partitions&partition={quote(draft.batch_id, safe='')}"
    yield f"Runbook: docs/runbook.md#{_RUNBOOK[draft.kind]}"


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
