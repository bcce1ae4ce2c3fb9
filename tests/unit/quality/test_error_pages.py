"""Titles of pages that are no work, beside works that look like them."""

import pytest

from quality.error_page_words import ALONE, DEFAULT_PAGES, PHRASES, UNTITLED
from quality.error_pages import is_error_page, is_spoilt, is_untitled


@pytest.mark.parametrize(
    "title",
    [
        "Error",
        "ERROR 404",
        "404",
        "404 - Not Found",
        "404 Not Found | Nature",
        "Page not found",
        "Page Not Found - The Daily",
        "403 Forbidden",
        "Access Denied",
        "Just a moment…",
        "Attention Required! | Cloudflare",
        "502 Bad Gateway",
        "301 Moved Permanently",
        "Untitled",
        "Untitled Document",
        "Checking your browser before accessing example.test.",
        "Are you a robot?",
        "页面不存在",
        "访问被拒绝",
        "安全验证",
        "N/A",
        "null",
    ],
)
def test_error_pages(title):
    assert is_error_page(title) or is_untitled(title)


@pytest.mark.parametrize(
    "title",
    [
        "Error correction below the surface code threshold",
        "Errors in the Measurement of Tides",
        "Access Denied: The Practice of Internet Filtering",
        "Error | A Novel",
        "Untitled - axa (AXA SFCR 2024)",
        "Found",
        "Gone",
        "404 Days at Sea",
        "300",
        "1984",
        "451",
        "A Moment Before Sunrise",
        "Please Wait for Me",
        "Loading Docks of the Adriatic",
        "验证码技术综述",
        "人机验证技术的发展",
        "",
        "Forbidden, not forgotten",
        "Login, identity and trust online",
        "Not found, but not lost: letters from the front",
        "Captcha (a history)",
        "Coming soon, a new harbour",
        "Access denied, again: censorship in the north",
        "Unauthorized, undocumented, unafraid",
        "Just a moment (poems)",
        "安全检查，制度与实践",
        "Forbidden – A Novel",
        "Forbidden | The history of a word",
        "Captcha - a survey of usability",
        "Access Denied - Stories from the North",
        "The Missing Link",
        "Missing Link",
        "The Closed Page",
        "The Expired Account",
        "Closed System",
        "A Closed System",
        "Disabled Access",
        "Limited Access",
        "Use of Cookies",
        "Missing Content",
        "网络异常检测",
        "系统错误处理",
        "操作系统维护",
    ],
)
def test_works(title):
    assert not is_error_page(title)
    assert not is_untitled(title)


@pytest.mark.parametrize("phrase", sorted(PHRASES | ALONE | DEFAULT_PAGES))
def test_every_phrase_of_the_lexicon_is_found(phrase):
    assert is_error_page(phrase)
    assert is_error_page(phrase.upper() + ".")
    if phrase in PHRASES:
        assert is_error_page(f"{phrase} | A Harbour Site")
        assert is_error_page(f"A Harbour Site - {phrase}")


@pytest.mark.parametrize("phrase", sorted(DEFAULT_PAGES))
def test_a_default_page_name_behind_a_title_leaves_the_work(phrase):
    title = f"Tide tables of the north - {phrase}"
    assert not is_error_page(title)
    assert is_spoilt(title)


def test_a_message_with_the_page_behind_it_leaves_the_source():
    title = "Something went wrong with your subscription. Try again in a minute. Tides Explore the harbours"
    assert is_spoilt(title)
    assert not is_error_page(title)
    assert is_error_page("Something went wrong with your request. Please try again later.")


@pytest.mark.parametrize("phrase", sorted(UNTITLED))
def test_every_way_to_say_that_there_is_no_title(phrase):
    assert is_untitled(phrase.upper() + ".")
    assert not is_untitled(f"{phrase} harbour")


@pytest.mark.parametrize(
    "title",
    [
        "恭喜，站点创建成功！",
        "站点创建成功 - 海洋局",
        "没有找到站点",
        "Welcome to nginx!",
        "Welcome to OpenResty!",
        "Apache2 Ubuntu Default Page: It works",
        "Apache2 Debian Default Page: It works",
        "Test Page for the Apache HTTP Server on Fedora",
        "Test Page for the Nginx HTTP Server on Rocky Linux",
        "IIS Windows Server",
        "Default Web Site Page",
        "Apache Tomcat/9.0.31",
        "PHP 8.1.2 - phpinfo()",
        "Just another WordPress site",
        "Index of /pdf",
        "Index of /archive/2019/tides",
        "Directory listing for /pdf/",
        "Directory Listing: /pub/data",
    ],
)
def test_pages_of_servers_and_panels(title):
    assert is_error_page(title)


@pytest.mark.parametrize(
    "title",
    [
        "站点创建成功率的影响因素研究",
        "Welcome to nginx performance tuning",
        "Apache Tomcat: a history",
        "The default page: how first screens shape reading",
        "Index of Economic Freedom",
        "Index of refraction of sea water",
        "Directory listing practices of small libraries",
        "Test pages in early printing",
        "IIS Windows Server hardening in hospitals",
        "Something went wrong with our democracy",
        "Harbour News - The WordPress site builders",
    ],
)
def test_works_about_servers_and_panels(title):
    assert not is_error_page(title)
    assert not is_spoilt(title)


@pytest.mark.parametrize(
    "title",
    [
        "CAPTCHA - Wikipedia",
        "HTTP 404 - Wikipedia",
        "Login - Wikipedia",
        "身份验证_百度百科",
        "验证码 - 维基百科",
    ],
)
def test_an_encyclopaedia_writes_about_such_pages(title):
    assert not is_error_page(title)


@pytest.mark.parametrize(
    "title", ["Page not found - Wikipedia", "404 Not Found_百度百科", "HTTP 404 - Harbour"]
)
def test_an_encyclopaedia_has_error_pages_too(title):
    assert is_error_page(title)


def test_authors_make_a_work_of_it_unless_it_names_a_status_code():
    assert is_error_page("Access Denied")
    assert not is_error_page("Access Denied", authored=True)
    assert is_error_page("404 Not Found", authored=True)


def test_no_title_is_too_long_to_be_read():
    assert not is_error_page("404 Not Found " * 1000)
    assert not is_untitled("n/a" + " " * 1000)
    assert not is_spoilt("Tides - " * 1000 + "IIS Windows Server")
