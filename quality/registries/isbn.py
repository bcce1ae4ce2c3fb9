"""ISBN arithmetic: one identity for the ten- and the thirteen-digit form, and the check digit.

Belongs here: arithmetic. Does not belong here: finding an ISBN in text. Source: ISO 2108.
"""

from __future__ import annotations

import re


def normalise_isbn(isbn: str) -> str:
    """Return 13 digits for a valid ISBN of either length; otherwise what was written, hyphens and blanks taken off."""
    digits = re.sub(r"[^\dXx]", "", isbn).upper()
    if len(digits) == 10 and isbn_is_valid(digits):
        body = "978" + digits[:9]
        return body + _check13(body)
    return digits


def isbn_is_valid(isbn: str) -> bool:
    """Whether length and check digit of an ISBN are right."""
    digits = re.sub(r"[^\dXx]", "", isbn).upper()
    if re.fullmatch(r"\d{9}[\dX]", digits):
        values = [10 if c == "X" else int(c) for c in digits]
        return sum((10 - i) * v for i, v in enumerate(values)) % 11 == 0
    return bool(re.fullmatch(r"97[89]\d{10}", digits)) and _check13(digits[:12]) == digits[12]


def _check13(first12: str) -> str:
    total = sum(int(c) * (3 if i % 2 else 1) for i, c in enumerate(first12))
    return str(-total % 10)
