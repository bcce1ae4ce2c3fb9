"""The last readings of this process, so that one body is not read twice within a run.

Belongs here: remembering what a pure function said. Does not belong here: reading.

The shadow audit and the rebuild read the same original; the rebuild's read-back and the audit after it
read the same rebuilt body. Batches of up to about ``REMEMBERED / 2`` reports gain; larger ones are read
anew, and memory stays bounded.
"""

from __future__ import annotations

from functools import lru_cache

from quality.citations.reader import read
from quality.model import ListedSource, Reading

REMEMBERED = 400


@lru_cache(maxsize=REMEMBERED)
def read_recent(body: str, listed: tuple[ListedSource, ...], /) -> Reading:
    """Give ``read(body, listed)``, remembered if it was asked lately; a reading is immutable.

    Both are always given, by position: the memory tells calls apart by the way they are written.
    """
    return read(body, listed)
