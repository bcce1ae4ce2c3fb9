"""What is taken off a title, and what never is."""

import pytest

from quality.sources.decorations import (
    is_about_a_work,
    other_sites,
    site_of,
    uncut,
    undecorated,
    without_address,
    without_site,
)


@pytest.mark.parametrize(
    "decorated",
    [
        "River deltas in winter (accessed 2024-01-02)",
        "River deltas in winter, p. 12",
        "River deltas in winter et al.",
        "River deltas in winter [online]",
        "River deltas in winter - PDF",
        "River deltas in winter | Example Site",
        "River deltas in winter - The Example Times",
        "[PDF] River deltas in winter",
        "Source: River deltas in winter",
        "see also River deltas in winter. https://a.test/x",
        "RETRACTED: River deltas in winter",
        "Extended Abstract: River deltas in winter",
        "3. River deltas in winter - A.test | News",
        "“River deltas in winter”, Example Press, 2020",
    ],
)
def test_decorations_come_off(decorated):
    assert "River deltas in winter" in [form.strip(" “”.,") for form in undecorated(decorated)]


@pytest.mark.parametrize(
    "decorated",
    [
        "见《冬季河口三角洲》",
        "来源：冬季河口三角洲 - 知乎",
        "冬季河口三角洲 等，2021",
        "冬季河口三角洲_新浪财经",
        "冬季河口三角洲[J]",
    ],
)
def test_chinese_decorations_come_off(decorated):
    assert "冬季河口三角洲" in [form.strip("《》") for form in undecorated(decorated)]


@pytest.mark.parametrize(
    "title",
    [
        "Correction to: River deltas in winter",
        'Comment on "River deltas in winter"',
        "Retraction: River deltas in winter",
        "Reply to River deltas in winter",
        "River deltas in winter - Part 2",
        "River deltas in winter - second edition",
        "River deltas in winter (2021)",
        "River deltas in winter | Correction",
        "评《River deltas in winter》",
        "River deltas in winter - methods for small basins",
    ],
)
def test_what_makes_another_work_stays(title):
    assert "River deltas in winter" not in undecorated(title)


@pytest.mark.parametrize(
    ("title", "bare"),
    [
        ("Deltas in…", "Deltas in"),
        ("Deltas in ...", "Deltas in"),
        ("三角洲……", "三角洲"),
        ("Deltas [...]", "Deltas"),
    ],
)
def test_a_mark_of_a_cut(title, bare):
    assert uncut(title) == (bare, True)


def test_dots_inside_are_no_cut():
    assert uncut("Wait... what?") == ("Wait... what?", False)


def test_sites():
    assert site_of("Deltas - The Example Times") == "the example times"
    assert without_site("Deltas: a subtitle") is None
    assert other_sites("alpha clinic", "Stages of sleep | Beta Clinic")
    assert not other_sites("pubmed", "Stages of sleep | Beta Clinic")
    assert not other_sites("alpha clinic", "Stages of sleep")
    assert site_of("Stages of sleep") == ""


def test_notices_about_works():
    assert is_about_a_work("[Correction to] Deltas")
    assert is_about_a_work("回应《三角洲》")
    assert not is_about_a_work("Corrections in river engineering")


def test_an_address_is_no_title():
    assert without_address("Deltas: https://a.test/x") == "Deltas"
    assert without_address("https://a.test/x") == ""
