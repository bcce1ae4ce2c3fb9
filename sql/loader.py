"""Reads the packaged SQL: schema, views, statements, queries and checks, each with its header of facts.

Belongs here: finding the files inside the installed package, reading the header comment that stands on top of
each, and quoting. Does not belong here: running any of it.

A header is the run of comment lines at the start of a file::

    -- description: One sentence, which may
    --   go on, indented.
    -- columns:
    --   batch_id: The batch.
    -- unique: batch_id, report_id

The facts feed the comments of the views, the data dictionary and the tests.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from graphlib import TopologicalSorter
from importlib.resources import files

_FACT = re.compile(r"-- (?P<name>[a-z_]+):(?: (?P<value>.*))?\Z")
_ITEM = re.compile(r"--   (?P<name>[a-z_0-9]+): (?P<value>.*)\Z")
_MORE = re.compile(r"-- {3,}(?P<value>.*)\Z")


@dataclass(frozen=True, slots=True)
class SqlFile:
    """One packaged SQL file: its name (the file's stem), its text, and the facts of its header."""

    name: str
    text: str
    facts: Mapping[str, str] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)  # column -> what it means

    @property
    def description(self) -> str:
        """What the file answers, in one sentence or two."""
        return self.facts.get("description", "")

    def listed(self, fact: str) -> tuple[str, ...]:
        """Give a fact that is a list of names, empty when the header does not have it."""
        return tuple(name.strip() for name in self.facts.get(fact, "").split(",") if name.strip())


@dataclass(frozen=True, slots=True)
class Column:
    """One column as the database describes it."""

    name: str
    type: str
    comment: str
    nullable: bool


@dataclass(frozen=True, slots=True)
class Described:
    """One table or view as the database describes it."""

    comment: str
    is_view: bool
    columns: tuple[Column, ...]


def schema() -> tuple[SqlFile, ...]:
    """Give the schema files by number; those with the fact ``repeatable`` are no migrations."""
    return _folder("schema")


def views() -> tuple[SqlFile, ...]:
    """Give the views, each after those that its fact ``needs`` names."""
    by_name = {view.name: view for view in _folder("views")}
    order = TopologicalSorter({name: view.listed("needs") for name, view in sorted(by_name.items())})
    return tuple(by_name[name] for name in order.static_order())


def statements() -> tuple[SqlFile, ...]:
    """Give the statements that compute rows of the core tables."""
    return _folder("statements")


def queries() -> tuple[SqlFile, ...]:
    """Give the cookbook: questions that a user asks, each with its answer."""
    return _folder("queries")


def checks() -> tuple[SqlFile, ...]:
    """Give the checks: each selects the rows that break one promise, none when it holds."""
    return _folder("checks")


def statement(name: str) -> str:
    """Give the text of one statement. Raises KeyError, naming those that exist."""
    return _named(statements(), name).text


def query(name: str) -> str:
    """Give the text of one cookbook query. Raises KeyError, naming those that exist."""
    return _named(queries(), name).text


def objects(bodies_glob: str) -> list[str]:
    """Give the statements that are run anew whenever one of them changes: comments, and views with theirs.

    Args:
        bodies_glob: pattern of the Parquet files that the view over bodies reads; at least one must exist.
    """
    texts = [file.text for file in schema() if "repeatable" in file.facts]
    for view in views():
        texts.append(view.text.replace("{bodies_glob}", literal(bodies_glob)))
        texts.append(f"COMMENT ON VIEW {identifier(view.name)} IS {literal(view.description)}")
        for column, meaning in view.columns.items():
            place = f"{identifier(view.name)}.{identifier(column)}"
            texts.append(f"COMMENT ON COLUMN {place} IS {literal(meaning)}")
    return texts


def columns(table: str) -> tuple[Column, ...]:
    """Give the columns of a packaged table or view with types and comments; none for an unknown one."""
    from sql.dictionary import described

    return described().get(table, Described("", False, ())).columns


def literal(text: str) -> str:
    """Quote text for the few statements that take no parameters (ATTACH, SET, COMMENT, CREATE VIEW)."""
    return "'" + text.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """Quote the name of a table or column."""
    return '"' + name.replace('"', '""') + '"'


def parse(name: str, text: str) -> SqlFile:
    """Read the header of facts on top of an SQL text."""
    facts: dict[str, str] = {}
    columns: dict[str, str] = {}
    target, last = facts, ""
    for line in text.splitlines():
        if fact := _FACT.match(line):
            last = fact["name"]
            target = columns if last == "columns" else facts
            if last != "columns":
                facts[last] = fact["value"] or ""
        elif target is columns and (item := _ITEM.match(line)):
            last = item["name"]
            columns[last] = item["value"]
        elif last and (more := _MORE.match(line)):
            target[last] = f"{target[last]} {more['value'].strip()}".strip()
        else:
            break
    return SqlFile(name, text, facts, columns)


def _named(found: tuple[SqlFile, ...], name: str) -> SqlFile:
    for file in found:
        if file.name == name:
            return file
    raise KeyError(f"{name!r} is not among {', '.join(file.name for file in found)}")


@cache
def _folder(folder: str) -> tuple[SqlFile, ...]:
    entries = sorted(files("sql").joinpath(folder).iterdir(), key=lambda entry: entry.name)
    return tuple(
        parse(entry.name.removesuffix(".sql"), entry.read_text("utf-8"))
        for entry in entries
        if entry.name.endswith(".sql")
    )
