"""Numbers in sentences: enough digits to see on which side of a threshold a value lies.

Belongs here: writing numbers for people.
Does not belong here: rounding anything that is stored or compared.
"""

from __future__ import annotations

MAX_DIGITS = 12


def beside(value: float, threshold: float) -> str:
    """Write ``value`` with two decimals, or with as many more as tell it from ``threshold``.

    Whole numbers have no decimals, so counts read as counts: 3, 0.31, 0.5999 (beside 0.6).
    """
    if value == int(value):
        return str(int(value))
    for digits in range(2, MAX_DIGITS):
        written = f"{value:.{digits}f}"
        if (float(written) < threshold) == (value < threshold) and (float(written) > threshold) == (
            value > threshold
        ):
            return written
    return repr(value)


def plain(threshold: float) -> str:
    """Write a threshold: at least two decimals unless it is whole, and never rounded."""
    if threshold == int(threshold):
        return str(int(threshold))
    return max(f"{threshold:.2f}", repr(threshold), key=len)
