"""Reading at speed: against a bare Markdown parse, in its growth, and beside two packages on their own kinds of text.

Run with ``python -m tests.bench.bench_reading [--alternatives PYTHON]``, where PYTHON is an interpreter that has
``citation-hallucination-stop`` and ``hallucinator`` (they are no dependencies). Times are CPU seconds of one process;
ratios are of one run. Real reports are those beside the project; where they are missing a text is made up.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from markdown_it import MarkdownIt

from quality.citations.reader import read
from quality.citations.reconcile import reconcile
from quality.citations.titles import match_contained

REPORTS = Path(__file__).parents[2].parent / "shared" / "data" / "reports"
MEGABYTE = 1_000_000
LARGE = 50 * MEGABYTE
WANTED_RATIO = 0.5
SPITEFUL: dict[str, Callable[[int], str]] = {
    "brackets": lambda n: "[" * n,
    "brackets with digits": lambda n: "[1," * (n // 3),
    "blanks": lambda n: " " * n + "$",
    "backticks of all lengths": lambda n: "".join("`" * k + " " for k in range(int((2 * n) ** 0.5))),
    "parentheses before an address": lambda n: "(" * n + "https://papers.test",
    "a DOI without end": lambda n: "10.5555/" + "a." * (n // 2),
    "emphasis": lambda n: "**_" + "*_" * (n // 2),
    "half links": lambda n: "[+t)[]\n" * (n // 7),
    "tags": lambda n: "<cite " * (n // 6),
    "source lines": lambda n: "Sources:\n- https://papers.test\n\n" * (n // 33),
    "one entry of addresses": lambda n: "## References\n\n[1] " + "https://papers.test " * (n // 20),
}
_OTHERS = """
import json, sys, time
given = json.load(sys.stdin)
out = {}
try:
    from citation_hallucination_stop.cleaner import CitationHallucinationStop
    stop, started, found = CitationHallucinationStop(), time.process_time(), []
    for text, entries in given["author_year"]:
        found.append([sorted(stop.extract_citations(text)), sorted(stop.get_unmatched_citations(text, entries))])
    out["stop"] = {"seconds": time.process_time() - started, "found": found}
except ImportError as error:
    out["stop_missing"] = str(error)
try:
    from hallucinator import PdfExtractor
    extractor, started, found = PdfExtractor(), time.process_time(), []
    for text in given["papers"]:
        found.append([r.title or "" for r in extractor.extract_from_text(text).references])
    out["hallucinator"] = {"seconds": time.process_time() - started, "found": found}
except ImportError as error:
    out["hallucinator_missing"] = str(error)
json.dump(out, sys.stdout)
"""
_NAMES = "Alder Birch Cedar Dill Elm Fir Gorse Hazel Ivy Juniper Larch Maple Oak Pine Rowan Sorrel Thyme Willow".split()
_WORDS = "tides winds floods gauges ports dikes bays storms pilots charts waves rains coasts harbours keels tows".split()


def bodies() -> list[str]:
    """Real reports, or a made-up report many times."""
    found: list[str] = []
    for path in sorted(REPORTS.glob("*.jsonl")) if REPORTS.is_dir() else []:
        with path.open(encoding="utf-8") as lines:
            found += [json.loads(line)["body"] for line in lines]
    return found or [made_up(20_000, seed) for seed in range(40)]


def made_up(size: int, seed: int) -> str:
    """Make a cited report of about ``size`` characters."""
    chance = random.Random(seed)
    sentences, length = [], 0
    while length < size - 2_000:
        words = " ".join(chance.choices(_WORDS, k=12))
        sentences.append(f"The {words} hold [{chance.randint(1, 40)}]. ")
        length += len(sentences[-1])
    entries = "".join(f"[{n}] Work {n} on {_WORDS[n % 16]}: https://papers.test/{n}\n" for n in range(1, 41))
    return f"# Report\n\n{''.join(sentences)}\n\n## References\n\n{entries}"


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds of one call."""
    started = time.process_time()
    work()
    return time.process_time() - started


