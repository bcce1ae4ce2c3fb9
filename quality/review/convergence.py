"""Convergence: which failures do independent reviewers share, and who found what?

Belongs here: several reviews of one corpus -> ranked, shared failures. Does not belong here: reviewing.

Two reviewers share a failure of a category in a report when their findings overlap in the body (``passage``), or, more
weakly, when both have one of that category in it (``report``). Only reports that both examined are compared: where a
reviewer could not look, silence is not agreement.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from quality.review.model import Category, Finding, Review


@dataclass(frozen=True, slots=True)
class Shared:
    """One place of one report at which reviewers found a failure of one category; ``reviewers`` sorted by name."""

    report_id: str
    category: Category
    reviewers: tuple[str, ...]
    findings: tuple[tuple[str, Finding], ...]  # reviewer, finding


@dataclass(frozen=True, slots=True)
class Ranked:
    """One category over the corpus, as independent reviewers see it.

    ``compared`` counts the reports that at least two reviewers examined; of them, ``shared_reports`` have a finding of this
    category by at least two, ``shared_passages`` counts the places at which two agree. ``found_by`` says in how many
    reports each reviewer found it, ``examined_by`` in how many it looked.
    """

    category: Category
    compared: int
    shared_reports: int
    shared_passages: int
    found_by: Mapping[str, int]
    examined_by: Mapping[str, int]

    @property
    def reviewers(self) -> int:
        """How many reviewers found it at all."""
        return sum(1 for n in self.found_by.values() if n)


def convergence(reviews: Sequence[Review]) -> list[Ranked]:
    """Categories ranked by how much independent reviewers share them, the most shared first.

    Args:
        reviews: of one corpus, by reviewers with different names.
    """
    examined = {r.reviewer: {e.report_id for e in r.examinations if e.fault is None} for r in reviews}
    by_two = _in_two(examined.values())
    places = shared_places(reviews)
    ranked = []
    for category in Category:
        found = {r.reviewer: {f.report_id for f in r.findings if f.category is category} for r in reviews}
        if not any(found.values()):
            continue
        ranked.append(
            Ranked(
                category,
                compared=len(by_two),
                shared_reports=len(_in_two(found.values()) & by_two),
                shared_passages=sum(1 for p in places if p.category is category and len(p.reviewers) > 1),
                found_by={name: len(reports) for name, reports in found.items()},
                examined_by={name: len(reports) for name, reports in examined.items()},
            )
        )
    order = list(Category)
    return sorted(
        ranked,
        key=lambda r: (-r.shared_reports, -r.shared_passages, -r.reviewers, order.index(r.category)),
    )


def _in_two(sets: Iterable[set[str]]) -> set[str]:
    once: set[str] = set()
    twice: set[str] = set()
    for each in sets:
        twice |= once & each
        once |= each
    return twice


def shared_places(reviews: Sequence[Review]) -> list[Shared]:
    """Places of findings, those that overlap in one report and category put together, in order of the reports."""
    placed = [
        (f.report_id, f.category, f.start, f.end, review.reviewer, f)
        for review in reviews
        for f in review.findings
        if f.start is not None and f.end is not None
    ]
    placed.sort(key=lambda p: (p[0], p[1], p[2], p[3]))
    groups: list[list[tuple[str, Finding]]] = []
    last: tuple[str, Category, int] | None = None
    for report_id, category, start, end, reviewer, finding in placed:
        if last is not None and last[:2] == (report_id, category) and start < last[2]:
            groups[-1].append((reviewer, finding))
            last = (report_id, category, max(last[2], end))
        else:
            groups.append([(reviewer, finding)])
            last = (report_id, category, end)
    return [
        Shared(
            group[0][1].report_id,
            group[0][1].category,
            tuple(sorted({reviewer for reviewer, _ in group})),
            tuple(group),
        )
        for group in groups
    ]
