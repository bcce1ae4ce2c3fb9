"""Searches named as sources: the query of a search, the title of its results, or only their address.

Belongs here: telling a query or a page of results from a title. Does not belong here: other titles that stand in for
one (``dirt_titles``), leaked calls of a search tool (``dirt``).

A query is words without grammar: keywords between blanks, years in a row, operators. Where an entry has an address,
authors or an identifier, keywords name it well enough, and only the titles of result pages count. Results of one
site's own search (``h.test/papers?q=tides``) are a page of that site, and clean.
"""

from __future__ import annotations

import re
from itertools import pairwise
from urllib.parse import parse_qs, urlsplit

from quality.text import fold, is_cjk

_MAX_QUERY = 160
_ENGINE = re.compile(
    r"(?:www\.|cn\.|m\.)?(?:google\.(?:com?\.)?[a-z]{2,3}|bing\.com|duckduckgo\.com|baidu\.com|sogou\.com|so\.com|"
    r"search\.yahoo\.com|yandex\.(?:com|ru)|startpage\.com|ecosia\.org|search\.brave\.com)"
)
_ENGINE_PATHS = frozenset({"", "/", "/search", "/s", "/web", "/html"})
_QUERY_KEYS = ("q", "wd", "query", "p", "text", "word")
_ADDRESS_LIKE = re.compile(r"https?:|www\.|[\w-]+\.[a-z]{2,6}/|\b10\.\d{4,9}/")
_OPERATOR = re.compile(
    r"(?:^| )-?(?:site|filetype|inurl|intitle|intext|allintitle):[^\s:]|\" OR \"|^[^.,;:()]*\" \"[^.,;:()]*$",
)
_ANNOUNCED = re.compile(
    r"(?:(?:(?:web |google |bing |internet )?search (?:query|queries|terms?|string)|搜索词|搜索关键词|检索词|检索式|查询词)"
    r" ?: ?|(?:(?:web |google |bing |internet )?search(?:ed for)?|搜索|检索) ?: ?\").{2,150}"
)
_RESULTS = re.compile(
    r"search results(?: for)? ?: ?.{2,80}|search results for [\"'].{2,80}[\"'](?: [-|] .{2,40})?"
    r"|[\"']?.{2,80}[\"'] ?[-|:] ?search results(?: [-|] .{2,40})?"
    r"|you searched for .{2,80} [-|] .{2,40}"
    r"|.{2,80}(?: - |_)(?:google search|google 搜索|bing search|bing images|百度搜索|必应搜索|搜狗搜索|360搜索)"
    r"|.{2,60} at duckduckgo|.{2,60}的(?:搜索|检索)结果(?: ?[-_|] ?.{2,30})?"
)
_RESULTS_HINTS = ("search", "duckduckgo", "搜索", "检索")
_YEAR = re.compile(r"(?:19|20)\d\d")
_PUNCTUATION = re.compile(r"[.,;:!?()\[\]<>|/·—《》]| - ")
_BIBLIOGRAPHIC = re.compile(
    r"出版|书局|書局|书店|书社|印书馆|学报|學報|杂志|期刊|大学|大學|学院|研究所|日报|时报|通讯社|译$|著$|编$|主编|"
    r"第.{1,3}[卷期版章]"
)
_FILE_TYPES = frozenset({"pdf", "ppt", "xls", "doc"})
_MEAN_KEYWORD = (
    4.5  # letters; the words of Chinese queries are short, the parts of a bibliographic entry are not
)
_HANGUL = re.compile(r"[\uac00-\ud7af]")  # Korean puts blanks between the words of any title
_PLAIN_QUOTES = str.maketrans("“”„", '"""')
_GRAMMAR = frozenset(
    "a an the of and or in on at to for from with without by as is are was be into between among under over about "
    "against toward towards via versus its their our your his her this that these what how why when where who "
    "which does do can should will".split()
)


def is_query(title: str) -> bool:
    """Tell whether words that stand without address, authors and identifier are the query of a search."""
    if len(title) > _MAX_QUERY:
        return False
    folded = fold(title)
    if _ANNOUNCED.fullmatch(folded) or _OPERATOR.search(title.translate(_PLAIN_QUOTES)):
        return True
    words = folded.split()
    if _PUNCTUATION.search(folded) or len(words) < 5:
        return False
    named = [word for word in words if not word[0].isdigit()]
    if _HANGUL.search(folded):
        return False
    if any(map(is_cjk, folded)):
        return _is_chinese_query(words, named)
    return title == folded and _is_english_query(words, named)


def _is_chinese_query(words: list[str], named: list[str]) -> bool:
    """Find years in a row among keywords, or many short keywords of which none is bibliographic."""
    if len(named) < 3 or any(map(_BIBLIOGRAPHIC.search, named)):
        return False
    if _has_years_in_a_row(words):
        return True
    letters = sum(map(len, named))
    return (
        len(named) >= 6
        and letters <= _MEAN_KEYWORD * len(named)
        and not any(map(_BIBLIOGRAPHIC.search, named))
    )


def _is_english_query(words: list[str], named: list[str]) -> bool:
    """Find lower-case keywords with years in a row or a file type, and without one word of grammar.

    One year is not enough: "harbour board full year 2024 results" is a title in lower case.
    """
    if len(named) < 4 or any(word in _GRAMMAR for word in words):
        return False
    return _has_years_in_a_row(words) or words[-1] in _FILE_TYPES


def _has_years_in_a_row(words: list[str]) -> bool:
    return any(_YEAR.fullmatch(a) and _YEAR.fullmatch(b) for a, b in pairwise(words))


def is_results_title(title: str) -> bool:
    """Tell whether the whole title is that of a page of search results."""
    if len(title) > _MAX_QUERY or not any(hint in title.lower() for hint in _RESULTS_HINTS):
        return False
    return _RESULTS.fullmatch(fold(title)) is not None


def is_search_address(address: str) -> bool:
    """Tell whether an address asks a general search engine for words; one that asks it for an address does not."""
    if "?" not in address:
        return False
    try:
        parts = urlsplit(address if "//" in address else f"//{address}")
        asked = parse_qs(parts.query, max_num_fields=40)
    except ValueError:
        return False
    if not _ENGINE.fullmatch((parts.netloc or "").lower()) or parts.path not in _ENGINE_PATHS:
        return False
    return any(not _ADDRESS_LIKE.search(asked[key][0].lower()) for key in _QUERY_KEYS if key in asked)
