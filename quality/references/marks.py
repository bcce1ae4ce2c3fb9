"""Citation marks under new labels.

Belongs here: writing new keys into the text of one mark, in the mark's own style. Does not belong here: which labels
(``quality.references.numbering``) and the body around the marks.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from quality.citations.labels import MAX_RANGE, plain_key
from quality.model import Mark

_SUPERSCRIPT = str.maketrans("0123456789,", "⁰¹²³⁴⁵⁶⁷⁸⁹ʼ")
_SHORTEST_RANGE = 3
_RANGE = re.compile(r"[-–—−‑‒~～]|\bto\b|至|到")


class MarkError(ValueError):
    """A mark's keys do not stand in its text as written."""


def relabelled(mark: Mark, written: str, labels: Sequence[str]) -> str:
    """Return ``written``, the text of ``mark``, with ``labels`` (parallel to its keys) in the place of its keys.

    Labels that fall together are written once. Brackets, prefixes and what stands behind the keys stay. A mark that names
    its keys by ranges does so again: its numbers in order, three or more that follow each other as a range.

    Raises:
        MarkError: the keys are not found in ``written``.
    """
    new = tuple(dict.fromkeys(labels))
    if new == tuple(plain_key(key) for key in mark.keys):
        return written
    if mark.style == "superscript":
        return "ʼ".join(label.translate(_SUPERSCRIPT) for label in new)
    start, end, separator, dash = _span(mark, written)
    if dash is not None and all(label.isdecimal() for label in new):
        new = tuple(_ranges(sorted(map(int, new)), dash))
    return written[:start] + separator.join(new) + written[end:]


def _ranges(numbers: Sequence[int], dash: str) -> Iterator[str]:
    """Write ascending numbers, those that follow each other as ranges."""
    at = 0
    while at < len(numbers):
        end = at
        while end + 1 < len(numbers) and numbers[end + 1] == numbers[end] + 1 and end - at + 2 <= MAX_RANGE:
            end += 1
        if end - at + 1 >= _SHORTEST_RANGE:
            yield f"{numbers[at]}{dash}{numbers[end]}"
        else:
            yield from map(str, numbers[at : end + 1])
        at = end + 1


def _span(mark: Mark, written: str) -> tuple[int, int, str, str | None]:
    """Where the keys begin and end, what stands between two of them, and what between the ends of a range, if any."""
    flat = (
        unicodedata.normalize("NFKC", written)
        if len(unicodedata.normalize("NFKC", written)) == len(written)
        else written
    )
    keys = [plain_key(key) for key in mark.keys]
    first = _key_at(flat, keys[0], _keys_begin(mark, flat))
    if first is None:
        raise MarkError(f"key {mark.keys[0]!r} does not stand in {written!r}")
    start, end = first
    separator = dash = None
    rest = keys[1:]
    while rest and (following := _next_key(flat, end, rest)):
        between = written[end : following[0]]
        if _RANGE.search(between):
            dash = dash or between
        else:
            separator = separator or between
        rest = rest[rest.index(plain_key(flat[slice(*following)])) + 1 :]
        end = following[1]
    return start, end, separator or ", ", dash


def _keys_begin(mark: Mark, flat: str) -> int:
    """Attributes of a tag come after its name; everything else may hold a key from its first character on."""
    return flat.find("=") + 1 if mark.style == "cite_tag" else 0


def _key_at(flat: str, key: str, position: int) -> tuple[int, int] | None:
    pattern = re.compile(rf"(?<![^\W_])0*{re.escape(key)}(?![^\W_])", re.IGNORECASE)
    match = pattern.search(flat, position)
    return match.span() if match else None


def _next_key(flat: str, position: int, wanted: Sequence[str]) -> tuple[int, int] | None:
    match = re.compile(r"[^\w(<]{1,8}?(?:(?:and|to|至|到)[^\w(<]{0,3})?(?:[A-Za-z]{1,8}_)?([^\W_]+)").match(
        flat, position
    )
    if match is None or plain_key(match.group(1)) not in wanted:
        return None
    return match.start(1), match.end(1)
