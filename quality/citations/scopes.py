"""Scopes: which list a citation is judged against where a report has several.

Belongs here: joining lists that continue each other, separating lists that restart, setting aside lists
that nobody cites by number, and placing marks. Does not belong here: finding lists (``lists``) or
comparing keys (``reconcile``).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from quality.citations.page import FoundList
from quality.model import Mark


@dataclass(frozen=True, slots=True)
class Scopes:
    """The scope of each list (0 where there is only one), and what became of its numbers.

    ``repeated``: lists that print an earlier one again. ``silent``: lists whose numbers collide with those of
    another list that the body cites instead.
    """

    lists: tuple[FoundList, ...]
    of_list: tuple[int, ...]
    repeated: frozenset[int]
    silent: frozenset[int]

    def of_mark(self, position: int, *, caret: bool) -> int:
        """Scope of a mark: the nearest list of its kind that follows it, else the last one before it."""
        pool = [n for n, f in enumerate(self.lists) if n not in self.silent and _is_caret(f) == caret]
        pool = pool or [n for n in range(len(self.lists)) if n not in self.silent]
        if not pool:
            return 0
        following = (n for n in pool if self.lists[n].start >= position)
        return self.of_list[next(following, pool[-1])]


@dataclass(slots=True)
class _Scope:
    caret: bool
    known: dict[str, str]  # label -> the letters of its entry
    members: list[int] = field(default_factory=list)


def assign_scopes(text: str, lists: Sequence[FoundList], marks: Sequence[Mark]) -> Scopes:
    """Give every list its scope; one that restarts opens its own if text cites before it."""
    if len(lists) < 2:
        return Scopes(tuple(lists), (0,) * len(lists), frozenset(), frozenset())
    scopes: list[_Scope] = []
    silent: set[int] = set()
    repeated: set[int] = set()
    citing = [m for m in marks if m.family == "label"]
    starts = [m.start for m in citing]
    cited = {key for m in citing for key in m.keys}
    for index, found in enumerate(lists):
        caret = _is_caret(found)
        content = {k: _essence(text[i.content : i.end]) for i in found.items for k in i.keys}
        home = _home(scopes, caret, content)
        if home is None:
            before = next((s for s in reversed(scopes) if s.caret == caret and s.known and content), None)
            home = _Scope(caret, {})
            scopes.append(home)
            if before and not _cites_between(starts, lists[before.members[-1]].end, found.start):
                silent |= _losers(lists, before, index, cited)
        elif content and set(content) <= set(home.known):
            repeated.add(index)
        home.known.update(content)
        home.members.append(index)
    silent |= _strangers(lists, scopes, citing)
    of_list = [0] * len(lists)
    if len(scopes) > 1:
        for number, scope in enumerate(scopes, 1):
            for index in scope.members:
                of_list[index] = number
    return Scopes(tuple(lists), tuple(of_list), frozenset(repeated), frozenset(silent))


def _is_caret(found: FoundList) -> bool:
    return found.form == "footnote"


def _home(scopes: Sequence[_Scope], caret: bool, content: dict[str, str]) -> _Scope | None:
    """Find the earlier scope that a list continues or repeats."""
    for scope in reversed(scopes):
        shared = scope.known.keys() & content.keys()
        if scope.caret == caret and all(_agree(scope.known[k], content[k]) for k in shared):
            return scope
    return None


def _cites_between(starts: Sequence[int], after: int, before: int) -> bool:
    at = bisect_left(starts, after)
    return at < len(starts) and starts[at] < before


def _strangers(lists: Sequence[FoundList], scopes: Sequence[_Scope], citing: Sequence[Mark]) -> set[int]:
    """Find lists that hold less than half of what is cited before them, while the next one holds more."""
    found: set[int] = set()
    after = -1
    for scope, following in pairwise(scopes):
        start = lists[scope.members[0]].start
        cited = {k for m in citing if after < m.start < start for k in m.keys}
        held, later = len(cited & scope.known.keys()), len(cited & following.known.keys())
        if scope.caret == following.caret and held * 2 < len(cited) and later > held:
            found |= set(scope.members)
        else:
            after = start
    return found


def _losers(lists: Sequence[FoundList], rival: _Scope, index: int, cited: set[str]) -> set[int]:
    """Of two lists that claim the same numbers, set aside the one that covers fewer of the cited ones."""
    old = (len(cited & rival.known.keys()), lists[rival.members[-1]].form == "bracket")
    new = (len(cited & lists[index].keys), lists[index].form == "bracket")
    if not cited:
        return {*rival.members, index}
    return {index} if old >= new else set(rival.members)


def _essence(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum()).removeprefix("title")


def _agree(one: str, other: str) -> bool:
    """Tell whether two entries name one source: equal, or both long and with the same beginning."""
    return one == other or (len(one) >= 40 and one[:40] == other[:40])
