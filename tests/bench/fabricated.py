"""References of which it is known whether they are fabricated, against a snapshot of the true records and simulated registries.

Belongs here: the measurement, its harmless variations, and which field has to be named. What is simulated: a snapshot holds the
records of the valid references; a server on loopback plays the registries, in which the DOIs of these records exist and no
others. No live service is asked, so nothing is said about references whose true record is not in the collection.
"""

from __future__ import annotations

import json
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pipelines.cli.verify import Place, Verified, _verify
from pipelines.registries_config import RegistrySettings
from pipelines.resources.registries import Registries
from pipelines.resources.registry_snapshot import build
from quality.registries.check import Standing
from quality.registries.claims import reference_of
from quality.registries.works import title_key
from tests import registry_server
from tests.registry_server import served, settings_for

DATA = Path(__file__).parents[3] / "shared" / "data" / "groundtruth" / "hallmark_references.jsonl"
NAMED = {
    "near_miss_title": {"title"}, "chimeric_title": {"title"}, "swapped_authors": {"authors"},
    "placeholder_authors": {"authors"}, "partial_author_list": {"authors"}, "wrong_venue": {"venue"},
    "nonexistent_venue": {"venue"}, "preprint_as_published": {"venue"}, "future_date": {"year"},
    "arxiv_version_mismatch": {"venue", "year"}, "merged_citation": {"authors", "venue", "year"},
    "hybrid_fabrication": {"title", "authors"}, "fabricated_doi": {"identifier"},
}  # fmt: skip
"""Kind of fabrication -> the fields one of which has to be named."""
Fields = dict[str, Any]
_LONG = {
    "ICML": "Proceedings of the International Conference on Machine Learning", "NeurIPS": "Adv. Neural Inf. Process. Syst.",
    "CVPR": "IEEE/CVF Conference on Computer Vision and Pattern Recognition", "AAAI": "Proc. AAAI Conf. Artif. Intell.",
    "ICLR": "International Conference on Learning Representations", "ICCV": "IEEE International Conference on Computer Vision",
    "ACL": "Annual Meeting of the Association for Computational Linguistics", "UAI": "Uncertainty in Artificial Intelligence",
}  # fmt: skip


def _names(row: Fields, change: Callable[[list[str]], str]) -> str:
    return " and ".join(change(name.split()) for name in row["author"].split(" and "))


def _ascii(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def variations(row: Fields) -> Iterator[tuple[str, Fields]]:
    """The reference as it is, and in ways of writing that change nothing."""
    venue = row.get("booktitle") or row.get("journal")
    yield "as it is", row
    yield (
        "initials",
        row | {"author": _names(row, lambda n: " ".join([*(f"{p[0]}." for p in n[:-1]), n[-1]]))},
    )
    yield (
        "family name first",
        row | {"author": _names(row, lambda n: f"{n[-1]}, {' '.join(n[:-1])}" if n[1:] else n[0])},
    )
    yield "others", row | {"author": row["author"].split(" and ")[0] + " and others"}
    yield "no diacritics", row | {"author": _ascii(row["author"]), "title": _ascii(row["title"])}
    yield (
        "entities",
        row | {"title": row["title"].replace("&", "&amp;").replace("-", "&#45;").replace("'", "&#39;")},
    )
    yield "capitals", row | {"title": row["title"].upper()}
    yield "subtitle split", row | {"title": row["title"].replace(": ", " - ", 1)}
    yield "a year beside", row | {"year": str(int(row["year"]) + 1)}
    yield (
        "preprint",
        {k: v for k, v in row.items() if k not in {"booktitle", "journal"}} | {"journal": "arXiv preprint"},
    )
    if venue in _LONG:
        yield "long venue", {k: v for k, v in row.items() if k != "journal"} | {"booktitle": _LONG[venue]}
    if venue:
        yield "venue with year", row | {"booktitle": f"Proceedings of {venue} {row['year']}", "journal": None}


def main() -> None:
    """Print the shares, by kind."""
    if not DATA.is_file():
        print(f"the collection is not at {DATA}")
        return
    rows = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]
    valid = [row["fields"] for row in rows if row["label"] == "VALID"]
    fake = [row for row in rows if row["label"] != "VALID"]
    titles = {title_key(f["title"]) for f in valid}
    dois = {f["doi"].lower() for f in valid if f.get("doi")}
    with tempfile.TemporaryDirectory() as folder, served() as server:
        registries = _registries(valid, dois, Path(folder), settings_for(server))
        _flagged(registries, fake, titles, dois)
        _harmless(registries, valid)


