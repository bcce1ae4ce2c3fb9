"""The fields of one report, from whatever file they came, as a ``Report``.

Belongs here: the names and types of a report's fields, defaults, the flags for what could not be taken as
written. Does not belong here: files (``reports``), front matter syntax (``front_matter``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from quality.delivery.envelope import strip
from quality.intake.decode import Refusal, nul_refusal
from quality.intake.listed import from_json_text, read_listed
from quality.intake.plain import canonical_json, clean_text, has_surrogate, one_line, plain
from quality.model import Report

KNOWN: Final = ("id", "title", "language", "producer", "question", "created_at", "evidence", "sources")
_HEADING: Final = re.compile(r"^ {0,3}#{1,6}[ \t]+(?P<text>.*?)(?:[ \t]+#+)?[ \t]*$")
_EMPHASIS: Final = re.compile(r"\A(\*{1,3}|_{1,3})(?=\S)([^*_]+)(?<=\S)\1\Z")
_FENCE: Final = re.compile(r"^ {0,3}(?P<fence>`{3,}|~{3,})")


@dataclass(frozen=True, slots=True)
class Written:
    """The id as written (None: none), or what stands in for it."""

    value: str | None
    fallback: str

    @property
    def report_id(self) -> str:
        """The written id, else the fallback."""
        return self.fallback if self.value is None else self.value


def written_id(value: object, fallback: str) -> Written:
    """Take the id out of a field of any type: text verbatim, a number as digits, blank or None as missing."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return Written(None, fallback)
    return Written(clean_text(value) if isinstance(value, str) else canonical_json(value), fallback)


def to_report(
    fields: Mapping[str, object],
    body: object,
    report_id: str,
    flags: Sequence[str] = (),
    *,
    original: bytes | None = None,
) -> Report | Refusal:
    """Build the report, or say why there is none (``no_body``, ``not_text``).

    A byte-order mark and Sluicegate's own head (a delivered file that comes back) are taken off the body.
    Flags: ``bom``, ``delivered``, ``surrogate_replaced``, ``evidence_broken`` (never to be read as "no
    evidence"), ``sources_broken``. Unknown fields stand in ``extra``, and so does a broken one as it was
    written.
    """
    if not isinstance(body, str):
        return Refusal("no_body", f"`body` is {_kind(body)}. Remedy: give the report's Markdown as text.")
    text, marks = _clean_body(body)
    if "\x00" in text:
        return nul_refusal()
    if not text.strip():
        return Refusal("no_body", "The report is empty. Remedy: give the report's Markdown.")
    evidence, broken_evidence = _evidence(fields.get("evidence"))
    sources, broken_sources = read_listed(fields.get("sources"))
    broken = ["evidence"] * broken_evidence + ["sources"] * broken_sources
    kept = {key: value for key, value in fields.items() if key not in KNOWN or key in broken}
    return Report(
        report_id=report_id,
        body=text,
        title=one_line(fields.get("title")) or first_heading(text),
        language=one_line(fields.get("language")),
        producer=one_line(fields.get("producer")),
        question=_prose(fields.get("question")),
        created_at=one_line(fields.get("created_at")),
        evidence=evidence,
        sources=sources,
        extra={clean_text(key): plain(value) for key, value in kept.items()},
        flags=tuple(dict.fromkeys([*flags, *marks, *(f"{key}_broken" for key in broken)])),
        original=original,
    )


def first_heading(body: str) -> str | None:
    """Text of the first ATX heading outside fenced code, or None."""
    fence: str | None = None
    for line in body.splitlines():
        mark = _FENCE.match(line)
        if mark and fence is None:
            fence = mark["fence"]
        elif mark and fence is not None and mark["fence"].startswith(fence):
            fence = None
        elif fence is None and (match := _HEADING.match(line)) and match["text"].strip():
            return one_line(_EMPHASIS.sub(r"\2", match["text"]))
    return None


def _clean_body(body: str) -> tuple[str, list[str]]:
    flags = []
    if has_surrogate(body):
        body = clean_text(body)
        flags.append("surrogate_replaced")
    if body.startswith("\ufeff"):
        flags.append("bom")
    text, stripped = strip(body.removeprefix("\ufeff"))
    if stripped:
        flags.append("delivered")
    return text.removeprefix("\ufeff"), flags


def _evidence(value: object) -> tuple[Mapping[str, object] | None, bool]:
    value = from_json_text(value)
    if value is None:
        return None, False
    if not isinstance(value, Mapping):
        return None, True
    return {clean_text(str(key)): plain(item) for key, item in value.items()}, False


def _prose(value: object) -> str | None:
    return clean_text(value).strip() or None if isinstance(value, str) else one_line(value)


def _kind(value: object) -> str:
    return "missing" if value is None else f"of type {type(value).__name__}"
