"""Titles that are none, in English and Chinese, in every layout; and entries that name nothing."""

import pytest

from quality.metrics.dirt import find_dirt
from quality.metrics.dirt_error_pages import is_error_page
from quality.metrics.dirt_error_words import ALONE, PHRASES
from quality.metrics.dirt_titles import is_nameless
from quality.model import Entry

LAYOUTS = [
    "[3] {}. https://h.test/t",
    "5. [{}](https://h.test/t)",
    "[7] https://h.test/t - {}",
    "12. {}, accessed March 2, 2025, [https://h.test/t](https://h.test/t)",
    "[2] {}",
    "- {}：https://h.test/t",
]

ERROR_PAGES = [
    "404 Not Found",
    "403 Forbidden",
    "Access Denied",
    "Just a moment...",
    "Page Not Found | Nature",
    "Error 500 - Internal Server Error",
    "502 Bad Gateway",
    "Attention Required! | Cloudflare",
    "页面不存在",
    "404 页面未找到",
    "您访问的页面不存在",
    "访问被拒绝 - 403",
    "服务器内部错误",
    "Security Check",
    "Are you a robot?",
    "Please enable cookies",
    "This page could not be found",
    "Sorry, the page you requested was not found",
    "Oops! That page can't be found.",
    "Service Unavailable",
    "Bad Request",
    "Error: Page not found",
    "Not Found - ScienceDirect",
    "Site Maintenance",
    "Redirecting…",
    "Loading…",
    "Content Not Available in Your Region",
    "JavaScript is disabled",
    "Error 1020",
    "HTTP 404",
    "404 error",
    "404 - File or directory not found.",
    "The requested URL was not found on this server",
    "Bloomberg - Are you a robot?",
    "Error | Wiley Online Library",
    "429 Too Many Requests",
    "504 Gateway Time-out",
    "抱歉，您访问的页面不存在",
    "对不起，页面无法找到",
    "抱歉，您要访问的页面不存在或已被删除 - 知乎",
    "百度安全验证",
    "请求过于频繁，请稍后再试",
    "系统繁忙，请稍后再试",
    "访问受限",
    "该文章已被删除",
    "页面找不到了",
    "网页无法访问",
    "404错误页面",
    "HTTP Status 404 – Not Found",
    "Sign in - Google Accounts",
    "Log In | ResearchGate",
    "ResearchGate - Temporarily Unavailable",
    "Verify you are human",
    "DDoS-Guard",
    "Robot Check",
    "410 Gone",
    "401 Unauthorized",
    "500 Internal Server Error",
    "503 Service Temporarily Unavailable",
    "Server Error in '/' Application.",
    "An unexpected error has occurred",
    "Error loading page",
    "We're sorry, but something went wrong (500)",
    "Forbidden",
    "Page unavailable",
    "Site not available",
    "Request unsuccessful. Incapsula incident ID: 123-456",
    "验证您是否是真人",
    "正在进行安全检查",
    "温馨提示",
    "出错啦！",
    "无法打开此网页",
    "您没有权限访问此页面",
    "该网页已失效",
    "链接已失效",
    "Subscribe to read | Financial Times",
    "Login Required",
    "Session expired",
    "Whoops, looks like something went wrong.",
    "File not found",
    "ERROR: The requested URL could not be retrieved",
    "ERR_CONNECTION_REFUSED",
    "Your access to this site has been limited",
    "Access to this page has been denied.",
    "Page Not Found (404)",
    "404",
    "Nothing found",
    "Site under maintenance",
    "页面加载失败",
    "网站维护",
    "内容不存在",
    "此页面暂时无法访问",
    "404 Page",
]

