"""Reconciliation: which entry each distinct citation means, and which entries nobody cites.

Belongs here: label equality within the scope, links by the address of an entry, author-year by surname
and year, titles through the matcher that is handed in. Does not belong here: resolution against a
catalogue.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from quality.citations.author_year import entry_names, entry_years, split_key
from quality.citations.labels import plain_key
from quality.citations.sameness import distinct_works
from quality.model import CitedKey, Entry, Mark, Reading, Reconciliation, TitleMatch
from quality.registries.urls import normalise_url


@dataclass(slots=True)
class _Tables:
    """The entries by what a citation can name."""

    labels: dict[tuple[int, str], list[int]] = field(default_factory=dict)
    addresses: dict[str, int] = field(default_factory=dict)
    authors: dict[tuple[str, str], list[int]] = field(default_factory=dict)


@dataclass(slots=True)
class _Citation:
    mark: Mark
    key: str
    occurrences: int = 0


def reconcile(reading: Reading, match_title: TitleMatch) -> Reconciliation:
    """Pair the distinct citations of a reading with its entries, in order of first appearance."""
    tables = _tabulate(reading.entries)
    cited = tuple(
        CitedKey(
            key=c.key,
            family=c.mark.family,
            style=c.mark.style,
            scope=c.mark.scope,
            occurrences=c.occurrences,
            first=c.mark.start,
            entry=_only(found := _entries_of(c, tables, reading.entries, match_title)),
            locator=c.mark.locator,
            text=c.mark.text,
            candidates=found if len(found) > 1 else (),
        )
        for c in _distinct(reading.marks)
    )
    return Reconciliation(cited, _uncited(cited, tables, reading.entries))


def _distinct(marks: Sequence[Mark]) -> Iterable[_Citation]:
    """Count a link as one citation wherever it stands, a label as one in its scope (and with its locator)."""
    found: dict[tuple[str, int, str, str | None], _Citation] = {}
    for mark in marks:
        for key in mark.keys:
            identity = (
                mark.family,
                0 if mark.family == "link" else mark.scope,
                _address(key) if mark.family == "link" else plain_key(key),
                _address(mark.locator) if mark.locator and mark.family != "link" else None,
            )
            citation = found.setdefault(identity, _Citation(mark, key))
            citation.occurrences += 1
    return found.values()


def _tabulate(entries: Sequence[Entry]) -> _Tables:
    tables = _Tables()
    for entry in entries:
        if entry.by_number:
            for key in (entry.key, *entry.aliases):
                if key is not None:
                    tables.labels.setdefault((entry.scope, plain_key(key)), []).append(entry.ordinal)
        if entry.url:
            tables.addresses.setdefault(_address(entry.url), entry.ordinal)
        for name in entry_names(entry):
            for year in {y[:4] for y in entry_years(entry)}:
                tables.authors.setdefault((name, year), []).append(entry.ordinal)
    return tables


def _only(found: tuple[int, ...]) -> int | None:
    return found[0] if len(found) == 1 else None


def _entries_of(
    citation: _Citation, tables: _Tables, entries: Sequence[Entry], match_title: TitleMatch
) -> tuple[int, ...]:
    """Entries that a citation may mean: none, one, or several between which nothing decides.

    Several entries of one author and year are such a case, and a label that the list gives to two different works.
    """
    mark = citation.mark
    if mark.family == "author_year":
        return _by_author(citation.key, tables, entries)
    if mark.family == "title":
        found = match_title(citation.key, entries)
    else:
        found = tables.addresses.get(_address(mark.locator)) if mark.locator else None
        if found is None and mark.family == "label":
            named = tables.labels.get((mark.scope, plain_key(citation.key)), ())
            return tuple(e.ordinal for e in distinct_works([entries[n] for n in named]))
    return () if found is None else (found,)


def _by_author(key: str, tables: _Tables, entries: Sequence[Entry]) -> tuple[int, ...]:
    """Entries by the same first author in the same year; a letter on both sides must agree."""
    name, year, letter = split_key(key)
    found = tables.authors.get((name, year), [])
    exact = [n for n in found if letter and year + letter in entry_years(entries[n])]
    unlettered = [n for n in found if not any(len(y) > 4 for y in entry_years(entries[n]))]
    return tuple(exact or (unlettered if letter else found))


def _uncited(cited: Sequence[CitedKey], tables: _Tables, entries: Sequence[Entry]) -> tuple[int, ...]:
    """List entries that neither a label nor an address in the body means; one address joins its entries."""
    met = {c.entry for c in cited if c.entry is not None}
    met |= {n for c in cited for n in c.candidates}
    for c in cited:
        if c.family == "label":
            met.update(tables.labels.get((c.scope, plain_key(c.key)), ()))
    addresses = {_address(c.locator) for c in cited if c.locator}
    return tuple(
        e.ordinal for e in entries if e.ordinal not in met and not (e.url and _address(e.url) in addresses)
    )


def _address(url: str) -> str:
    """Two addresses that differ in Markdown escapes or a trailing slash are one."""
    return normalise_url(url.replace("\\", "")).rstrip("/")
