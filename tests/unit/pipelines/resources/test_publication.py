"""Publications: a new name each, a relative link, three kept, and no trust in what was touched."""

import pytest

from pipelines.resources.files import point
from pipelines.resources.publication import Publications
from quality.errors import StorageError


@pytest.fixture
def publications(home, clock):
    home.mkdir()
    return Publications(home, clock=clock)


@pytest.fixture
def add(publications, home):
    def publish(text="rows", files=()):
        (home / "primary").write_text(text)
        return publications.add(home / "primary", state="1 now", content=text, body_files=tuple(files))

    return publish


def names(home):
    return sorted(p.name for p in (home / "published").iterdir())


def test_the_link_is_relative_and_names_the_latest(publications, add, home):
    first, second = add("one"), add("two")
    assert [first.name, second.name] == ["warehouse-000001.duckdb", "warehouse-000002.duckdb"]
    assert str(publications.link.readlink()) == "published/warehouse-000002.duckdb"
    assert publications.link.read_text() == "two"
    assert first.read_text() == "one"
    moved = home.rename(home.with_name("elsewhere"))
    assert (moved / "warehouse.duckdb").read_text() == "two"


def test_nothing_published_is_a_clear_error(publications):
    assert publications.latest_note() is None
    with pytest.raises(StorageError, match="Run a batch first"):
        publications.latest()


def test_a_broken_link_is_a_clear_error(publications, add):
    add().unlink()
    assert publications.latest_note() is None
    with pytest.raises(StorageError, match="Run a batch first"):
        publications.latest()


def test_the_note_says_what_was_published(publications, add):
    add("rows", ["bodies/b/x.parquet"])
    note = publications.latest_note()
    assert (note.state, note.content, note.body_files) == ("1 now", "rows", ("bodies/b/x.parquet",))
    assert note.published_at == "2026-03-01T12:00:00+00:00"


@pytest.mark.parametrize("touch", ["rewrite", "log", "no note", "broken note"])
def test_a_publication_that_somebody_touched_has_no_note(publications, add, touch):
    path = add()
    note = path.with_suffix(".json")
    match touch:
        case "rewrite":
            path.write_text("other rows")
        case "log":
            path.with_name(path.name + ".wal").write_text("changes of a shell")
        case "no note":
            note.unlink()
        case "broken note":
            note.write_text("{")
    assert publications.latest_note() is None


def test_the_last_three_are_kept(publications, add, home):
    paths = [add(str(i), [f"bodies/{i}"]) for i in range(5)]
    paths[0].with_name(paths[0].name + ".wal").touch()
    paths[3].with_name(paths[3].name + ".wal").touch()
    (home / "published" / ".warehouse-000009.duckdb.1.unfinished").touch()
    (home / ".warehouse.duckdb.1.unfinished").symlink_to("nowhere")
    (home / "published" / "notes of a user").touch()
    assert publications.sweep() == {"bodies/2", "bodies/3", "bodies/4"}
    assert sorted(p.name for p in home.iterdir()) == ["primary", "published", "warehouse.duckdb"]
    kept = [f"warehouse-00000{n}.{ending}" for n in (3, 4, 5) for ending in ("duckdb", "json")]
    assert names(home) == sorted(["notes of a user", *kept, "warehouse-000004.duckdb.wal"])


def test_what_the_link_names_is_kept_however_old(publications, add):
    paths = [add(str(i), [f"bodies/{i}"]) for i in range(5)]
    point(publications.link, paths[0])
    assert publications.sweep() == {"bodies/0", "bodies/2", "bodies/3", "bodies/4"}
    assert publications.latest() == paths[0]


def test_a_publication_that_does_not_say_its_bodies_makes_none_an_orphan(publications, add):
    add()
    add().with_suffix(".json").unlink()
    assert publications.sweep() is None


def test_a_number_is_never_used_again(publications, add, home):
    path = add()
    path.with_name(path.name + ".wal").write_text("left by a shell")
    path.unlink()
    path.with_suffix(".json").unlink()
    assert add().name == "warehouse-000002.duckdb"
    for file in (home / "published").iterdir():
        file.unlink()
    assert add().name == "warehouse-000003.duckdb"
