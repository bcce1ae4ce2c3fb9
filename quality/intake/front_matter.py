"""YAML front matter: where it ends, and what it says.

Belongs here: the fence, a YAML reader that is safe on foreign files (no aliases, no tags, no duplicate keys)
and that keeps text fields as they were written (``id: 007`` stays ``007``, a date stays its text). Does not
belong here: the meaning of the keys (``record``), and Sluicegate's own head (``quality.delivery``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import yaml

MAX_CHARS: Final = 1_000_000
"""Longest front matter that is parsed; beyond it, the text counts as body."""

_FENCED: Final = re.compile(
    r"\A---[ \t]*\r?\n(?P<yaml>.*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE
)
_NULL: Final = "tag:yaml.org,2002:null"
_VERBATIM: Final = frozenset({"id", "title", "language", "producer", "question", "created_at"})


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """Fields of the front matter (none: empty), the text after it, and whether it was there but broken."""

    fields: Mapping[str, object]
    body: str
    broken: bool = False


class _Loader(yaml.SafeLoader):
    """``SafeLoader`` that refuses aliases (they multiply) and duplicate keys, and leaves dates as text."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("aliases are not read")
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[object, object]:
        keys = [(key.tag, key.value) for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        if len(set(keys)) < len(node.value):
            raise yaml.YAMLError("a key stands twice, or is no text")
        return super().construct_mapping(node, deep=deep)


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in pairs if not tag.endswith((":timestamp", ":merge"))]
    for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def split_front_matter(text: str) -> FrontMatter:
    """Take YAML front matter off the start of ``text``.

    It counts as front matter when it stands between ``---`` lines from the first character on and is a YAML
    mapping (or empty). Text between two rules, a list or a single word is body. YAML that cannot be parsed
    stays in the body and sets ``broken``: the report can still be read, its fields cannot.
    """
    match = _FENCED.match(text)
    if match is None:
        return FrontMatter({}, text)
    if len(match["yaml"]) > MAX_CHARS:
        return FrontMatter({}, text, broken=True)
    try:
        fields = _parse(match["yaml"])
    except (yaml.YAMLError, ValueError, RecursionError):
        return FrontMatter({}, text, broken=True)
    return FrontMatter({}, text) if fields is None else FrontMatter(fields, text[match.end() :])


def _parse(source: str) -> dict[str, object] | None:
    """Parse the mapping that ``source`` holds; None when it is YAML, but no mapping."""
    loader = _Loader(source)
    try:
        node = loader.get_single_node()
        if node is None:
            return {}
        if not isinstance(node, yaml.MappingNode):
            return None
        fields = {str(key): value for key, value in loader.construct_document(node).items()}
        return fields | _verbatim(node)
    finally:
        loader.dispose()


def _verbatim(node: yaml.MappingNode) -> dict[str, object]:
    """Give the text fields as written, before YAML makes numbers, dates and truth values of them."""
    return {
        key.value: value.value
        for key, value in node.value
        if key.value in _VERBATIM and isinstance(value, yaml.ScalarNode) and value.tag != _NULL
    }