def against_markdown(reports: Sequence[str]) -> float:
    """Speed of whole reading as a share of the speed of a bare parse; the better of two runs each."""
    parser = MarkdownIt()
    size = sum(map(len, reports))
    parsing = min(seconds(lambda: [parser.parse(b) for b in reports]) for _ in range(2))
    reading = min(seconds(lambda: [read(b) for b in reports]) for _ in range(2))
    ratio = parsing / reading
    print(f"{len(reports)} reports, {size / MEGABYTE:.1f} M characters")
    print(f"  markdown-it-py, bare parse  {size / parsing / MEGABYTE:6.2f} M characters a second")
    print(f"  whole reading               {size / reading / MEGABYTE:6.2f} M characters a second")
    print(f"  ratio {ratio:.2f} (wanted: at least {WANTED_RATIO})")
    return ratio


def slowest(reports: Sequence[str]) -> None:
    """Time of the slowest report among those of some length."""
    rates = [(seconds(lambda b=b: read(b)) / len(b) * 100_000, len(b)) for b in reports if len(b) > 5_000]
    rate, length = max(rates)
    print(f"slowest report: {rate:.3f} s per 100,000 characters ({length} characters)")


def growth() -> None:
    """Time at double length, for plain and for spiteful texts."""
    print("growth: seconds at n and 2n")
    for name, make in {"made-up report": lambda n: made_up(n, 1), **SPITEFUL}.items():
        once, twice = (seconds(lambda n=n, make=make: read(make(n))) for n in (200_000, 400_000))
        print(f"  {name:32s} {once:7.3f} {twice:7.3f}   x{twice / max(once, 1e-6):.1f}")


def large() -> None:
    """Read one report of 50 MB."""
    body = made_up(LARGE, 2)
    spent = seconds(lambda: read(body))
    print(
        f"one report of {len(body) / MEGABYTE:.0f} MB: {spent:.1f} s, {len(body) / spent / MEGABYTE:.2f} MB a second"
    )


def author_year_texts(count: int) -> list[tuple[str, list[str], set[tuple[str, str]], set[tuple[str, str]]]]:
    """Texts as ``citation-hallucination-stop`` wants them: APA brackets, numbered APA entries; cited and dangling."""
    chance = random.Random(7)
    found = []
    for _ in range(count):
        people = chance.sample(_NAMES, 10)
        years = [str(chance.randint(1990, 2024)) for _ in people]
        form = ["({}, {})", "({} et al., {})", "({} & Roe, {})"]
        cites = [form[n % 3].format(p, y) for n, (p, y) in enumerate(zip(people, years, strict=True))]
        text = " ".join(f"The {chance.choice(_WORDS)} hold {c}." for c in cites)
        entries = [
            f"{n}. {p}, A., & Roe, R. ({y}). Work on {p}. Port Press."
            for n, (p, y) in enumerate(zip(people[:8], years[:8], strict=True), 1)
        ]
        pairs = {(p.lower(), y) for p, y in zip(people, years, strict=True)}
        lost = {(p.lower(), y) for p, y in list(zip(people, years, strict=True))[8:]}
        found.append((text, entries, pairs, lost))
    return found


def papers(count: int) -> list[tuple[str, list[str]]]:
    """Plain texts of papers as ``hallucinator`` wants them: a section of references in the engineers' style."""
    chance = random.Random(8)
    found = []
    for _ in range(count):
        titles = [f"{' '.join(chance.sample(_WORDS, 6)).capitalize()} at number {n}" for n in range(1, 21)]
        lines = [
            f'[{n}] A. {chance.choice(_NAMES)} and B. {chance.choice(_NAMES)}, "{t}," Harbour Journal, vol. {n}, pp. 1-9, 2018.'
            for n, t in enumerate(titles, 1)
        ]
        cited = " ".join(f"The {chance.choice(_WORDS)} hold [{n}]." for n in range(1, 21))
        found.append((f"{cited}\n\nReferences\n\n" + "\n".join(lines) + "\n", titles))
    return found


