"""From a question to the Markdown of one report: the parts in their order, and the file around them.

Belongs here: headings, paragraphs, front matter. Does not belong here: citing (``styles``), and what a batch does with
its reports (``batches``).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from .model import Question, Topic
from .styles import Citer

WORDS = {
    "en": {
        "list": "References",
        "limits": "Limits",
        "method": "How this was done",
        "advice": "Recommendation",
    },
    "zh": {"list": "参考文献", "limits": "局限", "method": "方法说明", "advice": "建议"},
}


@dataclass(frozen=True)
class Draft:
    """One report: its id, the fields of its front matter, and its body."""

    report_id: str
    fields: dict[str, object]
    body: str

    def text(self) -> str:
        """The file: front matter in the order of the fields, then the body."""
        head = "".join(f"{key}: {_yaml(value)}\n" for key, value in self.fields.items())
        return f"---\n{head}---\n\n{self.body.rstrip()}\n"


def _yaml(value: object) -> str:
    """A value in YAML's flow style; plain words stay without quotes."""
    if (
        isinstance(value, str)
        and not any(char in value for char in ":#'\"[]{}&*!|>%@`,")
        and value.strip() == value
    ):
        return value
    return json.dumps(value, ensure_ascii=False)


def evidence(sources: int, **done: int) -> dict[str, object]:
    """What the producing run really did: it searched, read ``sources`` works, and as a rule did nothing else."""
    calls = [
        {"name": "catalogue_search", "calls": sources // 2 + 1},
        {"name": "read_source", "calls": sources},
    ]
    return {
        "tools": calls,
        "sources_read": sources,
        "datasets": done.get("datasets", 0),
        "respondents": done.get("respondents", 0),
        "interviews": done.get("interviews", 0),
        "experiments": done.get("experiments", 0),
    }


def parts(question: Question, paragraphs: Sequence[str], citer: Citer) -> list[str]:
    """Title, opening and the paragraphs under the question's headings, spread evenly, citations rendered."""
    made = [f"# {question.title}", citer.render(question.opening)]
    n, heads = len(paragraphs), question.headings
    starts = {round(i * n / len(heads)): heading for i, heading in enumerate(heads)}
    for i, paragraph in enumerate(paragraphs):
        if i in starts:
            made.append(f"## {starts[i]}")
        made.append(citer.render(paragraph))
    return made


def paragraphs_of(topic: Topic, question: Question) -> list[str]:
    """The findings that the question names, in its order."""
    return [topic.findings[name] for name in question.findings]


def numbered(position: int, question: Question) -> str:
    """The id of a report: its place in the batch and its question."""
    return f"{position:02d}-{question.id}"


def fields_of(topic: Topic, question: Question, day: str, done: dict[str, object]) -> dict[str, object]:
    """Front matter of a report."""
    return {
        "title": question.title,
        "language": topic.language,
        "question": question.question,
        "created_at": day,
        "evidence": done,
    }


def joined(blocks: Sequence[str]) -> str:
    """Blocks with a blank line between them."""
    return "\n\n".join(block for block in blocks if block)
