"""The words of the domain as types: reports, marks, entries, resolutions, measurements, decisions.

Belongs here: slotted, frozen values that cross the borders between the rooms of ``quality``.
Does not belong here: behaviour beyond trivial derivations, anything that reads, writes or imports a library
outside the standard one. Offsets are always in characters of the body exactly as it was loaded, end exclusive.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum


class Stage(StrEnum):
    """Which version of a report's table a value speaks about."""

    SHADOW = "shadow"
    REBUILT = "rebuilt"


class Validity(StrEnum):
    """State of a value: measured, nothing to measure, or something to measure that could not be."""

    MEASURED = "measured"
    ABSENT = "absent"
    UNKNOWN = "unknown"


class Mode(StrEnum):
    """What a rule or clause does with its verdict."""

    BLOCK = "block"
    RECORD = "record"
    OFF = "off"


class Verdict(StrEnum):
    """Result of a clause, and of a whole contract."""

    PASS = "pass"  # noqa: S105 - a verdict, not a password
    BREACH = "breach"
    UNKNOWN = "unknown"


class Outcome(StrEnum):
    """The recorded decision about one report."""

    INGEST = "ingest"
    HOLD = "hold"


class RebuildPath(StrEnum):
    """How a report's table was rebuilt (DESIGN section 9)."""

    REBUILT = "rebuilt"
    MERGED = "merged"
    LEFT = "left"
    FAILED = "failed"  # the rebuild itself raised: the original is delivered, its numbers are unknown


class EntryKind(StrEnum):
    """Where a rebuilt entry's text comes from."""

    CANONICAL = "canonical"
    AS_WRITTEN = "as_written"


@dataclass(frozen=True, slots=True)
class ListedSource:
    """One item of the ``sources`` list that some producers keep outside the body."""

    entry: str | None = None  # a whole written entry, label included ("[1] https://…")
    key: str | None = None
    title: str | None = None
    url: str | None = None
    year: int | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """One generated, cited Markdown document that could be read: the unit of delivery."""

    report_id: str
    body: str
    title: str | None = None
    language: str | None = None
    producer: str | None = None
    question: str | None = None
    created_at: str | None = None
    evidence: Mapping[str, object] | None = None
    sources: tuple[ListedSource, ...] = ()
    extra: Mapping[str, object] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    original: bytes | None = None  # the file's bytes as they came; None for a row of a JSONL or Parquet file


@dataclass(frozen=True, slots=True)
class UnreadableReport:
    """A report that could not be read; it costs itself, is delivered as it came, and measures ``unknown``."""

    report_id: str
    reason: str  # a short code: not_text, not_utf8, bad_json, no_body, too_large, link_outside, not_readable
    detail: str  # one sentence with the place and the remedy
    original: bytes


@dataclass(frozen=True, slots=True)
class Source:
    """A work that reports cite, as the catalogue holds it."""

    source_id: str
    title: str
    url: str | None = None
    doi: str | None = None
    pmid: str | None = None
    arxiv_id: str | None = None
    isbn: str | None = None
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str | None = None
    kind: str | None = None
    text: str | None = None
    fetched_at: str | None = None


@dataclass(frozen=True, slots=True)
class Identifier:
    """A normalised identifier: equal values name the same thing."""

    kind: str  # doi, pmid, pmcid, arxiv, isbn, url
    value: str


