"""One identity per content."""

from dataclasses import replace

from quality.model import Source
from quality.sources.snapshots import snapshot_id

A, B = Source("a", "Alpha", year=1), Source("b", "水", authors=("x", "y"))


def test_order_does_not_count_and_content_does():
    assert snapshot_id([A, B]) == snapshot_id([B, A])
    assert snapshot_id([A, B]) != snapshot_id([A])
    assert snapshot_id([A]) != snapshot_id([replace(A, text="now with text")])
    assert snapshot_id([replace(A, title="1", venue="2")]) != snapshot_id([replace(A, title="2", venue="1")])


def test_it_is_the_same_everywhere():
    assert snapshot_id([]) == "snap-e3b0c44298fc1c14"
