"""Bulk text: the same rows have one name, ids never lead out of the folder, orphans go when they are old."""

from datetime import timedelta

import polars as pl
import pytest

from pipelines.resources.bodies import BodyStore, fingerprint
from quality.errors import StorageError, UsageError

DAY = timedelta(days=1)


@pytest.fixture
def bodies(home, clock):
    return BodyStore(home, clock=clock)


def texts(*rows):
    return pl.DataFrame(rows, schema=["report_id", "stage", "body"], orient="row")


def test_what_was_written_comes_back(bodies, home):
    rows = pl.DataFrame(
        {
            "report_id": ["b", "a"],
            "stage": ["shadow"] * 2,
            "body": ["Zwei\n\x00 '", None],
            "original": [b"\xff\x00", b""],
            "listed": [None, "[]"],
        }
    )
    name = bodies.write("batch", rows)
    assert name.startswith("bodies/batch/")
    assert (home / name).is_file()
    assert bodies.read(name).rows() == rows.sort("report_id").rows()


def test_the_same_rows_in_any_order_have_one_name_and_others_another(bodies):
    one, two = ("r1", "shadow", "x"), ("r2", "shadow", "y")
    name = bodies.write("b", texts(one, two))
    assert bodies.write("b", texts(two, one)) == name
    assert bodies.write("b", texts(one)) != name
    assert bodies.write("b", texts(one, ("r2", "shadow", "z"))) != name
    assert bodies.write("c", texts(one, two)) != name


def test_values_do_not_run_together():
    left = pl.DataFrame({"a": ["x", "yz"], "b": ["", None]})
    assert fingerprint(left) == fingerprint(left.select("b", "a"))
    for other in (
        pl.DataFrame({"a": ["xy", "z"], "b": ["", None]}),
        pl.DataFrame({"a": ["x", "yz"], "b": [None, ""]}),
        pl.DataFrame({"a": ["x", "yz"], "c": ["", None]}),
    ):
        assert fingerprint(other) != fingerprint(left)


@pytest.mark.parametrize(
    "batch",
    ["../../evil", "..", "/etc/cron.d/x", "CON", "x" * 300, "отчёт", "a b", "_sources", "empty", "-rf", ""],
)
def test_batch_ids_stay_in_the_folder_and_are_found_by_the_pattern(bodies, home, batch):
    name = bodies.write(batch, texts(("r", "shadow", "x")))
    file = home / name
    assert file.resolve().parent.parent == (home / "bodies").resolve()
    assert file in set(home.glob("bodies/[!_]*/*.parquet"))
    assert bodies.read(name)["body"].to_list() == ["x"]


def test_source_texts_lie_apart(bodies, home):
    name = bodies.write("_sources", pl.DataFrame({"source_id": ["s2", "s1"], "text": ["b", "a"]}))
    assert name.startswith("bodies/_sources/")
    assert bodies.read(name).rows() == [("s1", "a"), ("s2", "b")]
    assert list(home.glob("bodies/[!_]*/*.parquet")) == []


def test_missing_columns_are_named(bodies):
    with pytest.raises(UsageError, match="stage, body"):
        bodies.write("b", pl.DataFrame({"report_id": ["r"]}))


@pytest.mark.parametrize("name", ["../private/x", "/etc/passwd", "bodies/../other.parquet"])
def test_reading_does_not_leave_the_folder(bodies, name):
    with pytest.raises(UsageError, match="no file of bodies"):
        bodies.read(name)


def test_a_missing_or_damaged_file_is_a_clear_error(bodies, home):
    with pytest.raises(StorageError, match="cannot be read"):
        bodies.read("bodies/b/none.parquet")
    name = bodies.write("b", texts(("r", "shadow", "x")))
    (home / name).write_bytes(b"PAR1 no")
    with pytest.raises(StorageError, match="Run the batch again"):
        bodies.read(name)


def test_only_old_files_that_nobody_names_are_swept(bodies, clock, home):
    bodies.seed()
    kept = bodies.write("b", texts(("r", "shadow", "kept")))
    orphan = bodies.write("b", texts(("r", "shadow", "orphan")))
    reused = bodies.write("b", texts(("r", "shadow", "reused")))
    sources = bodies.write("", pl.DataFrame({"source_id": ["s"], "text": ["t"]}))
    clock.move(days=2)
    assert bodies.write("b", texts(("r", "shadow", "reused"))) == reused
    young = bodies.write("b", texts(("r", "shadow", "young")))
    (home / "bodies" / "b" / ".left.1.unfinished").touch()
    clock.move(hours=1)
    assert bodies.sweep({kept}, older_than=DAY) == sorted([orphan, sources])
    assert all((home / name).exists() for name in (kept, reused, young, "bodies/empty/seed.parquet"))
    assert bodies.sweep({kept}, older_than=timedelta()) == sorted([reused, young])
