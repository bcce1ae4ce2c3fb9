"""The evidence manifest: what the producing run really did, as counts, and whether a claim is backed by it.

Belongs here: reading the field ``evidence`` of a report, and comparing a method claim with it.
Does not belong here: finding claims (``claims``), and what follows from one that is not backed (``honesty``).

A count may be written as a number, as a list (its length counts), or as a mapping (the sum of its numbers). A
field that is missing counts 0: the run did not say that it did it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from quality.metrics.claims import Claim
from quality.model import Report

FIELDS = ("tools", "sources_read", "datasets", "respondents", "interviews", "experiments")
BROKEN_FLAG = "evidence_broken"
_CALLS = ("calls", "count", "n")


class Supply(StrEnum):
    """Whether a report came with a manifest."""

    READ = "read"
    MISSING = "missing"  # this report has none, other reports of its batch do
    BROKEN = "broken"  # there is one, and it cannot be read
    OFF = "off"  # no report of the batch has one


@dataclass(frozen=True, slots=True)
class Manifest:
    """The manifest of one report; ``counts`` holds every field of ``FIELDS`` where it was read."""

    supply: Supply
    counts: Mapping[str, int]
    fault: str | None = None  # why it is broken


NO_MANIFEST = Manifest(Supply.OFF, {})

_NEEDS: Mapping[str, tuple[str, ...]] = {
    "survey": ("respondents",),
    "interview": ("interviews",),
    "panel": ("interviews", "respondents"),
    "experiment": ("experiments",),
    "fieldwork": ("interviews", "respondents", "experiments", "datasets"),
    "systematic_review": ("sources_read",),
    "document_analysis": ("sources_read", "tools"),
    "data_analysis": ("datasets",),
}
"""Fields of which one must back a claim of the kind. ``tools`` back only claims that name no number."""

_COUNTED = frozenset({"survey", "interview", "panel", "systematic_review", "document_analysis"})
"""Kinds whose claimed number must be reached; elsewhere it counts something that no manifest counts."""


def read_manifest(report: Report, *, batch_has_manifests: bool) -> Manifest:
    """Read a report's manifest.

    Args:
        report: with its field ``evidence``; the flag ``evidence_broken`` says that there was one of a wrong type.
        batch_has_manifests: whether any report of the batch has one.
    """
    if BROKEN_FLAG in report.flags:
        return Manifest(Supply.BROKEN, {}, "it is no table of names and values")
    if report.evidence is None:
        return Manifest(Supply.MISSING if batch_has_manifests else Supply.OFF, {})
    counts = {}
    for name in FIELDS:
        count = _count(report.evidence.get(name))
        if count is None:
            return Manifest(Supply.BROKEN, {}, f"its `{name}` cannot be counted")
        counts[name] = count
    return Manifest(Supply.READ, counts)


def needed(claim: Claim) -> str:
    """Say which entry of the manifest a claim needs: ``respondents >= 312``."""
    fields = _fields(claim)
    return f"{' or '.join(fields)} >= {_least(claim)}"


def is_backed(claim: Claim, manifest: Manifest) -> bool:
    """Tell whether the manifest backs a claim: one of the fields that speak about it reaches the number."""
    return any(manifest.counts.get(name, 0) >= _least(claim) for name in _fields(claim))


def _fields(claim: Claim) -> tuple[str, ...]:
    fields = _NEEDS[claim.kind]
    return tuple(name for name in fields if name != "tools") if _least(claim) > 1 else fields


def _least(claim: Claim) -> int:
    return max(1, claim.number or 1) if claim.kind in _COUNTED else 1


def _count(value: object) -> int | None:
    """Count a manifest's field: None where it cannot be counted."""
    if value is None or isinstance(value, bool):
        return int(bool(value))
    if isinstance(value, int | float):
        return int(value) if math.isfinite(value) and value >= 0 else None
    if isinstance(value, str):
        return int(value) if value.strip().isdecimal() else None
    return _size(value)


def _size(value: object) -> int | None:
    if isinstance(value, Mapping):
        return _total([value]) if any(key in value for key in _CALLS) else _total(list(value.values()))
    if isinstance(value, Sequence):
        return _total(value) if value and all(_has_calls(item) for item in value) else len(value)
    return None


def _has_calls(item: object) -> bool:
    return isinstance(item, Mapping) and any(key in item for key in _CALLS)


def _total(items: Sequence[object]) -> int | None:
    """Add up numbers, or the calls of named tools; a name counts as one thing."""
    total = 0
    for item in items:
        inner = next((item[key] for key in _CALLS if key in item), 1) if isinstance(item, Mapping) else item
        count = 1 if isinstance(inner, str) and not inner.strip().isdecimal() else _count(inner)
        if count is None:
            return None
        total += count
    return total
