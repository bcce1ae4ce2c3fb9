"""Searches that stand as sources, beside works that only look like them."""

import pytest

from quality.metrics.dirt import find_dirt
from quality.metrics.dirt_queries import is_query, is_results_title, is_search_address
from quality.model import Entry, Identifier


def found(text, **fields):
    return [
        (f.reason, text[f.start : f.end]) for f in find_dirt(Entry(ordinal=0, key=None, text=text, **fields))
    ]


@pytest.mark.parametrize(
    "title",
    [
        "北方 港口 潮汐 观测 2019 2020 2021 报告 验潮站",
        "全国港口潮汐观测 2019 2024 公报 风暴潮 频率",
        "港口 潮汐 风暴潮 观测 数据 统计 影响",
        "東京 港 潮汐 観測 データ 2021 2022",
        "tide gauge harbour survey 2021 2022",
        "storm surge harbour statistics pdf",
        "tide tables site:harbour.test",
        "storm surge filetype:pdf",
        '"tide gauge" "northern harbours" 2021',
        '"tide gauge" OR "surge gauge" harbours',
        "Search query: tides of the north",
        "Web search: “tides of the north”",
        "搜索词：北方港口 潮汐",
        "检索式: 潮汐 AND 港口",
    ],
)
def test_queries(title):
    assert is_query(title)
    assert found(f"[7] {title}") == [("placeholder", title.strip('"”'))]


@pytest.mark.parametrize(
    "title",
    [
        "北方港口潮汐观测报告 2019",
        "王小明 李小红 北方港口的潮汐 海洋出版社 北京 2019",
        "中国港口统计年鉴 2019 2020 中国统计出版社 北京 第三版",
        "海洋大学学报 潮汐 港口 观测 风暴潮 专辑",
        "北方港口的潮汐：观测、数据与影响 2019 2020",
        "북방 항구의 조석 관측 자료에 관한 통계 연구",
        "tidal energy converters wake interaction",
        "harbour board full year 2024 results",
        "northern harbours report first quarter 2025 financial results",
        "tides of the north in 2021 and their gauges",
        "Tide Gauge Harbour Survey 2021 2022",
        "Query optimisation in tide databases",
        "Search: a history of looking for things",
        "Web search: how pilots look for tides",
        "“Nature” and “culture” in northern harbours",
        "搜索：一部历史",
        "检索系统的评价",
        "Site: Harbour of the north",
        "",
    ],
)
def test_works_that_look_like_queries(title):
    assert not is_query(title)
    assert found(f"[7] {title} https://h.test/t") == []


def test_keywords_are_enough_where_something_else_names_the_source():
    text = "[7] tide gauge harbour survey 2021 2022"
    assert found(text) == [("placeholder", text[4:])]
    assert found(text + " https://h.test/t") == []
    assert found(text, authors="Brill, A.") == []
    assert found(text, identifiers=(Identifier("isbn", "9780000000002"),)) == []
    assert found(text + " doi 10.5555/182") == []


@pytest.mark.parametrize(
    "title",
    [
        "tides of the north - Google Search",
        "Search results for: tides",
        'Search results for "tides" | Harbour Library',
        "“tides” - Search Results",
        "You searched for tides - Harbour News",
        "潮汐_百度搜索",
        "潮汐 - 搜狗搜索",
        "潮汐的搜索结果",
        "tides at DuckDuckGo",
    ],
)
def test_titles_of_result_pages(title):
    assert is_results_title(title)
    assert "placeholder" in {reason for reason, _ in found(f"[7] [{title}](https://h.test/s)")}


@pytest.mark.parametrize(
    "title",
    [
        "Search results for health questions differ by language",
        "Diversity of search results: a survey",
        "The anatomy of Google Search",
        "Google Search Quality Guidelines - Harbour SEO",
        "搜索结果的多样性研究",
        "百度搜索的历史",
    ],
)
def test_works_about_search(title):
    assert not is_results_title(title)
    assert found(f"[7] [{title}](https://h.test/s)") == []


@pytest.mark.parametrize(
    "address",
    [
        "https://www.google.com/search?q=tides+north",
        "https://bing.com/search?q=tides",
        "https://www.baidu.com/s?ie=utf-8&wd=%E6%BD%AE%E6%B1%90",
        "https://duckduckgo.com/?q=tides",
        "https://www.google.co.uk/search?hl=en&q=tides",
    ],
)
def test_an_address_of_a_search_names_no_source(address):
    assert is_search_address(address)
    assert found(f"[7] {address}") == [("placeholder", address)]
    assert found(f"[7] Tides of the north. {address}") == []
    assert found(f"[7] {address} https://h.test/t") == []


@pytest.mark.parametrize(
    "address",
    [
        "https://www.google.com/search?q=https://h.test/tides",
        "https://www.google.com/url?q=https://h.test/tides",
        "https://h.test/papers?q=tides",
        "https://bing.com/search",
        "https://books.google.com/books?q=tides",
        "https://blog.google.test/search?q=tides",
        "https://[bad/search?q=tides",
    ],
)
def test_other_addresses_name_one(address):
    assert not is_search_address(address)
    assert found(f"[7] {address}") == []