ERROR_PAGES += [
    "404 - Page Not Found - Springer",
    "Page not found – The Guardian",
    "403 - Forbidden: Access is denied.",
    "ScienceDirect - Access Denied",
    "Error 404 (Not Found)!!1",
    "Access denied | www.jstor.org used Cloudflare to restrict access",
    "Attention Required! Cloudflare",
    "Please verify you are a human",
    "Checking your browser before accessing example site",
    "Just a moment... | ResearchGate",
    "Sorry, you have been blocked",
    "You do not have permission to access this page",
    "The page you are looking for doesn't exist",
    "Oops, something went wrong",
    "Hmm, we can't find that page",
    "This article is no longer available",
    "The resource you are looking for has been removed",
    "Internal Server Error",
    "HTTP Error 503. The service is unavailable.",
    "502 Proxy Error",
    "504 Gateway Timeout - nginx",
    "Web server is returning an unknown error",
    "Error 522: Connection timed out",
    "SSL handshake failed | Error code 525",
    "Site Not Found",
    "Server Not Found",
    "DNS resolution error",
    "Unable to connect",
    "Too Many Requests (429)",
    "Rate limit exceeded",
    "Are you a human? Please complete the CAPTCHA",
    "Unusual traffic from your computer network",
    "Enable JavaScript and cookies to continue",
    "Login - Scopus",
    "Sign In | The New York Times",
    "Access through your institution",
    "Redirecting...",
    "Page has moved",
    "Document not found",
    "无法找到该页",
    "抱歉，页面无法访问",
    "404 您访问的页面不存在",
    "页面丢失了",
    "您所访问的网页已被删除",
    "很抱歉，没有找到您要访问的页面",
    "系统发生错误",
    "服务器错误 500",
    "网络连接超时",
    "禁止访问 403",
    "请输入验证码继续访问",
    "访问过于频繁，请稍后再试",
    "当前环境异常，完成验证后即可继续访问",
    "该内容已被发布者删除",
    "此网站无法访问",
    "对不起，您没有权限访问该页面",
    "正在验证您的浏览器",
    "知乎 - 安全验证",
    "文章不存在或已删除",
    "404 Error - Page Not Found | MIT Technology Review",
    "Page Not Found - Harvard University",
    "Access Denied - National Library",
    "This page isn't available right now",
    "Sorry, this page isn't available.",
    "We can't find the page you're looking for",
    "The page cannot be displayed",
    "Error 403: Access forbidden",
    "HTTP 500 - Internal server error",
    "503 Service Unavailable | Elsevier",
    "Connection refused",
    "Request timed out",
    "Your session has expired. Please log in again.",
    "Please log in to view this content",
    "You must be logged in to view this page",
    "Members only",
    "Verifying that you are not a robot...",
    "Human verification required",
    "Complete the security check to access",
    "One more step",
    "Bad Gateway (502)",
    "An error occurred while processing your request",
    "Application error: a client-side exception has occurred",
    "500 - Something went wrong",
    "This content is unavailable",
    "Video unavailable - YouTube",
    "The document has moved",
    "Invalid request",
    "Cookies must be enabled",
    "Your browser does not support JavaScript",
    "页面未找到 - 中国政府网",
    "404 Not Found_百度百科",
    "您访问的内容不存在",
    "该页面已被移除",
    "抱歉，您访问的文章已下线",
    "网页解析失败，可能是不支持的网页类型",
    "请求超时，请刷新重试",
    "服务器开小差了",
    "系统维护中，请稍后访问",
    "请先登录后再查看",
    "拒绝访问：您没有权限",
    "验证中心",
    "请完成下列验证后继续",
    "对不起，该文章已被作者删除",
    "网站正在维护",
]

WORKS = [
    "404 Not Found: A History of the Broken Link",
    "Human error",
    "Human error in shipping",
    "Network security",
    "Access to justice denied",
    "How to enable JavaScript in a browser",
    "Pages not found in the archive of Lima",
    "Service and server: a history",
    "Are we human?",
    "Working with cookies",
    "网络安全",
    "网络访问服务",
    "页面加载优化方法",
    "浏览器指纹检测",
    "网站无法访问的原因研究",
    "机器人安全检查",
    "Home",
    "Welcome",
    "Registration",
    "Error correction in quantum computing",
    "Forbidden Knowledge: A History",
    "Access denied: the practice of internet filtering",
    "Errors in medicine",
    "Page numbers and reading behaviour",
    "Login security in banking systems",
    "Robot checks in elderly care",
    "A robot or human? Perceptions of chatbots",
    "Just a moment of silence: grief in schools",
    "HTTP status codes explained",
    "How to fix a 404 error in WordPress",
    "What is a 403 Forbidden Error (and How Can I Fix It)? ",
    "500 years of printing",
    "The 404 Media guide to surveillance",
    "Security checks at airports: a review",
    "Human verification of machine translation",
    "Captcha systems: a survey of usability",
    "错误分析理论综述",
    "人机验证技术研究进展",
    "服务器错误的排查方法",
    "访问控制与权限管理研究",
    "页面置换算法综述",
    "验证码识别技术研究",
    "安全检查制度的法律分析",
    "404 Fund Annual Report 2021",
    "Not found in translation",
    "Sorry states: apologies in international politics",
    "Oops: understanding failure",
    "Under construction: urban development in Lagos",
    "Maintenance of wind turbines",
    "Cookies and privacy: a survey",
    "Loading dose of amiodarone",
    "Redirecting attention in early autism",
    "Gateway timeout handling in microservices",
    "Bad Request Handling in REST APIs",
    "Service unavailable? Rural broadband gaps",
    "Too many requests for help: food banks in the UK",
    "Gone with the wind",
    "系统错误日志分析",
    "登录系统设计与实现",
    "网络错误检测研究",
    "Unauthorized immigration and the labour market",
    "Page, L. The PageRank citation ranking",
    "Section 404 of the Sarbanes-Oxley Act",
    "Resource not found: missing data in ecology",
    "403(b) plans: a primer",
]

