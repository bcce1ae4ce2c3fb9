"""HTML from plain values: every text is escaped here, and nowhere else.

Belongs here: elements, attributes, escaping for markup and for JSON inside a page. Does not belong here: what a page says.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Sequence
from typing import Final

_VOID: Final = frozenset({"meta", "link", "input", "br", "hr"})
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_IN_SCRIPT: Final = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


class Html(str):
    """Text that is markup already; everything else is escaped on its way into an element."""

    __slots__ = ()


Child = str | Html | int | None | Iterable["Child"]


def escaped(text: str) -> Html:
    """Escape text for content and quoted attributes; control characters become visible as U+FFFD."""
    return Html(html.escape(_CONTROL.sub("\ufffd", text), quote=True))


def tag(name: str, /, *children: Child, **attributes: object) -> Html:
    """Make an element.

    Args:
        name: of the element.
        children: markup, text to be escaped, or sequences of both; None is left out.
        attributes: ``class_``, ``data_label``, …; underscores become hyphens, None and False leave one out, True
            gives it without a value.
    """
    written = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in _VOID:
        return Html(f"<{name}{written}>")
    return Html(f"<{name}{written}>{joined(children)}</{name}>")


def joined(children: Iterable[Child]) -> Html:
    """Put children together, escaping those that are no markup."""
    return Html("".join(_child(child) for child in children))


def said(text: object) -> Html:
    """A text from a report, isolated so that its direction of writing cannot turn its surroundings around."""
    return tag("bdi", str(text))


def cell_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[Child]],
    *,
    caption: str,
    class_: str = "",
    numeric: Sequence[int] = (),
) -> Html:
    """A table whose rows turn into cards on a narrow screen: every cell knows its column's name.

    Args:
        columns: names, in order.
        rows: cells, in the order of the columns; the first one heads its row.
        caption: what the table shows, for those who cannot see it at a glance.
        class_: of the table.
        numeric: positions of columns with numbers.
    """
    head = tag(
        "tr",
        [tag("th", c, scope="col", class_="number" if i in numeric else None) for i, c in enumerate(columns)],
    )
    body = [
        tag(
            "tr",
            [
                tag(
                    "td" if i else "th",
                    cell,
                    scope=None if i else "row",
                    data_label=columns[i],
                    class_="number" if i in numeric else None,
                )
                for i, cell in enumerate(row)
            ],
        )
        for row in rows
    ]
    return tag(
        "table",
        tag("caption", caption),
        tag("thead", head),
        tag("tbody", body),
        class_=f"cards {class_}".strip(),
    )


def json_block(identifier: str, value: object) -> Html:
    """A block of JSON inside a page: no text in it can end the block or start another."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for char, written in _IN_SCRIPT.items():
        text = text.replace(char, written)
    return tag("script", Html(text), type="application/json", id=identifier)


def _child(child: Child) -> str:
    if child is None:
        return ""
    if isinstance(child, Html):
        return child
    if isinstance(child, str):
        return escaped(child)
    if isinstance(child, int):
        return str(child)
    return joined(child)


def _attribute(key: str, value: object) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escaped(str(value))}"'
