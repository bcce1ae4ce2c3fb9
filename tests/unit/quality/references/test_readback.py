"""The rebuilt text is read again, and every difference is named."""

import pytest

from quality.citations.reader import read
from quality.model import EntryKind, RebuildPath, Rebuilt, RebuiltEntry
from quality.references.readback import difference

BODY = "A [1]. B [2].\n\n## References\n\n[1] One. https://a.test/1\n[2] Two. https://a.test/2\n"


def result(body, *labels):
    entries = tuple(
        RebuiltEntry(n, EntryKind.AS_WRITTEN, "x", "x", f"https://a.test/{n}", None, None, n, 0)
        for n in labels
    )
    return Rebuilt(body, RebuildPath.REBUILT, "", entries, ())


@pytest.mark.parametrize(
    ("body", "labels", "fault"),
    [
        (BODY, ("1", "2"), None),
        (BODY.replace("B [2]. ", "B."), ("1", "2"), None),
        (BODY.replace("B [2].", "B."), ("1", "2"), "2 marks before, 1 after"),
        (BODY, ("1", "3"), "entry 3 is not found"),
        (BODY + "[2] Three. https://a.test/3\n", ("1", "2"), "label 2 stands twice in the list"),
        (BODY.replace("[2] Two. https://a.test/2\n", ""), ("1",), "citation 2 has no entry"),
    ],
)
def test_differences(body, labels, fault):
    assert difference(read(BODY), result(body, *labels)) == fault
