"""The catalogue as a page: ``python -m quality.metrics.document`` writes docs/metrics.md.

Belongs here: rendering. Does not belong here: any statement about a metric; those stand in its definition.
"""

from __future__ import annotations

import sys
from pathlib import Path

from quality.metrics.catalogue import CATALOGUE, Catalogue
from quality.metrics.definition import Definition

_HEAD = """\
# Metrics

Generated from the metric catalogue by `python -m quality.metrics.document`: edit that, not this page.

Every value is `measured`, `absent` (there was nothing to measure) or `unknown` (there was, and it could not \
be measured). Only a measured value is a number: 0/0 is absent, never 0, and nothing that is unknown counts \
as passed. Batch statistics are taken over the measured values alone; the numbers of absent and unknown ones \
stand beside them. Percentiles interpolate (`quantile_cont`). Values of two versions of a metric are never \
compared.

No language model takes part in any of these numbers.
"""


def render(catalogue: Catalogue = CATALOGUE) -> str:
    """Give the page as Markdown: an overview table, then one section per metric and version."""
    rows = [f"| `{d.id}` | {d.version} | {d.title} | {d.unit} | {_stages(d)} |" for d in catalogue]
    table = ["| id | version | title | unit | stages |", "|---|---|---|---|---|", *rows]
    return "\n".join([_HEAD, *table, "", *(_section(d) for d in catalogue)])


def _section(definition: Definition) -> str:
    lines = [
        f"## `{definition.id}` {definition.version}",
        "",
        f"{definition.title}.",
        "",
        f"* Formula: {definition.formula}.",
        f"* Unit: {definition.unit}; stages: {_stages(definition)}.",
        f"* Absent when: {definition.absent_when}.",
        f"* Batch statistics for a contract: {', '.join(definition.statistics)}.",
        f"* Computed in: `{definition.owner}`.",
        f"* What it does not say: {definition.says_not}",
        "",
    ]
    return "\n".join(lines)


def _stages(definition: Definition) -> str:
    return ", ".join(definition.stages)


def main(arguments: list[str]) -> None:
    """Write the page to the path in ``arguments``, or to docs/metrics.md."""
    path = Path(arguments[0] if arguments else "docs/metrics.md")
    path.write_text(render(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
