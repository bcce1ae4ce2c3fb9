"""Resolution: which source of the catalogue a citation or an entry means (DESIGN section 8).

Belongs here: the order of the tiers, ties, and what authors, year and identifiers decide. Does not belong here: how each
tier searches. The index is read-only once built, so one may serve many reports.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import copy

from quality.model import Entry, Identifier, Resolution, ResolutionState, Source
from quality.registries.urls import host
from quality.sources.guards import conflict
from quality.sources.identity import agreement, comparable, source_identifiers
from quality.sources.keys import strict_key, weighs, weight
from quality.sources.titles import Hit, TitleIndex

_OWN_EVIDENCE = 24  # letters, a Chinese character counted as two
_UNIQUE_ANYWHERE = 40  # letters of a title that hardly another page on another site has
_NONE = Resolution(ResolutionState.NONE)


class SourceIndex:
    """The sources of one snapshot, searchable by identifier, address and title."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self.sources = tuple(sources)
        self._by_id = {source.source_id: row for row, source in enumerate(self.sources)}
        self._titles = TitleIndex([source.title for source in self.sources])
        self._known: Mapping[str, Hit | None] = {}
        self._by_identifier: dict[Identifier, list[int]] = {}
        for row, source in enumerate(self.sources):
            for identifier in source_identifiers(source):
                self._by_identifier.setdefault(identifier, []).append(row)

    def __len__(self) -> int:
        """Return the number of sources."""
        return len(self.sources)

    def source(self, source_id: str) -> Source:
        """Return the source of that id.

        Raises:
            KeyError: no source of the snapshot has it.
        """
        return self.sources[self._by_id[source_id]]

    def knowing(self, titles: Iterable[str]) -> SourceIndex:
        """Return this index, with ``titles`` looked up at once: it answers as before, and faster where they are asked."""
        from quality.sources.cascade import find_all  # Polars, which a single report does not need

        other = copy(self)
        wanted = list(dict.fromkeys(titles))
        other._known = dict(zip(wanted, find_all(self._titles, wanted), strict=True))
        return other

    def _find(self, title: str) -> Hit | None:
        return self._known[title] if title in self._known else self._titles.find(title)

    def resolve_entry(self, entry: Entry) -> Resolution:
        """Resolve a reference entry by its identifiers, its address and its title."""
        return self.resolve(
            entry.title,
            url=entry.url,
            identifiers=entry.identifiers,
            authors=entry.authors,
            year=entry.year,
            text=entry.text,
        )

    def resolve(
        self,
        title: str | None,
        *,
        url: str | None = None,
        identifiers: Iterable[Identifier] = (),
        authors: str | None = None,
        year: int | None = None,
        text: str | None = None,
    ) -> Resolution:
        """Return the source that a title, an address or identifiers name.

        An identifier goes before the title, unless the title is safely that of another source: then both are
        candidates and the result is ambiguous; ``text``, the whole entry, clears the doubt where it holds the source's
        title, however its parts were told apart. Only ``resolved`` may be written back.
        """
        hit = self._find(title) if title else None
        if rows := self._identified(comparable(identifiers, url)):
            return self._by_identity(rows, title, hit, text)
        if hit:
            return self._by_title(hit, url, authors, year)
        return self._suggest(title, authors, year) if title else _NONE

    def _suggest(self, title: str, authors: str | None, year: int | None) -> Resolution:
        """Candidates that no safe tier admits. Authors and year together can prove one of them, else none counts."""
        if rows := self._titles.script_variants(title):
            proven = self._proven(rows, authors, year)
            return proven or self._ambiguous("variant", rows, 0.9)
        found = self._titles.similar(title)
        if not found:
            return _NONE
        if proven := self._proven([one.row for one in found if one.tier == "fuzzy"], authors, year):
            return proven
        candidates = tuple(dict.fromkeys(self.sources[one.row].source_id for one in found))
        return Resolution(ResolutionState.SUGGESTED, found[0].tier, None, found[0].score, candidates)

    def _proven(self, rows: Iterable[int], authors: str | None, year: int | None) -> Resolution | None:
        agreeing = [row for row in rows if agreement(self.sources[row], authors, year) == (True, True)]
        return self._decide("corroborated", tuple(agreeing), 0.9) if len(agreeing) == 1 else None

    def _identified(self, identifiers: Iterable[Identifier]) -> tuple[int, ...]:
        """Rows that carry one of the identifiers, those that carry most of them first."""
        votes = Counter(row for one in identifiers for row in self._by_identifier.get(one, ()))
        return tuple(row for row, _ in votes.most_common())

    def _by_identity(
        self, rows: tuple[int, ...], title: str | None, hit: Hit | None, text: str | None
    ) -> Resolution:
        """An identifier decides, unless the written title is plainly that of another work."""
        by_title = hit.rows if hit and hit.safe and hit.tier in {"exact", "decorated"} else ()
        if both := tuple(row for row in rows if row in by_title):
            return self._decide("identifier", both, 1.0)
        believed = tuple(
            r for r in rows if not title or not conflict(title, self.sources[r].title, known=bool(by_title))
        )
        if not believed and text:
            words = strict_key(text)
            believed = tuple(r for r in rows if self._stands_in(self.sources[r].title, words))
        if not believed:
            return self._ambiguous("identifier", (*rows, *by_title), 1.0)
        return self._decide("identifier", believed, 1.0)

    def _stands_in(self, title: str, words: str) -> bool:
        key = strict_key(title)
        return weighs(key, _OWN_EVIDENCE) and key in words

    def _by_title(self, hit: Hit, url: str | None, authors: str | None, year: int | None) -> Resolution:
        rows = self._supported(hit, authors, year)
        if len(rows) == 1 and self._elsewhere(hit, rows[0], url) and not self._agrees(rows, authors, year):
            return self._ambiguous(hit.tier, rows, hit.score)
        contradicted = len(rows) == 1 and not self._long(hit) and self._contradicts(rows[0], authors, year)
        if not contradicted and (hit.safe or self._agrees(rows, authors, year)):
            return self._decide(hit.tier, rows, hit.score)
        return self._ambiguous(hit.tier, rows, hit.score)

    def _supported(self, hit: Hit, authors: str | None, year: int | None) -> tuple[int, ...]:
        """The rows that authors and year favour, if they favour some over others."""
        if len(hit.rows) == 1 or (authors is None and year is None):
            return hit.rows
        scores = [self._support(row, authors, year) for row in hit.rows]
        best = max(scores)
        return (
            tuple(row for row, score in zip(hit.rows, scores, strict=True) if score == best)
            if best > 0
            else hit.rows
        )

    def _long(self, hit: Hit) -> bool:
        """Whether the title alone is evidence enough: whole, and longer than what two works may share by chance."""
        return hit.tier != "truncated" and weight(hit.key) >= _OWN_EVIDENCE

    def _elsewhere(self, hit: Hit, row: int, url: str | None) -> bool:
        """Whether a short title stands on another host than the source: many sites have a page of that name."""
        own = self.sources[row].url
        return bool(url and own and host(url) != host(own) and not weighs(hit.key, _UNIQUE_ANYWHERE))

    def _support(self, row: int, authors: str | None, year: int | None) -> int:
        return sum((a is True) - (a is False) for a in agreement(self.sources[row], authors, year))

    def _agrees(self, rows: tuple[int, ...], authors: str | None, year: int | None) -> bool:
        return len(rows) == 1 and self._support(rows[0], authors, year) > 0

    def _contradicts(self, row: int, authors: str | None, year: int | None) -> bool:
        return False in agreement(self.sources[row], authors, year)

    def _decide(self, tier: str, rows: tuple[int, ...], score: float) -> Resolution:
        distinct = self._distinct(rows)
        if len(distinct) == 1:
            return Resolution(ResolutionState.RESOLVED, tier, self.sources[distinct[0]].source_id, score)
        return self._ambiguous(tier, distinct, score)

    def _distinct(self, rows: tuple[int, ...]) -> tuple[int, ...]:
        """Rows without those that the catalogue lists twice: one DOI, or one title at one address, is one work."""
        if len(rows) == 1:
            return rows
        kept: dict[object, int] = {}
        for row in rows:
            identifiers = source_identifiers(self.sources[row])
            strong = next((one for one in identifiers if one.kind != "url"), None)
            kept.setdefault(strong or (self._titles.keys[row], identifiers or row), row)
        return tuple(kept.values())

    def _ambiguous(self, tier: str, rows: Iterable[int], score: float) -> Resolution:
        candidates = tuple(dict.fromkeys(self.sources[row].source_id for row in rows))
        return Resolution(ResolutionState.AMBIGUOUS, tier, None, score, candidates)
