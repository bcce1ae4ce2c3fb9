"""Files are replaced whole, and only when they change."""

from assets.files import write_if_changed


def test_writes_once_and_leaves_no_litter(tmp_path):
    file = tmp_path / "a" / "b.md"
    assert write_if_changed(file, b"one")
    before = file.stat().st_mtime_ns
    assert not write_if_changed(file, b"one")
    assert file.stat().st_mtime_ns == before
    assert write_if_changed(file, b"two")
    assert file.read_bytes() == b"two"
    assert list(file.parent.iterdir()) == [file]
