"""Adding to a table that stays."""

from quality.citations.reader import read
from quality.citations.reconcile import reconcile
from quality.model import EntryKind, RebuildPath, Report
from quality.references.merge import merged
from quality.references.works import Work
from quality.sources.own_table import match_own_table

BODY = "A [4], B [Dunes](https://a.test/d).\n\n## References\n\n4. Four. https://a.test/4\n9. Nine. https://a.test/9\n"


def test_numbers_continue_behind_the_table():
    reading = read(BODY)
    cited = reconcile(reading, match_own_table).cited
    works = [
        (c, Work(c.key, EntryKind.AS_WRITTEN, "Dunes: https://a.test/d", "Dunes", "https://a.test/d"))
        for c in cited
    ]
    result = merged(Report("r", BODY), reading, works)
    assert result.path is RebuildPath.MERGED
    assert result.body == BODY.rstrip("\n") + "\n10. Dunes: https://a.test/d\n"
    assert [e.label for e in result.entries] == ["10"]


def test_nothing_to_merge_is_left():
    reading = read(BODY)
    cited = reconcile(reading, match_own_table).cited
    result = merged(Report("r", BODY), reading, [(c, None) for c in cited])
    assert (result.path, result.body) == (RebuildPath.LEFT, BODY)
    assert len(result.dangling) == len(cited)
