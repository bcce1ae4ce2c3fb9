"""Where an address ends."""

from __future__ import annotations

import pytest

from quality.citations.urls import find_links, find_urls, trim_url


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("(https://papers.test/a).", "https://papers.test/a"),
        ("https://papers.test/Tide_(gauge)", "https://papers.test/Tide_(gauge)"),
        ("(see https://papers.test/Wave_(sea)).", "https://papers.test/Wave_(sea)"),
        ("https://papers.test/a, and", "https://papers.test/a"),
        ("https://papers.test/a;", "https://papers.test/a"),
        ("<https://papers.test/a>.", "https://papers.test/a"),
        ("https://papers.test/a。", "https://papers.test/a"),
        ("（https://papers.test/a）", "https://papers.test/a"),
        ('"https://papers.test/a"', "https://papers.test/a"),
        ("https://papers.test/a/.", "https://papers.test/a/"),
        ("**https://papers.test/a**", "https://papers.test/a"),
        ("[https://papers.test/a].", "https://papers.test/a"),
        ("https://papers.test/w?v=4Kb)", "https://papers.test/w?v=4Kb"),
        ("https://papers.test/a…", "https://papers.test/a"),
        ("https://papers.test/wiki/潮汐", "https://papers.test/wiki/潮汐"),
        ("https://papers.test/a的报告", "https://papers.test/a"),
        ("https://papers.test/a\\_b", "https://papers.test/a\\_b"),
        ("HTTPS://papers.test/A", "HTTPS://papers.test/A"),
        ("| https://papers.test/a |", "https://papers.test/a"),
    ],
)
def test_the_sentence_keeps_its_punctuation(text, url):
    found = list(find_urls(text))
    assert [u for _, _, u in found] == [url]
    start, end, _ = found[0]
    assert text[start:end] == url


def test_what_is_no_address():
    assert list(find_urls("https:// http://, ftp:/x www.papers.test")) == []


def test_trimming_keeps_balanced_brackets():
    assert trim_url("https://x.test/(a)") == "https://x.test/(a)"
    assert trim_url("https://x.test/(a))") == "https://x.test/(a)"
    assert trim_url("https://x.test/a]") == "https://x.test/a"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("[a](https://x.test)", ("a", "https://x.test")),
        ("[a [b] c](https://x.test/(d))", ("a [b] c", "https://x.test/(d)")),
        ('[a](<https://x.test> "title")', ("a", "https://x.test")),
        ("[a\\]b](https://x.test)", ("a\\]b", "https://x.test")),
    ],
)
def test_links(text, parts):
    assert [(k.text, k.url) for k in find_links(text)] == [parts]
