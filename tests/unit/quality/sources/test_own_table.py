"""Title citations against the report's own table."""

from quality.model import Entry
from quality.sources.own_table import match_own_table

ENTRIES = [
    Entry(0, "1", "…", title="冬季河口三角洲演变研究"),
    Entry(1, "2", "…", title=None),
    Entry(2, "3", "…", title="Mapping rivers: methods for small basins"),
    Entry(3, "4", "…", title="Mapping rivers: methods for small basins"),
    Entry(4, "5", "…", title="Deltas"),
]


def test_safe_tiers_count():
    assert match_own_table("冬季河口三角洲演变研究", ENTRIES) == 0
    assert match_own_table("冬季河口三角洲…", ENTRIES) == 0
    assert match_own_table("Mapping rivers: methods for sm", ENTRIES[:3]) == 2


def test_a_repeated_entry_means_its_first():
    assert match_own_table("Mapping rivers: methods for small basins", ENTRIES) == 2


def test_candidates_and_suggestions_do_not_count():
    assert match_own_table("Mapping rivers", ENTRIES) is None
    assert match_own_table("冬季", ENTRIES) is None
    assert match_own_table("Delta", ENTRIES) is None
    assert match_own_table("Deltas", []) is None
