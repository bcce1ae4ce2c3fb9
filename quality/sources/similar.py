"""Suggestions: titles that contain a citation, are contained in it, or differ by a few letters.

Belongs here: finding and scoring candidates. Does not belong here: deciding anything; a suggestion never writes.

Every title key is cut into grams (four letters, two Chinese characters), and the grams are sorted once into postings. A
citation asks for its rarest grams only, so its cost does not grow with the number of titles that share common words; the
few titles that hold most of them are measured with rapidfuzz.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import OSA

from quality.sources.decorations import is_about_a_work
from quality.sources.guards import differ
from quality.sources.keys import weight

COVERAGE = 0.5
_MOST_CANDIDATES = 5
_SHORTEST = 8
_GRAMS_ASKED = 16
_POSTINGS_READ = 6_000
_MEASURED = 12
_BUCKET_BITS = 22

_FIRST_CJK = 0x2E80
_MIX, _SPREAD = np.uint64(1_000_003), np.uint64(0x9E3779B97F4A7C15)

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Similar:
    """A candidate: its row, the tier that offers it and the share of letters that agree."""

    row: int
    tier: str
    score: float


class SimilarIndex:
    """Gram postings over title keys; rows are positions in ``keys``."""

    def __init__(self, titles: Sequence[str], keys: Sequence[str]) -> None:
        self._titles, self._keys = titles, keys
        rows, buckets = _postings(keys)
        order = np.argsort(buckets, kind="stable")
        self._rows = rows[order]
        counts = np.bincount(buckets, minlength=1 << _BUCKET_BITS)
        self._starts = np.concatenate(([0], np.cumsum(counts)))

    def find(self, title: str, key: str) -> tuple[Similar, ...]:
        """Return candidates for a citation that no safe tier found, best first."""
        if weight(key) < _SHORTEST:
            return ()
        found = [one for row in self._candidates(key) if (one := self._measure(title, key, int(row)))]
        return tuple(sorted(found, key=lambda one: (-one.score, one.row))[:_MOST_CANDIDATES])

    def _candidates(self, key: str) -> NDArray[np.int32]:
        buckets = np.unique(_grams(_codes(key))[1])
        lengths = self._starts[buckets + 1] - self._starts[buckets]
        order = np.argsort(lengths, kind="stable")
        present = order[lengths[order] > 0][:_GRAMS_ASKED]
        read = np.cumsum(lengths[present])
        asked = buckets[present[: max(1, int(np.searchsorted(read, _POSTINGS_READ, side="right")))]]
        if not len(asked):
            return np.empty(0, np.int32)
        hits = np.concatenate(
            [self._rows[self._starts[b] : self._starts[b + 1]][:_POSTINGS_READ] for b in asked]
        )
        rows, votes = np.unique(hits, return_counts=True)
        if len(rows) > _MEASURED:
            best = np.argpartition(-votes, _MEASURED)[:_MEASURED]
            rows, votes = rows[best], votes[best]
        return rows[votes >= min(2, len(asked))]

    def _measure(self, title: str, key: str, row: int) -> Similar | None:
        other = self._keys[row]
        bound = _edits(min(weight(key), weight(other)))
        distance = OSA.distance(key, other, score_cutoff=bound)
        if distance <= bound:
            score = 1 - distance / max(len(key), len(other))
            return None if differ(title, self._titles[row]) else Similar(row, "fuzzy", score)
        coverage = _coverage(key, other)
        if coverage < COVERAGE or is_about_a_work(title) != is_about_a_work(self._titles[row]):
            return None
        return Similar(row, "contained", coverage)


def _coverage(a: str, b: str) -> float:
    """Share of the longer key that the shorter one covers, if it stands inside it."""
    short, long = (a, b) if len(a) <= len(b) else (b, a)
    return len(short) / len(long) if short in long and weight(short) >= _SHORTEST else 0.0


def _edits(letters: int) -> int:
    """Edits that a slip of the pen may make in a title of so many letters."""
    return 1 if letters < 12 else 2 if letters < 18 else 3


def _codes(key: str) -> NDArray[np.uint32]:
    return np.frombuffer(key.encode("utf-32-le"), dtype=np.uint32)


def _grams(codes: NDArray[np.uint32]) -> tuple[NDArray[np.bool_], Ints]:
    """Where grams begin, and their buckets. A zero ends a key and stands in no gram."""
    padded = np.concatenate((codes, np.zeros(3, np.uint32))).astype(np.uint64)
    a, b, c, d = padded[:-3], padded[1:-2], padded[2:-1], padded[3:]
    pair = (a >= _FIRST_CJK) & (b >= _FIRST_CJK)
    begins = pair | ((a > 0) & (b > 0) & (c > 0) & (d > 0))
    a, b = a[begins], b[begins]
    c, d = np.where(pair[begins], 0, c[begins]), np.where(pair[begins], 0, d[begins])
    mixed = ((a * _MIX + b) * _MIX + c) * _MIX + d  # wraps around: a hash
    return begins, ((mixed * _SPREAD) >> np.uint64(64 - _BUCKET_BITS)).astype(np.int64)


def _postings(keys: Sequence[str]) -> tuple[NDArray[np.int32], Ints]:
    """Rows and buckets of all grams of all keys."""
    text = _codes("\0".join(keys))
    begins, buckets = _grams(text)
    rows = np.cumsum(text == 0, dtype=np.int32)
    return rows[begins], buckets
