"""Two samples of 148 reports with the quantiles of a team that rebuilt its reference tables; no fixtures here.

Between the quantiles that were told (P10 and P50) the values are spread evenly; the ends are our own guess.
"""

import numpy as np

REPORTS = 148


def spread(low, p10, p50, high):
    """Values with exactly these percentiles: the two ranks beside a percentile both have it."""
    ranks = [0, 14, 15, 73, 74, REPORTS - 1]  # P10 lies between ranks 14 and 15, P50 between 73 and 74
    return np.interp(np.arange(REPORTS), ranks, [low, p10, p10, p50, p50, high])


def before():
    return spread(0.0, 0.176, 0.45, 1.0)


def after(p10=0.857):
    return spread(0.5, p10, 1.0, 1.0)
