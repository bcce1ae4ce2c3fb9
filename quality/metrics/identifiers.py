"""Do the works exist: the share of identifiers that registries found, and the number of retracted works.

Belongs here: the two definitions, and the values from the checks of one report. Does not belong here: looking anything up
(``quality.registries``). The values are written by the asset that looks up; without a registry there are none.
"""

from __future__ import annotations

from collections.abc import Sequence

from quality.metrics.definition import Definition, Metric, Value, share, to_measurement, unknown
from quality.model import Measurement, Stage
from quality.registries.check import TITLE, Check, Standing

_EXISTS = frozenset({Standing.FOUND, Standing.CONTRADICTED, Standing.RETRACTED})
_NOT_COUNTED = frozenset({"url", TITLE})
NOTHING = "the report names no identifier that a registry could be asked about"

RATE = Definition(
    id="identifier_rate",
    version="v1",
    title="Identifier rate",
    unit="share",
    formula="distinct identifiers found / (found + not found), over DOI, short DOI, PMID, PMCID, arXiv id and ISBN of the "
    "rebuilt report; one that names another work, or a retracted one, is found",
    stages=(Stage.REBUILT,),
    absent_when=NOTHING,
    statistics=("p10", "p50", "mean", "min"),
    owner="quality.metrics.identifiers",
    says_not="An identifier that could not be looked up counts in neither part. A found work need not be the one that the "
    "entry means, nor support the sentence that cites it.",
)
RETRACTED = Definition(
    id="retracted_count",
    version="v1",
    title="Retracted works",
    unit="count",
    formula="number of distinct identifiers of the rebuilt report whose work is retracted or withdrawn",
    stages=(Stage.REBUILT,),
    absent_when=NOTHING,
    statistics=("mean", "max", "sum"),
    owner="quality.metrics.identifiers",
    says_not="Only what the registries that were asked say; a retraction may be younger than their answer.",
)
METRICS = (Metric(RATE, None), Metric(RETRACTED, None))
WRITTEN_BY_LOOKUP = frozenset({RATE.id, RETRACTED.id})
"""Metrics that the audit does not compute: their rows come from the look-up, or not at all."""


def measure_identifiers(checks: Sequence[tuple[Check, bool]]) -> tuple[Measurement, ...]:
    """Both values of one report.

    Args:
        checks: each with whether somebody is asked about its kind.
    """
    standings = {
        c.identifier: (c.standing, covered) for c, covered in checks if c.identifier.kind not in _NOT_COUNTED
    }
    found = sum(standing in _EXISTS for standing, _ in standings.values())
    missing = sum(standing is Standing.NOT_FOUND for standing, _ in standings.values())
    open_ones = sum(standing is Standing.UNKNOWN and covered for standing, covered in standings.values())
    if found + missing == 0 and open_ones:
        why = f"none of {open_ones} identifiers could be looked up"
        return unknown(RATE, why), unknown(RETRACTED, why)
    rate = share(found, found + missing, NOTHING)
    said = f"{open_ones} more could not be looked up" if open_ones else rate.detail
    rate = Value(rate.value, rate.numerator, rate.denominator, said)
    taken = len({c.identifier for c, _ in checks if c.standing is Standing.RETRACTED})
    count = Value(float(taken)) if found + missing else Value(None, detail=NOTHING)
    return to_measurement(RATE, rate), to_measurement(RETRACTED, count)


def unknown_identifiers(reason: str) -> tuple[Measurement, ...]:
    """Both values of a report that has no rebuilt body to look into."""
    return unknown(RATE, reason), unknown(RETRACTED, reason)
