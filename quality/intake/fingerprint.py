"""Input fingerprints: what a decision rests on, as one hash.

Belongs here: which parts count, and how they are joined without ambiguity.
Does not belong here: the snapshot's own hash (``quality.sources.snapshots``).
A report's id, title and producer do not count: they change no measurement.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import asdict
from typing import Final

from quality.intake.plain import canonical_json
from quality.model import Report, UnreadableReport

_REPORT: Final = "sluicegate report 1"
_UNREADABLE: Final = "sluicegate unreadable 1"
_BATCH: Final = "sluicegate batch 1"
_ANSWERS: Final = "sluicegate answers 1"


def input_fingerprint(report: Report | UnreadableReport, snapshot_id: str | None) -> str:
    """Hash of everything that a report's audit depends on, as 64 hexadecimal digits.

    For a report: body, evidence (broken evidence differs from none), out-of-body sources, catalogue snapshot.
    For an unreadable one: its original bytes.
    """
    if isinstance(report, UnreadableReport):
        return _digest(_UNREADABLE.encode(), report.original)
    evidence = {"broken": "evidence_broken" in report.flags, "manifest": report.evidence}
    sources = [asdict(source) for source in report.sources]
    parts = (_REPORT, report.body, canonical_json(evidence), canonical_json(sources), snapshot_id or "")
    return _digest(*(part.encode() for part in parts))


def with_answers(fingerprint: str, answers: str) -> str:
    """Hash of an input fingerprint and of what the registries said about the report's identifiers."""
    return _digest(*(part.encode() for part in (_ANSWERS, fingerprint, answers)))


def batch_fingerprint(pairs: Iterable[tuple[str, str]]) -> str:
    """Hash of a batch's ``(report_id, input_fingerprint)`` pairs, whatever their order."""
    parts = [part for pair in sorted(pairs) for part in pair]
    return _digest(*(part.encode() for part in (_BATCH, *parts)))


def _digest(*parts: bytes) -> str:
    """Hash the parts, each behind its length, so that no part can run into the next."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()
