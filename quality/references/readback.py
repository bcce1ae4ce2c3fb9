"""Whether a rebuilt body says what the rebuild meant.

Belongs here: reading the result again with the reader that will audit it, and naming the first difference. Does not belong
here: repairing anything. The maker is not the checker: nothing of the rebuild's own bookkeeping is trusted.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from quality.citations.labels import plain_key
from quality.citations.recent import read_recent
from quality.citations.reconcile import reconcile
from quality.model import CitedKey, Entry, Reading, Rebuilt, RebuiltEntry
from quality.registries.urls import url_key
from quality.sources.keys import strict_key
from quality.sources.own_table import match_own_table


def difference(before: Reading, rebuilt: Rebuilt) -> str | None:
    """Return what the reader sees otherwise in the rebuilt body than intended, or None.

    Looked at: as many marks as before, but for those that would only repeat a mark that they touch, every rebuilt entry found with its label and its title or address, every citation
    paired with an entry unless it is one of those left dangling.
    """
    after = read_recent(rebuilt.body, ())
    touching = sum(a.end == b.start for a, b in pairwise(before.marks))
    if len(after.marks) != len(before.marks) - min(rebuilt.n_repeats, touching):
        return f"{len(before.marks)} marks before, {len(after.marks)} after"
    for entry in rebuilt.entries:
        if not any(_is(entry, found) for found in after.entries):
            return f"entry {entry.label} is not found"
    labels = Counter(e.key for e in after.entries if e.key is not None)
    if twice := next((e.label for e in rebuilt.entries if labels[e.label] > 1), None):
        return f"label {twice} stands twice in the list"
    return _unpaired(after, rebuilt)


def _unpaired(after: Reading, rebuilt: Rebuilt) -> str | None:
    """Name the first citation that is not paired as intended."""
    allowed = {(c.family, plain_key(c.key)) for c in rebuilt.dangling}
    intended = {plain_key(e.label): e for e in rebuilt.entries}
    for cited in reconcile(after, match_own_table).cited:
        meant = intended.get(plain_key(cited.key)) if cited.family == "label" else None
        if cited.entry is None and _name(cited) not in allowed:
            return f"citation {cited.key} has no entry"
        if cited.entry is not None and cited.family == "label" and _name(cited) in allowed:
            return f"citation {cited.key} was dangling and has an entry now"
        if cited.entry is not None and meant and not _is(meant, after.entries[cited.entry]):
            return f"citation {cited.key} is paired with another entry"
    return None


def _name(cited: CitedKey) -> tuple[str, str]:
    return cited.family, plain_key(cited.key)


def _is(intended: RebuiltEntry, found: Entry) -> bool:
    if found.key is not None and plain_key(found.key) != plain_key(intended.label):
        return False
    if intended.url and found.url:
        return url_key(intended.url) == url_key(found.url)
    wanted, read_back = strict_key(intended.title or intended.text), strict_key(found.title or found.text)
    return bool(wanted) and (wanted in read_back or read_back in wanted)
