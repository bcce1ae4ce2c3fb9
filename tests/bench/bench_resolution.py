"""Resolution at scale: how much is found, how much is wrong, what it costs, next to DuckDB with the same rules.

Run with ``python -m tests.bench.bench_resolution [TITLES …]``. Titles and citations come from the generator beside the
project (``../shared/tools/gen_titles.py``: a model of titles, not the world). Before anything is timed, the index must
agree with a search through all titles, one by one, on 1,000 of them. Times are CPU seconds of this process, so that
threads and other processes do not flatter anybody; ratios are of one run.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from quality.model import Resolution, ResolutionState, Source
from quality.sources.cascade import find_all
from quality.sources.cuts import Cut, judge_cut
from quality.sources.decorations import uncut, undecorated
from quality.sources.index import SourceIndex
from quality.sources.keys import loose_keys, strict_key, weighs, words
from quality.sources.titles import MOST_CANDIDATES, Hit, TitleIndex
from tests.bench import duckdb_cascade

GENERATOR = Path(__file__).parents[2].parent / "shared" / "tools" / "gen_titles.py"
SIZES = (10_000, 100_000)
LONG_ENOUGH = 12
MOST_DIFFERING = 0.0002  # the SQL goes without a few rules that the generator's titles hardly meet


@dataclass(frozen=True, slots=True)
class Case:
    """One citation of the generator: its kind and the row of the title it was made from."""

    citation: str
    kind: str
    truth: int | None


def generate(titles: int, folder: Path) -> tuple[list[str], list[Case]]:
    """Let the generator write as many citations as titles, and read both."""
    command = [
        sys.executable,
        str(GENERATOR),
        "--titles",
        str(titles),
        "--citations",
        str(titles),
        "--out",
        str(folder),
    ]
    subprocess.run(command, check=True, capture_output=True)
    rows = pl.read_parquet(folder / "citations.parquet").select("citation", "kind", "truth").iter_rows()
    return pl.read_parquet(folder / "titles.parquet")["title"].to_list(), [Case(*row) for row in rows]


def assert_equals_brute_force(titles: Sequence[str], citations: Sequence[str]) -> None:
    """Compare the index with a search through every title."""
    index = TitleIndex(titles)
    for citation, hit in zip(citations, find_all(index, citations), strict=True):
        wanted = brute_force(titles, citation)
        found = (hit.tier, frozenset(hit.rows), hit.safe) if hit else None
        if found != wanted:
            raise AssertionError(f"{citation!r}: the index says {found}, the search {wanted}")


def brute_force(titles: Sequence[str], citation: str) -> tuple[str, frozenset[int], bool] | None:
    """Apply the rules of the safe tiers to each title in turn."""
    bare, marked = uncut(citation)
    key = strict_key(citation)
    rows = _equal(titles, citation)
    if rows and not (marked and _may_go_on(titles, key, rows)):
        return "exact", rows, True
    if marked and (cut := _cut(titles, bare, marked=True)):
        return cut
    forms = list(undecorated(bare))
    for form in (citation, *forms):
        rows = _equal(titles, form) if form is not citation else frozenset()
        if not rows and weighs(strict_key(form), LONG_ENOUGH):
            rows = frozenset(i for i, t in enumerate(titles) if strict_key(form) in _plain_keys(t))
        if rows:
            return "decorated", rows, True
    for form in forms if marked else (bare, *forms):
        if cut := _cut(titles, form, marked=marked):
            return cut
    longer = frozenset(
        i
        for i, t in enumerate(titles)
        if uncut(t)[1] and weighs(strict_key(t), LONG_ENOUGH) and key.startswith(strict_key(t))
    )
    return ("truncated", longer, True) if longer else None


def _may_go_on(titles: Sequence[str], key: str, rows: frozenset[int]) -> bool:
    if any(uncut(titles[row])[1] for row in rows):
        return False
    return not weighs(key, LONG_ENOUGH) or any(
        strict_key(t).startswith(key) for i, t in enumerate(titles) if i not in rows
    )


def _equal(titles: Sequence[str], citation: str) -> frozenset[int]:
    key = strict_key(citation)
    strict = frozenset(i for i, t in enumerate(titles) if strict_key(t) == key)
    if strict or not key:
        return strict
    for loose in loose_keys(words(citation), key):
        rows = frozenset(
            i for i, t in enumerate(titles) if loose in (*loose_keys(words(t), strict_key(t)), strict_key(t))
        )
        if rows:
            return rows
    return frozenset()


def _plain_keys(title: str) -> set[str]:
    bare, marked = uncut(title)
    return set() if marked else {k for f in undecorated(bare) if weighs(k := strict_key(f), LONG_ENOUGH)}


def _cut(titles: Sequence[str], citation: str, *, marked: bool) -> tuple[str, frozenset[int], bool] | None:
    key = strict_key(citation)
    if not weighs(key, LONG_ENOUGH):
        return None
    verdicts = {
        i: Cut.SAFE if marked else judge_cut(citation, key, t)
        for i, t in enumerate(titles)
        if strict_key(t).startswith(key)
    }
    rows = frozenset(i for i, cut in verdicts.items() if cut is not Cut.NOTHING)
    return ("truncated", rows, len(rows) == 1 and verdicts[min(rows)] is Cut.SAFE) if rows else None


def admitted(case: Case, titles: Sequence[str]) -> bool:
    """Whether a truncated citation is long enough, and marked, cut inside a word or 60 % of its title."""
    bare, marked = uncut(case.citation)
    key, title = strict_key(bare), titles[case.truth or 0]
    if not weighs(key, LONG_ENOUGH):
        return False
    inside = (
        len(bare) < len(title) and bare[-1].isascii() and bare[-1].isalnum() and title[len(bare)].isalnum()
    )
    return marked or inside or len(key) >= 0.6 * len(strict_key(title))


def quality(cases: Sequence[Case], results: Sequence[Resolution], titles: Sequence[str]) -> dict[str, float]:
    """Shares by kind, in percent."""
    seen: Counter[str] = Counter()
    for case, result in zip(cases, results, strict=True):
        kind = case.kind
        if kind == "truncated" and not admitted(case, titles):
            kind = "too short"
        seen[kind] += 1
        seen[f"{kind} {_outcome(case, result, titles)}"] += 1
    return {
        name: 100 * n / seen[name.rsplit(" ", 1)[0]]
        for name, n in sorted(seen.items())
        if name.rsplit(" ", 1)[-1] in _OUTCOMES
    }


_OUTCOMES = ("right", "candidate", "wrong", "suggested", "missuggested", "none", "undecided")


def _outcome(case: Case, result: Resolution, titles: Sequence[str]) -> str:
    truth = None if case.truth is None else str(case.truth)
    if result.state is ResolutionState.RESOLVED:
        same = case.truth is not None and titles[int(result.source_id or 0)] == titles[case.truth]
        return "right" if same else "wrong"
    if result.state is ResolutionState.AMBIGUOUS:
        return "candidate" if truth in result.candidates else "undecided"
    if result.state is ResolutionState.SUGGESTED:
        return "suggested" if truth in result.candidates else "missuggested"
    return "none"


def measure(size: int) -> None:
    """Print quality and cost for one number of titles."""
    with tempfile.TemporaryDirectory() as folder:
        titles, cases = generate(size, Path(folder))
    citations = [case.citation for case in cases]
    before, started = peak_memory(), time.process_time()
    index = SourceIndex([Source(str(row), title) for row, title in enumerate(titles)])
    print(
        f"{size:,} titles: built in {time.process_time() - started:.1f} s CPU, {peak_memory() - before:.0f} MB more"
    )
    missed = compare_costs(titles, citations)
    index.resolve("a first miss builds the postings and is not timed 没有")
    started = time.process_time()
    for citation in missed[:2_000]:
        index.resolve(citation)
    miss = (time.process_time() - started) / max(1, len(missed[:2_000]))
    print(f"  suggestions {miss * 1e3:.2f} ms a miss, {len(missed):,} misses")
    results = [index.resolve(citation) for citation in citations]
    for name, share in quality(cases, results, titles).items():
        print(f"  {name:24} {share:7.2f} %")


def peak_memory() -> float:
    """Largest resident memory of this process so far, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def compare_costs(titles: Sequence[str], citations: Sequence[str]) -> list[str]:
    """Print what the safe tiers cost in columns, one at a time and in SQL; return the citations that they miss.

    All three must say the same. Each is run a few times in turn and the best of its times counts: the machine may be
    shared, and then a slow run says nothing.
    """
    index = TitleIndex(titles)
    rounds = 3 if len(titles) < 1_000_000 else 1
    columns, single, sql = [], [], []
    for _ in range(rounds):
        columns += [_seconds(lambda: find_all(index, citations)) for _ in range(3)]
        single.append(_seconds(lambda: [index.find(one) for one in citations]))
        took, theirs = duckdb_cascade.run(titles, citations)
        sql.append(took)
    found = list(find_all(index, citations))
    if any(hit != index.find(one) for hit, one in zip(found, citations, strict=True)):
        raise AssertionError("the columns do not say what one title at a time says")
    differing = sum(not _same(hit, theirs.get(at)) for at, hit in enumerate(found))
    if differing > MOST_DIFFERING * len(citations):
        raise AssertionError(f"the cascade in SQL says something else about {differing} citations")
    a, b, c = (min(times) / len(citations) * 1e6 for times in (columns, single, sql))
    print(
        f"  safe tiers {a:.1f} µs a citation in columns, {b:.1f} µs one at a time, DuckDB {c:.1f} µs: {c / a:.1f} ×"
    )
    print(f"  the cascade in SQL says something else about {differing:,} citations")
    return [one for one, hit in zip(citations, found, strict=True) if hit is None]


def _seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def _same(hit: Hit | None, theirs: tuple[str, frozenset[int], bool] | None) -> bool:
    """Whether both found the same; of many candidates the index names twenty."""
    if hit is None or theirs is None:
        return hit is None and theirs is None
    tier, rows, safe = theirs
    same = rows == set(hit.rows) or (len(hit.rows) == MOST_CANDIDATES and rows > set(hit.rows))
    return same and (hit.tier, hit.safe) == (tier, safe)


def main(sizes: Sequence[int] = SIZES) -> None:
    """Assert equality with brute force, then measure each size."""
    if not GENERATOR.is_file():
        print(f"skipped: the generator {GENERATOR} is not there")
        return
    with tempfile.TemporaryDirectory() as folder:
        titles, cases = generate(1_000, Path(folder))
    assert_equals_brute_force(titles, [case.citation for case in cases])
    print("equal to brute force on 1,000 titles and 1,000 citations")
    for size in sizes:
        measure(size)


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or SIZES)
