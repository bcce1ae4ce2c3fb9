"""Registries: truth under faults, speed, pace, the warm cache, a snapshot of a million works, and fabricated references.

Belongs here: the measurements that are too large for the tests. Every one asserts what must never happen and prints what was
measured. ``python -m tests.bench.bench_registries [faults|speed|pace|cache|build|references]``; sizes by environment:
``IDENTIFIERS`` (10,000) and ``WORKS`` (1,000,000). The server is the simulation in ``tests/registry_server.py``; no live service
is asked.
"""

from __future__ import annotations

import gzip
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from pipelines.resources.registries import Registries
from pipelines.resources.registry_cache import RegistryCache
from pipelines.resources.registry_snapshot import build
from quality.model import Identifier
from quality.registries.answers import Found, Given, Record
from quality.registries.manners import Patience
from quality.registries.verdict import State
from tests.bench import fabricated
from tests.registry_server import (
    FAULTS,
    Behaviour,
    exists,
    served,
    settings_for,
    some_identifiers,
)

HASTY = Patience(attempts=3, first_wait=0.05)


def _size(name: str, usual: int) -> int:
    return int(os.environ.get(name, usual))


def faults() -> None:
    """Every fault by itself, all at once, and an outage in mid-run: nothing real is called fake, none is lost."""
    count = _size("IDENTIFIERS", 10_000)
    ids = some_identifiers(count)
    runs = {name: Behaviour(faults={name: 0.2}) for name in FAULTS}
    runs["all at once"] = Behaviour(faults=dict.fromkeys(FAULTS, 0.05))
    runs["outage in mid-run"] = Behaviour(down_from=count // 2, down_for=count // 2)
    for name, behaviour in runs.items():
        begun, used = time.perf_counter(), time.process_time()
        with served(behaviour) as server:
            verdicts = Registries(settings_for(server, at_once=16), None, patience=HASTY).look_up(ids)
        wrong = [
            i for i, v in verdicts.items() if v.state is (State.NOT_FOUND if exists(i.value) else State.FOUND)
        ]
        assert list(verdicts) == ids, "an identifier was lost"
        assert not wrong, f"{len(wrong)} identifiers have the opposite of the truth, {wrong[0]} among them"
        states = Counter(v.state.value for v in verdicts.values())
        print(
            f"{name:18} {len(ids):6} identifiers, {sum(server.requests.values()):6} requests: {dict(states)}; 0 wrong, 0 lost; "
            f"{time.perf_counter() - begun:.0f} s, {time.process_time() - used:.0f} s of processor",
            flush=True,
        )


def speed() -> None:
    """Identifiers a second against a server in a process of its own that sets no limit."""
    ids = [i for i in some_identifiers(40_000) if i.kind == "doi" and exists(i.value)]
    plain = [i for i in ids if i.value[-1].isdigit() and int(i.value[-1]) < 6][: _size("IDENTIFIERS", 3_000)]
    mixed = some_identifiers(_size("IDENTIFIERS", 3_000))
    child = subprocess.Popen(
        [sys.executable, "-c", "from tests.registry_server import served\nwith served() as s:\n print(s.port, flush=True)\n input()"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert child.stdout is not None
        port = int(child.stdout.readline())
        for name, asked in (
            ("Crossref DOIs that exist", plain),
            ("every kind, half of them invented", mixed),
        ):
            with served() as form:
                form.port = port
                settings = settings_for(form, at_once=8)
            registries = Registries(settings, None)
            registries.look_up(asked[:20])
            begun, used = time.perf_counter(), time.process_time()
            assert len(registries.look_up(asked)) == len(asked)
            wall, cpu = time.perf_counter() - begun, time.process_time() - used
            print(
                f"{name}: {len(asked)} in {wall:.1f} s = {len(asked) / wall:.0f} a second; {len(asked) / cpu:.0f} a second of processor"
            )
    finally:
        child.communicate("\n", timeout=10)


def pace() -> None:
    """How near the allowed rate comes, and how often the server has to refuse."""
    ids = [
        i for i in some_identifiers(40_000) if i.kind == "doi" and exists(i.value) and int(i.value[-1]) < 6
    ]
    for allowed in (20, 50):
        with served(Behaviour(per_second=allowed)) as server:
            registries = Registries(settings_for(server, per_second=allowed, at_once=16), None)
            registries.look_up(ids[:5])
            asked = ids[5 : 5 + allowed * 15]
            begun = time.perf_counter()
            registries.look_up(asked)
            rate = (len(asked) - 1) / (time.perf_counter() - begun)
        print(
            f"allowed {allowed}/s: {rate:.1f}/s = {rate / allowed:.0%}, {server.refused} of {len(asked)} refused"
        )


def cache() -> None:
    """A warm cache: a hundred thousand identifiers, no network."""
    ids = [Identifier("doi", f"10.5555/real.{n}") for n in range(100_000)]
    with tempfile.TemporaryDirectory() as folder, served() as server:
        settings = settings_for(server)
        with RegistryCache(Path(folder) / "private" / "registry_cache.sqlite", clock=time.time) as kept:
            for one in ids:
                record = Record(
                    title=f"The work {one.value}",
                    authors=("Doe, Jane", "Roe, Paul"),
                    years=(2020,),
                    venues=("J",),
                )
                kept.keep(Given("crossref", one, Found(record), time.time()))
        begun, used = time.perf_counter(), time.process_time()
        verdicts = Registries(settings, Path(folder)).look_up(ids)
        wall, cpu = time.perf_counter() - begun, time.process_time() - used
        assert {v.state for v in verdicts.values()} == {State.FOUND}
        assert not server.requests
    print(f"warm cache: {len(ids)} in {wall:.2f} s ({cpu:.2f} s of processor)")


def works() -> None:
    """Build a snapshot of a million works out of a gzipped dump, in a process of its own whose memory is watched."""
    count = _size("WORKS", 1_000_000)
    with tempfile.TemporaryDirectory() as folder:
        dump, out = Path(folder) / "dump.jsonl.gz", Path(folder) / "works.parquet"
        with gzip.open(dump, "wt", compresslevel=1) as lines:
            for n in range(count):
                work = {
                    "DOI": f"10.{5000 + n % 900}/journal.{(n * 7919) % count}.{n}", "type": "journal-article",
                    "title": [f"On the {n}th way in which tides, marshes and the people of an estuary live together"],
                    "author": [{"family": f"Doe{n % 997}", "given": "Jane"}, {"family": f"Roe{n % 991}", "given": "Paul"}],
                    "container-title": ["Journal of Estuaries"], "issued": {"date-parts": [[1990 + n % 35, 1]]},
                }  # fmt: skip
                lines.write(json.dumps(work) + "\n")
        begun = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "tests.bench.bench_registries", "--build", str(dump), str(out)],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        size, packed = out.stat().st_size / 1e6, dump.stat().st_size / 1e6
        print(
            f"{done.stdout.strip()} in {time.perf_counter() - begun:.0f} s; dump {packed:.0f} MB gzipped, snapshot {size:.0f} MB"
        )
        from pipelines.resources.registry_snapshot import LocalSnapshot

        snapshot, begun = LocalSnapshot(out), time.perf_counter()
        asked = [
            Identifier("doi", f"10.{5000 + n % 900}/journal.{(n * 7919) % count}.{n}")
            for n in range(0, count, max(1, count // 500))
        ]
        assert len(snapshot.find(asked)) == len(asked)
        print(f"{len(asked)} of them found in {time.perf_counter() - begun:.2f} s")


def _build(dump: str, out: str) -> None:
    built = build([Path(dump)], Path(out))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"{built.works} works under {built.keys} keys, {peak:.2f} GB of memory at most")


def references() -> None:
    """Fabricated references, where the collection lies beside the project."""
    fabricated.main()


PARTS = {
    "faults": faults,
    "speed": speed,
    "pace": pace,
    "cache": cache,
    "build": works,
    "references": references,
}


def main(names: list[str] | None = None) -> None:
    """Run the named parts, all when none is named."""
    for name in names or list(PARTS):
        print(f"-- {name}", flush=True)
        PARTS[name]()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--build"]:
        _build(*sys.argv[2:])
    else:
        main(sys.argv[1:])
