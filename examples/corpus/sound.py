"""Sound reports: the table holds what the body cites, methods are what the run did, closings are the writer's own.

Belongs here: ``02-after``, and the sound part of ``03-regression``. Does not belong here: the relapse (``regression``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .compose import WORDS, Draft, evidence, fields_of, joined, numbered, paragraphs_of, parts
from .model import Question, Topic, Work, load_plan
from .styles import NUMBERED, Citer, entry_of, line_of


def drafts(pairs: Sequence[tuple[Topic, Question]], works: Mapping[str, Work], day: str) -> list[Draft]:
    """The reports of ``02-after``, one for each question."""
    plan = load_plan("after")
    return [sound(i, topic, question, works, plan, day) for i, (topic, question) in enumerate(pairs, 1)]


def sound(
    position: int, topic: Topic, question: Question, works: Mapping[str, Work], plan: Mapping, day: str
) -> Draft:
    """One report; ``plan`` may shorten its list (``listed``) and names its style, method and deeds."""
    citer = Citer(plan["style"].get(question.id, "bracket"), topic.language, works)
    blocks = parts(question, paragraphs_of(topic, question), citer)
    words = WORDS[topic.language]
    blocks += [f"## {words['limits']}", question.limits]
    done = plan["done"].get(question.id, {})
    if method := plan["method"].get(question.id):
        blocks[-1] += ("" if topic.language == "zh" else " ") + method.format(n=len(citer.cited))
    blocks += [f"## {words['advice']}", question.closing]
    listed = plan.get("listed", {}).get(question.id, len(citer.cited))
    blocks += reference_list(citer, listed)
    fields = fields_of(topic, question, day, evidence(len(citer.cited), **done))
    return Draft(numbered(position, question), fields, joined(blocks))


def reference_list(citer: Citer, listed: int) -> list[str]:
    """Heading and lines of the first ``listed`` cited works; reports that cite by links alone have no list."""
    if citer.style == "link":
        return []
    works = [citer.works[key] for key in citer.cited[:listed]]
    lines = [
        line_of(
            citer.style,
            citer.label(work.id) if citer.style in NUMBERED else "",
            entry_of(work, marked=citer.style == "title"),
        )
        for work in works
    ]
    if citer.style == "author_year":
        lines.sort(key=str.casefold)
    heading = [] if citer.style == "footnote" else [f"## {WORDS[citer.language]['list']}"]
    return [*heading, "\n".join(lines)]
