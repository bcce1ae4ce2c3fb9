"""Many titles at once are answered as each of them alone."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quality.model import Source
from quality.sources import cascade
from quality.sources.cascade import find_all
from quality.sources.columns import BRACKET, fold_column
from quality.sources.decorations import TAIL_HINTS, may_have_lead_in, without_lead_in, without_tail
from quality.sources.index import SourceIndex
from quality.sources.keys import strict_key
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
    "The tides of winter, part II: 潮汐",
    "冬季河口三角洲演变研究",
    "冬季河口三角洲演变研究——以北方为例",
    "Harbour maps - Coast Museum",
    "Salt & sand in the Åland estuaries",
    "https://a.test/only-an-address",
    "",
]
HEADS = ["", "", "Source: ", "see also ", "[PDF] ", "来源：", "见", "1. ", "“", "《", "Correction to: "]
TAILS = [
    "",
    "",
    "…",
    "...",
    " (accessed 3 May 2024)",
    ", p. 12",
    " et al.",
    " 等，2021",
    " - PDF",
    " [online]",
    "。",
]
TAILS += [
    " 第3期",
    " | Other Site",
    " - Coast Museum",
    " https://a.test/x",
    " doi: 10.5/x",
    "》",
    "”",
    " (2nd ed.)",
    "[J]",
]
TAILS += [" (12 pages)", " [3 mb]", "::Site", " · Site", " 取自 x", " full text", "\n", " / Part 3"]


@st.composite
def citations(draw):
    title = draw(st.sampled_from(TITLES))
    title = title[: draw(st.integers(0, len(title)))] if draw(st.booleans()) else title
    title = draw(
        st.sampled_from([title, title.upper(), title.replace(" ", "\u00a0"), title.replace(",", "，")])
    )
    tails = "".join(draw(st.lists(st.sampled_from(TAILS), max_size=2)))
    return draw(st.sampled_from(HEADS)) + draw(st.sampled_from(HEADS)) + title + tails


@pytest.fixture(autouse=True)
def _columns_however_few(monkeypatch):
    monkeypatch.setattr(cascade, "_FEW", 1)
    monkeypatch.setattr(cascade, "_AT_ONCE", 7)


def both(titles, asked):
    index = TitleIndex(titles)
    return list(find_all(index, asked)), [index.find(one) for one in asked]


@given(st.lists(citations(), max_size=12))
@example(
    ["Deep learning…", "Deep learning", "", "…", "https://a.test/x", "The tides of winter, part 2: 潮汐"]
)
def test_a_batch_is_answered_as_each_alone(asked):
    together, alone = both(TITLES, asked)
    assert together == alone


@given(st.lists(st.text(max_size=30), max_size=8), st.lists(st.text(max_size=40), max_size=8))
def test_any_titles_and_citations(titles, asked):
    together, alone = both(titles, [*asked, *titles])
    assert together == alone


def test_each_tier_is_met():
    asked = [
        "deep  LEARNING",
        "Tides of winter, Part 2: 潮汐",
        "Source: Deep learning for crop yield (accessed 2024-01-02)",
        "Effects of long-term sleep restriction on adol",
        "Effects of long-term sleep restriction on…",
        "Nothing of the kind",
    ]
    found = find_all(TitleIndex(TITLES), asked)
    assert [hit and (hit.tier, hit.rows, hit.safe) for hit in found] == [
        ("exact", (3,), True),
        ("exact", (8,), True),
        ("decorated", (4,), True),
        ("truncated", (0,), True),
        ("truncated", (0, 1), False),
        None,
    ]
    assert len(found) == 6
    assert list(find_all(TitleIndex([]), asked)) == [None] * 6


PARTS = [
    "Tides of salt",
    " ",
    ",",
    ".",
    ":",
    "(",
    "[",
    "|",
    " - ",
    ")",
    "]",
    "】",
    "accessed",
    "last Visited",
    "retrieved",
]
PARTS += [
    "updated",
    "abgerufen",
    "consulté",
    "访问于",
    "检索日期",
    "引用日期",
    "取自",
    "p. 3",
    "pp.3-4",
    "第 3 页",
    "第 4 期",
    "et al",
]
PARTS += [
    "2021",
    "等",
    "online",
    "PDF",
    "html",
    "video",
    "web page",
    "internet",
    "open access",
    "extended abstract",
]
PARTS += [
    "invited paper",
    "12 pages",
    "3 mb",
    "在线",
    "网络版",
    "J",
    "EB/OL",
    "full text",
    "abstract",
    "url:",
    "https://a.b/c",
]
PARTS += [
    "doi: 10.1/2",
    "doi.org/10.1",
    "pmid:3",
    "arXiv: 1",
    "isbn:3",
    "Source:",
    "来源：",
    "according to",
    "• ",
    "RETRACTED",
]


@given(st.lists(st.sampled_from(PARTS), min_size=1, max_size=6).map("".join))
def test_what_is_taken_off_was_hinted_at(title):
    key, column = strict_key(title), fold_column([title])
    if without_tail(title):
        assert any(hint in key for hint in TAIL_HINTS) or column.traits[0] & BRACKET
    if without_lead_in(title):
        assert may_have_lead_in(title, key)


@pytest.mark.parametrize("known", [[], ["Deep learning", "Deep learning for…", "Nothing"]])
def test_an_index_that_knows_titles_answers_as_before(known):
    index = SourceIndex([Source(f"s{row}", title, year=2001) for row, title in enumerate(TITLES)])
    knowing = index.knowing(known)
    for title in ("Deep learning", "Deep learning for…", "Nothing", "Harbour maps"):
        for year in (None, 1999):
            assert knowing.resolve(title, year=year) == index.resolve(title, year=year)
