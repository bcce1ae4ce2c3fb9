"""What each citation of a report gets: a canonical entry, one as written, or nothing.

Belongs here: choosing the text of one rebuilt entry. Does not belong here: labels, marks and where the table stands.
Nothing is invented: every word of an entry comes from the catalogue, from the report's own entry, or from the link itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from quality.citations.entries import split_entry
from quality.model import CitedKey, Entry, EntryKind, Identifier, Resolution, ResolutionState, Source
from quality.registries.urls import normalise_url
from quality.sources.decorations import uncut, undecorated
from quality.sources.guards import foreign
from quality.sources.index import SourceIndex
from quality.sources.keys import strict_key

IsDirty = Callable[[Entry], bool]

_NAMES_NOTHING = re.compile(
    r"[\W\d_]*(?:(?:source|link|here|ref(?:erence)?s?|citation|url|website|web|pdf|doi|read more|see|via|来源|链接|原文|网址|出处|详情|此处|这里)[\W\d_]*)?",
    re.IGNORECASE,
)


_ESCAPE = chr(92)  # Markdown escapes in addresses
_PASSAGE = re.compile(  # a stretch of running text that a catalogue harvested as a title
    r"^[a-z]{2,}[ ,.].{36}|[,;:]$|[a-z]{3}[.?][A-Z][a-z]+\s[a-z]"
    r"|^.{30,}[a-z)]\.\s[A-Z].*[a-z]\s(?:an?|the|of|in|on|at|to|for|very|with|from|by|and|or|that|is|are|was|were|as)$",
    re.DOTALL,
)
_PIPE = re.compile(r"[|｜]")
_LEFT_OVER = re.compile(r"^\s*(?:\.{2,}|…)|^[.,]+(?=[:\s])")


@dataclass(frozen=True, slots=True)
class Work:
    """One line of the table to come. Citations with equal ``identity`` share it."""

    identity: str
    kind: EntryKind
    content: str
    title: str | None
    url: str | None
    source_id: str | None = None
    tier: str | None = None

    def linked(self) -> Work:
        """Return the work with its title as the text of a Markdown link, where it was composed from both."""
        composed = self.title and self.url and self.content == compose(self.title, self.url)
        if not composed or re.search(r"[\[\]\n]", self.title or "") or re.search(r"[()\s]", self.url or ""):
            return self
        linked = f"[{self.title}]({self.url})"
        return replace(self, content=linked) if _reads_back(linked, self.title, self.url or "") else self


def work_of(cited: CitedKey, entry: Entry | None, index: SourceIndex, is_dirty: IsDirty) -> Work | None:
    """Return the work that a citation gets, or None when it has to stay dangling."""
    if entry is None and not cited.self_contained and cited.family != "title":
        return None
    written = entry if entry is not None else _own_entry(cited)
    resolution = index.resolve_entry(written)
    source = index.source(resolution.source_id) if _resolved(resolution) and resolution.source_id else None
    own = None if entry is None and not cited.self_contained else _as_written(written, is_dirty)
    if source is None:
        return own
    canonical = _canonical(written, source, resolution, is_dirty)
    if own is not None and not _improves(canonical, own, is_dirty):
        return replace(own, identity=canonical.identity, source_id=source.source_id, tier=resolution.tier)
    return canonical


def apart(cited: Sequence[tuple[CitedKey, Work | None]]) -> tuple[tuple[CitedKey, Work | None], ...]:
    """Give works that share an address, but whose written titles say other things, an identity each.

    A writer who copies the wrong address, or names a site's front page for three of its pages, wrote two entries: neither
    may swallow the other.
    """
    titles: dict[str, list[str]] = {}
    told: list[tuple[CitedKey, Work | None]] = []
    for citation, work in cited:
        place = (
            _place(titles.setdefault(work.identity, []), work.title) if work is not None and work.title else 0
        )
        told.append(
            (citation, replace(work, identity=f"{work.identity}\n{place}") if work and place else work)
        )
    return tuple(told)


def _place(known: list[str], title: str) -> int:
    """Which of the known titles says the same; a new one is noted."""
    place = next((i for i, other in enumerate(known) if not foreign(title, other)), len(known))
    if place == len(known):
        known.append(title)
    return place


def compose(title: str | None, url: str | None, authors: str | None = None, year: int | None = None) -> str:
    """Write an entry's content from its parts, in the first layout from which the reader gets them back."""
    head = " ".join(p for p in (authors, f"({year})." if authors and year else None, title) if p)
    if not url:
        return head
    layouts = (f"{head}: {url}", f"[{head}]({url})") if head else (url, f"[link]({url})")
    return next((text for text in layouts if _reads_back(text, title, url)), layouts[0])


def _reads_back(text: str, title: str | None, url: str) -> bool:
    parts = split_entry(text)
    return parts.url == url and (title is None or strict_key(parts.title or "") == strict_key(title))


