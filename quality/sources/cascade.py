"""The safe tiers over many titles at once: the same hits as ``TitleIndex.find``, one step of all titles after the other.

Belongs here: which titles take which step, in columns. Does not belong here: any rule. Keys come from ``columns``, what
is taken off from ``decorations``, and every hit is made by the index itself, so that one title and a batch of them
cannot be answered differently. What a column cannot say is asked of ``find``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import compress

import numpy as np
import polars as pl

from quality.sources.columns import (
    ADDRESS,
    BRACKET,
    ENDS_A_CUT,
    HARD,
    QUOTE,
    SITE,
    SURFACES,
    UNUSUAL,
    VARIES,
    fold_column,
)
from quality.sources.decorations import (
    MOST_ROUNDS,
    TAIL_HINTS,
    may_have_lead_in,
    quoted_in,
    uncut,
    without_its_site,
    without_lead_in,
    without_tail,
)
from quality.sources.keys import join, strict_key, weighs, words
from quality.sources.titles import LONG_ENOUGH, Hit, Rows, TitleIndex

_AT_ONCE, _FEW = 16_384, 400

TakeOff = Callable[[str], str | None]
Form = tuple[str, str]  # a plainer form of a title and its key


Held = int | Rows | Hit | None  # one row, several or a hit


class Hits:
    """Hits by position. An exact one is kept as its rows and becomes an object when it is asked for."""

    def __init__(self, keys: list[str], held: list[Held]) -> None:
        self._keys, self._held = keys, held

    def __getitem__(self, at: int) -> Hit | None:
        """Return the hit of the title at that place."""
        held = self._held[at]
        if held is None or isinstance(held, Hit):
            return held
        return Hit("exact", _rows(held), 1.0, True, self._keys[at])

    def __iter__(self) -> Iterator[Hit | None]:
        """Give the hits in the order of the titles."""
        return (self[at] for at in range(len(self)))

    def __len__(self) -> int:
        """Return the number of titles."""
        return len(self._held)


def find_all(index: TitleIndex, titles: Sequence[str]) -> Hits:
    """Return what ``index.find`` says about each title, in order.

    Stretches of some thousand titles stay in the processor's cache; a few titles are not worth a column.
    """
    keys: list[str] = []
    held: list[Held] = []
    for start in range(0, len(titles), _AT_ONCE):
        some = titles[start : start + _AT_ONCE]
        cascade = _Cascade(index, some).run() if len(some) >= _FEW else None
        keys += cascade.keys if cascade else [""] * len(some)
        held += cascade.held if cascade else map(index.find, some)
    return Hits(keys, held)


class _Cascade:
    """One batch on its way through the tiers; ``rows`` are positions in ``titles`` that are not answered yet."""

    def __init__(self, index: TitleIndex, titles: Sequence[str]) -> None:
        self.index, self.titles = index, titles
        self.column = fold_column(titles)
        self.keys = self.column.keys
        self.traits: list[int] = self.column.traits.tolist()
        self.held: list[Held] = list(map(index.exact.get, self.keys))
        self.bare: dict[int, str] = {}  # titles without the mark of a cut, of those that have one
        self.forms: dict[int, list[Form]] = {}
        self.surfaces: dict[int, str] = {}

    def run(self) -> _Cascade:
        """Take the steps in the order of ``TitleIndex.find``."""
        rows = self._loose(self._not_exact())
        places = self._places(rows)
        rows = self._beginnings(rows, places)
        rows = self._decorated(rows)
        for row in rows:
            key, forms = self.keys[row], self.forms.get(row, ())
            if forms or not self.index.is_no_beginning(key, places[row]):
                self.held[row] = self.index.truncated(
                    self._surface(row), key, forms, row in self.bare, places[row]
                )
        return self

    def _not_exact(self) -> list[int]:
        """Rows that equal no title letter by letter. What a column cannot tell is answered here, one by one."""
        for row in np.flatnonzero(self.column.traits & (HARD | ADDRESS | ENDS_A_CUT)).tolist():
            title = self.titles[row]
            if self.traits[row] & HARD or "://" in title:
                self.held[row] = self.index.find(title)
                self.keys[row] = ""
            elif self.traits[row] & ENDS_A_CUT:
                bare, marked = uncut(title)
                if marked:
                    self.bare[row] = bare
                    rows = self.index.exact.get(self.keys[row])
                    if rows is not None and not self.index.exactly(self.keys[row], _rows(rows), marked):
                        self.held[row] = None
        return [
            row
            for row, (held, key) in enumerate(zip(self.held, self.keys, strict=True))
            if held is None and key
        ]

    def _loose(self, rows: list[int]) -> list[int]:
        """Answer the rows that equal a title by a loose key."""
        column, index = self.column, self.index
        loose = column.loose
        left: list[int] = []
        for row in rows:
            if self.traits[row] & VARIES:
                equal: int | Rows | None = index.loosely(column.loose_keys(row, self.titles[row])) or None
            else:
                equal = index.loose.get(loose.get(row) or self.keys[row])
            if equal is not None and index.exactly(self.keys[row], _rows(equal), row in self.bare):
                self.held[row] = equal
            else:
                left.append(row)
        return left

    def _places(self, rows: Sequence[int]) -> dict[int, int]:
        """Where the keys stand among the sorted ones of the index: one search for all."""
        keys = pl.Series([self.keys[row] for row in rows], dtype=pl.String)
        places = self.index.ordered_column.search_sorted(keys, side="left").to_list()
        return dict(zip(rows, places, strict=True))

    def _beginnings(self, rows: Sequence[int], places: dict[int, int]) -> list[int]:
        """Answer the rows that are marked as cut; nothing stands behind a cut, so this comes before decorations."""
        for row, bare in self.bare.items():
            if row in places:
                self.held[row] = self.index.beginning(bare, self.keys[row], True, places[row])
        return [row for row in rows if self.held[row] is None]

    def _surface(self, row: int) -> str:
        title = self.surfaces.get(row)
        if title is None:
            title = self.bare.get(row) or self.titles[row]
            if self.traits[row] & UNUSUAL:
                title = self.surfaces[row] = title.translate(SURFACES)
        return title

    def _decorated(self, rows: Sequence[int]) -> list[int]:
        """Take lead-ins, tails and sites off the rows that may have any, round by round, and look each form up."""
        for row in rows:
            key = self.keys[row]
            if key in self.index.plain and weighs(key, LONG_ENOUGH):
                self.held[row] = self.index.plainly(self._surface(row), key)
        rows = [row for row in rows if self.held[row] is None]
        steps = list(self._steps(rows))
        forms = {row: self._surface(row) for _, able in steps for row in able}
        for _ in range(MOST_ROUNDS):
            before = dict(forms)
            for take_off, able in steps:
                self._take_off(take_off, able, forms)
            forms = {
                row: form for row, form in forms.items() if form != before[row] and self.held[row] is None
            }
            if not forms:
                break
        for row in rows:
            if self.held[row] is None and self.traits[row] & QUOTE:
                self._quoted(row)
        return [row for row in rows if self.held[row] is None]

    def _steps(self, rows: Sequence[int]) -> Iterator[tuple[TakeOff, list[int]]]:
        """What may be taken off, and the rows of which it may be."""
        keys = pl.Series([self.keys[row] for row in rows], dtype=pl.String)
        hinted = keys.str.contains_any(list(TAIL_HINTS)).to_numpy()
        traits = self.column.traits[rows] if rows else np.empty(0, np.uint32)
        yield without_tail, list(compress(rows, (hinted | (traits & BRACKET != 0)).tolist()))
        yield without_its_site, [row for row in rows if self.traits[row] & SITE or "::" in self.titles[row]]
        yield without_lead_in, [row for row in rows if may_have_lead_in(self.titles[row], self.keys[row])]

    def _take_off(self, take_off: TakeOff, rows: Sequence[int], forms: dict[int, str]) -> None:
        changed: list[int] = []
        for row in rows:
            form = forms.get(row)
            if (
                form is not None
                and (shorter := take_off(form))
                and shorter != form
                and self.held[row] is None
            ):
                forms[row] = shorter
                changed.append(row)
        if not changed:
            return
        column = fold_column([forms[row] for row in changed])
        for at in column.hard():
            column.keys[at] = strict_key(forms[changed[at]])
        for at, (row, key) in enumerate(zip(changed, column.keys, strict=True)):
            equal = self.index.exact.get(key) if key else None
            if equal is None and key:
                equal = self.index.loosely(column.loose_keys(at, forms[row]))
            self._settle(row, forms[row], key, _rows(equal) if equal is not None else ())

    def _quoted(self, row: int) -> None:
        for form in quoted_in(self._surface(row)):
            parts = words(form)
            key = join(parts)
            if self._settle(row, form, key, self.index.equal(key, parts) if key else ()):
                return

    def _settle(self, row: int, form: str, key: str, equal: Rows) -> bool:
        """Answer a row by one of its plainer forms, or remember that the form was looked up."""
        hit = self.index.plainly(self._surface(row), key, equal) if equal or key in self.index.plain else None
        self.held[row] = hit
        if hit is None:
            self.forms.setdefault(row, []).append((form, key))
        return hit is not None


def _rows(held: int | Rows) -> Rows:
    return (held,) if isinstance(held, int) else held
