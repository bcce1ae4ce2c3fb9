"""Scripted writer, sceptic and judge, and sources of our own writing, for the tests of the drafting loop."""

import json
from collections import Counter

from quality.drafting.gate import Looked, identifiers_of
from quality.drafting.loop import Limits, Loop, Models
from quality.drafting.model import Lead
from quality.llm.model import Answer, Passage, Span, Usage
from quality.model import Source

DUNES = Source(
    "k1", "Dune fields in motion", doi="10.5555/dunes.1", text="Sand moved 3 m in one night. Nobody saw it."
)
WIND = Source("k2", "Wind over bare ground", doi="10.5555/wind.2", text="Wind rose to 14 m/s before dawn.")
SOURCES = (DUNES, WIND)
LEAD = Lead("q1", "How far did the sand move?")
APPROVE = {"verdict": "approve", "objections": []}


def objection(point="It says more than the source.", kind="unsupported", passage=None, source=None):
    return {"point": point, "kind": kind, "passage": passage, "source": source, "severity": "high"}


def reject(*objections):
    return {"verdict": "reject", "objections": list(objections or [objection()])}


def cited(text: str, document: int, words: str) -> Passage:
    """A block that rests on these words of a document."""
    start = SOURCES[document].text.index(words)
    return Passage(text, (Span(document, start, start + len(words), words),))


SAND = cited("The sand moved three metres in a night.", 0, "Sand moved 3 m in one night.")
GUST = cited(" The wind rose before dawn.", 1, "Wind rose to 14 m/s")


def said(*passages, stop="end_turn") -> Answer:
    blocks = tuple(p if isinstance(p, Passage) else Passage(p) for p in passages)
    return Answer(blocks, stop, "m", Usage(100, 50))


def verdict(value) -> Answer:
    return (
        value if isinstance(value, Answer) else said(value if isinstance(value, str) else json.dumps(value))
    )


class Actors:
    """Answers by purpose, in order; the last answer of each is given for ever. An exception is raised."""

    def __init__(self, writer, sceptic=(APPROVE,), judge=()):
        self.answers = {
            "writer": [w if isinstance(w, (Answer, Exception)) else said(*w) for w in writer],
            "sceptic": [s if isinstance(s, Exception) else verdict(s) for s in sceptic],
            "judge": [verdict(j) for j in judge],
        }
        self.asked = []
        self.counts = Counter()

    async def ask(self, request):
        self.asked.append(request)
        answers = self.answers[request.purpose]
        answer = answers[min(self.counts[request.purpose], len(answers) - 1)]
        self.counts[request.purpose] += 1
        if isinstance(answer, Exception):
            raise answer
        return answer

    def of(self, purpose):
        return [r for r in self.asked if r.purpose == purpose]


def registry(**states):
    """Looks up by the DOI's last part: ``registry(wind="not_found")``; everything else is found."""

    async def look_up(draft):
        return {
            i: Looked(next((s for k, s in states.items() if k in i.value), "found"))
            for i in identifiers_of(draft)
        }

    return look_up


async def nobody(_):
    """No registry is configured."""
    return


def loop(actors, look_up=None, *, judge=None, **limits) -> Loop:
    return Loop(actors, look_up or registry(), Models("w", "s", judge), Limits(**limits))
