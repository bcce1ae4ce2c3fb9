"""The title index: which rows of a list of titles a cited title safely means.

Belongs here: the tiers exact, decorated and truncated over plain titles, rows being positions in the list. Does not belong
here: identifiers, authors and years (``quality.sources.index``), suggestions (``quality.sources.similar``).

Exact and decorated are look-ups in a dictionary of keys; truncated is a binary search in the sorted keys, so the cost of a
citation hardly grows with the number of titles.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from opencc import OpenCC

from quality.sources.columns import Column, fold_column
from quality.sources.cuts import NOTHING, SAFE, judge_cut
from quality.sources.decorations import (
    other_sites,
    site_of,
    surface,
    uncut,
    undecorated,
    without_address,
    without_site,
)
from quality.sources.keys import join, loose_keys, strict_key, weighs, words
from quality.sources.similar import Similar, SimilarIndex
from quality.text import is_cjk

if TYPE_CHECKING:
    import polars as pl

Rows = tuple[int, ...]
MOST_CANDIDATES = 20
LONG_ENOUGH = 12
_LAST = "\U0010ffff"


class Hit(NamedTuple):
    """Rows that a title may mean, best first, found by one tier. ``safe`` is False when the cut proves too little."""

    tier: str
    rows: Rows
    score: float
    safe: bool = True
    key: str = ""


class TitleIndex:
    """Titles by key. Rows are positions in ``titles``; a title without letters or digits is never found."""

    def __init__(self, titles: Sequence[str]) -> None:
        self.titles = titles
        named = [without_address(title) for title in titles]
        column = fold_column(named)
        self.keys = whole_keys(named, column)
        self.exact = _grouped(zip(self.keys, range(len(titles)), strict=True))
        self.loose = _grouped(_loose_pairs(named, self.keys, column))
        self.plain = _grouped(_plain_pairs(titles))
        ordered = sorted((key, row) for row, key in enumerate(self.keys) if key)
        self.ordered_keys = [key for key, _ in ordered]
        self._rows = [row for _, row in ordered]
        self._pages = frozenset(row for row, title in enumerate(titles) if without_site(title))
        cut = sorted((key, row) for row, key in enumerate(self.keys) if key and uncut(titles[row])[1])
        self._cut_keys = [key for key, _ in cut if weighs(key, LONG_ENOUGH)]
        self._cut_rows = [row for key, row in cut if weighs(key, LONG_ENOUGH)]

    def find(self, title: str) -> Hit | None:
        """Return the hit of the best tier, or None. Several rows mean that the title alone does not decide."""
        if "://" in title:
            title = without_address(title)
        parts = words(title)
        key = join(parts)
        if not key:
            return None
        bare, marked = uncut(title)
        if hit := self.exactly(key, self.equal(key, parts), marked):
            return hit
        if marked and (hit := self.beginning(bare, key, marked)):
            return hit  # nothing stands behind a cut, so the beginning comes before decorations
        bare = surface(bare)
        if hit := self.plainly(bare, key):
            return hit
        forms: list[tuple[str, str]] = []
        for form in undecorated(bare):
            parts = words(form)
            shorter = join(parts)
            if hit := self.plainly(bare, shorter, self.equal(shorter, parts) if shorter else ()):
                return hit
            forms.append((form, shorter))
        return self.truncated(bare, key, forms, marked)

    def equal(self, key: str, parts: list[str]) -> Rows:
        """Rows whose title has this key, or failing that one of its loose keys."""
        rows = self.exact.get(key)
        return _tuple(rows) if rows is not None else self.loosely(loose_keys(parts, key))

    def loosely(self, keys: Iterable[str]) -> Rows:
        """Rows whose title has one of these loose keys, the first that any has."""
        for key in keys:
            if (rows := self.loose.get(key)) is not None:
                return _tuple(rows)
        return ()

    def exactly(self, key: str, rows: Rows, marked: bool) -> Hit | None:
        """The hit of a title that equals ``rows``, unless it is marked as cut and others go on where it ends."""
        return (
            Hit("exact", rows, 1.0, True, key) if rows and not (marked and self._goes_on(key, rows)) else None
        )

    def _goes_on(self, key: str, rows: Rows) -> bool:
        """Whether a citation marked as cut may be of a longer title than the equal one, unless that is cut as well."""
        if any(uncut(self.titles[row])[1] for row in rows):
            return False
        return not weighs(key, LONG_ENOUGH) or not set(self.beginning_with(key)) <= set(rows)

    def plainly(self, title: str, key: str, rows: Rows = ()) -> Hit | None:
        """The hit of ``rows``, or failing that of the titles that have this key when they are undecorated."""
        if not rows and weighs(key, LONG_ENOUGH) and (plain := self.plain.get(key)) is not None:
            rows = _tuple(plain)
        return self._of_one_site(title, Hit("decorated", rows, 0.95, True, key)) if rows else None

    def script_variants(self, title: str) -> Rows:
        """Rows whose title is the same in simplified characters: a candidate only, for the mapping is many to one."""
        simple = self._simplify(strict_key(title))
        return tuple(self._simplified.get(simple, ())) if simple else ()

    def similar(self, title: str) -> tuple[Similar, ...]:
        """Suggestions for a title that ``find`` does not find, best first."""
        return self._similar.find(title, strict_key(title))

    @cached_property
    def _similar(self) -> SimilarIndex:
        return SimilarIndex(self.titles, self.keys)

    @cached_property
    def ordered_column(self) -> pl.Series:
        """The sorted keys as a column; Polars is loaded here and not before, for one title needs none of it."""
        import polars as pl

        return pl.Series(self.ordered_keys, dtype=pl.String)

    @cached_property
    def _converter(self) -> OpenCC:
        return OpenCC("t2s")

    @cached_property
    def _simplified(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for row, key in enumerate(self.keys):
            if simple := self._simplify(key):
                found.setdefault(simple, []).append(row)
        return found

    def _simplify(self, key: str) -> str:
        """Return the key in simplified characters, or nothing where it has no Chinese."""
        return str(self._converter.convert(key)) if any(is_cjk(c) for c in key) else ""

    def _of_one_site(self, title: str, hit: Hit) -> Hit:
        """Keep the rows that are not pages of another site; when there are none, the hit proves nothing."""
        pages = [row for row in hit.rows if row in self._pages]
        if not pages or not (site := site_of(title)):
            return hit
        others = [row for row in pages if other_sites(site, self.titles[row])]
        kept = tuple(row for row in hit.rows if row not in others)
        return hit._replace(rows=kept or hit.rows, safe=bool(kept) and hit.safe) if others else hit

    def truncated(
        self, title: str, key: str, forms: Iterable[tuple[str, str]], marked: bool, low: int | None = None
    ) -> Hit | None:
        """The hit of the title that ``title``, or one of its plainer forms with their keys, begins.

        Args:
            title: in its surface form, without the mark of a cut.
            key: its strict key.
            forms: plainer forms of the title and their keys, the least changed first.
            marked: whether it was marked as cut; then it was looked up before.
            low: place of ``key`` in the sorted keys, if it is known.
        """
        if not marked and (hit := self.beginning(title, key, marked, low)):
            return hit
        for form, shorter in forms:
            if hit := self.beginning(form, shorter, marked):
                return self._of_one_site(title, hit)
        return self._longer_than_cut(key)

    def is_no_beginning(self, key: str, low: int) -> bool:
        """Whether a key that stands at ``low`` among the sorted ones begins no title and is begun by none that is cut."""
        keys = self.ordered_keys
        return not self._cut_keys and (low == len(keys) or not keys[low].startswith(key))

    def beginning(self, title: str, key: str, marked: bool, low: int | None = None) -> Hit | None:
        """The hit of the titles that ``title`` begins; ``low`` is the place of its key in the sorted keys."""
        if not weighs(key, LONG_ENOUGH):
            return None
        rows = self.beginning_with(key, low)
        return self._judge(title, key, rows, marked) if rows else None

    def beginning_with(self, key: str, low: int | None = None) -> Rows:
        """Rows whose key begins with ``key``, at most one more than ``MOST_CANDIDATES``."""
        keys = self.ordered_keys
        low = bisect_left(keys, key) if low is None else low
        if low == len(keys) or not keys[low].startswith(key):
            return ()
        if low + 1 == len(keys) or not keys[low + 1].startswith(key):
            return (self._rows[low],)
        high = bisect_left(keys, key + _LAST, low, min(low + MOST_CANDIDATES + 1, len(keys)))
        return tuple(dict.fromkeys(self._rows[low:high]))

    def _judge(self, title: str, key: str, rows: Rows, marked: bool) -> Hit | None:
        admitted, safe = (
            (rows, True) if marked else self._admitted(title, key, rows)
        )  # a marked cut proves itself
        if not admitted:
            return None
        share = len(key) / len(self.keys[admitted[0]])
        return Hit("truncated", admitted[:MOST_CANDIDATES], share, safe and len(admitted) == 1, key)

    def _admitted(self, title: str, key: str, rows: Rows) -> tuple[Rows, bool]:
        """Rows that an unmarked citation may be cut from, and whether one of them is proven."""
        if len(rows) == 1:
            cut = judge_cut(title, key, self.titles[rows[0]])
            return (() if cut is NOTHING else rows), cut is SAFE
        cuts = [judge_cut(title, key, self.titles[row]) for row in rows]
        return tuple(row for row, cut in zip(rows, cuts, strict=True) if cut is not NOTHING), SAFE in cuts

    def _longer_than_cut(self, key: str) -> Hit | None:
        """Titles that the catalogue itself holds cut, and with which ``key`` begins."""
        rows = tuple(islice(self._cut_beginnings(key), MOST_CANDIDATES))
        return Hit("truncated", rows, len(self.keys[rows[0]]) / len(key), key=key) if rows else None

    def _cut_beginnings(self, key: str) -> Iterator[int]:
        probe = key
        while probe:
            at = bisect_right(self._cut_keys, probe)
            if not at:
                return
            before = self._cut_keys[at - 1]
            if key.startswith(before):
                first = bisect_left(self._cut_keys, before)
                yield from self._cut_rows[first:at]
                probe = before[:-1]
            else:
                probe = _common_start(before, probe)


def _common_start(a: str, b: str) -> str:
    length = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return a[:length]


def whole_keys(titles: Sequence[str], column: Column) -> list[str]:
    """Keys of a folded column, those of its hard rows included."""
    for row in column.hard():
        column.keys[row] = strict_key(titles[row])
    return column.keys


def _loose_pairs(titles: Sequence[str], keys: Sequence[str], column: Column) -> Iterator[tuple[str, int]]:
    for row, key in enumerate(keys):
        for loose in dict.fromkeys((*column.loose_keys(row, titles[row]), key)) if key else ():
            yield loose, row


def _plain_pairs(titles: Sequence[str]) -> Iterator[tuple[str, int]]:
    for row, title in enumerate(titles):
        bare, marked = uncut(title)
        if marked:
            continue
        for plain in undecorated(bare):
            key = strict_key(plain)
            if weighs(key, LONG_ENOUGH):
                yield key, row
        if site := without_site(bare):
            yield strict_key(site), row


def _tuple(rows: int | tuple[int, ...]) -> Rows:
    return (rows,) if isinstance(rows, int) else rows


def _grouped(pairs: Iterable[tuple[str, int]]) -> dict[str, int | tuple[int, ...]]:
    """Rows by key; a single row stays a bare int, which halves the memory of a large catalogue."""
    grouped: dict[str, int | tuple[int, ...]] = {}
    for key, row in pairs:
        if not key:
            continue
        held = grouped.setdefault(key, row)
        if held is row or held == row:
            continue
        rows = (held,) if isinstance(held, int) else held
        if row not in rows:
            grouped[key] = (*rows, row)
    return grouped
