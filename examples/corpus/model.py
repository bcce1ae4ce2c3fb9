"""The building blocks as types: works, topics, questions, and the files that they stand in.

Belongs here: reading ``works.toml``, ``topics/*.toml`` and ``plans/*.toml``. Does not belong here: how a citation looks
(``styles``), what goes wrong (``faults``), which report a batch holds (``batches``).

A text marks its citations by slots: ``{ex-01}`` or ``{ex-01,ex-02}`` behind a clause, ``{=ex-01}`` where the work is
the subject of the sentence, ``{~1}`` and ``{=~1}`` for the first of the topic's works that nobody holds.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
_KEYS = r"(?:ex-\d\d|~\d)(?:,(?:ex-\d\d|~\d))*"
SLOT = re.compile(rf" ?\{{(?P<subject>=?)(?P<keys>{_KEYS})\}}(?P<stop>[.,;]?)")
_HAN = re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True)
class Work:
    """A work of the catalogue, or (without ``source_id`` there) one that nobody holds."""

    id: str
    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str | None = None
    url: str | None = None
    doi: str | None = None
    pmid: str | None = None
    arxiv_id: str | None = None
    isbn: str | None = None
    kind: str | None = None
    text: str | None = None

    @property
    def address(self) -> str | None:
        """Where the work can be read: its own address, else that of its DOI."""
        return self.url or (f"https://doi.org/{self.doi}" if self.doi else None)

    @property
    def is_chinese(self) -> bool:
        """Whether the title is Chinese."""
        return _HAN.search(self.title) is not None


@dataclass(frozen=True)
class Question:
    """One question with everything that is written for it alone."""

    id: str
    phase: str
    title: str
    question: str
    opening: str
    headings: tuple[str, ...]
    findings: tuple[str, ...]
    limits: str
    closing: str
    relapse: tuple[str, ...] = ()


@dataclass(frozen=True)
class Topic:
    """A subject area: its language, its works, its paragraphs by id, and its questions."""

    name: str
    language: str
    subject: str
    findings: dict[str, str]
    relapses: dict[str, str]
    phantoms: tuple[str, ...]
    questions: tuple[Question, ...]
    works: tuple[str, ...] = field(default=())  # ids of the works that its findings cite, by first mention

    def phantom(self, key: str) -> Work:
        """The work behind ``~n``: a title that neither catalogue nor table holds."""
        return Work(key, self.phantoms[int(key[1:]) - 1])


def keys_of(text: str) -> list[str]:
    """Keys of the slots of ``text`` in order of appearance, repeated ones once."""
    return list(dict.fromkeys(key for slot in SLOT.finditer(text) for key in slot["keys"].split(",")))


def flowed(text: str) -> str:
    """One paragraph on one line; Chinese has no blanks where its lines break."""
    return " ".join(text.split())


def load_works() -> dict[str, Work]:
    """All works of the catalogue by id, in the order of their ids."""
    files = [HERE / "works.toml", *sorted((HERE / "topics").glob("*.toml"))]
    rows = [row for file in files for row in _read(file).get("sources", [])]
    works = {row["id"]: _work(row) for row in rows}
    if len(works) != len(rows):
        raise ValueError("two works share an id")
    return dict(sorted(works.items()))


def load_topics() -> list[Topic]:
    """All topics in the order of their names."""
    return [_topic(file.stem, _read(file)) for file in sorted((HERE / "topics").glob("*.toml"))]


def load_plan(name: str) -> dict[str, dict[str, str]]:
    """A plan: tables of question id to text or setting."""
    return _read(HERE / "plans" / f"{name}.toml")


def _read(file: Path) -> dict:
    with file.open("rb") as stream:
        return tomllib.load(stream)


def _work(row: dict) -> Work:
    text = row.get("text")
    blank = text is not None and not text.strip()
    given = {
        **row,
        "authors": tuple(row.get("authors", ())),
        "text": text if blank or not text else flowed(text),
    }
    return Work(**given)


def _topic(name: str, raw: dict) -> Topic:
    findings = {row["id"]: flowed(row["text"]) for row in raw["findings"]}
    return Topic(
        name=name,
        language=raw["language"],
        subject=raw["subject"],
        findings=findings,
        relapses={row["id"]: flowed(row["text"]) for row in raw["relapses"]},
        phantoms=tuple(row["title"] for row in raw["phantoms"]),
        questions=tuple(_question(row) for row in raw["questions"]),
        works=tuple(keys_of(" ".join(findings.values()))),
    )


def _question(row: dict) -> Question:
    texts = {key: flowed(row[key]) for key in ("opening", "limits", "closing", "title", "question")}
    lists = {key: tuple(row.get(key, ())) for key in ("headings", "findings", "relapse")}
    return Question(id=row["id"], phase=row["phase"], **texts, **lists)