NAMES_NOTHING = [
    "[3]",
    "4.",
    "- ",
    "[5] -",
    "[6] .",
    "[7] ,",
    "[8] []()",
    "[9] “”",
    "[10] ()",
    "[11] **",
    "12. —",
    "[13] ...",
    "[15] Accessed 3 March 2025.",
    "[16] https://",
    "[17] http://",
    "[18] doi:",
    "[19] URL:",
    "[20] 来源：",
    "[21] 。",
    "[^4]:",
    "[22] 检索日期：2025年4月27日",
    "[23] (n.d.)",
    "[24] Available at:",
    "[25] Retrieved from",
    "[26] pp.",
    "[27] 2023",
    "[29] 链接",
    "[30] [](  )",
    '[31] ""',
    "[32] 《》",
    "[33] “”，。",
    "[34] [link]()",
    "[35] , , .",
    "36. .",
    "[37] [ ]",
    "[38] <>",
    "[39] http:// ",
    "[40] et al. (2020).",
    "*   ",
    "1) ",
    "【5】",
    "[41] ，2023年。",
    "[42] Online. Available:",
]

NAMES_SOMETHING = [
    "[1] https://h.test",
    "[2] doi:10.5555/182",
    "[3] NASA",
    "[4] 红楼梦",
    "[5] WHO 2023",
    "[6] www.h.test/tides",
    "[7] It",
    "[8] arXiv:2301.00001",
    "[9] 《史记》",
    "[10] PMID: 12345678",
    "[11] h.test/x",
    "[12] R",
    "[^13]: 见《海潮志》",
    "[14] 1984, by A. Brill",
]


def reasons(text, **fields):
    return [f.reason for f in find_dirt(Entry(ordinal=0, key=None, text=text, **fields))]


@pytest.mark.parametrize("title", ERROR_PAGES)
def test_error_pages(title):
    assert is_error_page(title)
    for layout in LAYOUTS:
        assert "error_page_title" in reasons(layout.format(title)), layout


@pytest.mark.parametrize("title", WORKS)
def test_works_about_errors(title):
    assert not is_error_page(title)
    assert not is_nameless(title)
    for layout in LAYOUTS:
        assert reasons(layout.format(title)) == [], layout


def test_a_work_with_an_author_may_be_called_like_an_error_page():
    text = "[1] Brill, A. (2008). Access Denied. Harbour Press."
    assert reasons(text, title="Access Denied", authors="Brill, A.") == []
    assert reasons(text, title="Access Denied") == ["error_page_title"]
    assert reasons("[1] Brill, A. (2008). 404 Not Found", title="404 Not Found", authors="Brill, A.") == [
        "error_page_title"
    ]


@pytest.mark.parametrize("text", NAMES_NOTHING)
def test_entries_that_name_nothing(text):
    assert "empty" in reasons(text)


@pytest.mark.parametrize("text", NAMES_SOMETHING)
def test_entries_that_name_something(text):
    assert reasons(text) == []


@pytest.mark.parametrize(
    "title",
    [
        "Untitled",
        "Unknown",
        "no title",
        "Untitled document",
        "n/a",
        "无标题",
        "标题未知",
        "Source 12",
        "文献 3",
    ],
)
def test_nameless(title):
    assert is_nameless(title)


@pytest.mark.parametrize(
    "title",
    [
        "Untitled works of A. Brill",
        "Unknown soldiers",
        "无标题的诗",
        "Source 12 of the Yangtze",
        "Study 12 in C",
    ],
)
def test_named(title):
    assert not is_nameless(title)


def test_what_a_catalogue_refuses():
    titles = ["Error", "Just a moment...", "404 Not Found", "Access Denied", "Untitled", "Sand dunes of Peru"]
    assert [t for t in titles if not is_error_page(t) and not is_nameless(t)] == ["Sand dunes of Peru"]


@pytest.mark.parametrize("phrase", sorted(PHRASES | ALONE))
def test_every_phrase_of_the_lexicon_is_found(phrase):
    assert is_error_page(phrase)
    assert is_error_page(phrase.upper() + ".")
    if phrase in PHRASES:
        assert is_error_page(f"{phrase} | A Harbour Site")
        assert is_error_page(f"A Harbour Site - {phrase}")


def test_no_title_is_too_long_to_be_read():
    assert not is_error_page("404 Not Found " * 1000)
    assert not is_nameless("Untitled " * 1000)
