"""A contract as the text of a TOML file: what ``calibrate`` writes and a person reads before accepting it.

Belongs here: writing. Does not belong here: reading (``load``), which gives the same contract back.
"""

from __future__ import annotations

import json

from quality.contract.model import Clause, Contract

_WIDTH = 116


def contract_text(contract: Contract, remarks: tuple[str, ...] = ()) -> str:
    """Write a contract; fields that say nothing are left out.

    Args:
        contract: what to write.
        remarks: lines of a comment on top.
    """
    head = [f"# {line}".rstrip() for remark in remarks for line in _folded(remark)]
    own = [f"format = {contract.format}", f"name = {_quoted(contract.name)}"]
    own += [
        f"{name} = {_quoted(value)}"
        for name in ("approved_by", "approved_on")
        if (value := getattr(contract, name)) is not None
    ]
    parts = [*head, *([""] if head else []), *own]
    for clause in contract.clauses:
        parts += ["", "[[clauses]]", *_clause(clause)]
    return "\n".join(parts) + "\n"


def _clause(clause: Clause) -> list[str]:
    defaults = {name: field.default for name, field in Clause.model_fields.items()}
    return [
        f"{name} = {_value(value)}"
        for name, value in clause.model_dump(mode="json").items()
        if value != defaults[name]
    ]


def _value(value: object) -> str:
    return _quoted(value) if isinstance(value, str) else repr(value)


def _quoted(text: str) -> str:
    """Write a basic string of TOML: JSON's is one, but for DEL, which TOML wants escaped as well."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def _folded(text: str) -> list[str]:
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > _WIDTH:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return [*lines, line]
