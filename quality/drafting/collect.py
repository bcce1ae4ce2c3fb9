"""Collecting sources for a lead: those that it names, else the ones of the catalogue that its question is about.

Belongs here: choosing. Does not belong here: loading a catalogue, asking outside search.

Only sources with text are chosen: nothing else can be cited by a span. The ranking is plain: rare words of the question
that stand in title or text, the title counting more; Chinese by pairs of characters.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from quality.drafting.model import Lead
from quality.errors import InputError
from quality.model import Source
from quality.text import fold, is_cjk

MAX_SOURCES = 8
TITLE_WEIGHT = 3.0
_WORD = re.compile(r"[^\W_]+")


class Collection:
    """A catalogue, ready to be asked for sources; sources without text are left out."""

    def __init__(self, sources: Iterable[Source]) -> None:
        self._all = {s.source_id: s for s in sources}
        self._usable = [s for s in self._all.values() if s.text and s.text.strip() and s.kind != "report"]
        self._titles = [set(terms(s.title)) for s in self._usable]
        self._texts = [set(terms(s.text or "")) for s in self._usable]
        self._frequency = Counter(t for a, b in zip(self._titles, self._texts, strict=True) for t in a | b)

    def collect(self, lead: Lead, limit: int = MAX_SOURCES) -> tuple[Source, ...]:
        """Sources for a lead, best first; none where nothing of the catalogue is about it.

        Raises:
            InputError: the lead names a source that the catalogue has not, or has without text.
        """
        if lead.sources:
            return self._named(lead)
        wanted = set(terms(lead.question))
        scores = [(self._score(wanted, n), n) for n in range(len(self._usable))]
        best = sorted((s for s in scores if s[0] > 0), key=lambda s: (-s[0], s[1]))[:limit]
        return tuple(self._usable[n] for _, n in best)

    def _named(self, lead: Lead) -> tuple[Source, ...]:
        usable = {s.source_id for s in self._usable}
        for source_id in lead.sources:
            if source_id not in usable:
                why = "has no text" if source_id in self._all else "is not in the catalogue"
                raise InputError(
                    f"Lead {lead.id!r} names the source {source_id!r}, which {why}.",
                    remedy="Name sources with text, or none, and they are looked for.",
                )
        return tuple(self._all[i] for i in dict.fromkeys(lead.sources))

    def _score(self, wanted: set[str], n: int) -> float:
        weight = sum(self._rarity(t) * TITLE_WEIGHT for t in wanted & self._titles[n])
        return weight + sum(self._rarity(t) for t in wanted & self._texts[n])

    def _rarity(self, term: str) -> float:
        return math.log((len(self._usable) + 1) / (self._frequency[term] + 0.5))


def terms(text: str) -> Sequence[str]:
    """Words of a text, folded; runs of Chinese as overlapping pairs of characters."""
    found: list[str] = []
    for word in _WORD.findall(fold(text)):
        if any(map(is_cjk, word)):
            found += [word[i : i + 2] for i in range(max(1, len(word) - 1))]
        else:
            found.append(word)
    return found
