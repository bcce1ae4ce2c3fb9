"""Titles that are none: placeholders, and the titles of error, challenge and login pages.

Belongs here: the lexicons, English and Chinese, and matching a whole title against them.
Does not belong here: finding the title in an entry (``dirt_view``), and residue inside a good title (``dirt``).

A title is only judged as a whole: "404 Not Found" is the title of an error page, "404 Not Found: a history of the
broken link" is a title. A site name after a dash or a pipe does not save an error page's title.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from quality.text import fold

_ALONE = frozenset(
    "error|whoops|maintenance|home|homepage|index|untitled page|access|blocked|errors|oops|sorry|gone|loading|redirect|redirecting|register|registration|sign up|welcome|home page not found|"
    "错误|错误页|错误页面|出错了|登录|登陆|登入|注册|用户登录|会员登录|提示信息|验证码|加载中|跳转中|404|403|"
    "错误提示|系统提示|温馨提示".split("|")
)
"""Error titles only as the whole title: with a site name they may be good ones ("Error | MDN")."""

_PHRASES = frozenset(
    "not found|page not found|file not found|article not found|document not found|content not found|url not found|"
    "resource not found|object not found|forbidden|bad request|unauthorized|unauthorised|access denied|"
    "access to this page has been denied|access is denied|access forbidden|access blocked|access restricted|"
    "permission denied|request blocked|request rejected|request denied|the requested url was rejected|"
    "internal server error|server error|bad gateway|service unavailable|service temporarily unavailable|"
    "temporarily unavailable|gateway timeout|gateway time-out|too many requests|request timeout|connection timed out|"
    "connection refused|web server is down|origin dns error|invalid request|invalid url|page unavailable|"
    "page error|error page|application error|runtime error page|content unavailable|article unavailable|"
    "this content isn't available|this page isn't available|this video isn't available|video unavailable|"
    "an error occurred|an error has occurred|something went wrong|this page isn't working|this site can't be reached|"
    "this page can't be displayed|website under construction|website expired|account suspended|site not found|"
    "site maintenance|under maintenance|down for maintenance|temporarily down for maintenance|scheduled maintenance|"
    "site under maintenance|website maintenance|nothing found|no results found|request unsuccessful|"
    "we'll be right back|we will be back soon|be right back|under construction|coming soon|page expired|link expired|"
    "database error|error establishing a database connection|ssl error|privacy error|your connection is not private|"
    "err_connection_refused|err_connection_timed_out|unsupported browser|your browser is not supported|"
    "browser not supported|update your browser|content not available|content not available in your region|"
    "not available in your region|this content is not available in your region|no longer available|"
    "sign in to your account|account login|login page|user login|member login|institutional login|"
    "domain for sale|this domain is for sale|domain expired|domain parked|this domain may be for sale|"
    "moved permanently|301 moved permanently|302 found|object moved|document moved|you are being redirected|"
    "just a moment|one moment, please|one moment please|please wait|loading, please wait|attention required|"
    "checking your browser|checking your browser before accessing|ddos-guard|ddos protection by cloudflare|"
    "pardon our interruption|client challenge|security check|security checkpoint|vercel security checkpoint|"
    "security verification|human verification|bot verification|bot check|robot check|captcha|recaptcha|"
    "radware captcha page|radware bot manager captcha|radware page|are you a robot|are you human|robot or human|"
    "verify you are human|verifying you are human|verify that you are human|i'm not a robot|"
    "please verify you are a human|enable javascript|enable javascript and cookies to continue|"
    "please enable javascript|please enable javascript to view this page|please enable cookies|"
    "please turn javascript on and reload the page|javascript is disabled|javascript is not available|javascript required|cookie absent|cookies disabled|"
    "cookies required|cookies not supported|validate user|sign in|log in|login|login required|log in or sign up|"
    "sign in to continue|log in to continue|authentication required|session expired|your session has expired|"
    "subscribe to read|subscribe to continue reading|"
    "出错啦|出错|页面加载失败|加载失败|网站维护|系统维护|系统维护中|正在进行安全检查|正在验证|验证您是真人|验证您是否是真人|请完成安全验证|请完成验证|"
    "请稍候|请稍等|请等待|請稍候|正在加载|载入中|載入中|正在跳转|页面跳转|页面跳转中|安全验证|人机验证|身份验证|滑动验证|滑块验证|访问验证|"
    "安全检查|安全驗證|人機驗證|百度安全验证|安全验证中|服务器错误|服务器内部错误|系统错误|系统繁忙|系统异常|网络错误|网络异常|内部错误|内部服务器错误|"
    "未知错误|程序错误|伺服器錯誤|错误的请求|禁止访问|拒绝访问|訪問被拒絕|访问被拒绝|访问被拒|访问受限|访问被拦截|访问异常|访问过于频繁|请求被拒绝|"
    "请求过于频繁|没有权限|无权访问|无权限访问|您没有权限访问|没有访问权限|请登录|请先登录|登录后查看|会话已过期|网站维护中|网站建设中|网站已关闭|"
    "网站暂时关闭|无法访问此网站|无法访问该页面|域名出售|该域名正在出售|账号已被封禁|内容已被删除|内容已删除|文章已被删除|文章已删除|该内容已被发布者删除|"
    "此内容因违规无法查看|页面出错了|页面出错|服务不可用|服务暂不可用|网关错误|网关超时|请求超时|找不到文件或目录".split(
        "|"
    )
)
"""Whole titles of error, challenge and login pages; a site name before or after does not save them."""

_ERROR_OF_SITE = re.compile(r"error [|–—-] [^|–—:-]{2,40}")
_HINT = re.compile(
    r"\b[45][0-5]\d\b|error|found|page|access|site|fail|权限|oops|sorry|robot|human|blocked|wrong|javascript|cookies|verif|checking|"
    r"[页頁网網访訪]|文章|内容|链接|资源|文件"
)
_STATUS = r"(?:4(?:0[013458]|10|29|51)|5(?:0[0234]|2[0-7]))"
_STATUS_WORDS = (
    r"(?:page |file )?not found|forbidden|bad request|unauthori[sz]ed|(?:access )?denied|gone|too many requests|"
    r"request time-?out|(?:internal )?server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|error|"
    r"(?:页面|网页|頁面)?(?:不存在|未找到|找不到|错误)|错误页?面?|禁止访问|服务器错误"
)
_TEMPLATES = re.compile(
    "|".join(
        [
            rf"(?:http |error |http error )?{_STATUS}[ :.,|-]*(?:{_STATUS_WORDS})",
            rf"(?:http error|error code|error|http status|status code|http)[ :#-]*{_STATUS}.{{0,20}}",
            r"(?:404|403)(?: page)?[ :.,|-]*(?:oops|sorry|页面|网页)?",
            r"(?:cloudflare )?(?:error|error code) 1[0-9]{3}.{0,30}|\d{3} error.{0,20}|(?:error|err)[ _:-]*\d{3,4}",
            r"(?:oops|sorry|uh-oh)[!,.: -]+.{0,40}\b(?:wrong|not found|can't be found|couldn't find|can't find|blocked|error)\b.{0,40}",
            r"(?:error|not found)[ :-]+(?:page|file|the page).{0,20} not found.{0,20}|server error in .{0,30}",
            r"(?:an? |some )?(?:unexpected |unknown |internal |unhandled )?error (?:has )?occurr?ed.{0,40}",
            r"(?:error|failed|failure)(?: while)? (?:loading|to load|opening) (?:the |this )?(?:page|content|resource|document|site)",
            r"(?:we're sorry|sorry|oops|whoops|uh oh|looks like|but|,| )*something went wrong.{0,40}",
            r"(?:your )?access (?:to this (?:site|page|website|resource) )?(?:has been|was|is) (?:temporarily )?(?:denied|limited|blocked|restricted).{0,30}",
            r"(?:error:? )?the requested (?:url|page) could not be (?:retrieved|found).{0,30}",
            r"(?:您|你)?(?:没有|無|无)(?:访问)?权限(?:访问|查看)(?:此|该|本)?(?:页面|网页|网站|内容)|(?:无法|不能)(?:打开|显示)(?:此|该)?(?:网页|页面)",
            r"(?:the |this |that )?(?:web ?page|web ?site|site|page|url|file|resource|article|content|document|requested page|requested url)"
            r"(?: you(?:'re| are| were)? (?:requested|looking for|trying to (?:reach|access|view)))?"
            r" ?(?:not|was not|wasn't|is not|isn't|is no longer|is currently|is temporarily|currently|temporarily|could not be|couldn't be|cannot be|can't be|can not be|does not|doesn't|no longer)"
            r" (?:found|(?:un)?available|exists?|working|accessible|displayed|loaded)(?: on this server| here| anymore)?",
            r"you have been blocked.{0,40}|error occurred.{0,40}|something went wrong.{0,40}",
            r"(?:please )?verify(?:ing)? (?:that )?you(?:'re| are) (?:a |not a )?(?:human|robot).{0,40}",
            r"checking (?:if the site|the site) connection.{0,30}|(?:please )?enable (?:javascript|cookies|js).{0,40}",
            r"(?:抱歉|对不起|很抱歉|出错啦?|哎呀)?[, !~]*(?:您|你)?(?:所|想|正在|要)?(?:要)?(?:访问|请求|查找|浏览|查看|寻找|訪問|找)?的?"
            r"(?:该|此|这个|該)?(?:页面|网页|网址|文章|内容|链接|頁面|網頁|资源|文件)(?:可能)?(?:已经|已|暂时|暂|並|并)?"
            r"(?:不存在|未找到|没有找到|無法找到|无法找到|找不到了?|走丢了?|丢失了?|被删除|删除|失效|无法访问|無法訪問|不可用|无法显示|过期|下线)(?:或.{0,12}|了|啦)?",
            r"(?:找不到|未找到|没有找到|無法找到|无法找到|无法访问|無法訪問|无法打开)(?:该|此|这个|您要(?:访问|找)的|您访问的)?(?:页面|网页|頁面|網頁|网站|文件|资源)",
        ]
    )
)
_NAMELESS = re.compile(
    "|".join(
        [
            r"(?:unknown|unnamed|unspecified|unidentified|missing|no|untitled|anonymous)[ -]"
            r"(?:source|title|document|reference|page|website|web page|article|url|link|publication|entry)s?",
            r"(?:source|title|reference|url|link|author|citation) (?:is )?"
            r"(?:unknown|missing|unavailable|not available|not provided|not specified|not found|pending|needed|tbd|omitted)",
            r"untitled(?: document| page)?|no title|title|untitled \d{1,3}|unknown|unknown \(unknown\)|n/?a|none|null|undefined|nan|tbd|tba|todo|"
            r"to be (?:added|determined|completed|confirmed|supplied|inserted)|placeholder.{0,20}|lorem ipsum.{0,40}|"
            r"citation needed|reference needed|\?{2,}|x{3,}|\.{3,}|new page|blank page",
            r"(?:source|document|doc|reference|ref|article|paper|website|web ?site|web ?page|page|link|url|citation|result|"
            r"search result|entry|item|study|report|book|site|file) ?(?:no\.? ?|#|n° ?)?\d{1,4}",
            r"(?:来源|來源|文献|文獻|文档|文檔|参考资料|參考資料|参考文献|链接|鏈接|网页|網頁|资料|資料|搜索结果|引用|网站|文章|论文|条目) ?#?[\d一二三四五六七八九十]{1,4}",
            r"(?:未知|不明|佚名|无|無|暂无|缺失)(?:的)?(?:来源|來源|标题|標題|出处|文献|作者和标题|链接|题名)|"
            r"(?:来源|來源|标题|標題|出处|文献|链接)(?:未知|不明|不详|不詳|缺失|待补充|待補充|待定|待查|暂缺|暂无)|"
            r"无标题(?:文档|页面|网页)?|無標題|未命名(?:文档|页面)?|待补充|待補充|待添加|待定|待查|暂无|占位符|此处插入.{0,20}|略|不详",
            r"(?:general|common|background|public|domain|industry|prior|expert|internal|model|training) knowledge|"
            r"(?:general )?(?:internet|web|online) (?:search|sources?|research)|various (?:online |web |internet )?sources|multiple sources|"
            r"常识|通用知识|一般知识|公开资料(?:整理)?|网络资料(?:整理)?|互联网(?:公开)?资料|网络公开(?:资料|信息)|综合(?:网络|公开)资料|多方资料",
        ]
    )
)
_FILL_IN = re.compile(
    r"[\[<{](?:(?:insert|your|add|enter|placeholder|to be|link to|specific|relevant|details? of|fill in|replace with|"
    r"tbd|todo)\b[^\[\]<>{}\n]{0,100}"
    r"|(?:author|title|publisher|journal)(?:s|'s|\(s\))?(?: name| names| title)?"
    r"|year|date|url|doi|volume|month|city|(?:page|issue|volume|full)(?: numbers?| citation| range)|access date|date of access"
    r"|(?:此处|在此|请|待)[^\[\]<>{}\n]{0,30}|插入[^\[\]<>{}\n]{0,30}"
    r"|(?:作者|标题|题目|年份|日期|期刊|网址|出版社|文献|书名|篇名)(?:姓名|名称?|标题|地址)?)[\]>}](?!\()",
    re.IGNORECASE,
)
_UNKNOWN_MARK = re.compile(
    r"[\[(](?:unknown|source unknown|unknown source|n/a|未知|来源未知|来源不详)(?: \(unknown\))?[\])](?!\()",
    re.IGNORECASE,
)
_BLANK_IDENTIFIER = re.compile(
    r"\b10\.(?:x{4,}|\d{4,9}/(?:x{3,}|y{3,}|placeholder|example))|\barxiv[: /]*(?:x{4}\.x{3,}|\d{4}\.x{3,})|doi\.org/x{3,}|10\.0000/",
    re.IGNORECASE,
)
_FROM_NOWHERE = re.compile(
    r"\b(?:accessed|known|obtained|drawn|derived|taken|based|compiled|summari[sz]ed) (?:through|from|on|via|by) "
    r"(?:the )?(?:author'?s |model'?s |my |our |llm'?s )?(?:own )?(?:general|common|background|internal|prior|pre-?trained|training|parametric) (?:knowledge|data)",
    re.IGNORECASE,
)
_FILL_INS = (
    (("xxx", "10.0000/", "placeholder", "yyy"), _BLANK_IDENTIFIER, False),
    (("knowledge", "training"), _FROM_NOWHERE, True),
    (("[", "{", "<"), _FILL_IN, False),
    (("unknown", "n/a", "未知", "不详"), _UNKNOWN_MARK, False),
)
_UNTITLED_HOST = re.compile(r"untitled(?: document| page)? ?[-|:(] ?[\w-]+(?:\.[\w-]+)+.{0,80}")
_SITE_SUFFIX = re.compile(r" [-|–—·•:_] | ?[|｜_] ?|(?<=[.!?…])[-–—]| ?- ?(?=[^\x00-\x7f])")
_STOP = re.compile(r"[.,;(\[] |[,;]| \(")
_SHORTEST_BEFORE_STOP = 4
_HOST = re.compile(r"(?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,12}")
_EXAMPLE_HOSTS = frozenset({"example.com", "example.org", "example.net", "example.edu"})
_MAX_TITLE = 120
"""Longer titles are never matched: no placeholder and no error page has one."""


def is_error_page(title: str) -> bool:
    """Tell whether the whole title, with or without a site name around it, is that of an error or login page."""
    if len(title) > _MAX_TITLE:
        return False
    folded = fold(title)
    hint = _HINT.search(folded) is not None
    if _plain(folded) in _ALONE or _ERROR_OF_SITE.fullmatch(folded):
        return True
    return any(part in _PHRASES or (hint and _TEMPLATES.fullmatch(part)) for part in _readings(folded))


def is_nameless(title: str) -> bool:
    """Tell whether the whole title only stands in for one."""
    if len(title) > _MAX_TITLE:
        return False
    folded = _plain(fold(title))
    return bool(_NAMELESS.fullmatch(folded) or _UNTITLED_HOST.fullmatch(folded))


def is_host_of(title: str, addresses: tuple[str, ...]) -> bool:
    """Tell whether the title is only the host name of the entry's own address, as machines write it."""
    if not _HOST.fullmatch(title) or not addresses:
        return False
    return any(_host(address).removeprefix("www.") == title.removeprefix("www.") for address in addresses)