@dataclass(frozen=True, slots=True)
class Mark:
    """One citation mark in the body: ``[1, 2]`` is one mark with two keys.

    ``family`` is the name space of its keys (``label`` for every kind of label that a list can hold, ``title``,
    ``link``, ``author_year``, ``placeholder``); ``style`` is the row of the style table that read it.
    A mark with a ``locator`` is self-contained. A placeholder mark has no keys: a citation was meant, none named.
    """

    start: int
    end: int
    style: str
    family: str
    keys: tuple[str, ...]
    scope: int = 0  # the list that the keys are judged against; 0 where there is only one or none
    locator: str | None = None
    text: str | None = None  # link text, or the title inside 《》


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the reference list, or one item of the out-of-body ``sources`` list."""

    ordinal: int  # position in ``Reading.entries``
    key: str | None
    text: str  # as written, label and line breaks included
    title: str | None = None
    url: str | None = None
    identifiers: tuple[Identifier, ...] = ()
    authors: str | None = None
    year: int | None = None
    scope: int = 0
    start: int = -1  # span in the body; -1 for an out-of-body entry
    end: int = -1
    label_end: int = -1  # where the label ends and the entry's content starts
    origin: str = "body"  # body or sources
    by_number: bool = True  # False: it has a number, but the body's numbers do not refer to this list
    aliases: tuple[str, ...] = ()  # further labels of the same entry


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of the body that was read as one kind (prose, heading, code, math, list, …)."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ReferenceList:
    """One reference list of the body: from its heading (if any) to the end of its last entry."""

    scope: int
    start: int
    end: int
    heading: str | None
    form: str  # bracket, ordered, bullet, footnote, table, … : how its labels are written


@dataclass(frozen=True, slots=True)
class Reading:
    """What the reader saw in one body. ``segments`` tile it: they start at 0, touch, and end at ``length``."""

    length: int
    marks: tuple[Mark, ...]
    entries: tuple[Entry, ...]
    lists: tuple[ReferenceList, ...]
    segments: tuple[Segment, ...]
    decisions: Mapping[str, str] = field(
        default_factory=dict
    )  # style -> why it was, or was not, read as citations
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CitedKey:
    """One distinct citation of a report, with the entry it reconciles to, if any."""

    key: str
    family: str
    style: str
    scope: int
    occurrences: int
    first: int  # offset of its first mark
    entry: int | None  # ordinal of the entry, None = dangling (or self-contained)
    locator: str | None = None
    text: str | None = None
    candidates: tuple[int, ...] = ()  # entries between which it cannot decide; it has none of them

    @property
    def self_contained(self) -> bool:
        """Whether the citation carries its own locator."""
        return self.locator is not None


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """Distinct citations by first appearance, and the ordinals of entries that nobody cites."""

    cited: tuple[CitedKey, ...]
    uncited: tuple[int, ...]

    @property
    def dangling(self) -> tuple[CitedKey, ...]:
        """Citations with neither an entry nor a locator of their own, and no two entries that they might mean."""
        return tuple(c for c in self.cited if c.entry is None and not c.self_contained and not c.candidates)

    @property
    def ambiguous(self) -> tuple[CitedKey, ...]:
        """Citations that fit several entries and therefore have none."""
        return tuple(c for c in self.cited if c.candidates)


TitleMatch = Callable[[str, Sequence[Entry]], int | None]
"""Which entry (ordinal) a title citation means, or None. One per version of ``inbound_rate``."""


class ResolutionState(StrEnum):
    """How a resolution ended. Only ``resolved`` counts, and only a safe tier reaches it."""

    RESOLVED = "resolved"
    AMBIGUOUS = "ambiguous"
    SUGGESTED = "suggested"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Resolution:
    """Citation or entry -> source, with the tier that found it (DESIGN section 8)."""

    state: ResolutionState
    tier: str | None = None  # identifier, exact, decorated, truncated; contained, fuzzy are suggestions
    source_id: str | None = None
    score: float | None = None
    candidates: tuple[str, ...] = ()  # source ids, best first


@dataclass(frozen=True, slots=True)
class RebuiltEntry:
    """One line of a rebuilt table."""

    label: str  # as the rebuilt body cites it
    kind: EntryKind
    text: str  # the line's content without label
    title: str | None
    url: str | None
    source_id: str | None
    tier: str | None
    key: str  # the citation's key before the rebuild
    scope: int


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A report after the rebuild: its body, the path taken with the reason, and what stayed dangling."""

    body: str
    path: RebuildPath
    reason: str
    entries: tuple[RebuiltEntry, ...]
    dangling: tuple[CitedKey, ...]
    n_repeats: int = 0  # marks taken out because they would only repeat the mark that they touch


@dataclass(frozen=True, slots=True)
class Measurement:
    """One number about one report. ``value`` is None unless ``validity`` is measured."""

    metric: str
    version: str
    value: float | None
    validity: Validity
    numerator: float | None = None
    denominator: float | None = None
    detail: str | None = None  # why it is absent or unknown


@dataclass(frozen=True, slots=True)
class DirtyFinding:
    """Residue in one entry: the named reason and where in the entry's text it stands."""

    ordinal: int
    reason: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a report is held, and what is needed to fix it."""

    rule: str
    mode: Mode
    observed: str
    needed: str
    passage: str | None = None  # identifier, key or entry that offends
    line: int | None = None  # 1-based line of the body


@dataclass(frozen=True, slots=True)
class GateResult:
    """The gate's own verdict about one report: ``reasons`` block it, ``would_hold`` only recorded."""

    outcome: Outcome
    reasons: tuple[Reason, ...]
    would_hold: tuple[Reason, ...]
    off: tuple[str, ...]  # rules whose input was never supplied: "not checked"
