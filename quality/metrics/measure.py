"""From one report at one stage to its measurements.

Belongs here: running the functions of a catalogue, so that one fault costs one number and no NaN comes out.
Does not belong here: formulas, and statistics over a batch (those are SQL).
"""

from __future__ import annotations

from quality.errors import Undetermined
from quality.metrics.catalogue import CATALOGUE, Catalogue
from quality.metrics.definition import Metric, to_measurement, unknown
from quality.metrics.definition import Subject as Subject  # noqa: PLC0414 - part of this interface
from quality.model import Measurement, Stage


def measure_report(subject: Subject, catalogue: Catalogue = CATALOGUE) -> list[Measurement]:
    """Measure everything that the catalogue computes in Python at the subject's stage, in catalogue order.

    Metrics without a function are not among them: SQL computes them from stored rows.
    """
    return [
        _measured(metric, subject) for metric in catalogue.at(subject.stage) if metric.measure is not None
    ]


def unknown_measurements(stage: Stage, reason: str, catalogue: Catalogue = CATALOGUE) -> list[Measurement]:
    """Give every metric of the stage as unknown; ``reason`` says why the report could not be measured.

    Metrics that SQL computes are among them; only their own statement writes them.
    """
    return [unknown(metric.definition, reason) for metric in catalogue.at(stage)]


def _measured(metric: Metric, subject: Subject) -> Measurement:
    assert metric.measure is not None  # noqa: S101 - filtered by the only caller
    try:
        return to_measurement(metric.definition, metric.measure(subject))
    except Undetermined as error:
        return unknown(metric.definition, error.message)
    except (
        Exception
    ) as error:  # a metric's fault, a user's own included, costs this number and not the report
        return unknown(metric.definition, f"{type(error).__name__}: {error}")
