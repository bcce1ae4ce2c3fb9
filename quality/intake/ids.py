"""Ids that are unique within a batch, without losing the ids as they were written.

Belongs here: the rule for repeated ids. Does not belong here: file names (``quality.names``).
"""

from __future__ import annotations

from collections.abc import Sequence


def unique_ids(written: Sequence[str]) -> tuple[str, ...]:
    """One id per written id, in order: the first keeps it, a repeated one gets ``~2``, ``~3``, ….

    An id that somebody wrote is never handed to another report: with ``a``, ``a~2``, ``a`` the third becomes
    ``a~3``.
    """
    taken = set(written)
    seen: set[str] = set()
    last: dict[str, int] = {}
    result = []
    for name in written:
        if name not in seen:
            seen.add(name)
            result.append(name)
            continue
        number = last.get(name, 1) + 1
        while f"{name}~{number}" in taken:
            number += 1
        last[name] = number
        taken.add(f"{name}~{number}")
        result.append(f"{name}~{number}")
    return tuple(result)
