"""File names out of ids: what a batch or report id is called on disk.

Belongs here: the one function that turns an id, which may hold anything, into one part of a path.
Does not belong here: where files lie, and the ids themselves, which stay verbatim in the warehouse.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata

MAX_BYTES = 120
"""Longest safe name in UTF-8 bytes; leaves room for extensions under the 255 that file systems allow."""

_SUFFIXED = re.compile(r"-[0-9a-f]{12}\Z")
_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$"]
    + [f"{port}{digit}" for port in ("com", "lpt") for digit in "0123456789¹²³"]
)


def safe_name(identifier: str) -> str:
    """Give the path part for an id: no separator, no traversal, nothing hidden, reserved, blank or too long.

    Letters, digits and combining marks of every script stay, and so do ``-``, ``_``, ``.``, ``~`` inside.
    An id that is fine already comes back unchanged. Any other gets a hash of the id at its end, and so does
    one that looks as if it had such a hash, so that two ids never share a name, apart from ids that differ in
    upper and lower case only on a file system that ignores case. Apply it once: a name with a hash is not
    its own safe name.
    """
    kept = "".join(c if _is_plain(c) else "_" for c in unicodedata.normalize("NFC", identifier))
    kept = kept.lstrip(".-~").rstrip(".")
    if kept.split(".")[0].casefold() in _RESERVED:
        kept = f"_{kept}"
    if kept and kept == identifier and len(kept.encode()) <= MAX_BYTES and not _SUFFIXED.search(kept):
        return kept
    digest = hashlib.sha256(identifier.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{_cut(kept, MAX_BYTES - 13) or 'id'}-{digest}"


def _is_plain(char: str) -> bool:
    return char in "-_.~" or unicodedata.category(char)[0] in "LNM"


def _cut(text: str, limit: int) -> str:
    """Keep the longest start of ``text`` that fits into ``limit`` bytes without splitting a character."""
    return text.encode()[:limit].decode("utf-8", "ignore").rstrip(".")
