"""An export is whole, tells what it holds, and overwrites nothing that is not its own."""

import csv
import hashlib
import json

import polars as pl
import pytest

from pipelines import export as module
from pipelines.export import export
from pipelines.resources.warehouse import Warehouse
from quality.errors import StorageError, UsageError

TITLES = ("=cmd|' /C calc'!A0", "-1+1", "@ home", "\tTabbed", 'Tides, "and" waves\nof two lines', "潮汐")


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Two batches of three reports with titles of all kinds, each with a catalogue of its own."""
    warehouse = Warehouse(tmp_path_factory.mktemp("home"))
    with warehouse.write("the test") as tx:
        for n, batch in enumerate(("b1", "b2")):
            row = {"batch_id": batch, "reports_path": "in", "status": "loaded", "n_reports": 3}
            row |= {"n_unreadable": 0, "snapshot_id": f"s{n}", "sources_path": "s"}
            tx.replace("batches", pl.DataFrame([row]), where={"batch_id": batch})
            reports = [
                {"report_id": f"r{i}", "written_id": f"r{i}", "ordinal": i, "status": "read", "title": title}
                | {"content_fingerprint": "c", "has_evidence": False, "flags": [], "body_chars": -i}
                for i, title in enumerate(TITLES[n * 3 : n * 3 + 3])
            ]
            tx.replace("reports", pl.DataFrame(reports), where={"batch_id": batch})
            source = {"source_id": f"w{n}", "title": "=1", "text_chars": 0}
            tx.replace("sources", pl.DataFrame([source]), where={"snapshot_id": f"s{n}"})
    warehouse.publish()
    return warehouse.home


def csv_rows(file):
    with file.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_csv_holds_no_formula_and_the_manifest_is_true(home, tmp_path):
    manifest = export(home, tmp_path / "out", form="csv")
    reports = csv_rows(tmp_path / "out" / "reports.csv")
    assert [r["title"] for r in reports] == [f"'{t}" for t in TITLES[:4]] + list(TITLES[4:])
    assert [r["body_chars"] for r in reports] == ["0", "-1", "-2"] * 2  # numbers stay numbers
    told = json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))
    assert (told["format"], told["publication"], told["batches"]) == ("csv", 1, None)
    assert "apostrophe" in told["formulas"]
    assert len(told["files"]) == len(manifest.files)
    assert {f["file"] for f in told["files"]} | {"manifest.json"} == {
        p.name for p in (tmp_path / "out").iterdir()
    }
    for file in told["files"]:
        path = tmp_path / "out" / file["file"]
        rows = csv_rows(path)
        assert (len(rows), path.stat().st_size) == (file["rows"], file["bytes"])
        assert hashlib.sha256(path.read_bytes()).hexdigest() == file["sha256"]
        with path.open(encoding="utf-8", newline="") as stream:
            assert next(csv.reader(stream)) == [c["name"] for c in file["columns"]]
        assert all(c["comment"] for c in file["columns"])


def test_parquet_keeps_types_and_texts_as_they_are_and_comes_out_the_same_twice(home, tmp_path):
    export(home, tmp_path / "one")
    export(home, tmp_path / "two")
    reports = pl.read_parquet(tmp_path / "one" / "reports.parquet")
    assert reports["title"].to_list() == list(TITLES)
    assert reports.schema["body_chars"] == pl.Int64
    names = sorted(p.name for p in (tmp_path / "one").iterdir())
    assert "report_scorecard.parquet" in names
    assert "report_bodies.parquet" in names
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_only_the_rows_of_a_batch_and_of_its_catalogue(home, tmp_path):
    manifest = export(home, tmp_path / "out", batches=["b2"], with_text=False)
    by_name = {f.name: f for f in manifest.files}
    assert pl.read_parquet(tmp_path / "out" / "reports.parquet")["title"].to_list() == list(TITLES[3:])
    assert pl.read_parquet(tmp_path / "out" / "sources.parquet")["source_id"].to_list() == ["w1"]
    assert (by_name["reports"].restricted_by, by_name["sources"].restricted_by) == ("batch_id", "snapshot_id")
    assert "report_bodies" not in by_name
    with pytest.raises(UsageError, match="'b9'"):
        export(home, tmp_path / "other", batches=["b9"])
    assert not (tmp_path / "other").exists()


def test_nothing_is_overwritten_but_an_earlier_export_and_only_with_force(home, tmp_path):
    target = tmp_path / "out"
    target.mkdir()
    export(home, target)  # an empty folder may be filled
    with pytest.raises(UsageError, match="holds an export already"):
        export(home, target)
    export(home, target, form="csv", force=True)
    assert not list(target.glob("*.parquet"))
    other = tmp_path / "mine"
    other.mkdir()
    (other / "thesis.txt").write_text("mine", "utf-8")
    for place in (other, other / "thesis.txt"):
        with pytest.raises(UsageError):
            export(home, place, force=True)
    assert (other / "thesis.txt").read_text("utf-8") == "mine"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["mine", "out"]


def test_an_export_that_fails_leaves_what_was_there(home, tmp_path, monkeypatch):
    target = tmp_path / "out"
    export(home, target, form="csv")
    before = {p.name: p.read_bytes() for p in target.iterdir()}

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "_as_parquet", full)
    with pytest.raises(StorageError, match="No space left"):
        export(home, target, force=True)
    assert {p.name: p.read_bytes() for p in target.iterdir()} == before
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_without_a_publication_there_is_nothing_to_export(tmp_path):
    with pytest.raises(StorageError, match="Run a batch first"):
        export(tmp_path / "home", tmp_path / "out")
