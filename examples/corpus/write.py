"""The files of the examples: catalogue, registry and batches, as text by path.

Belongs here: what the output folder holds. Does not belong here: what the reports say.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from . import before, regression, sound
from .compose import Draft
from .model import Question, Topic, Work, load_topics, load_works

RETRACTED = "ex-57"
PRODUCER = "town-desk"
Drafts = Callable[[Sequence[tuple[Topic, Question]], Mapping[str, Work], str], list[Draft]]
BATCHES: tuple[tuple[str, str, str, Drafts], ...] = (
    ("01-before", "first", "2026-09-07", before.drafts),
    ("02-after", "first", "2026-09-21", sound.drafts),
    ("03-regression", "second", "2026-10-19", regression.drafts),
)
_FIELDS = ("title", "url", "doi", "pmid", "arxiv_id", "isbn", "authors", "year", "venue", "kind", "text")
_IDENTIFIERS = ("doi", "pmid", "arxiv_id", "isbn")


def all_files() -> dict[str, str]:
    """Every generated file: path relative to the examples, and its text."""
    works, topics = load_works(), load_topics()
    files = {
        "sources.jsonl": _jsonl(map(_source, works.values())),
        "registry.jsonl": _jsonl(_registry(works)),
    }
    for batch, phase, day, drafts in BATCHES:
        files[f"{batch}/batch.toml"] = _batch(batch, day)
        for draft in drafts(_questions(topics, phase), works, day):
            files[f"{batch}/reports/{draft.report_id}.md"] = draft.text()
    return files


def write_all(folder: Path) -> None:
    """Write every file below ``folder``; reports of an earlier run that are no longer made are removed."""
    files = all_files()
    for batch, *_ in BATCHES:
        for old in (folder / batch / "reports").glob("*.md"):
            if f"{batch}/reports/{old.name}" not in files:
                old.unlink()
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")


def _questions(topics: Sequence[Topic], phase: str) -> list[tuple[Topic, Question]]:
    """The questions of a phase: one of each topic, then the next of each, so that subjects and languages mix."""
    english = [topic for topic in topics if topic.language == "en"]
    chinese = [topic for topic in topics if topic.language == "zh"]
    mixed = [topic for pair in zip(english, chinese, strict=True) for topic in pair]
    rounds = [[q for q in topic.questions if q.phase == phase] for topic in mixed]
    return [(topic, asked[i]) for i in range(2) for topic, asked in zip(mixed, rounds, strict=True)]


def _source(work: Work) -> dict[str, object]:
    given = {"source_id": work.id} | {name: getattr(work, name) for name in _FIELDS}
    return {key: list(v) if isinstance(v, tuple) else v for key, v in given.items() if v not in (None, ())}


def _registry(works: Mapping[str, Work]) -> list[dict[str, object]]:
    """One record for each work with an identifier: what a registry would answer; nothing else exists."""
    return [
        {key: v for key in _IDENTIFIERS if (v := getattr(work, key))}
        | {"title": work.title, "authors": list(work.authors), "year": work.year, "venue": work.venue}
        | {"retracted": work.id == RETRACTED}
        for work in works.values()
        if any(getattr(work, key) for key in _IDENTIFIERS)
    ]


def _batch(batch: str, day: str) -> str:
    return (
        f'id = "{batch}"\nreports = "reports"\nsources = "../sources.jsonl"\n'
        f'producer = "{PRODUCER}"\ncreated_at = {day}T06:00:00Z\n'
    )


def _jsonl(rows: object) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)  # type: ignore[attr-defined]
