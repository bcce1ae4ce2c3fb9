"""Lexicons: words and grammar of a language as data files, compiled into patterns.

Belongs here: reading a TOML file of this folder and putting its word classes into its patterns.
Does not belong here: any word (the ``*.toml`` files), or what a match means (the modules that ask).

A file has a table ``classes`` (name -> list of regular expressions, alternatives of one another) and any
other tables or arrays. ``{name}`` inside a pattern stands for the class of that name, as one group; classes
may use classes that stand above them. Patterns are matched against folded text (``quality.text.fold``).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

_PLACE = re.compile(r"\{([a-z][a-z_]*)\}")


@cache
def load(name: str) -> Mapping[str, Any]:
    """Give the content of ``<name>.toml``, classes as written."""
    text = resources.files("quality.metrics").joinpath(f"{name}.toml").read_text("utf-8")
    return tomllib.loads(text)


@cache
def classes(name: str) -> Mapping[str, str]:
    """Give the word classes of a lexicon, each as one group without capture."""
    made: dict[str, str] = {}
    for key, words in load(name)["classes"].items():
        made[key] = f"(?:{'|'.join(expand(word, made) for word in words)})"
    return made


def expand(pattern: str, known: Mapping[str, str]) -> str:
    """Put classes into a pattern.

    Raises:
        KeyError: the pattern names a class that does not stand above it.
    """
    return _PLACE.sub(lambda place: known[place[1]], pattern)


def pattern(name: str, patterns: Sequence[str]) -> re.Pattern[str]:
    """Compile alternatives of a lexicon into one pattern."""
    known = classes(name)
    return re.compile("|".join(f"(?:{expand(one, known)})" for one in patterns))
