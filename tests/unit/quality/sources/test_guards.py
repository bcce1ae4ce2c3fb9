"""Small differences that are differences."""

import pytest

from quality.sources.guards import conflict, differ


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Sleep loss alters memory in rats", "Sleep loss never alters memory in rats"),
        ("Soil carbon in wetlands", "Soil carbon in drylands"),
        ("Care guideline 2019", "Care guideline 2021"),
        ("Tactile maps. Part I", "Tactile maps. Part II"),
        ("Prices increase in towns", "Prices decrease in towns"),
        ("Symmetric loads on bridges", "Asymmetric loads on bridges"),
        ("Reply to dunes", "Comment on dunes"[:11] + "dunes"),
        ("睡眠影响记忆", "睡眠不影响记忆"),
    ],
)
def test_different_works(one, other):
    assert differ(one, other)
    assert differ(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Urban heat islands", "Urban heat inlands"),
        ("Urban heat islands", "Urban heat island"),
        ("Zinc and teh oats", "Zinc and the oats"),
    ],
)
def test_slips_of_the_pen(one, other):
    assert not differ(one, other)


def test_a_title_that_shares_no_words_contradicts_its_identifier():
    written = "Migration of coastal dunes in northern Peru"
    assert conflict(written, "Interest rates of savings banks after the war", known=False)
    assert not conflict(written, "Coastal dunes and their migration", known=False)
    assert not conflict("沙丘迁移", "Interest rates of savings banks after the war", known=False)


def test_a_title_known_elsewhere_must_be_part_of_this_one():
    assert not conflict("Coastal dunes", "Doe, J. (2014). Coastal dunes", known=True)
    assert conflict("Tactile maps. Part I", "Tactile maps. Part II", known=True)
    assert conflict("Coastal dunes", "Inland dunes", known=True)
