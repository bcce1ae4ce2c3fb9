"""The identity of a catalogue: a hash of its content.

Belongs here: hashing. Does not belong here: storing snapshots. Two catalogues with the same sources in another order are
one snapshot; any change of any field is a new one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import fields

from quality.model import Source

_FIELDS = tuple(f.name for f in fields(Source))


def snapshot_id(sources: Iterable[Source]) -> str:
    """Return ``snap-`` and 16 hex digits over all fields of all sources, whatever their order."""
    lines = sorted(_line(source) for source in sources)
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line)
        digest.update(b"\n")
    return "snap-" + digest.hexdigest()[:16]


def _line(source: Source) -> bytes:
    values = {name: getattr(source, name) for name in _FIELDS}
    return json.dumps(values, ensure_ascii=True, sort_keys=True).encode("ascii")
