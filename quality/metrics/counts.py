"""Numbers that people write in words: "over 1,200", "a dozen", "三百余".

Belongs here: turning such a number into an integer. Does not belong here: what is counted.
"""

from __future__ import annotations

import re

NO_COUNT = -1
"""What looks like a number and counts nothing: a year."""

_DIGITS = re.compile(r"(\d[\d,]*(?:\.\d+)?)\s?(k\b|thousand|million|billion|万|千|百|亿)?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_SCALE = {
    "k": 1_000, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000,
    "百": 100, "千": 1_000, "万": 10_000, "亿": 100_000_000,
}  # fmt: skip
_ONES = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split()
    )
}
_TENS = {
    word: 10 * number
    for number, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}
_CROWDS = {"dozen": 12, "hundred": 100, "thousand": 1_000}
_HAN = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_HAN_RUN = re.compile(r"[零〇一二两三四五六七八九十百千万]+")
_VAGUE_HAN = {"数十": 20, "几十": 20, "上百": 100, "数百": 200, "几百": 200, "上千": 1_000, "数千": 2_000, "数以百计": 100}  # fmt: skip
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)?")


def claimed_number(text: str) -> int | None:
    """Give the number that a folded phrase names: the smallest it can mean, None for none.

    In Chinese the last number counts: its unit ends the phrase. A bare year gives ``NO_COUNT``. "Dozens" is at least 24, "hundreds" at least 200: the plural says so.
    """
    if match := _DIGITS.search(text):
        digits, scale = match[1], match[2]
        if scale is None and _YEAR.fullmatch(digits):
            return NO_COUNT
        return int(float(digits.replace(",", "")) * _SCALE.get(scale or "", 1))
    return _english(text) if text.isascii() else _chinese(text)


def _english(text: str) -> int | None:
    for word in _WORD.findall(text):
        if word in _ONES:
            return _ONES[word]
        head, _, tail = word.partition("-")
        if head in _TENS and (not tail or tail in _ONES):
            return _TENS[head] + _ONES.get(tail, 0)
        for crowd, size in _CROWDS.items():
            if word in (crowd, f"{crowd}s"):
                return size * (2 if word.endswith("s") else 1)
    return None


def _chinese(text: str) -> int | None:
    for vague, size in _VAGUE_HAN.items():
        if vague in text:
            return size
    runs = _HAN_RUN.findall(text)
    return _han_number(runs[-1]) if runs else None


def _han_number(run: str) -> int | None:
    total = section = digit = 0
    for char in run:
        if char in _HAN:
            digit = _HAN[char]
        elif char == "万":
            total, section, digit = (total + section + digit) * 10_000, 0, 0
        else:
            section += (digit or 1) * {"十": 10, "百": 100, "千": 1_000}[char]
            digit = 0
    return (total + section + digit) or None
