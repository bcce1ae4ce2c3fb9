"""Instructions as files: each starts with ``version: N`` and a blank line; the text follows.

Belongs here: reading them from the package. Does not belong here: what they say (the files beside this one).
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def prompt(name: str) -> tuple[str, str]:
    """Text and version of one instruction; the version is stored beside whatever it led to."""
    head, text = files(__package__).joinpath(f"{name}.md").read_text(encoding="utf-8").split("\n\n", 1)
    return text.strip(), f"{name}-{head.removeprefix('version:').strip()}"
