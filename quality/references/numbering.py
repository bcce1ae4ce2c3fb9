"""Labels of a rebuilt table: by first appearance, never one that a dangling citation already uses.

Belongs here: which label each work gets. Does not belong here: what the work is, and how a label is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from quality.citations.labels import plain_key
from quality.model import CitedKey
from quality.references.works import Work


def number(
    cited: Sequence[tuple[CitedKey, Work | None]],
    *,
    first: int = 1,
    taken: Iterable[str] = (),
    keep: bool = False,
) -> dict[str, str]:
    """Return the label of every work by its identity, in the order of first appearance.

    A numbered work gets the next number, beginning with ``first``; one first cited by a word (``[^smith]``) keeps the
    word, and with ``keep`` every label stays. The key of a dangling citation stays in the body, so no work may be called by it: its number is left out.
    """
    used = {*taken, *(plain_key(c.key) for c, work in cited if work is None)}
    labels: dict[str, str] = {}
    count = first - 1
    for citation, work in cited:
        if work is None or work.identity in labels:
            continue
        key = plain_key(citation.key)
        if citation.family == "label" and (keep or not key.isdecimal()) and key not in used:
            labels[work.identity] = key
        else:
            count += 1
            while str(count) in used:
                count += 1
            labels[work.identity] = str(count)
        used.add(labels[work.identity])
    return labels
