"""Files are replaced as a whole."""

import errno
import os

import pytest

from pipelines.resources.files import point, replacing, sweep_unfinished
from quality.errors import StorageError


def test_content_appears_at_the_end(tmp_path):
    target = tmp_path / "new" / "f.txt"
    with replacing(target) as fresh:
        fresh.write_text("content")
        assert not target.exists()
    assert target.read_text() == "content"
    assert [p.name for p in target.parent.iterdir()] == ["f.txt"]


def test_a_fault_leaves_the_old_content(tmp_path):
    target = tmp_path / "f.txt"
    target.write_text("old")
    with pytest.raises(ZeroDivisionError), replacing(target) as fresh:
        fresh.write_text("half")
        raise ZeroDivisionError
    assert target.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["f.txt"]


def test_a_full_disk_leaves_the_old_content_and_says_so(tmp_path):
    target = tmp_path / "f.txt"
    target.write_text("old")
    with (
        pytest.raises(StorageError, match=r"f\.txt cannot be written: .*No space left"),
        replacing(target) as fresh,
    ):
        fresh.write_text("half")
        raise OSError(errno.ENOSPC, "No space left on device")
    assert target.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["f.txt"]


def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(StorageError, match="cannot be written"), replacing(tmp_path / "file" / "f.txt"):
        pass


def test_a_link_is_relative_and_moves(tmp_path):
    (tmp_path / "in").mkdir()
    for name in ("a", "b"):
        (tmp_path / "in" / name).write_text(name)
        point(tmp_path / "link", tmp_path / "in" / name)
        assert (tmp_path / "link").read_text() == name
    assert str((tmp_path / "link").readlink()) == "in/b"


def test_what_a_killed_writer_left_is_swept_and_nothing_else(tmp_path):
    for name in (".f.12.unfinished", ".f.12.unfinished.wal", "f", ".hidden"):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (1000, 1000))
    sweep_unfinished(tmp_path, before=1000)
    assert len(list(tmp_path.iterdir())) == 4
    sweep_unfinished(tmp_path, before=1001)
    assert sorted(p.name for p in tmp_path.iterdir()) == [".hidden", "f"]