def _registries(valid: list[Fields], dois: set[str], folder: Path, asked: RegistrySettings) -> Registries:
    works = folder / "valid.jsonl"
    works.write_text(
        "".join(
            json.dumps(
                {
                    "doi": f.get("doi"), "title": f["title"], "authors": f["author"].split(" and "), "year": f["year"],
                    "venue": f.get("booktitle") or f.get("journal"),
                }
            )
            + "\n"
            for f in valid
        ),
        encoding="utf-8",
    )  # fmt: skip
    build([works], folder / "valid.parquet")
    registry_server.exists = lambda value: value.lower() in dois
    return Registries(
        RegistrySettings(snapshot=folder / "valid.parquet", table=asked.table, rows=asked.rows, at_once=16),
        None,
    )


def _verified(registries: Registries, rows: list[Fields]) -> list[list[Verified]]:
    """The checks of each reference."""
    named = [(Place(str(i)), reference_of(row, str(i))) for i, row in enumerate(rows)]
    found: list[list[Verified]] = [[] for _ in rows]
    for one in _verify(registries, named):
        found[int(one.place.name)].append(one)
    return found


def _fields(checks: list[Verified]) -> set[str]:
    """The fields that a reference is flagged for; empty: it is not."""
    flagged = [v.check for v in checks if v.check.standing in {Standing.CONTRADICTED, Standing.NOT_FOUND}]
    return {f for c in flagged for f in (c.comparison.differing or ("identifier",))}


def _flagged(registries: Registries, fake: list[Fields], titles: set[str], dois: set[str]) -> None:
    known = [
        r
        for r in fake
        if title_key(r["fields"]["title"]) in titles or (r["fields"].get("doi") or "").lower() in dois
    ]
    rest = [r for r in fake if r not in known]
    total, right, told = Counter[str](), Counter[str](), Counter[str]()
    for row, checks in zip(known, _verified(registries, [r["fields"] for r in known]), strict=True):
        kind, named = row["hallucination_type"], _fields(checks)
        total[kind] += 1
        told[kind] += bool(named)
        right[kind] += bool(named & NAMED[kind])
    for kind, count in sorted(total.items()):
        print(f"   {kind:24} {count:4}  flagged {told[kind]:4}, right field {right[kind]:4}")
    all_of = sum(total.values())
    print(
        f"fabricated, true record known: {all_of}; flagged {sum(told.values()) / all_of:.1%}, "
        f"with the right field {sum(right.values()) / all_of:.1%}"
    )
    standings = Counter(
        v.check.standing.value
        for checks in _verified(registries, [r["fields"] for r in rest])
        for v in checks
    )
    print(f"fabricated, true record unknown: {len(rest)}; {dict(standings)} (count for neither figure)")


def _harmless(registries: Registries, valid: list[Fields]) -> None:
    made = [(name, row) for f in valid for name, row in variations(f)]
    total, wrong = Counter[str](), Counter[str]()
    for (name, _), checks in zip(made, _verified(registries, [row for _, row in made]), strict=True):
        total[name] += 1
        wrong[name] += bool(_fields(checks))
    for name, count in total.items():
        print(f"   {name:24} {count:4}  flagged {wrong[name]}")
    print(
        f"valid and harmless variations: {sum(total.values())}; flagged {sum(wrong.values()) / sum(total.values()):.2%}"
    )
