"""The outer shape of a delivered file: head (front matter and audit block), then the body.

::

    ---
    sluicegate:              for machines; the report's own front matter follows under its own keys
      holds: body            "body": what follows is the body; "file": what follows is a whole file as it came
    ---
    <!-- sluicegate:audit:begin -->
    > the audit block
    <!-- sluicegate:audit:end -->
    (an empty line)
    the body, byte for byte

Belongs here: joining and taking apart, exactly inverse to each other. Does not belong here: what stands in
the head. No line of a head can be the end mark: front matter is YAML without comments, every line of the
block starts with ``>``. So the first end mark is the real one, whatever the body holds.
"""

from __future__ import annotations

import re
from typing import Final

BEGIN: Final = "<!-- sluicegate:audit:begin -->"
END: Final = "<!-- sluicegate:audit:end -->"

# Line ends may have become CRLF in an editor, and a person may have removed the front matter.
_HEAD: Final = re.compile(
    r"(?:---[ \t]*\r?\n(?P<yaml>sluicegate:[ \t]*\r?\n(?:(?!---)[^\n]*\n)*)---[ \t]*\r?\n)?"
    + re.escape(BEGIN)
    + r"\r?\n(?:>[^\n]*\n)*"
    + re.escape(END)
    + r"(?:\r?\n(?:\r?\n)?|\Z)"
)
_HOLDS_FILE: Final = re.compile(r"sluicegate:[ \t]*\r?\n  holds: file[ \t]*\r?\n")


def join(yaml_text: str, block: str, body: str) -> str:
    """Put the three parts together; ``yaml_text`` and every line of ``block`` end with a line end."""
    return f"---\n{yaml_text}---\n{BEGIN}\n{block}{END}\n\n{body}"


def split(text: str) -> tuple[str, str]:
    """Take a delivered file apart: ``(head, body)``, with ``head + body == text``.

    The head is empty when ``text`` is no delivered file.
    """
    match = _HEAD.match(text)
    return (text[: match.end()], text[match.end() :]) if match else ("", text)


def own_front_matter(text: str) -> str | None:
    """YAML text of a delivered file's front matter; None for any other text (or when a person removed it)."""
    match = _HEAD.match(text)
    return match["yaml"] if match else None


def holds_file(text: str) -> bool:
    """Whether the part after the head is a whole file as it came, with front matter of its own."""
    yaml_text = own_front_matter(text)
    return yaml_text is not None and _HOLDS_FILE.match(yaml_text) is not None


def strip(text: str) -> tuple[str, int]:
    """Take off every head at the start of ``text``; returns the rest and how many heads there were.

    A body that begins with a forged head must not show it to a reader as if it were ours, so all of them go.
    """
    count = 0
    while (parts := split(text))[0]:
        text, count = parts[1], count + 1
    return text, count
