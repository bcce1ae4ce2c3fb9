"""Words and forms of titles that are none, English and Chinese: the lexicon of ``dirt_titles``.

Belongs here: phrases, templates and limits. All of them are matched against folded text
(``quality.text.fold``), most of them as a whole title. Does not belong here: matching.
"""

from __future__ import annotations

import re


def _phrases(text: str) -> frozenset[str]:
    return frozenset(text.split("|"))


ALONE = _phrases(
    "error|errors|oops|whoops|sorry|gone|blocked|loading|redirect|redirecting|sign up|home page not found|"
    "404|403|错误|错误页|错误页面|出错了|登录|登陆|登入|用户登录|会员登录|提示信息|验证码|加载中|跳转中|"
    "错误提示|系统提示|温馨提示"
)
"""Error titles only as the whole title: with a site name they may be good ones ("Error | MDN")."""

PHRASES = _phrases(
    "not found|page not found|file not found|article not found|document not found|content not found|url "
    "not found|"
    "resource not found|object not found|forbidden|bad request|unauthorized|unauthorised|access denied|"
    "access to this page has been denied|access is denied|access forbidden|access blocked|access restricted|"
    "permission denied|request blocked|request rejected|request denied|the requested url was rejected|"
    "internal server error|server error|bad gateway|service unavailable|service temporarily unavailable|"
    "temporarily unavailable|gateway timeout|gateway time-out|too many requests|request timeout|connection "
    "timed out|"
    "connection refused|web server is down|origin dns error|invalid request|invalid url|page unavailable|"
    "page error|error page|application error|runtime error page|content unavailable|article unavailable|"
    "this content isn't available|this page isn't available|this video isn't available|video unavailable|"
    "an error occurred|an error has occurred|something went wrong|this page isn't working|this site can't "
    "be reached|"
    "this page can't be displayed|website under construction|website expired|account suspended|site not "
    "found|"
    "site maintenance|under maintenance|down for maintenance|temporarily down for maintenance|scheduled "
    "maintenance|"
    "site under maintenance|website maintenance|nothing found|no results found|request unsuccessful|"
    "we'll be right back|we will be back soon|be right back|under construction|coming soon|page expired|"
    "link expired|"
    "database error|error establishing a database connection|ssl error|privacy error|your connection is "
    "not private|"
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
    "radware captcha page|radware bot manager captcha|radware page|are you a robot|are you human|robot or "
    "human|"
    "verify you are human|verifying you are human|verify that you are human|i'm not a robot|"
    "please verify you are a human|enable javascript|enable javascript and cookies to continue|"
    "please enable javascript|please enable javascript to view this page|please enable cookies|"
    "please turn javascript on and reload the page|javascript is disabled|javascript is not available|"
    "javascript required|cookie absent|cookies disabled|"
    "cookies required|cookies not supported|validate user|sign in|log in|login|login required|log in or "
    "sign up|"
    "sign in to continue|log in to continue|authentication required|session expired|your session has expired|"
    "subscribe to read|subscribe to continue reading|"
    "出错啦|出错|页面加载失败|加载失败|网站维护|系统维护|系统维护中|正在进行安全检查|正在验证|验证您是真人|"
    "验证您是否是真人|请完成安全验证|请完成验证|"
    "请稍候|请稍等|请等待|請稍候|正在加载|载入中|載入中|正在跳转|页面跳转|页面跳转中|安全验证|人机验证|"
    "身份验证|滑动验证|滑块验证|访问验证|"
    "安全检查|安全驗證|人機驗證|百度安全验证|安全验证中|服务器错误|服务器内部错误|系统错误|系统繁忙|"
    "系统异常|网络错误|网络异常|内部错误|内部服务器错误|"
    "未知错误|程序错误|伺服器錯誤|错误的请求|禁止访问|拒绝访问|訪問被拒絕|访问被拒绝|访问被拒|访问受限|"
    "访问被拦截|访问异常|访问过于频繁|请求被拒绝|"
    "请求过于频繁|没有权限|无权访问|无权限访问|您没有权限访问|没有访问权限|请登录|请先登录|登录后查看|"
    "会话已过期|网站维护中|网站建设中|网站已关闭|"
    "网站暂时关闭|无法访问此网站|无法访问该页面|域名出售|该域名正在出售|账号已被封禁|内容已被删除|"
    "内容已删除|文章已被删除|文章已删除|该内容已被发布者删除|"
    "此内容因违规无法查看|页面出错了|页面出错|服务不可用|服务暂不可用|网关错误|网关超时|请求超时|找不到文件或目录"
)
"""Whole titles of error, challenge and login pages; a site name before or after does not save them."""

