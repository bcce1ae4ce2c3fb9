"""Files are replaced whole, and only when they change."""

import os
import subprocess
import sys

from assets.files import sweep_unfinished, write_if_changed


def test_writes_once_and_leaves_no_litter(tmp_path):
    file = tmp_path / "a" / "b.md"
    assert write_if_changed(file, b"one")
    before = file.stat().st_mtime_ns
    assert not write_if_changed(file, b"one")
    assert file.stat().st_mtime_ns == before
    assert write_if_changed(file, b"two")
    assert file.read_bytes() == b"two"
    assert list(file.parent.iterdir()) == [file]


def test_what_a_killed_writer_left_is_swept_and_nothing_else(tmp_path):
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    (tmp_path / "original").mkdir()
    orphans = [tmp_path / f".{gone.pid}.new", tmp_path / "original" / f".{gone.pid}.new"]
    kept = [tmp_path / f".{os.getpid()}.new", tmp_path / ".mine.new", tmp_path / "a.md"]
    for path in (*orphans, *kept):
        path.write_text("x", "utf-8")
    assert sweep_unfinished(tmp_path) == 2
    assert [p.exists() for p in (*orphans, *kept)] == [False, False, True, True, True]
    assert sweep_unfinished(tmp_path / "nowhere") == 0
