"""Flags: oddities of a whole reading that are worth saying and are no findings by themselves.

Belongs here: one function per flag. Does not belong here: marks and entries, or what a flag is worth
(``gate``).
"""

from __future__ import annotations

from collections.abc import Sequence

from quality.citations.labels import plain_key
from quality.citations.sameness import distinct_works
from quality.citations.scopes import Scopes
from quality.model import Entry, Mark


def flags_of(
    marks: Sequence[Mark], entries: Sequence[Entry], scopes: Scopes, noticed: Sequence[str]
) -> tuple[str, ...]:
    """Collect the flags of a reading.

    ``repeated_list``: a list is printed again. ``repeated_label``: a list gives one label to two different
    works. ``key_restarts``: the numbering begins anew.
    ``no_reference_list``: labels are cited and the body has no list. ``unnumbered_entries``: labels are
    cited and no entry has one. ``numbering_gap``: the numbers of a list skip some. ``missing_from_list``:
    there is a list, and an address in the text that it lacks. ``placeholder_citation``: a mark names nothing.
    Those that weighing ``noticed`` come first.
    """
    own = [e for e in entries if e.origin == "body"]
    labelled = any(m.family == "label" for m in marks)
    told = {
        "repeated_list": bool(scopes.repeated),
        "repeated_label": _repeats_labels(entries),
        "key_restarts": len(set(scopes.of_list)) > 1,
        "no_reference_list": labelled and not own,
        "unnumbered_entries": labelled and bool(own) and all(e.key is None for e in own),
        "numbering_gap": _has_gap(own),
        "missing_from_list": _lacks_addresses(marks, own),
        "placeholder_citation": any(m.family == "placeholder" for m in marks),
    }
    return tuple(dict.fromkeys([*noticed, *(name for name, holds in told.items() if holds)]))


def _repeats_labels(entries: Sequence[Entry]) -> bool:
    """Tell whether a label of one scope stands before two different works."""
    named: dict[tuple[int, str], list[Entry]] = {}
    for entry in entries:
        for key in (entry.key, *entry.aliases):
            if entry.by_number and key is not None:
                named.setdefault((entry.scope, plain_key(key)), []).append(entry)
    return any(len(distinct_works(found)) > 1 for found in named.values() if len(found) > 1)


def _has_gap(entries: Sequence[Entry]) -> bool:
    """Tell whether a scope's numbers leave one out between its first and its last."""
    numbers: dict[int, set[int]] = {}
    for entry in entries:
        for key in (entry.key, *entry.aliases):
            if key is not None and key.isdecimal():
                numbers.setdefault(entry.scope, set()).add(int(key))
    return any(max(found) - min(found) + 1 > len(found) for found in numbers.values())


def _lacks_addresses(marks: Sequence[Mark], entries: Sequence[Entry]) -> bool:
    """Tell whether the text points at an address that stands in no entry."""
    if not entries:
        return False
    known = "\n".join(e.text.replace("\\", "") for e in entries)
    return any(m.family == "link" and m.keys[0].replace("\\", "").rstrip("/") not in known for m in marks)
