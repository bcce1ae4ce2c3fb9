"""Plain values: what came out of JSON, YAML or Parquet, made safe to store as JSON in UTF-8.

Belongs here: the one conversion of foreign values, and the one canonical JSON text that hashes are made of.
Does not belong here: the meaning of any field (``record`` and ``catalogue`` know those).
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence, Set
from datetime import date, datetime, time
from decimal import Decimal
from typing import Final

_DEPTH: Final = 64
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_REPLACEMENT: Final = "\ufffd"


def has_surrogate(text: str) -> bool:
    """Whether ``text`` holds a lone surrogate, which no file in UTF-8 can hold."""
    return _SURROGATE.search(text) is not None


def clean_text(text: str) -> str:
    """``text`` with each lone surrogate replaced by U+FFFD, the replacement character."""
    return _SURROGATE.sub(_REPLACEMENT, text)


def plain(value: object, depth: int = 0) -> object:
    """Convert ``value`` to what JSON can hold: None, bool, int, float, str, list, dict with text keys.

    NaN and the infinities become None (JSON has no word for them), dates ISO 8601 text, bytes their text in
    UTF-8 with replacement characters, whatever lies deeper than 64 levels the name of its type.
    """
    if depth >= _DEPTH:
        return type(value).__name__
    if isinstance(value, Mapping):
        return {clean_text(str(key)): plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, Sequence | Set) and not isinstance(value, str | bytes | bytearray):
        return [plain(item, depth + 1) for item in value]
    return _scalar(value)


def _scalar(value: object) -> object:
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float | Decimal):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, bytes | bytearray):
        return bytes(value).decode("utf-8", "replace")
    return clean_text(str(value))


def canonical_json(value: object) -> str:
    """One text per value: keys sorted, no spaces, characters as they are. Equal values, equal text."""
    return json.dumps(
        plain(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )


def one_line(value: object) -> str | None:
    """``value`` as text on one line with single spaces, or None where nothing is left (or it is no text)."""
    if value is None or isinstance(value, bool | Mapping | list | tuple):
        return None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return " ".join(clean_text(str(plain(value))).split()) or None
