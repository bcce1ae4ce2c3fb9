"""Is it that work: an entry's fields against the record of a registry, one by one.

Belongs here: match, differs or not given for title, authors, year and venue, and what follows from them. Does not belong
here: finding the record. Titles are compared with the guards of the resolver: a typo is a slip, another word another work.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from rapidfuzz.distance import OSA

from quality.registries.answers import Record
from quality.registries.people import any_named, read_authors, same_people
from quality.registries.venues import is_preprint, same_venue
from quality.sources.decorations import is_about_a_work
from quality.sources.guards import differ
from quality.sources.keys import join, loose_keys, strict_key, weight, words
from quality.sources.titles import TitleIndex
from quality.text import unescape

_TAGS = re.compile(r"</?[a-zA-Z][^<>]{0,40}>")
_TEX = re.compile(r"\\[a-zA-Z]+\s*|[{}$\\]")
_BOUNDARY = re.compile(r"\s*[:：—–?!.]\s+|\s+[-–—]\s+")
_LEAST_MAIN = 8
_OWN_EVIDENCE = 16  # letters of a title that hardly stand in an entry of another work
_PREPRINT_LEAD = 3  # years by which a preprint may come before the published work
FIELDS = ("title", "authors", "year", "venue")


class Agreement(StrEnum):
    """How one field of an entry stands to the record."""

    MATCH = "match"
    DIFFERS = "differs"
    NOT_GIVEN = "not_given"  # one side does not say, or says it in a way that cannot be compared


@dataclass(frozen=True, slots=True)
class Claim:
    """What a reference says about the work that it names.

    ``exact``: its fields came one by one (a database, a bibliography file) and not out of a line of prose, so a shortened
    author list, a year or a venue that differs counts against it.
    """

    title: str | None = None
    authors: str | tuple[str, ...] | None = None
    year: int | None = None
    venue: str | None = None
    exact: bool = False
    text: str | None = None  # the whole entry, however its parts were told apart


@dataclass(frozen=True, slots=True)
class Comparison:
    """One agreement a field."""

    title: Agreement = Agreement.NOT_GIVEN
    authors: Agreement = Agreement.NOT_GIVEN
    year: Agreement = Agreement.NOT_GIVEN
    venue: Agreement = Agreement.NOT_GIVEN
    exact: bool = False

    @property
    def differing(self) -> tuple[str, ...]:
        """The fields that differ, in the order of their weight."""
        return tuple(name for name in FIELDS if getattr(self, name) is Agreement.DIFFERS)

    @property
    def contradicted(self) -> bool:
        """Whether the reference names another work than its identifier does.

        Of a line of prose only title and authors count: the reader may have taken a date of access for a year.
        """
        counted = FIELDS if self.exact else ("title", "authors")
        return any(name in counted for name in self.differing)


def compare(claim: Claim, record: Record) -> Comparison:
    """Compare a claim with a record, field by field."""
    preprint = bool(claim.venue and is_preprint(claim.venue))
    return Comparison(
        title=_agreement(_title(claim, record)),
        authors=_agreement(_authors(claim, record.authors)),
        year=_agreement(_year(claim.year, record.years, preprint=preprint)),
        venue=_agreement(same_venue(claim.venue, record.venues) if claim.venue and record.venues else None),
        exact=claim.exact,
    )


def _agreement(same: bool | None) -> Agreement:
    return Agreement.NOT_GIVEN if same is None else Agreement.MATCH if same else Agreement.DIFFERS


def _title(claim: Claim, record: Record) -> bool | None:
    claimed = claim.title
    if not claimed or not record.title or not strict_key(claimed) or not strict_key(record.title):
        return None
    return same_title(claimed, record.title, record.subtitle) or _stands_in(claim, record.title)


def _stands_in(claim: Claim, title: str) -> bool:
    """Whether a line of prose holds the registered title after all, whatever was taken for its title."""
    key = strict_key(plain_title(title))
    if claim.text is None or weight(key) < _OWN_EVIDENCE or key not in strict_key(plain_title(claim.text)):
        return False
    return is_about_a_work(claim.title or "") == is_about_a_work(title)


def same_title(claimed: str, title: str, subtitle: str | None = None) -> bool:
    """Whether a written title is that of a work, given its title and, where the registry keeps it apart, its subtitle."""
    claim = plain_title(claimed)
    known = [plain_title(title)]
    if subtitle and strict_key(subtitle) not in strict_key(title):
        known.insert(0, f"{known[0]}: {plain_title(subtitle)}")
    if any(_equal(claim, other) for other in known):
        return True
    if any((hit := _index(other).find(claim)) is not None and hit.safe for other in known):
        return True
    return any(_slip(claim, other) or _main_of(claim, other) or _main_of(other, claim) for other in known)


def plain_title(title: str) -> str:
    """Take entities, tags and TeX off a title."""
    return " ".join(_TEX.sub("", _TAGS.sub("", unescape(title))).split())


@lru_cache(maxsize=1024)
def _index(title: str) -> TitleIndex:
    return TitleIndex([title])


def _equal(a: str, b: str) -> bool:
    first, second = words(a), words(b)
    one, other = join(first), join(second)
    return bool({one, *loose_keys(first, one)} & {other, *loose_keys(second, other)})


def _slip(a: str, b: str) -> bool:
    """Whether two titles differ by a slip of the pen: a letter or two, and no guard against it."""
    one, other = strict_key(a), strict_key(b)
    letters = min(weight(one), weight(other))
    bound = 1 if letters < 12 else 2 if letters < 18 else 3
    return OSA.distance(one, other, score_cutoff=bound) <= bound and not differ(a, b)


def _main_of(main: str, whole: str) -> bool:
    """Whether ``main`` is what stands before a subtitle boundary of ``whole``."""
    key = strict_key(main)
    if weight(key) < _LEAST_MAIN:
        return False
    return any(
        strict_key(whole[: m.start() + 1].rstrip(" :：—–-.")) == key for m in _BOUNDARY.finditer(whole)
    )


def _authors(claim: Claim, known: Sequence[str]) -> bool | None:
    if not claim.authors or not known:
        return None
    people = read_authors(tuple(known))
    same = same_people(read_authors(claim.authors), people, complete=claim.exact)
    if same is False and claim.text is not None:
        return any_named(people, claim.text)
    return same


def _year(claimed: int | None, known: Sequence[int], *, preprint: bool) -> bool | None:
    if claimed is None or not known:
        return None
    if any(abs(claimed - year) <= 1 for year in known):
        return True
    return preprint and 0 < min(known) - claimed <= _PREPRINT_LEAD
