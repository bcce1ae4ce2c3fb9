"""How surely a heading announces a list."""

from __future__ import annotations

import pytest

from quality.citations.headings import Announces, announcement


@pytest.mark.parametrize(
    ("text", "grade"),
    [
        ("References", Announces.SURELY),
        ("7. References:", Announces.SURELY),
        ("**Works cited**", Announces.SURELY),
        ("八、参考文献", Announces.SURELY),
        ("Re\u0301fe\u0301rences", Announces.SURELY),
        ("Sources", Announces.LIKELY),
        ("数据来源说明", Announces.LIKELY),
        ("Sources & Further Reading", Announces.LIKELY),
        ("Sources of error", Announces.PERHAPS),
        ("High-quality official sources", Announces.PERHAPS),
        ("Results", Announces.NOTHING),
        ("Preferences", Announces.NOTHING),
        ("Resource endowments", Announces.NOTHING),
        ("[Sources](https://papers.test)", Announces.NOTHING),
        ("", Announces.NOTHING),
        ("What the many sources of the last twenty years really say about it all", Announces.NOTHING),
    ],
)
def test_grades(text, grade):
    assert announcement(text) is grade
