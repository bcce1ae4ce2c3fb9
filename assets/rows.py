"""From the domain's values to the rows of the warehouse: one function a table.

Belongs here: column names and types of the frames that the audit assets write.
Does not belong here: measuring, deciding, or reading rows back (stored.py).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from quality.kernel import Audit
from quality.model import Rebuilt

_TEXTS = pl.List(pl.String)
_KEYS: dict[str, Any] = {"batch_id": pl.String, "report_id": pl.String, "stage": pl.String}

SEGMENTS: dict[str, Any] = {
    **_KEYS,
    "ordinal": pl.Int32,
    "kind": pl.String,
    "start_offset": pl.Int64,
    "end_offset": pl.Int64,
}
CITATIONS: dict[str, Any] = {
    **_KEYS,
    "ordinal": pl.Int32,
    "key": pl.String,
    "family": pl.String,
    "style": pl.String,
    "scope": pl.Int32,
    "start_offset": pl.Int64,
    "end_offset": pl.Int64,
    "locator": pl.String,
    "cited_text": pl.String,
}
CITED_KEYS: dict[str, Any] = {
    **_KEYS,
    "ordinal": pl.Int32,
    "key": pl.String,
    "family": pl.String,
    "style": pl.String,
    "scope": pl.Int32,
    "occurrences": pl.Int32,
    "first_offset": pl.Int64,
    "entry_ordinal": pl.Int32,
    "self_contained": pl.Boolean,
    "locator": pl.String,
}
ENTRIES: dict[str, Any] = {
    **_KEYS,
    "ordinal": pl.Int32,
    "key": pl.String,
    "scope": pl.Int32,
    "text": pl.String,
    "title": pl.String,
    "url": pl.String,
    "identifiers": _TEXTS,
    "origin": pl.String,
    "kind": pl.String,
    "source_id": pl.String,
    "cited": pl.Boolean,
    "dirty_reasons": _TEXTS,
    "start_offset": pl.Int64,
    "end_offset": pl.Int64,
}
RESOLUTIONS: dict[str, Any] = {
    **_KEYS,
    "subject": pl.String,
    "ordinal": pl.Int32,
    "key": pl.String,
    "state": pl.String,
    "tier": pl.String,
    "source_id": pl.String,
    "score": pl.Float64,
    "candidates": _TEXTS,
}
METRICS: dict[str, Any] = {
    **_KEYS,
    "metric": pl.String,
    "metric_version": pl.String,
    "value": pl.Float64,
    "numerator": pl.Float64,
    "denominator": pl.Float64,
    "validity": pl.String,
    "detail": pl.String,
    "input_fingerprint": pl.String,
}
REBUILT_ENTRIES: dict[str, Any] = {
    "batch_id": pl.String,
    "report_id": pl.String,
    "ordinal": pl.Int32,
    "label": pl.String,
    "kind": pl.String,
    "source_id": pl.String,
    "tier": pl.String,
    "key_before": pl.String,
    "scope_before": pl.Int32,
}


def frame(rows: Iterable[Sequence[object]], schema: Mapping[str, Any]) -> pl.DataFrame:
    """Rows in the order of ``schema`` as a typed frame; no rows give an empty frame of the same columns."""
    return pl.DataFrame(list(rows), schema=dict(schema), orient="row", strict=False)


def segments(batch_id: str, audits: Iterable[Audit]) -> pl.DataFrame:
    """Where the reader has been, by offsets: the evidence of ``audited_share``."""
    return frame(
        (
            (batch_id, a.report_id, a.stage.value, i, s.kind, s.start, s.end)
            for a in audits
            if a.reading is not None
            for i, s in enumerate(a.reading.segments)
        ),
        SEGMENTS,
    )


def citations(batch_id: str, audits: Iterable[Audit]) -> pl.DataFrame:
    """One row a mark and key; a placeholder that names nothing has one row with a NULL key."""
    return frame(
        (
            (
                batch_id,
                a.report_id,
                a.stage.value,
                i,
                key,
                m.family,
                m.style,
                m.scope,
                m.start,
                m.end,
                m.locator,
                m.text,
            )
            for a in audits
            if a.reading is not None
            for i, m in enumerate(a.reading.marks)
            for key in (m.keys or (None,))
        ),
        CITATIONS,
    )


def cited_keys(batch_id: str, audits: Iterable[Audit]) -> pl.DataFrame:
    """One row a distinct citation, by first appearance, with the entry it reconciles to."""
    return frame(
        (
            (
                batch_id,
                a.report_id,
                a.stage.value,
                i,
                c.key,
                c.family,
                c.style,
                c.scope,
                c.occurrences,
                c.first,
                c.entry,
                c.self_contained,
                c.locator,
            )
            for a in audits
            if a.reconciliation is not None
            for i, c in enumerate(a.reconciliation.cited)
        ),
        CITED_KEYS,
    )


def entries(
    batch_id: str, audits: Iterable[Audit], kinds: Mapping[tuple[str, str], str] | None = None
) -> pl.DataFrame:
    """One row a reference entry.

    Args:
        batch_id: the batch.
        audits: of one stage.
        kinds: (report_id, label) -> canonical or as_written, for the stage ``rebuilt``.
    """
    return frame((row for a in audits for row in _entry_rows(batch_id, a, kinds or {})), ENTRIES)


def _entry_rows(
    batch_id: str, audit: Audit, kinds: Mapping[tuple[str, str], str]
) -> Iterable[Sequence[object]]:
    if audit.reading is None or audit.reconciliation is None:
        return
    uncited = set(audit.reconciliation.uncited)
    reasons: dict[int, list[str]] = {}
    for finding in audit.dirt:
        known = reasons.setdefault(finding.ordinal, [])
        if finding.reason not in known:
            known.append(finding.reason)
    for entry, resolution in zip(audit.reading.entries, audit.entry_resolutions, strict=True):
        yield (
            batch_id,
            audit.report_id,
            audit.stage.value,
            entry.ordinal,
            entry.key,
            entry.scope,
            entry.text,
            entry.title,
            entry.url,
            [f"{i.kind}:{i.value}" for i in entry.identifiers],
            entry.origin,
            kinds.get((audit.report_id, entry.key or "")),
            resolution.source_id,
            entry.ordinal not in uncited,
            reasons.get(entry.ordinal, []),
            entry.start if entry.start >= 0 else None,
            entry.end if entry.end >= 0 else None,
        )


def resolutions(batch_id: str, audits: Iterable[Audit]) -> pl.DataFrame:
    """One row a distinct citation and one a reference entry: the source, the tier, the candidates."""
    return frame((row for a in audits for row in _resolution_rows(batch_id, a)), RESOLUTIONS)


def _resolution_rows(batch_id: str, audit: Audit) -> Iterable[Sequence[object]]:
    if audit.reading is None or audit.reconciliation is None:
        return
    cited = ((c.key, r) for c, r in zip(audit.reconciliation.cited, audit.citation_resolutions, strict=True))
    listed = ((e.key, r) for e, r in zip(audit.reading.entries, audit.entry_resolutions, strict=True))
    for subject, pairs in (("citation", cited), ("entry", listed)):
        for i, (key, r) in enumerate(pairs):
            yield (
                batch_id,
                audit.report_id,
                audit.stage.value,
                subject,
                i,
                key,
                r.state.value,
                r.tier,
                r.source_id,
                r.score,
                list(r.candidates),
            )


def report_metrics(
    batch_id: str,
    audits: Iterable[Audit],
    *,
    computed_apart: Collection[tuple[str, str]] = (),
    prints: Mapping[str, str | None] | None = None,
) -> pl.DataFrame:
    """One row a report, stage, metric and version.

    Args:
        batch_id: the batch.
        audits: of one stage.
        computed_apart: metrics that are left out: SQL counts them by itself.
        prints: report -> input fingerprint.
    """
    known = prints or {}
    return frame(
        (
            (
                batch_id,
                a.report_id,
                a.stage.value,
                m.metric,
                m.version,
                m.value,
                m.numerator,
                m.denominator,
                m.validity.value,
                m.detail,
                known.get(a.report_id),
            )
            for a in audits
            for m in a.measurements
            if (m.metric, m.version) not in computed_apart
        ),
        METRICS,
    )


def rebuilt_entries(batch_id: str, rebuilt: Iterable[tuple[str, Rebuilt]]) -> pl.DataFrame:
    """One row a line of a rebuilt table, with the citation it came from."""
    return frame(
        (
            (batch_id, report_id, i, e.label, e.kind.value, e.source_id, e.tier, e.key, e.scope)
            for report_id, r in rebuilt
            for i, e in enumerate(r.entries)
        ),
        REBUILT_ENTRIES,
    )
