"""The safe tiers over plain titles."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.sources.titles import TitleIndex

TITLES = [
    "Effects of long-term sleep restriction on adolescent drivers",
    "Effects of long-term sleep restriction on shift nurses",
    "Dune migration in coastal Peru since 1950",
    "Deep Learning",
    "Deep learning for crop yield",
    "Flexible detection for assembly automation with ...",
    "Ragtime | Description, History | Example Encyclopedia",
    "Dune migration in coastal Peru since 1950",
]


@pytest.fixture(scope="module")
def index():
    return TitleIndex(TITLES)


def brief(hit):
    return hit and (hit.tier, hit.rows, hit.safe)


@pytest.mark.parametrize(
    ("citation", "expected"),
    [
        ("deep learning", ("exact", (3,), True)),
        ("Deep  LEARNING", ("exact", (3,), True)),
        ("Deep", None),
        ("DUNE MIGRATION IN COASTAL PERU SINCE 1950", ("exact", (2, 7), True)),
        ("Source: Deep learning for crop yield (accessed 2024-01-02)", ("decorated", (4,), True)),
        ("Ragtime: Description, History", ("decorated", (6,), True)),
        ("Effects of long-term sleep restriction on…", ("truncated", (0, 1), False)),
        ("Effects of long-term sleep restriction on adol", ("truncated", (0,), True)),
        ("Effects of long-term sleep restriction on adolescent", ("truncated", (0,), True)),
        ("Flexible detection for assembly automation with robots", ("truncated", (5,), True)),
        ("Flexible detection for assembly automation with", ("exact", (5,), True)),
        ("Effects…", None),
        ("Deep learning…", ("truncated", (3, 4), False)),
        ("https://a.test/deep-learning", None),
        ("…", None),
        ("", None),
    ],
)
def test_tiers(index, citation, expected):
    assert brief(index.find(citation)) == expected


def test_a_tie_is_shown_whole_up_to_a_limit():
    many = TitleIndex(
        [f"All that we need is {word}" for word in "abcdefghijklmnopqrstuvwxyz"] + ["All that we need is DAG"]
    )
    assert brief(many.find("All that we need is dag")) == ("exact", (26,), True)
    assert len(many.find("All that we need is…").rows) == 20


@given(st.lists(st.text(max_size=30), max_size=8), st.integers(0, 7))
def test_every_title_with_a_letter_finds_itself(titles, at):
    if at < len(titles) and "://" not in titles[at]:
        hit = TitleIndex(titles).find(titles[at])
        keyed = TitleIndex([titles[at]]).keys[0]
        assert (hit is None) == (not keyed) or at in hit.rows


@given(st.text(max_size=40))
def test_any_citation_is_answered(citation):
    hit = TitleIndex(TITLES).find(citation)
    assert hit is None or all(0 <= row < len(TITLES) for row in hit.rows)