def _resolved(resolution: Resolution) -> bool:
    return resolution.state is ResolutionState.RESOLVED


def _own_entry(cited: CitedKey) -> Entry:
    """Read the citation itself as an entry: a link by its text and address, a title by its words."""
    title = (cited.text or "").strip() or (cited.key if cited.family == "title" else None)
    if title and (_NAMES_NOTHING.fullmatch(title) or "://" in title):
        title = None
    url = cited.locator.replace("\\", "") if cited.locator else None
    title = " ".join(re.sub(r"[*_`\\]+", "", title).split()) if title else None
    if title and url and split_entry(compose(title, url)).title != title:
        title = None  # an author and a date, say: written as a title it would be read as something else
    return Entry(-1, None, compose(title, url), title, url, label_end=0)


def _as_written(entry: Entry, is_dirty: IsDirty) -> Work | None:
    """Return the report's own entry if it is clean and names something; of a dirty one, the parts that are clean."""
    for form, title in _forms(entry):
        if (title or entry.url or entry.identifiers) and not is_dirty(_entry(form, title, entry.url)):
            return Work(_identity(entry, form), EntryKind.AS_WRITTEN, form, title, entry.url)
    return None


def _forms(entry: Entry) -> Iterator[tuple[str, str | None]]:
    """Ways to write an entry with nothing but its own words, the fullest first, each with its title."""
    content = content_of(entry)
    yield content, entry.title
    plainer = list(undecorated(entry.title, quoted=False)) if entry.title else []
    for plain in sorted(plainer, key=lambda form: bool(_PIPE.search(form))):  # what has lost all sites first
        yield content.replace(entry.title or "", plain, 1), plain
    if entry.title:
        yield compose(entry.title, entry.url, entry.authors, entry.year), entry.title
    if entry.url:
        yield entry.url, None


def content_of(entry: Entry) -> str:
    """Text of an entry without its label."""
    if 0 <= entry.start <= entry.label_end:
        return entry.text[entry.label_end - entry.start :].strip()
    return (
        compose(entry.title, entry.url, entry.authors, entry.year)
        if entry.title or entry.url
        else entry.text.strip()
    )


def _canonical(entry: Entry, source: Source, resolution: Resolution, is_dirty: IsDirty) -> Work:
    title, url = " ".join(source.title.split()), entry.url or source.url
    content = _with_title(entry, title)
    if url is None and source.doi and not (content and entry.identifiers):
        url, content = f"https://doi.org/{source.doi}", None  # the catalogue knows where the work is: say so
    if content is None or is_dirty(_entry(content, title, url)):
        content = compose(title, url, entry.authors, entry.year if entry.authors else None)
    return Work(
        f"source:{source.source_id}",
        EntryKind.CANONICAL,
        content,
        title,
        url,
        source.source_id,
        resolution.tier,
    )


def _with_title(entry: Entry, title: str) -> str | None:
    """Put the canonical title in the place of the written one, the rest of the entry kept; None where that fails."""
    content = content_of(entry)
    if title in content or (entry.title and strict_key(entry.title) == strict_key(title)):
        return content
    if not entry.title or entry.start < 0 or content.count(entry.title) != 1:
        return None
    before, _, after = content.partition(entry.title)
    return (
        before + title + _LEFT_OVER.sub("", after)
        if title[:1] not in "[(" or not before.endswith("[")
        else None
    )


def _improves(canonical: Work, own: Work, is_dirty: IsDirty) -> bool:
    """Whether the catalogue's title may replace the written one.

    Not when it is dirty, cut shorter, a passage, the written one with a site's name or the like around it, or when it says
    something else: then the report's own words stay, beside the source that they point at.
    """
    if canonical.title is None or is_dirty(_entry(canonical.content, canonical.title, canonical.url)):
        return False
    if _PASSAGE.search(canonical.title):
        return False
    if own.title is not None:
        written = strict_key(own.title)
        if written != strict_key(canonical.title) and written in map(
            strict_key, undecorated(canonical.title)
        ):
            return False
        if foreign(own.title, canonical.title):
            return False
    bare, cut = uncut(canonical.title)
    longer = own.title is not None and len(strict_key(own.title)) > len(strict_key(bare))
    return not (cut and longer)


def _identity(entry: Entry, content: str, source: Source | None = None) -> str:
    """Tell works apart: by address as reconciliation compares it, else by source, identifier or words."""
    if entry.url:
        return f"url:{normalise_url(entry.url.replace(_ESCAPE, '')).rstrip('/')}"
    if source is not None:
        return f"source:{source.source_id}"
    if len(entry.identifiers) == 1:
        return _named(entry.identifiers[0])
    return f"text:{strict_key(content) or content}"


def _named(identifier: Identifier) -> str:
    return f"{identifier.kind}:{identifier.value}"


def _entry(content: str, title: str | None, url: str | None) -> Entry:
    return Entry(0, None, content, title, url, start=0, end=len(content), label_end=0)
