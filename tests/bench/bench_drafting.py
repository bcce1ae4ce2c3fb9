"""Two hundred leads against a local server that answers after a second, twenty calls at once: how near to the ideal time?

Belongs here: the measurement. Does not belong here: the loop. Ideal: calls × latency / calls at once, with nothing else to do.
The memory is that of this process, after the first twenty leads and at the end; the server runs in a process of its own.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import resource
import tempfile
import time
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from pipelines.drafting.drafter import Drafter
from pipelines.drafting.settings import DraftingModel
from pipelines.gateway.client import Access
from pipelines.gateway.settings import Claude
from pipelines.registries_config import RegistrySettings
from pipelines.resources.registries import Registries
from quality.drafting.model import End, Lead, Story
from quality.model import Source
from tests.servers.messages_api import Reply, messages_api, text

LEADS = 200
AT_ONCE = 20
LATENCY = 1.0
WORDS = "Sand moved 3 m in one night."


def serve(pipe: Connection) -> None:
    """Run the server until told to stop; says its address first and its greatest number of open calls last."""
    citation = {
        "type": "char_location",
        "cited_text": WORDS,
        "document_index": 0,
        "document_title": "t",
        "start_char_index": 0,
        "end_char_index": len(WORDS),
    }
    draft = Reply(
        content=[
            {"type": "text", "text": "The sand moved three metres in a night.", "citations": [citation]}
        ],
        wait=LATENCY,
    )
    approve = text(json.dumps({"verdict": "approve", "objections": []}), wait=LATENCY)

    def answer(body: dict[str, Any], _number: int) -> Reply:
        return approve if "output_config" in body else draft

    with messages_api(answer) as api:
        pipe.send(api.url)
        pipe.recv()
        pipe.send((len(api.requests), api.most_open))


def main() -> None:
    """Draft, assert that every lead was verified by two calls, print the ratio and the memory."""
    os.environ.setdefault("ANTHROPIC_API_KEY", "a key of this benchmark")
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(there,))
    server.start()
    url = here.recv()
    memory: list[int] = []

    def heard(done: int, _total: int, _story: Story) -> None:
        if done in (AT_ONCE, LEADS):
            memory.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)

    settings = DraftingModel(writer="claude-w", sceptic="claude-s", leads_at_once=AT_ONCE)
    claude = Claude(Access(base_url=url, max_calls=AT_ONCE))
    registries = partial(Registries, RegistrySettings(), None)
    drafter = Drafter(settings, claude, registries, progress=heard)
    source = Source("s1", "Dune fields in motion", text=f"{WORDS} " + "Nobody saw it. " * 400)
    leads = [
        Lead(f"lead-{n}", f"How far did the sand of night {n} move?", sources=("s1",)) for n in range(LEADS)
    ]
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        drafted = drafter.draft(leads, [source], Path(folder) / "journal.jsonl")
        took = time.monotonic() - began
    here.send("stop")
    calls, most = here.recv()
    server.join()
    assert [s.end for s in drafted.stories] == [End.VERIFIED] * LEADS
    assert calls == 2 * LEADS
    assert most <= AT_ONCE
    ideal = calls * LATENCY / AT_ONCE
    print(f"{LEADS} leads, {calls} calls of {LATENCY:g} s, at most {most} open at once")
    print(f"took {took:.1f} s, ideal {ideal:.1f} s: {took / ideal:.2f} x")
    print(f"memory {memory[0] / 1024:.0f} MB after {AT_ONCE} leads, {memory[-1] / 1024:.0f} MB at the end")


if __name__ == "__main__":
    main()
