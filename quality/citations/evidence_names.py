"""Evidence for names: keys of a list, pandoc keys, authors with years, titles in 《》.

Belongs here: the rules for these styles. Does not belong here: their patterns (``styles``, ``author_year``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from quality.citations.author_year import entry_names, entry_years, split_key
from quality.citations.context import Context, Verdicts
from quality.model import Entry, Mark
from quality.text import fold


def weigh_named(marks: Sequence[Mark], context: Context, verdicts: Verdicts) -> None:
    """Keep keys such as ``[S3]`` that a list names, and keys that look like those of the list."""
    if not marks:
        return
    stems = {_stem(k) for k in context.plain_keys if not k.isdecimal()}
    kept = [m for m in marks if all(k in context.plain_keys or _stem(k) in stems for k in m.keys)]
    verdicts.keep("named_bracket", kept, len(marks), "shaped like the labels of a list")


def _stem(key: str) -> str:
    return key.rstrip("0123456789")


def weigh_pandoc(marks: Sequence[Mark], context: Context, verdicts: Verdicts) -> None:
    """Keep bracketed groups; a key in the sentence needs them beside it, or an entry of its own."""
    if not marks:
        return
    groups = [m for m in marks if m.style == "pandoc"]
    known = {k for m in groups for k in m.keys} | context.plain_keys
    kept = groups + [
        m
        for m in marks
        if m.style != "pandoc" and (m.keys[0] in known or (groups and any(c.isdigit() for c in m.keys[0])))
    ]
    tangled = [", ".join(m.keys[1:]) for m in groups if m.text]
    if tangled:
        verdicts.flags.append("malformed_group")
    why = f"keys in brackets; no semicolon before {'; '.join(tangled)}" if tangled else "keys in brackets"
    verdicts.keep("pandoc", [replace(m, text=None) for m in kept], len(marks), why)


def weigh_author_year(
    groups: Sequence[Mark], in_sentence: Sequence[Mark], context: Context, verdicts: Verdicts
) -> None:
    """Decide about ``(Doe, 2020)``: by entries with that author and year, or by unmistakable forms."""
    candidates = len(groups) + len(in_sentence)
    if not candidates:
        return
    links = sum(m.family == "link" for m in verdicts.marks)
    known = {(name, year[:4]) for e in context.entries for name in entry_names(e) for year in entry_years(e)}
    kept = [m for m in groups if _is_plain_author_year(m, known)]
    met = sum(_in_entries(m, known) for m in (*groups, *in_sentence))
    strict = sum(m.style == "author_year_strict" for m in groups)
    if links >= candidates:
        verdicts.keep(
            "author_year", (), candidates, "names of works in the prose, the report cites otherwise"
        )
        return
    if not met and not strict:
        verdicts.keep("author_year", (), candidates, "no entry by such an author, no unmistakable form")
        return
    cited = {k for m in kept for k in m.keys}
    for candidate in in_sentence:
        mark = _cut_name(candidate, known) if candidate.style == "narrative_han" else candidate
        if _in_entries(mark, known) or mark.style == "narrative_strict" or cited & set(mark.keys):
            kept.append(mark)
    kept = [replace(m, style="author_year") for m in kept]
    verdicts.keep(
        "author_year",
        kept,
        candidates,
        "authors and years of entries" if met else "several authors and a year",
    )


def _is_plain_author_year(mark: Mark, known: set[tuple[str, str]]) -> bool:
    """Let an acronym pass only with an entry: ``(ICLR 2025)`` is a venue, ``(WHO, 2020)`` an author."""
    return (
        mark.style == "author_year_strict"
        or _in_entries(mark, known)
        or not mark.keys[0].split(" ")[0].isupper()
    )


def _in_entries(mark: Mark, known: set[tuple[str, str]]) -> bool:
    return any(split_key(k)[:2] in known for k in mark.keys)


def _cut_name(mark: Mark, known: set[tuple[str, str]]) -> Mark:
    """Find where a Chinese name begins: the longest ending that is an author."""
    for cut in range(len(mark.keys[0]) - 6):
        keys = tuple(k[cut:] for k in mark.keys)
        if any(split_key(k)[:2] in known for k in keys):
            return replace(mark, start=mark.start + cut, keys=keys)
    return mark


def weigh_titles(titles: Sequence[Mark], context: Context, verdicts: Verdicts) -> None:
    """Decide about 《…》: it marks any title, so the report's own list must show that it cites."""
    if not titles:
        return
    others = sum(m.family == "link" for m in verdicts.marks)
    if any(m.family == "label" for m in verdicts.marks) or others >= len(titles):
        verdicts.keep("book_title", (), len(titles), "titles in the prose, the report cites otherwise")
    elif not _lists_titles({fold(m.keys[0]) for m in titles}, context.entries):
        verdicts.keep("book_title", (), len(titles), "titles in the prose, no list holds them")
    else:
        verdicts.keep("book_title", titles, len(titles), "the report's list holds such titles")


def _lists_titles(titles: set[str], entries: Sequence[Entry]) -> bool:
    """Tell whether a list is made of titles in 《》, or holds at least a tenth of the titles in the text."""
    if sum("《" in e.text for e in entries) * 2 > len(entries):
        return True
    own = [fold(e.title) for e in entries if e.title]
    written = [fold(e.text) for e in entries]
    met = sum(any(_same_work(t, o) for o in own) or any(_stands_in(t, w) for w in written) for t in titles)
    return met > 0 and met * 10 >= len(titles)


def _stands_in(title: str, written: str) -> bool:
    """Tell a title that an entry holds in full, wherever in its text."""
    return len(title) >= (15 if title.isascii() else 6) and title in written


def _same_work(one: str, other: str) -> bool:
    """Tell titles of which one begins with the other: enough to see a habit, far too little to resolve by."""
    shorter, longer = sorted((one, other), key=len)
    return shorter == longer or (
        len(shorter) >= (12 if shorter.isascii() else 4) and longer.startswith(shorter)
    )
