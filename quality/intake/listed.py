"""The ``sources`` list that some producers keep outside the body.

Belongs here: the shapes it comes in (list of mappings, list of texts, mapping by key, any of these as JSON
text) and the names that producers give its fields. Does not belong here: reading an entry's text
(``quality.citations``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Final

from quality.intake.plain import clean_text, one_line, plain
from quality.model import ListedSource

_KEYS: Final = ("key", "n", "number", "label", "index", "id")
_TITLES: Final = ("title", "name")
_URLS: Final = ("url", "link", "href")
_TEXTS: Final = ("text", "snippet", "snippets", "content", "passages", "abstract")
_YEAR: Final = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")


def read_listed(value: object) -> tuple[tuple[ListedSource, ...], bool]:
    """Read the listed sources in ``value``, and whether any part of it could not be read.

    None and an empty list are no sources, and nothing broken.
    """
    value = from_json_text(value)
    if value is None:
        return (), False
    if isinstance(value, Mapping):
        value = [_with_key(key, item) for key, item in value.items()]
    if not isinstance(value, list | tuple):
        return (), True
    items = [_item(entry) for entry in value]
    return tuple(item for item in items if item is not None), None in items


def from_json_text(value: object) -> object:
    """Parse JSON text of a list or mapping (columns of Parquet and CSV hold such); else unchanged."""
    if not isinstance(value, str) or value.strip()[:1] not in {"[", "{"}:
        return value
    try:
        return plain(json.loads(value))
    except (ValueError, RecursionError):
        return value


def read_year(value: object) -> int | None:
    """Find the year in a number, a date or text; None where there is none between 1500 and 2099."""
    match = _YEAR.search(one_line(value) or "")
    return int(match[0]) if match else None


def _with_key(key: object, item: object) -> object:
    if isinstance(item, Mapping):
        return {"key": key} | dict(item)
    return {"key": key, "entry": item} if isinstance(item, str) else item


def _item(value: object) -> ListedSource | None:
    if isinstance(value, str):
        return ListedSource(entry=clean_text(value).strip()) if value.strip() else None
    if not isinstance(value, Mapping):
        return None
    entry = value.get("entry")
    item = ListedSource(
        entry=clean_text(entry).strip() or None if isinstance(entry, str) else None,
        key=_first(value, _KEYS),
        title=_first(value, _TITLES),
        url=_first(value, _URLS),
        year=read_year(value.get("year")),
        text=_text(value),
    )
    return None if (item.entry, item.title, item.url, item.text) == (None, None, None, None) else item


def _first(value: Mapping[object, object], names: tuple[str, ...]) -> str | None:
    found = (one_line(value.get(name)) for name in names)
    return next((text for text in found if text), None)


def _text(value: Mapping[object, object]) -> str | None:
    for name in _TEXTS:
        raw = value.get(name)
        parts = raw if isinstance(raw, list) else [raw]
        text = "\n\n".join(clean_text(part) for part in parts if isinstance(part, str)).strip()
        if text:
            return text
    return None
