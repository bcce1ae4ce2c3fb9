"""Suggestions: what is offered, and what is not even that."""

import pytest

from quality.sources.keys import strict_key
from quality.sources.similar import SimilarIndex

TITLES = [
    "Graph networks for traffic forecasting in rural areas",
    "Urban heat islands",
    "河流三角洲的冬季演变研究",
    "Sleep loss never alters memory",
]


@pytest.fixture(scope="module")
def index():
    return SimilarIndex(TITLES, [strict_key(t) for t in TITLES])


@pytest.mark.parametrize(
    ("citation", "expected"),
    [
        ("Graph networks for traffic forecasting", [(0, "contained")]),
        ("Graph networks", []),
        ("Urban heat inlands", [(1, "fuzzy")]),
        ("Urban heat island", [(1, "fuzzy")]),
        ("河流三角洲的冬委演变研究", [(2, "fuzzy")]),
        ("三角洲的冬季演变", [(2, "contained")]),
        ("Sleep loss alters memory", []),
        ("Heat", []),
        ("", []),
    ],
)
def test_suggestions(index, citation, expected):
    assert [(one.row, one.tier) for one in index.find(citation, strict_key(citation))] == expected


def test_an_empty_catalogue_suggests_nothing():
    assert SimilarIndex([], []).find("Urban heat islands", "urbanheatislands") == ()