def is_example(address: str) -> bool:
    """Tell whether an address lies in a domain that is reserved for examples (RFC 2606)."""
    if "example" not in address:
        return False
    host = _host(address)
    return host.endswith(".example") or ".".join(host.split(".")[-2:]) in _EXAMPLE_HOSTS


def fill_in(text: str, lower: str, start: int) -> tuple[int, int] | None:
    """Find text that was left to be filled in, or a source that is nobody's, from ``start`` on.

    ``lower`` is what is shown of the text, in lower case; brackets and identifiers are looked at in ``text``, where
    a link still has its target.
    """
    whole = text.lower()
    for hints, pattern, shown_only in _FILL_INS:
        if any(hint in whole for hint in hints) and (
            match := pattern.search(lower if shown_only else text, start)
        ):
            return match.span()
    return None


def _readings(folded: str) -> list[str]:
    """Give the title, and what it is without a site name at its end or its start, or without what follows a stop."""
    cuts = list(_SITE_SUFFIX.finditer(folded))
    readings = [folded]
    if cuts:
        readings += [folded[: cuts[0].start()], folded[: cuts[-1].start()], folded[cuts[-1].end() :]]
    if (stop := _STOP.search(folded)) and stop.start() >= _SHORTEST_BEFORE_STOP:
        readings.append(folded[: stop.start()])
    return [_plain(r) for r in readings]


def _plain(folded: str) -> str:
    return folded.strip(" .!?-|·:()[]<>{}\"'")


def _host(address: str) -> str:
    try:
        return (urlsplit(address if "//" in address else f"//{address}").hostname or "").lower()
    except ValueError:
        return ""
