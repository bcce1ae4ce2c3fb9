"""``01-before``: how the old system wrote.

It searched, got a material list, wrote the text from what it remembered, and copied the material list into the table.
Titles were marked by 《…》 in every language, often cut short. It closed with a sentence of its own, and in some reports
it invented a survey.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from .compose import WORDS, Draft, evidence, fields_of, joined, numbered, paragraphs_of, parts
from .faults import cut, soiled, stock_closing
from .model import Question, Topic, Work, keys_of, load_plan
from .styles import Citer, entry_of

SEED = "before-4"
_KEPT_WHOLE = 0.34  # share of the cited works that the table holds, cited by their whole title
_KEPT_CUT = 0.06  # share that the table holds, cited by a title cut short
_CUT_OTHERWISE = 0.62  # share of the remaining titles that are cut short
_HOW = (("marked", 5), ("inside", 3), ("late", 3), ("main", 1))
_SOILED = (0.18, 0.58)  # share of the entries with residue: those that are cited, the others
_REPLACING = ("placeholder", "error_page", "tool")
_DECORATING = ("pipes", "pipes", "site", "hanging_pipe", "marker", "chunk", "fragment", "wrong_doi")


@dataclass(frozen=True)
class _Table:
    """What the material list holds, and how each cited title is shown in the text."""

    held: tuple[str, ...]
    shown: Mapping[str, str]


def drafts(pairs: Sequence[tuple[Topic, Question]], works: Mapping[str, Work], day: str) -> list[Draft]:
    """The reports of the batch, one for each question."""
    plan = load_plan("before")
    return [_draft(i, topic, question, works, plan, day) for i, (topic, question) in enumerate(pairs, 1)]


def _draft(
    position: int, topic: Topic, question: Question, works: Mapping[str, Work], plan: Mapping, day: str
) -> Draft:
    random = Random(f"{SEED}/{question.id}")
    paragraphs = paragraphs_of(topic, question)
    cited = keys_of(" ".join(paragraphs))
    style = plan["style"].get(question.id, "title")
    few = plan["few"].get(question.id)
    if few:
        cited = cited[: int(few)]
    table = _material_list(topic, cited, works, random)
    citer = Citer(
        style, topic.language, works, shown=lambda w: table.shown.get(w.id, w.title), only=frozenset(cited)
    )
    blocks = parts(question, paragraphs, citer)
    if invented := plan["invented"].get(question.id):
        blocks += [f"## {WORDS[topic.language]['method']}", invented]
    blocks += [f"## {WORDS[topic.language]['advice']}", question.closing]
    if question.id not in plan["own_closing"]:
        blocks.append(stock_closing(topic.language, topic.subject, day, position % 3 % 2))
    lines = _lines(table.held, works, citer, random)
    blocks += [f"## {WORDS[topic.language]['list']}", "\n".join(lines)]
    done = evidence(len(table.held))
    return Draft(numbered(position, question), fields_of(topic, question, day, done), joined(blocks))


def _material_list(topic: Topic, cited: Sequence[str], works: Mapping[str, Work], random: Random) -> _Table:
    """The list that the writer was given: a few of the works that it went on to cite, and many others."""
    order = list(cited)
    random.shuffle(order)
    whole = order[: round(_KEPT_WHOLE * len(order))]
    rest = order[len(whole) :]
    held_cut = rest[: int(_KEPT_CUT * len(order) + random.random())]
    shown = {key: cut(works[key].title, _how(random)) for key in held_cut}
    for key in rest[len(held_cut) :]:
        if random.random() < _CUT_OTHERWISE:
            shown[key] = cut(works[key].title, _how(random))
    others = [key for key in topic.works if key not in cited]
    strangers = [
        k for k, w in works.items() if w.is_chinese == (topic.language == "zh") and k not in topic.works
    ]
    others += random.sample(strangers, 4)
    held = [*whole, *held_cut, *others[: max(3, 6 - len(whole) - len(held_cut))]]
    random.shuffle(held)
    return _Table(tuple(held), shown)


def _how(random: Random) -> str:
    ways, weights = zip(*_HOW, strict=True)
    return random.choices(ways, weights)[0]


def _lines(held: Sequence[str], works: Mapping[str, Work], citer: Citer, random: Random) -> list[str]:
    """The table: numbered entries, more than a third of them soiled; what nobody cites may have lost its title."""
    lines = []
    for number, key in enumerate(held, 1):
        content = entry_of(works[key])
        cited = key in citer.cited
        if random.random() < _SOILED[0 if cited else 1]:
            kinds = _DECORATING if cited or random.random() < 0.55 else _REPLACING
            content = soiled(random.choice(kinds), works[key], random)
        lines.append(f"[{number}] {content}" if citer.style == "bracket" else f"{number}. {content}")
    return lines
