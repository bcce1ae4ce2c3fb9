"""The snapshot: what goes in comes out, the later work counts, and a broken input is named."""

import gzip
import json

import polars as pl
import pytest

from pipelines.resources.registry_snapshot import LocalSnapshot, build
from quality.errors import InputError, UsageError
from quality.model import Identifier

DOI, PMID = Identifier("doi", "10.5555/a"), Identifier("pmid", "7")
ROWS = [
    {
        "doi": "10.5555/A",
        "pmid": 7,
        "title": "Counting seals",
        "authors": ["Doe, J."],
        "year": 2019,
        "venue": "J. Seals",
    },
    {"title": "A work without any number"},
]


def write(path, rows, *, packed=False):
    data = "".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in rows).encode()
    path.write_bytes(gzip.compress(data) if packed else data)
    return path


@pytest.mark.parametrize("packed", [False, True])
def test_works_are_found_by_every_identifier_and_by_title(tmp_path, packed):
    built = build([write(tmp_path / "in.jsonl", ROWS, packed=packed)], tmp_path / "s.parquet")
    assert (built.works, built.keys, built.n_refused) == (2, 3, 0)
    snapshot = LocalSnapshot(tmp_path / "s.parquet")
    found = snapshot.find([DOI, PMID, Identifier("doi", "10.5555/none")])
    assert set(found) == {DOI, PMID}
    assert found[DOI].title == "Counting seals"
    assert found[DOI] == found[PMID]
    titles = snapshot.find_titles(["counting  SEALS", "A work without any number", "Nothing"])
    assert {t: len(r) for t, r in titles.items()} == {"counting  SEALS": 1, "A work without any number": 1}
    assert snapshot.find([]) == {}


def test_of_two_works_under_one_identifier_the_later_counts(tmp_path):
    first, second = ({"doi": "10.5555/a", "title": t} for t in ("Old", "New"))
    build(
        [write(tmp_path / "1.jsonl", [first]), write(tmp_path / "2.jsonl", [second])], tmp_path / "s.parquet"
    )
    assert LocalSnapshot(tmp_path / "s.parquet").find([DOI])[DOI].title == "New"


def test_lines_that_hold_no_work_are_counted_and_named(tmp_path):
    rows = [*ROWS, "{", '{"x": 1}', "", '{"doi": "nonsense"}']
    built = build([write(tmp_path / "in.jsonl", rows)], tmp_path / "s.parquet")
    assert (built.works, built.n_refused) == (2, 3)
    assert [line.split("in.jsonl:")[1].split(":")[0] for line in built.refused] == ["3", "4", "6"]


def test_an_input_without_a_work_leaves_the_old_snapshot(tmp_path):
    build([write(tmp_path / "in.jsonl", ROWS)], tmp_path / "s.parquet")
    before = (tmp_path / "s.parquet").read_bytes()
    with pytest.raises(InputError, match="no work"):
        build([write(tmp_path / "bad.jsonl", ["{"])], tmp_path / "s.parquet")
    cut = write(tmp_path / "cut.jsonl.gz", ROWS * 50, packed=True)
    cut.write_bytes(cut.read_bytes()[:-20])
    with pytest.raises(InputError, match="to its end"):
        build([cut], tmp_path / "s.parquet")
    assert (tmp_path / "s.parquet").read_bytes() == before
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []


def test_what_is_no_snapshot_is_refused(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        LocalSnapshot(tmp_path / "none.parquet")
    pl.DataFrame({"x": [1]}).write_parquet(tmp_path / "x.parquet")
    with pytest.raises(UsageError, match="lacks key"):
        LocalSnapshot(tmp_path / "x.parquet")
    with pytest.raises(UsageError, match="pattern"):
        build([], tmp_path / "a[b]" / "s.parquet")
