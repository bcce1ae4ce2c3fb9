"""Scopes: which list a citation is judged against where a report has several.

Belongs here: joining lists that continue each other, separating lists that restart, and placing marks.
Does not belong here: finding lists (``lists``) or comparing keys (``reconcile``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quality.citations.lists import FoundList


@dataclass(frozen=True, slots=True)
class Scopes:
    """``of_list[i]`` is the scope of list i (0 where there is only one); repeated lists share their first one's."""

    of_list: tuple[int, ...]
    repeated: tuple[int, ...]
    lists: tuple[FoundList, ...]

    def of_mark(self, position: int, *, caret: bool) -> int:
        """Scope of a mark: the nearest list of its kind that follows it, else the last one before it."""
        pool = [
            (f, s) for f, s in zip(self.lists, self.of_list, strict=True) if (f.form == "footnote") == caret
        ]
        if not pool:
            pool = list(zip(self.lists, self.of_list, strict=True))
        if not pool:
            return 0
        for found, scope in pool:
            if found.start >= position:
                return scope
        return pool[-1][1]


def assign_scopes(text: str, lists: Sequence[FoundList]) -> Scopes:
    """Give every list its scope."""
    scopes: list[int] = []
    repeated: list[int] = []
    held: list[tuple[bool, dict[str, str]]] = []  # per scope: caret or plain, key -> text
    for index, found in enumerate(lists):
        caret = found.form == "footnote"
        content = {k: _essence(text[i.content : i.end]) for i in found.items for k in i.keys}
        number = _home(held, caret, content)
        if number is None:
            held.append((caret, dict(content)))
            number = len(held) - 1
        elif content and set(content) <= set(held[number][1]):
            repeated.append(index)
        held[number][1].update(content)
        scopes.append(number + 1)
    if len(held) <= 1:
        scopes = [0] * len(scopes)
    return Scopes(tuple(scopes), tuple(repeated), tuple(lists))


def _home(held: list[tuple[bool, dict[str, str]]], caret: bool, content: dict[str, str]) -> int | None:
    """The earlier scope that a list continues or repeats."""
    for number in range(len(held) - 1, -1, -1):
        kind, known = held[number]
        if kind != caret:
            continue
        shared = set(known) & set(content)
        if all(known[k] == content[k] for k in shared):
            return number
    return None


def _essence(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())