def beside_others(python: str | None) -> None:
    """The same texts through the other packages, each on its own kind; found and wrong counted against the truth."""
    if python is None:
        print("beside others: skipped, no --alternatives interpreter was named")
        return
    author_year, plain = author_year_texts(200), papers(100)
    given = {"author_year": [(t, e) for t, e, _, _ in author_year], "papers": [t for t, _ in plain]}
    done = subprocess.run(
        [python, "-c", _OTHERS], input=json.dumps(given), capture_output=True, text=True, check=True
    )
    theirs = json.loads(done.stdout)
    if "stop" in theirs:
        _compare_author_year(author_year, theirs["stop"])
    else:
        print(f"citation-hallucination-stop: skipped, {theirs['stop_missing']}")
    if "hallucinator" in theirs:
        _compare_papers(plain, theirs["hallucinator"])
    else:
        print(f"hallucinator: skipped, {theirs['hallucinator_missing']}")


def _compare_author_year(
    texts: Sequence[tuple[str, list[str], set[tuple[str, str]], set[tuple[str, str]]]], theirs: dict
) -> None:
    results: list[tuple[set[tuple[str, str]], set[tuple[str, str]]]] = []

    def ours() -> None:
        for text, entries, _, _ in texts:
            result = reconcile(read(f"{text}\n\n## References\n\n" + "\n".join(entries)), match_contained)
            pairs = [tuple(c.key.lower().rsplit(" ", 1)) for c in result.cited]
            results.append((set(pairs), {tuple(c.key.lower().rsplit(" ", 1)) for c in result.dangling}))

    spent = seconds(ours)
    others = [
        ({tuple(p) for p in cited}, {tuple(u.rsplit(", ", 1)) for u in lost})
        for cited, lost in theirs["found"]
    ]
    print("author-year texts (200): found and wrong, citations and dangling")
    for name, found, took in (
        ("ours", results, spent),
        ("citation-hallucination-stop", others, theirs["seconds"]),
    ):
        cited = sum(len(f[0] & t[2]) for f, t in zip(found, texts, strict=True))
        wrong = sum(len(f[0] - t[2]) for f, t in zip(found, texts, strict=True))
        lost = sum(len(f[1] & t[3]) for f, t in zip(found, texts, strict=True))
        false = sum(len(f[1] - t[3]) for f, t in zip(found, texts, strict=True))
        total, dangling = sum(len(t[2]) for t in texts), sum(len(t[3]) for t in texts)
        print(
            f"  {name:28s} {cited}/{total} found, {wrong} wrong; {lost}/{dangling} dangling, {false} wrong; {took:.2f} s"
        )


def _compare_papers(texts: Sequence[tuple[str, list[str]]], theirs: dict) -> None:
    results: list[list[str]] = []
    spent = seconds(lambda: results.extend([e.title or "" for e in read(text).entries] for text, _ in texts))
    print("papers with sections of references (100): titles found")
    for name, found, took in (("ours", results, spent), ("hallucinator", theirs["found"], theirs["seconds"])):
        right = sum(len(set(f) & set(t[1])) for f, t in zip(found, texts, strict=True))
        print(f"  {name:28s} {right}/{sum(len(t[1]) for t in texts)} titles; {took:.2f} s")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run everything and fail where reading is slower than promised."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    python = given[given.index("--alternatives") + 1] if "--alternatives" in given else None
    reports = bodies()
    ratio = against_markdown(reports)
    slowest(reports)
    growth()
    large()
    beside_others(python)
    if ratio < WANTED_RATIO:
        raise SystemExit(f"whole reading reaches {ratio:.2f} of a bare parse; {WANTED_RATIO} is promised")


if __name__ == "__main__":
    main()
