"""When the beginning of a title names it."""

import pytest

from quality.sources.cuts import Cut, judge_cut
from quality.sources.keys import strict_key


def judge(citation, title):
    return judge_cut(citation, strict_key(citation), title)


@pytest.mark.parametrize(
    ("citation", "title"),
    [
        ("Dune migration in coas", "Dune migration in coastal Peru since the fifties"),
        ("Dune migration in coastal northern Peru", "Dune migration in coastal northern Peru deserts"),
        ("基于遥感的沙丘迁移监测", "基于遥感的沙丘迁移监测方法"),
    ],
)
def test_safe(citation, title):
    assert judge(citation, title) is Cut.SAFE


@pytest.mark.parametrize(
    ("citation", "title"),
    [
        ("Mapping rivers", "Mapping rivers: methods for small basins"),
        ("Dune migration survey", "Dune migration survey 2021"),
        ("Dune migration survey", "Dune migration survey part B"),
        ("沙丘迁移监测年度报告", "沙丘迁移监测年度报告发布"),
    ],
)
def test_only_a_candidate(citation, title):
    assert judge(citation, title) is Cut.CANDIDATE


@pytest.mark.parametrize(
    ("citation", "title"),
    [
        ("Graph networks for traffic forecasting", "Graph networks for traffic forecasting in rural areas"),
        ("Urban heat island", "Urban heat islands"),
        ("Tactile maps. Part I", "Tactile maps. Part II"),
        ("Testing model 3", "Testing model 35"),
        ("Dune migration", "Dune migration along whole desert coasts seen by satellites"),
    ],
)
def test_nothing(citation, title):
    assert judge(citation, title) is Cut.NOTHING
