"""What changed between two states of a catalogue."""

from quality.model import Source
from quality.sources.drift import Drift, DriftKind, drift

OLD = [
    Source("a", "River deltas"),
    Source("b", "Dunes", url="https://a.test/dunes"),
    Source("c", "Maps", doi="10.5555/1"),
    Source("d", "Heat"),
]


def test_retitled_merged_and_vanished():
    new = [
        Source("a", "River deltas in winter"),
        Source("c", "maps.", doi="10.5555/1"),
        Source("x", "Dunes of Peru", url="http://www.a.test/dunes/"),
    ]
    assert drift(OLD, new) == (
        Drift(DriftKind.RETITLED, "a", "River deltas", "River deltas in winter", "a"),
        Drift(DriftKind.MERGED, "b", "Dunes", "Dunes of Peru", "x"),
        Drift(DriftKind.VANISHED, "d", "Heat", None, None),
    )


def test_nothing_changed_and_new_sources_are_no_drift():
    assert drift(OLD, [*OLD, Source("z", "New")]) == ()
    assert drift([], OLD) == ()
