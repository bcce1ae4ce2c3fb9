"""Makes the recording of the example leads: ``python -m examples.drafting.record``.

Runs the real loop with scripted answers and the example registry, and writes every answer to ``calls.jsonl`` beside this
file, so that ``make run`` replays the drafts without key or network. A test makes it again and compares.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from pathlib import Path

from examples.drafting.scripts import SCRIPTS, Round
from pipelines.drafting.drafter import Drafter
from pipelines.drafting.settings import DraftingModel
from pipelines.gateway.recording import Recorder
from pipelines.gateway.settings import Claude
from pipelines.registries_config import RegistrySettings
from pipelines.resources.registries import Registries
from pipelines.resources.registry_snapshot import build
from quality.drafting.leads import read_leads
from quality.drafting.model import Story
from quality.intake.catalogue import load_sources
from quality.llm.model import Answer, Passage, Request, Span, Usage

HERE = Path(__file__).parent
MODELS = ("example-writer", "example-sceptic")


class Scripted:
    """Answers the example leads as their scripts say."""

    def __init__(self) -> None:
        self._asked: Counter[tuple[str, str]] = Counter()

    async def ask(self, request: Request) -> Answer:
        """Answer one question; see ``Asker``."""
        key = (request.purpose, request.subject)
        rounds = SCRIPTS[request.subject]
        one = rounds[min(self._asked[key], len(rounds) - 1)]
        self._asked[key] += 1
        used = Usage(input_tokens=sum(len(d.text) for d in request.documents) // 4, output_tokens=120)
        if request.purpose == "sceptic":
            return Answer((Passage(_verdict(one)),), "end_turn", request.model, used)
        stop = "refusal" if one.refuses else "end_turn"
        return Answer(_passages(one, request), stop, request.model, used)


def _passages(one: Round, request: Request) -> tuple[Passage, ...]:
    made = []
    for said in one.blocks:
        spans = []
        if said.words is not None:
            start = request.documents[said.source].text.index(said.words)
            spans.append(Span(said.source, start, start + len(said.words), said.words))
        made.append(Passage(said.text, tuple(spans)))
    return tuple(made)


def _verdict(one: Round) -> str:
    points = [
        {"point": p.point, "kind": p.kind, "passage": p.passage, "source": p.source, "severity": "high"}
        for p in one.points
    ]
    return json.dumps(
        {"verdict": "reject" if points else "approve", "objections": points}, ensure_ascii=False
    )


def record(file: Path) -> tuple[Story, ...]:
    """Draft the example leads one after the other and write their calls to a file."""
    file.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        snapshot = Path(folder) / "works.parquet"
        build([HERE.parent / "registry.jsonl"], snapshot)
        registries = Registries(RegistrySettings(snapshot=snapshot, authoritative=True), None)
        leads = read_leads(HERE / "leads.jsonl")
        catalogue = load_sources(HERE.parent / "sources.jsonl").sources
        settings = DraftingModel(writer=MODELS[0], sceptic=MODELS[1], leads_at_once=1)
        drafter = Drafter(settings, Claude(), lambda: registries, asker=Recorder(Scripted(), file))
        return tuple(drafter.draft(leads, catalogue, Path(folder) / "journal.jsonl").stories)


if __name__ == "__main__":
    for story in record(HERE / "calls.jsonl"):
        print(f"{story.lead.id}: {story.end.value}: {story.reason}")
