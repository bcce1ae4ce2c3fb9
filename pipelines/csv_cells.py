"""Cells of a CSV file that a spreadsheet opens without running anything.

Belongs here: how one value is written, and the guard against formulas. Does not belong here: files and tables (export.py).

A spreadsheet takes a cell that begins with ``=``, ``+``, ``-``, ``@``, a tab or a carriage return for a formula, and a report's
title can begin with any of them. Such a text gets an apostrophe in front, which spreadsheets show as text; numbers stay what
they are. Nothing is lost: a text that already begins with apostrophes before such a character gets one more, so taking one off
each cell that matches ``GUARDED`` gives the original back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from datetime import date, datetime

_STARTS = "[=+\\-@\t\r＝＋－＠]"
_TRIGGER = re.compile(rf"'*[ \n\u00a0\u200b\ufeff]*{_STARTS}")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
GUARDED = re.compile(rf"'(?='*[ \n\u00a0\u200b\ufeff]*{_STARTS})")
"""What stands before a text that was guarded."""


def guarded(text: str) -> str:
    """Give a text that no spreadsheet takes for a formula; a plain number is none."""
    return f"'{text}" if _TRIGGER.match(text) and not _NUMBER.fullmatch(text) else text


def cell(value: object) -> str:
    """Write one value: NULL as nothing, numbers bare, text in quotes, lists and structures as JSON text."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, datetime | date):
        return f'"{value.isoformat()}"'
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return '"' + guarded(text).replace('"', '""') + '"'


def line(values: Iterable[object]) -> str:
    """Write one row."""
    return ",".join(map(cell, values)) + "\n"
