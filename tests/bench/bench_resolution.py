"""Resolution at scale: how much is found, how much is wrong, what it costs, next to DuckDB with the same rules.

Run with ``python -m tests.bench.bench_resolution [TITLES …]``. Titles and citations come from the generator beside the
project (``../shared/tools/gen_titles.py``: a model of titles, not the world). Before anything is timed, the index must
agree with a search through all titles, one by one, on 1,000 of them. Times are CPU seconds of this process, so that
threads and other processes do not flatter anybody; ratios are of one run.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
import polars as pl

from quality.model import Resolution, ResolutionState, Source
from quality.sources.cuts import Cut, judge_cut
from quality.sources.decorations import uncut, undecorated
from quality.sources.index import SourceIndex
from quality.sources.keys import loose_keys, strict_key, weighs, words
from quality.sources.titles import Hit, TitleIndex

GENERATOR = Path(__file__).parents[2].parent / "shared" / "tools" / "gen_titles.py"
SIZES = (10_000, 100_000)
LONG_ENOUGH = 12

_TAILS = (
    r"(\s*\(accessed [^)]*\)|, p\. \d+| et al\.?| ?等, ?\d{4}| - pdf|\s*\[[^\]]*\]|\s第\d+期|\s*\| [^|]*| - [^-]*|_[^_]*"
    r"|\s*https?://\S+|\s*doi:\s*\S+)$"
)
_HEADS = r"^(source: |see also |according to |来源: ?|见|\[?pdf\]? |\d+\. )"
_MACROS = (
    r"CREATE MACRO fold(s) AS lower(translate(nfc_normalize(s), '，：（）－　 ‐–—…', ',:()-  ---~'))",
    r"CREATE MACRO key(s) AS regexp_replace(fold(s), '[^\p{L}\p{N}\p{M}+]', '', 'g')",
    r"CREATE MACRO loose(s) AS strip_accents(key(regexp_replace(fold(s), '\b(the|an)\b|^a ', ' ', 'g')))",
    f"CREATE MACRO plain(s) AS regexp_replace(regexp_replace(regexp_replace(fold(s), '{_TAILS}', ''), '{_TAILS}', ''), '{_HEADS}', '')",
)
_CASCADE = (
    r"""CREATE TABLE citations AS SELECT cid, citation, key(citation) AS key, loose(citation) AS loose,
        regexp_matches(citation, '(…|\.\.)\s*$') AS marked FROM raw_citations""",
    "CREATE TABLE found AS SELECT cid, 'exact' AS tier, list(row) AS rows FROM citations JOIN titles USING (key) GROUP BY cid",
    """INSERT INTO found SELECT cid, 'exact', list(row) FROM (FROM citations ANTI JOIN found USING (cid))
        JOIN titles USING (loose) GROUP BY cid""",
    """CREATE TABLE stripped AS SELECT cid, citation, marked, key(plain(citation)) AS key, key AS whole
        FROM citations ANTI JOIN found USING (cid)""",
    "INSERT INTO found SELECT cid, 'decorated', list(row) FROM stripped JOIN titles USING (key) GROUP BY cid",
    """INSERT INTO found SELECT cid, 'decorated', list(row) FROM (FROM stripped ANTI JOIN found USING (cid)) s
        JOIN titles t ON s.key = t.plain GROUP BY cid""",
    r"""INSERT INTO found SELECT cid, 'truncated', list(row) FROM (FROM stripped ANTI JOIN found USING (cid)
            WHERE length(whole) >= 12 OR length(regexp_replace(whole, '[^\p{Han}]', '', 'g')) >= 6) c
        JOIN titles t ON t.key >= c.whole AND t.key < c.whole || chr(1114111)
        WHERE marked OR length(c.whole) >= 0.6 * length(t.key)
            OR regexp_matches(substr(title, length(citation), 2), '^\w\w$') GROUP BY cid""",
)


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
    for citation in citations:
        hit, wanted = index.find(citation), brute_force(titles, citation)
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


def duckdb_seconds(titles: Sequence[str], cases: Sequence[Case]) -> float:
    """CPU seconds of the same cascade in SQL, the titles prepared beforehand as they are in the index.

    It knows fewer decorations and none of the guards, so it is let off lightly.
    """
    db = duckdb.connect()
    db.register("raw_titles", pl.DataFrame({"title": titles}).with_row_index("row").to_arrow())
    db.register(
        "raw_citations",
        pl.DataFrame({"citation": [c.citation for c in cases]}).with_row_index("cid").to_arrow(),
    )
    for macro in _MACROS:
        db.execute(macro)
    db.execute(
        "CREATE TABLE titles AS SELECT row, title, key(title) AS key, loose(title) AS loose, key(plain(title)) AS plain FROM raw_titles ORDER BY key"
    )
    started = time.process_time()
    for step in _CASCADE:
        db.execute(step)
    return time.process_time() - started


def measure(size: int) -> None:
    """Print quality and cost for one number of titles."""
    with tempfile.TemporaryDirectory() as folder:
        titles, cases = generate(size, Path(folder))
    started = time.process_time()
    index = SourceIndex([Source(str(row), title) for row, title in enumerate(titles)])
    built = time.process_time() - started
    safe, hits = safe_seconds(index, cases)
    index.resolve("a first miss builds the postings and is not timed 没有")
    started = time.process_time()
    results = [index.resolve(case.citation) for case in cases]
    missed = sum(hit is None for hit in hits)
    miss = (time.process_time() - started - safe) / max(1, missed)
    rival = duckdb_seconds(titles, cases)
    print(f"{size:,} titles: built in {built:.1f} s CPU")
    print(
        f"  safe tiers {safe / len(cases) * 1e6:.1f} µs a citation, DuckDB {rival / len(cases) * 1e6:.1f} µs: {rival / safe:.1f} ×"
    )
    print(f"  suggestions {miss * 1e3:.2f} ms a miss, {missed:,} misses")
    for name, share in quality(cases, results, titles).items():
        print(f"  {name:24} {share:7.2f} %")


def safe_seconds(index: SourceIndex, cases: Sequence[Case]) -> tuple[float, list[Hit | None]]:
    """CPU seconds of the safe tiers over all citations, and what they found."""
    titles = TitleIndex([source.title for source in index.sources])
    started = time.process_time()
    hits = [titles.find(case.citation) for case in cases]
    return time.process_time() - started, hits


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
