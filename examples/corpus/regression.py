"""``03-regression``: a month later a third of the reports cites works that neither the table nor the catalogue holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .compose import WORDS, Draft, evidence, fields_of, joined, numbered, parts
from .model import Question, Topic, Work, keys_of, load_plan
from .sound import sound
from .styles import Citer, entry_of


def drafts(pairs: Sequence[tuple[Topic, Question]], works: Mapping[str, Work], day: str) -> list[Draft]:
    """The reports of the batch; those that the plan names under ``relapsed`` have fallen back."""
    plan = load_plan("regression")
    return [
        (_relapsed if question.id in plan["relapsed"] else sound)(i, topic, question, works, plan, day)
        for i, (topic, question) in enumerate(pairs, 1)
    ]


def _relapsed(
    position: int, topic: Topic, question: Question, works: Mapping[str, Work], plan: Mapping, day: str
) -> Draft:
    """The first finding is what was read; the paragraphs after it cite from memory, the table is the material list."""
    first = topic.findings[question.findings[0]]
    memory = [topic.relapses[name] for name in question.relapse]
    material = list(dict.fromkeys([*keys_of(first), *topic.works]))[:5]
    phantoms = [key for key in keys_of(" ".join(memory)) if key not in works]
    known = {**works, **{key: topic.phantom(key) for key in phantoms}}
    numbers = {key: n for n, key in enumerate([*material, *phantoms], 1)}
    style = plan["relapsed"][question.id]
    citer = Citer(style, topic.language, known, numbers=numbers)
    blocks = parts(question, [first, *memory], citer)
    words = WORDS[topic.language]
    blocks += [f"## {words['limits']}", question.limits, f"## {words['advice']}", question.closing]
    lines = [
        f"[{n}] {entry_of(works[key])}" if style == "bracket" else f"{n}. {entry_of(works[key], marked=True)}"
        for n, key in enumerate(material, 1)
    ]
    blocks += [f"## {words['list']}", "\n".join(lines)]
    return Draft(
        numbered(position, question), fields_of(topic, question, day, evidence(len(material))), joined(blocks)
    )
