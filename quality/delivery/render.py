"""Delivered files: head and body together, and the file names.

Belongs here: which file holds what, for reports that were audited, that were not, and that could not be read.
Does not belong here: writing files. The end of a run rewrites the head and never the body:
``render(replace(report, body=envelope.split(text)[1], state=…))``.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

from quality.delivery.block import audit_block
from quality.delivery.envelope import join
from quality.delivery.head import front_matter, own_fields
from quality.delivery.model import DeliveredFile, DeliveredReport, DeliveryState
from quality.model import Report, UnreadableReport
from quality.names import safe_name


def render(report: DeliveredReport) -> str:
    """Render the delivered file: front matter, audit block, body byte for byte (in UTF-8)."""
    return join(front_matter(report, "body"), audit_block(report), report.body)


def render_beside(report: DeliveredReport) -> str:
    """Render the head alone, for a file that stands beside an original which cannot carry it."""
    return join(front_matter(report, "beside"), audit_block(report), "")


def render_unreadable(
    original: UnreadableReport, audit: DeliveredReport
) -> tuple[DeliveredFile, DeliveredFile]:
    """Give the original as it came (``<name>.original``) and its audit beside it (``<name>.audit.md``)."""
    return _beside(original.report_id, original.original, audit)


def render_incomplete(
    report: Report | UnreadableReport, batch_id: str, failure: str, *, not_checked: tuple[str, ...] = ()
) -> tuple[DeliveredFile, ...]:
    """Deliver a report whose audit failed: original bytes, and "verification incomplete" with the failure.

    A Markdown file in UTF-8 gets the block on top of its bytes, its own front matter included. A row of a
    JSONL or Parquet file gets it on top of its body. Anything else stays as it is, with the block beside it.
    """
    audit = DeliveredReport(
        batch_id=batch_id,
        report_id=report.report_id,
        body="",
        state=DeliveryState.INCOMPLETE,
        failure=failure,
        not_checked=not_checked,
    )
    if isinstance(report, UnreadableReport):
        return _beside(report.report_id, report.original, audit)
    if report.original is None:
        head = join(
            front_matter(replace(audit, front_matter=own_fields(report)), "body"), audit_block(audit), ""
        )
        return (DeliveredFile(delivered_name(report.report_id), head.encode() + report.body.encode()),)
    if "utf16" in report.flags:
        return _beside(report.report_id, report.original, audit)
    head = join(front_matter(audit, "file"), audit_block(audit), "")
    return (DeliveredFile(delivered_name(report.report_id), head.encode() + report.original),)


def delivered_name(report_id: str) -> str:
    """Give the name of a report's delivered file.

    ``<name>.audit.md`` is left to audits that stand beside an original, so a name that ends in ``.audit``
    gets a hash of the id, as ``safe_name`` adds it.
    """
    name = safe_name(report_id)
    if name.casefold().endswith(".audit"):
        name = f"{name}-{hashlib.sha256(report_id.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"
    return f"{name}.md"


def _beside(report_id: str, original: bytes, audit: DeliveredReport) -> tuple[DeliveredFile, DeliveredFile]:
    name = safe_name(report_id)
    return (
        DeliveredFile(f"{name}.original", original),
        DeliveredFile(f"{name}.audit.md", render_beside(audit).encode()),
    )
