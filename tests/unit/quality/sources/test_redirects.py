"""What a changed catalogue does to one report."""

from quality.model import Report, Source
from quality.sources.drift import drift
from quality.sources.index import SourceIndex
from quality.sources.redirects import Effect, redirects

REPORT = Report(
    "r",
    "Rivers [1]. Dunes [2]. Heat [3]. Maps [4].\n\n## References\n\n"
    "[1] Rivers of the north in winter. https://a.test/rivers\n"
    "[2] Dunes of coastal Peru since 1950. https://a.test/dunes\n"
    "[3] Heat islands of large towns. https://a.test/heat\n"
    "[4] Maps for the blind and their makers. https://a.test/maps\n",
)
RIVERS = Source("a", "Rivers of the north in winter", url="https://a.test/rivers")
DUNES = Source("b", "Dunes of coastal Peru since 1950", url="https://a.test/dunes")
HEAT = Source("c", "Heat islands of large towns", url="https://a.test/heat")
MAPS = Source("d", "Maps for the blind and their makers", url="https://a.test/maps")


def changed(before, now):
    found = redirects(
        REPORT, SourceIndex(before), SourceIndex(now), {d.source_id: d for d in drift(before, now)}
    )
    return found.meant, {(c.subject, c.key): c.effect for c in found.changed}


def test_each_effect_for_the_citation_and_its_entry():
    before = [RIVERS, DUNES, HEAT]
    now = [RIVERS, Source("z", DUNES.title, url=DUNES.url), MAPS]
    meant, effects = changed(before, now)
    assert meant == {"a", "b", "c"}
    wanted = {"2": Effect.FOLLOWED, "3": Effect.LOST, "4": Effect.GAINED}
    assert effects == {(s, key): effect for s in ("citation", "entry") for key, effect in wanted.items()}


def test_another_source_in_its_place_is_moved():
    other = Source("y", RIVERS.title, url=RIVERS.url)
    kept = Source("a", "Something else entirely, by the same number")
    assert changed([RIVERS], [kept, other])[1]["citation", "1"] is Effect.MOVED


def test_nothing_changes_with_the_same_catalogue_in_another_order():
    assert changed([RIVERS, DUNES], [DUNES, RIVERS]) == ({"a", "b"}, {})
