"""Where in a body the offending passages stand, so that a reason can point at them.

Belongs here: turning offsets into lines and quoting citations and entries.
Does not belong here: deciding anything.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from quality.model import CitedKey, DirtyFinding, Reading, Reconciliation

MAX_QUOTE = 120


@dataclass(frozen=True, slots=True)
class Passage:
    """One offending place: what stands there, on which line (None outside the body), what is wrong."""

    text: str
    line: int | None
    fault: str


def dangling_passages(body: str, reconciliation: Reconciliation) -> tuple[Passage, ...]:
    """Point at the first mark of every dangling citation in ``body``, of which the reading was made."""
    starts = _line_starts(body)
    return tuple(
        Passage(_cited(cited), _line(starts, cited.first), f"cited {_times(cited.occurrences)}, no entry")
        for cited in reconciliation.dangling
    )


def dirty_passages(body: str, reading: Reading, dirt: Sequence[DirtyFinding]) -> tuple[Passage, ...]:
    """Point at every dirty entry, with all reasons for which it is dirty."""
    starts = _line_starts(body)
    reasons: dict[int, list[str]] = {}
    for finding in dirt:
        reasons.setdefault(finding.ordinal, []).append(finding.reason)
    return tuple(
        Passage(
            _quote(entry.text),
            _line(starts, entry.start) if entry.start >= 0 else None,
            ", ".join(dict.fromkeys(reasons[entry.ordinal])),
        )
        for entry in reading.entries
        if entry.ordinal in reasons
    )


def _cited(cited: CitedKey) -> str:
    if cited.family == "title":
        return f"《{cited.text or cited.key}》"
    return _quote(cited.text or f"[{cited.key}]")


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _quote(text: str) -> str:
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= MAX_QUOTE else f"{one_line[: MAX_QUOTE - 1]}…"


def _line_starts(body: str) -> list[int]:
    starts = [0]
    while (at := body.find("\n", starts[-1])) >= 0:
        starts.append(at + 1)
    return starts


def _line(starts: list[int], offset: int) -> int:
    return bisect_right(starts, offset)