FIRST_WORD = re.compile(r"[^a-z0-9]*([a-z0-9]+)")
FIRST_WORDS = frozenset(
    match[1] for phrase in PHRASES | ALONE if phrase.isascii() and (match := FIRST_WORD.match(phrase))
) | _phrases(
    "http|status|err|uh|an|a|some|unexpected|unknown|internal|unhandled|failed|failure|we|looks|but|your|the|"
    "this|that|web|webpage|website|site|page|url|file|resource|article|content|document|requested|you|please|"
    "verify|verifying|checking|enable|cloudflare|something|server|error"
)
"""With which words an English title begins that the phrases and templates can match; numbers apart."""

LAST_CUTS = (" - ", " : ", " _ ", "|", ".-", "!-", "?-")
"""What an English title may have before a part that is judged by itself."""

ERROR_OF_SITE = re.compile(r"error [|–—-] [^|–—:-]{2,40}")
HINT = re.compile(
    r"\b[45][0-5]\d\b|error|found|page|access|site|fail|权限|oops|sorry|robot|human|blocked|wrong|"
    r"javascript|cookies|verif|checking|"
    r"[页頁网網访訪]|文章|内容|链接|资源|文件"
)
STATUS = r"(?:4(?:0[013458]|10|29|51)|5(?:0[0234]|2[0-7]))"
STATUS_WORDS = (
    r"(?:page |file )?not found|forbidden|bad request|unauthori[sz]ed|(?:access )?denied|gone|too many "
    r"requests|"
    r"request time-?out|(?:internal )?server error|bad gateway|service (?:temporarily )?unavailable|"
    r"gateway time-?out|error|"
    r"(?:页面|网页|頁面)?(?:不存在|未找到|找不到|错误)|错误页?面?|禁止访问|服务器错误"
)
TEMPLATES = re.compile(
    "|".join(
        [
            rf"(?:http |error |http error )?{STATUS}[ :.,|-]*(?:{STATUS_WORDS})",
            rf"(?:http error|error code|error|http status|status code|http)[ :#-]*{STATUS}.{{0,20}}",
            r"(?:404|403)(?: page)?[ :.,|-]*(?:oops|sorry|页面|网页)?",
            r"(?:cloudflare )?(?:error|error code) 1[0-9]{3}.{0,30}|\d{3} error.{0,20}|(?:error|err)[ "
            r"_:-]*\d{3,4}",
            r"(?:oops|sorry|uh-oh)[!,.: -]+.{0,40}\b(?:wrong|not found|can't be found|couldn't find|can't "
            r"find|blocked|error)\b.{0,40}",
            r"(?:error|not found)[ :-]+(?:page|file|the page).{0,20} not found.{0,20}|server error in "
            r".{0,30}",
            r"(?:an? |some )?(?:unexpected |unknown |internal |unhandled )?error (?:has )?occurr?ed.{0,40}",
            r"(?:error|failed|failure)(?: while)? (?:loading|to load|opening) (?:the |this )?(?:page|"
            r"content|resource|document|site)",
            r"(?:we're sorry|sorry|oops|whoops|uh oh|looks like|but|,| )*something went wrong.{0,40}",
            r"(?:your )?access (?:to this (?:site|page|website|resource) )?(?:has been|was|is) "
            r"(?:temporarily )?(?:denied|limited|blocked|restricted).{0,30}",
            r"(?:error:? )?the requested (?:url|page) could not be (?:retrieved|found).{0,30}",
            r"(?:您|你)?(?:没有|無|无)(?:访问)?权限(?:访问|查看)(?:此|该|本)?(?:页面|网页|网站|内容)|"
            r"(?:无法|不能)(?:打开|显示)(?:此|该)?(?:网页|页面)",
            r"(?:the |this |that )?(?:web ?page|web ?site|site|page|url|file|resource|article|content|"
            r"document|requested page|requested url)"
            r"(?: you(?:'re| are| were)? (?:requested|looking for|trying to (?:reach|access|view)))?"
            r" ?(?:not|was not|wasn't|is not|isn't|is no longer|is currently|is temporarily|currently|"
            r"temporarily|could not be|couldn't be|cannot be|can't be|can not be|does not|doesn't|no "
            r"longer)"
            r" (?:found|(?:un)?available|exists?|working|accessible|displayed|loaded)(?: on this server| "
            r"here| anymore)?",
            r"you have been blocked.{0,40}|error occurred.{0,40}|something went wrong.{0,40}",
            r"(?:please )?verify(?:ing)? (?:that )?you(?:'re| are) (?:a |not a )?(?:human|robot).{0,40}",
            r"checking (?:if the site|the site) connection.{0,30}|(?:please )?enable (?:javascript|cookies|"
            r"js).{0,40}",
            r"(?:抱歉|对不起|很抱歉|出错啦?|哎呀)?[, !~]*(?:您|你)?(?:所|想|正在|要)?(?:要)?(?:访问|请求|"
            r"查找|浏览|查看|寻找|訪問|找)?的?"
            r"(?:该|此|这个|該)?(?:页面|网页|网址|文章|内容|链接|頁面|網頁|资源|文件)(?:可能)?(?:已经|已|"
            r"暂时|暂|並|并)?"
            r"(?:不存在|未找到|没有找到|無法找到|无法找到|找不到了?|走丢了?|丢失了?|被删除|删除|失效|"
            r"无法访问|無法訪問|不可用|无法显示|过期|下线)(?:或.{0,12}|了|啦)?",
            r"(?:找不到|未找到|没有找到|無法找到|无法找到|无法访问|無法訪問|无法打开)(?:该|此|这个|"
            r"您要(?:访问|找)的|您访问的)?(?:页面|网页|頁面|網頁|网站|文件|资源)",
        ]
    )
)
NAMELESS = re.compile(
    "|".join(
        [
            r"(?:unknown|unnamed|unspecified|unidentified|missing|no|untitled|anonymous)[ -]"
            r"(?:source|title|document|reference|page|website|web page|article|url|link|publication|entry)s?",
            r"(?:source|title|reference|url|link|author|citation) (?:is )?"
            r"(?:unknown|missing|unavailable|not available|not provided|not specified|not found|pending|"
            r"needed|tbd|omitted)",
            r"untitled(?: document| page)?|no title|title|untitled \d{1,3}|unknown|unknown \(unknown\)|"
            r"n/?a|none|null|undefined|nan|tbd|tba|todo|"
            r"to be (?:added|determined|completed|confirmed|supplied|inserted)|placeholder.{0,20}|lorem "
            r"ipsum.{0,40}|"
            r"citation needed|reference needed|\?{2,}|x{3,}|\.{3,}|new page|blank page",
            r"(?:source|document|doc|reference|ref|article|paper|website|web ?site|web ?page|page|link|url|"
            r"citation|result|"
            r"search result|entry|item|study|report|book|site|file) ?(?:no\.? ?|#|n° ?)?\d{1,4}",
            r"(?:来源|來源|文献|文獻|文档|文檔|参考资料|參考資料|参考文献|链接|鏈接|网页|網頁|资料|資料|"
            r"搜索结果|引用|网站|文章|论文|条目) ?#?[\d一二三四五六七八九十]{1,4}",
            r"(?:未知|不明|佚名|无|無|暂无|缺失)(?:的)?(?:来源|來源|标题|標題|出处|文献|作者和标题|链接|"
            r"题名)|"
            r"(?:来源|來源|标题|標題|出处|文献|链接)(?:未知|不明|不详|不詳|缺失|待补充|待補充|待定|待查|"
            r"暂缺|暂无)|"
            r"无标题(?:文档|页面|网页)?|無標題|未命名(?:文档|页面)?|待补充|待補充|待添加|待定|待查|暂无|"
            r"占位符|此处插入.{0,20}|略|不详",
            r"(?:general|common|background|public|domain|industry|prior|expert|internal|model|training) "
            r"knowledge|"
            r"(?:general )?(?:internet|web|online) (?:search|sources?|research)|various (?:online |web |"
            r"internet )?sources|multiple sources|"
            r"常识|通用知识|一般知识|公开资料(?:整理)?|网络资料(?:整理)?|互联网(?:公开)?资料|"
            r"网络公开(?:资料|信息)|综合(?:网络|公开)资料|多方资料",
        ]
    )
)
FILL_IN = re.compile(
    r"[\[<{](?:(?:insert|your|add|enter|placeholder|to be|link to|specific|relevant|details? of|fill in|"
    r"replace with|"
    r"tbd|todo)\b[^\[\]<>{}\n]{0,100}"
    r"|(?:author|title|publisher|journal)(?:s|'s|\(s\))?(?: name| names| title)?"
    r"|year|date|url|doi|volume|month|city|(?:page|issue|volume|full)(?: numbers?| citation| range)|access "
    r"date|date of access"
    r"|(?:此处|在此|请|待)[^\[\]<>{}\n]{0,30}|插入[^\[\]<>{}\n]{0,30}"
    r"|(?:作者|标题|题目|年份|日期|期刊|网址|出版社|文献|书名|篇名)(?:姓名|名称?|标题|地址)?)[\]>}](?!\()",
    re.IGNORECASE,
)
UNKNOWN_MARK = re.compile(
    r"[\[(](?:unknown|source unknown|unknown source|n/a|未知|来源未知|来源不详)(?: \(unknown\))?[\])](?!\()",
    re.IGNORECASE,
)
BLANK_IDENTIFIER = re.compile(
    r"\b10\.(?:x{4,}|\d{4,9}/(?:x{3,}|y{3,}|placeholder|example))|\barxiv[: /]*(?:x{4}\.x{3,}|"
    r"\d{4}\.x{3,})|doi\.org/x{3,}|10\.0000/",
    re.IGNORECASE,
)
FROM_NOWHERE = re.compile(
    r"\b(?:accessed|known|obtained|drawn|derived|taken|based|compiled|summari[sz]ed) "
    r"(?:through|from|on|via|by) "
    r"(?:the )?(?:author'?s |model'?s |my |our |llm'?s )?(?:own )?"
    r"(?:general|common|background|internal|prior|pre-?trained|training|parametric) (?:knowledge|data)"
    r"|\b(?:general )?(?:knowledge|understanding) of [^\n]{3,90} [-–—] "
    r"(?:general|information|understanding|knowledge)\b"
    r"|\bgeneral (?:scholarly|academic|historical|scientific) knowledge (?:of|about)\b"
)
FILL_INS = (
    (("xxx", "10.0000/", "placeholder", "yyy"), BLANK_IDENTIFIER, False),
    (("knowledge", "training", "understanding"), FROM_NOWHERE, True),
    (("[", "{", "<"), FILL_IN, False),
    (("unknown", "n/a", "未知", "不详"), UNKNOWN_MARK, False),
)
UNTITLED_HOST = re.compile(r"untitled(?: document| page)? ?[-|:(] ?[\w-]+(?:\.[\w-]+)+.{0,80}")
SITE_SUFFIX = re.compile(
    r" [-|–—·•:_] | ?[|｜] ?|(?<=[^\x00-\x7f])_|_(?=[^\x00-\x7f])|(?<=[.!?…])[-–—]| ?- ?(?=[^\x00-\x7f])"
)
STOP = re.compile(r"[.,;(\[] |[,;]| \(")
SHORTEST_BEFORE_STOP = 4
HOST = re.compile(r"(?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,12}")
EXAMPLE_HOSTS = frozenset({"example.com", "example.org", "example.net", "example.edu"})
MAX_TITLE = 120
"""Longer titles are never matched: no placeholder and no error page has one."""
