"""Whether a rebuilt body says what the rebuild meant.

Belongs here: reading the result again with the reader that will audit it, and naming the first difference. Does not belong
here: repairing anything. The maker is not the checker: nothing of the rebuild's own bookkeeping is trusted.
"""

from __future__ import annotations

from quality.citations.labels import plain_key
from quality.citations.recent import read_recent
from quality.citations.reconcile import reconcile
from quality.model import CitedKey, Entry, Reading, Rebuilt, RebuiltEntry
from quality.registries.urls import url_key
from quality.sources.keys import strict_key
from quality.sources.own_table import match_own_table


def difference(before: Reading, rebuilt: Rebuilt) -> str | None:
    """Return what the reader sees otherwise in the rebuilt body than intended, or None.

    Looked at: as many marks as before, every rebuilt entry found with its label and its title or address, every citation
    paired with an entry unless it is one of those left dangling.
    """
    after = read_recent(rebuilt.body)
    if len(after.marks) != len(before.marks):
        return f"{len(before.marks)} marks before, {len(after.marks)} after"
    for entry in rebuilt.entries:
        if not any(_is(entry, found) for found in after.entries):
            return f"entry {entry.label} is not found"
    allowed = {(c.family, plain_key(c.key)) for c in rebuilt.dangling}
    for cited in reconcile(after, match_own_table).cited:
        if cited.entry is None and _name(cited) not in allowed:
            return f"citation {cited.key} has no entry"
        if cited.entry is not None and cited.family == "label" and _name(cited) in allowed:
            return f"citation {cited.key} was dangling and has an entry now"
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
