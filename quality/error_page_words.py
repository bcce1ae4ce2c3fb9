"""The closed vocabulary of error, challenge, login and default pages, English and Chinese.

Belongs here: words, combinations and phrases, all of them as ``quality.text.fold`` writes them.
Does not belong here: matching (``quality.error_pages``).
"""

from __future__ import annotations

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _phrases(text: str) -> frozenset[str]:
    return frozenset(text.split("|"))


ALONE = _phrases(
    "error|errors|oops|whoops|sorry|blocked|loading|redirect|redirecting|sign up|错误|"
    "401|403|404|410|429|500|502|503|504|"
    "错误页|错误页面|出错了|登录|登陆|登入|用户登录|会员登录|提示信息|验证码|加载中|跳转中|错误提示|"
    "系统提示|温馨提示"
)
"""Error titles only as the whole title: with a site name they may be good ones ("Loading | Cargo")."""

PHRASES = _phrases(
    "not found|forbidden|access denied|access forbidden|invalid url|error page|page error|just a moment|"
    "one moment please|please wait|attention required|pardon our interruption|client challenge|"
    "security check|security checkpoint|vercel security checkpoint|security verification|"
    "human verification|bot verification|bot check|robot check|captcha|recaptcha|radware page|"
    "radware captcha page|radware bot manager captcha|are you a robot|are you human|robot or human|"
    "validate user|cookie absent|ddos-guard|sign in|log in|login|login required|log in or sign up|"
    "login page|user login|member login|account login|institutional login|"
    "access through your institution|restricted access|missing page|page missing|subscribe to read|subscribe to continue reading|session expired|"
    "nothing found|no results found|bad request|request unsuccessful|under maintenance|site maintenance|"
    "website maintenance|scheduled maintenance|coming soon|under construction|website under construction|"
    "privacy error|unsupported browser|update your browser|domain for sale|this domain is for sale|"
    "this domain may be for sale|domain parked|moved permanently|members only|one more step|"
    "something's not right|something is not right|登录页面|非法访问|非法请求|非法操作|aw, snap|"
    "not acceptable|welcome to nginx|apache2 ubuntu default page|index of|human challenge|"
    "press & hold to confirm you are a human|用户登录|会员登录|登录|请稍候|请稍等|请等待|安全验证|"
    "人机验证|身份验证|滑动验证|滑块验证|访问验证|安全检查|百度安全验证|禁止访问|拒绝访问|域名出售|"
    "该域名正在出售|网站维护|网站建设中|系统维护|页面跳转|正在跳转|正在加载|载入中|人機驗證|页面跳转中|"
    "unauthorized|載入中|your connection is not private|object moved|authentication required|"
    "one moment, please|请登录|302 found|be right back|javascript required|site under maintenance|"
    "cookies required|we'll be right back|loading, please wait|无权访问|错误的请求|"
    "this video isn't available|web server is down|video unavailable|domain expired|"
    "please turn javascript on and reload the page|object not found|permission denied|登录后查看|"
    "301 moved permanently|temporarily unavailable|会话已过期|访问被拒|找不到文件或目录|网站维护中|"
    "請稍候|出错|出错啦|unauthorised|404错误|404 错误|404页面|404 页面|303 see other|307 temporary redirect|308 permanent redirect"
)
"""Whole titles that need no rule; a site name before or after does not save them."""

DEFAULT_PAGES = _phrases(
    "站点创建成功|恭喜,站点创建成功|恭喜, 站点创建成功|恭喜您,站点创建成功|网站创建成功|恭喜,网站创建成功|"
    "您的网站已创建成功|没有找到站点|默认站点|默认网站|站点已暂停|该站点已暂停|欢迎使用 nginx|"
    "congratulations, the site is created successfully|the site is created successfully|"
    "site is created successfully|your site is successfully created|welcome to openresty|"
    "welcome to tengine|welcome to caddy|caddy works|welcome to centos|welcome to xampp|"
    "welcome to litespeed|welcome to your new website|welcome to your new app|default web site page|"
    "default website page|domain default page|default plesk page|default parallels plesk page|"
    "default parallels plesk panel page|web server's default page|iis windows server|iis windows|iis7|"
    "iis8|internet information services|wampserver homepage|phpinfo|just another wordpress site|"
    "my wordpress site|my wordpress website|parked domain|parked domain name on hostinger dns system|"
    "future home of something quite cool|no such app"
)
"""What servers and hosting panels call a site that nobody has set up. Behind a title it is only the site's name."""

UNTITLED = _phrases(
    "untitled|untitled document|untitled page|no title|n/a|na|null|none|nan|undefined|无标题|無標題|无标题文档|"
    "无标题页面|无标题网页|未命名|未命名文档|未命名页面"
)
"""What is written where there is no title."""

ENCYCLOPAEDIAS = re.compile(
    r".*\b(?:wikipedia|wiktionary|britannica|mdn web docs|mdn|investopedia|techtarget|encyclopa?edia)\b.*"
    r"|.*(?:维基百科|維基百科|百度百科|百科全书|互动百科|搜狗百科).*"
)
"""Sites on which a page called like an error page is an article about it."""

VOCABULARY = _words(
    "a about absent access accessed accessing account an and anymore apache application are article at "
    "attention available back bad be been before being blocked bot browser browsing but by can can't "
    "cannot captcha check checking client closed cloudflare code complete confirm connect connection "
    "content continue cookie cookies could couldn't currently database ddos deleted denied deny disabled "
    "display displayed dns do document does doesn't don't down due enable enabled encountered err error "
    "errors establish establishing exceeded exist exists expired expected failed failure file find for "
    "forbidden found from gateway gone guard handshake has have here hmm host http https human i i'm if "
    "iis in incapsula internal internet invalid is isn't it javascript js just later limit limited link "
    "load loaded loading log login longer looking looks like maintenance manager may message method "
    "missing moment moved must name network nginx no not nothing occurred of off on one oops open opened "
    "or origin our out page pages pardon parked permanently permission please problem processed proceed "
    "proxy prove rate reach reached read redirect redirected redirecting refused rejected reload removed "
    "request requested requests require required requires resolution resolve resource response "
    "restricted retrieve retrieved retry returned returning robot secure security server servers service "
    "session sign signed site sites soon something sorry ssl status supported suspended temporarily "
    "temporary that that's the there this through timed timeout time-out to too many traffic trouble "
    "trying try turn uh uh-oh unable unauthorised unauthorized unavailable unblock under unexpected "
    "unhandled unknown unsuccessful unsupported unusual up url use user validate verification verify "
    "verifying view visit wait was wasn't we we're we've web webpage website went were whoops will with "
    "working wrong yet you you're you've your again another area region country subscription subscribe "
    "computer device system loads able authorized allowed not-found nothing's ip address whatever exact "
    "directory oh no-access quota overloaded busy high right now while processing exception client-side "
    "side logged members only more step complete required support aw snap dang yikes whoa lost seem "
    "seems nowhere broken dead outdated entered typed mistyped incorrect administrator satisfied akamai "
    "cloudfront acceptable header large uri long bandwidth resource user users profile post video item "
    "record product paper abstract doi tweet channel repository blog image pdf story thread topic "
    "unfortunately apologize apologise apologies inconvenience temporary hold press challenge technical "
    "difficulties difficulty issue issues experiencing unavailable yourself automated bots solve puzzle "
    "proceeding restricted visitors private anymore whatever than or where which their they any what "
    "need needs see performing perform reading reader due fault mistake happened happening unlock "
    "identity session-id refresh refreshing enter required-login robots humans loader reloading opening "
    "visiting browse having authorization redirects locked detected ad ads blocker adblock blockers"
)
"""The words that titles of such pages are made of; any other word makes a title a work."""

_BAD = (
    r"(?:denied|blocked|refused|rejected|restricted|limited|forbidden|unavailable|expired|suspended|"
    r"removed|moved|deleted|timed out|"
    r"time-?out|error|failed|closed|exceeded|disabled|unauthori[sz]ed|invalid|missing|unsuccessful|gone|"
    r"unsupported|busy|overloaded|locked|down|detected)"
)
# "The missing link", "a closed system", "disabled access" are things to write about.
_BAD_BEFORE = (
    r"(?:denied|blocked|refused|rejected|forbidden|unavailable|expired|suspended|removed|deleted|timed out|time-?out|"
    r"error|failed|exceeded|unauthori[sz]ed|invalid|unsuccessful|unsupported|busy|overloaded|detected)"
)
_THING = (
    r"(?:access|requests?|connection|pages?|web ?page|web ?site|site|account|session|links?|url|service|"
    r"server|resource|content|article|"
    r"document|file|gateway|proxy|database|dns|ssl|network|rate limit|limit|quota|handshake|application|"
    r"host|address|system|javascript|cookies?|browser)"
)
_NOT = r"(?:not|n't|cannot|no longer|unable to|failed to|couldn't|can't|trouble|nothing)"
_DONE = (
    r"(?:found|find|available|exists?|access(?:ed|ible)?|load(?:ed|ing)?|display(?:ed)?|connect(?:ed)?|"
    r"permission|authorized|reach(?:ed)?|"
    r"retrieved?|work(?:ing)?|supported|open(?:ed)?|processed?|resolved?|allowed|establish(?:ed)?|"
    r"requested|looking)"
)
CORES = re.compile(
    rf"\b{_NOT}\b.{{0,30}}\b{_DONE}\b|n't (?:\w+ ){{0,3}}{_DONE}\b"
    rf"|\b{_THING} (?:\w+ ){{0,7}}{_BAD}\b|(?<!\bthe )(?<!\ba )(?<!\ban )\b{_BAD_BEFORE} (?:\w+ ){{0,2}}{_THING}\b"
    r"|\b(?:4\d\d|5\d\d|1[01]\d\d)\b.*\b(?:error|found|forbidden|denied|request|requests|gateway|"
    r"unavailable|unauthori[sz]ed|gone|timeout|"
    r"page|sorry|oops)\b|\b(?:error|http|status|code)\b.*\b\d{3,4}\b|\bbad (?:gateway|request)\b|\btoo "
    r"many (?:requests|redirects)\b"
    r"|\b(?:verify|verifying|verification|confirm|prove|are you|complete|robot|not a)\b.*\b(?:human|robot|"
    r"captcha|browser|bot)\b"
    r"|\b(?:enable|turn on|requires?|need|we use|without)\b.*\b(?:javascript|cookies|js)\b"
    r"|\bauthorization required\b|\bturn off your ad\b|\bsomething went wrong\b|\battention required\b|"
    r"\bunusual traffic\b|\berror (?:\w+ "
    r"){0,2}(?:occurred|encountered|loading|returned)\b"
    r"|\b(?:unknown|unexpected|internal|server|application|database|unhandled) (?:\w+ )?error\b"
    r"|\bchecking (?:your|the|if|site)\b|\bbe(?: right)? back soon\b|\bdown for maintenance\b|\bbe "
    r"redirected\b|\bbeing redirected\b"
    r"|\b(?:javascript|cookies)\b.{0,20}\b(?:enabled?|disabled|required|supported|off)\b|\bsupport "
    r"(?:javascript|cookies)\b"
    r"|\b(?:log|logged|login|sign|signed) (?:back )?in\b|\b(?:security|verification|human) (?:check|"
    r"required|verification)\b|"
    r"\btechnical difficult\w+\b"
    r"|\b(?:under|for|due to) (?:\w+ )?maintenance\b|\b(?:temporarily|currently) (?:unavailable|down|"
    r"closed)\b"
    r"|\b(?:client-side )?exception (?:has )?occurred\b|\bpage (?:you requested )?(?:has been |was "
    r")?(?:lost|broken)\b"
    r"|\b(?:could|can)(?: ?not|n't) be satisfied\b|\b(?:page|document) has moved\b|\bsign in to\b|\blog "
    r"?in to\b|\bplease (?:sign|log) in\b"
)
"""Combinations of words that only such pages use."""

TEMPLATES = re.compile(
    r"checking your browser before .{0,110}|ddos protection by .{0,20}|server error in .{0,30}|sorry, you "
    r"have been blocked.{0,40}"
    r"|[\w.-]{1,40} used cloudflare to restrict access|err_[a-z_]{4,40}"
    r"|forbidden \(?403|request unsuccessful\. incapsula incident id.{0,60}"
    r"|error [|–—-] [^|–—:-]{2,40}"
    r"|unusual traffic from .{0,40}"
    r"|index of /.{0,100}|directory listing (?:for|of|-|:) ?/.{0,100}|directory listing: ?/.{0,100}"
    r"|test page for (?:the )?(?:apache|nginx|http|ssl).{0,60}"
    r"|(?:apache2?|nginx|lighttpd|openresty)(?: [a-z]+){0,3} (?:default|test) page\b.{0,60}"
    r"|apache tomcat/[\d.]+|php [\d.]+ - phpinfo\(\)"
)
"""Titles with a free part, such as the name of the site."""

SUBTITLES = re.compile(
    r"(?:(?:an?|the|my|our) )?(?:\w+ ){0,2}(?:novels?|novella|films?|stor(?:y|ies)|play|poems?|memoirs?|thriller|comedy|"
    r"history|stud(?:y|ies)|survey|review|guide|introduction|primer|essays?)\b.*"
)
"""What follows the title of a work that is called like an error page: "Forbidden - A Novel"."""

MESSAGES = re.compile(
    r"something went wrong with (?:your|the|this|our) (?:\w+ )?(?:subscription|request|page|site|website|server|service|"
    r"connection|session|account|login|order|payment|submission|search|form)\b.*"
)
"""Messages out of a page that was read all the same, often with more of its text behind."""

CJK_WORDS = re.compile(
    "|".join(
        sorted(
            (
                "抱歉 很抱歉 非常抱歉 对不起 對不起 哎呀 糟糕 您 你 我们 请 請 要 所 想 正在 该 此 这个 本 "
                "的 了 啦 呢 已 已经 被 可能 也许 或 或者 和 并 後 后 再 就 "
                "继续 即可 完成 当前 页面 页 頁面 网页 網頁 网址 网站 站点 站 文章 内容 链接 鏈接 资源 "
                "文件 地址 服务器 伺服器 服务 系统 网络 连接 "
                "环境 浏览器 访问 訪問 请求 查找 浏览 查看 寻找 找 操作 加载 载入 打开 显示 进行 发生 出现 "
                "出错 错误 錯誤 异常 失败 超时 繁忙 忙 频繁 "
                "过于 太 稍后 稍候 重试 再试 尝试 刷新 返回 首页 主页 不存在 存在 不 未找到 没有 沒有 找不到 "
                "找到 无法 無法 不能 无 没 权限 拒绝 拒絕 禁止 "
                "受限 限制 删除 删 失效 过期 下线 丢失 走丢 丢 移除 移动 不可用 可用 暂时 暂 维护 中 升级 "
                "安全 人机 身份 验证 驗證 验证码 校验 检查 检测 "
                "输入 登录 登陆 登入 用户 账号 账户 会员 真人 不是机器人 是机器人 是否 是 不是 提示 温馨 "
                "内部 未知 程序 "
                "发布者 作者 违规 投诉 屏蔽 封禁 处理 跳转 等待 "
                "时间 需要 需 先 才能 因 由于 为 对 在 到 来源 跑到 火星 去 走失 飞走 过 太多 次数 过多 出 "
                "错 码 代码 状态 网关 数据库 建立 响应 "
                "暂停 关闭 已关闭 停止 地区 所在 您所在 区域 提供 支持 不支持 启用 开启 请启用 会话 确认 "
                "通过 点击 滑块 滑动 百度 知乎 微信 "
                "跑丢 跑丢了 无权 下架 跑路 溜走 不见 消失 非法 阅读 观看 收看 无权 下架 下列 以下 解析 "
                "类型 开小差 开小差了 "
                "中心 视频 帖子 商品 专栏 新闻 图片 文档 作品 主题 "
                "回答 走神 迷路 累 罢工 维修 一下 一个 个 有 被拦截 拦截 防火墙 风险 流量 检测到"
            ).split(),
            key=len,
            reverse=True,
        )
    )
)
CJK_CORES = re.compile(
    r"(?:页|頁|网|網|文章|内容|链接|资源|文件|地址|站|视频|帖子|文档|商品|图片|作品|回答|"
    r"主题).{0,8}(?:不存在|找不到|未找到|没有找到|无法|無法|"
    r"走丢|丢失|删除|失效|过期|下线|下架|移除|不可用|出错|错误|关闭|跑到|飞走)"
    r"|(?:找不到|未找到|没有找到|无法|無法|不能|没有|无|失败).{0,8}(?:页|頁|网|網|文章|内容|链接|资源|文件|"
    r"权限|访问|連接|连接|打开|显示|加载)"
    r"|(?:访问|訪問|请求|操作|登录|连接|加载|网络|响应).{0,5}(?:拒绝|拒絕|禁止|受限|限制|频繁|异常|超时|"
    r"失败|拦截|错误|过期|太多|过多)|(?:禁止|拒绝|拒絕|限制|无权)(?:访问|訪問|查看)"
    r"|(?:服务器|伺服器|(?<!操作)系统|网络|内部|程序|数据库|网关|未知|服务).{0,4}(?:错误|錯誤|异常|繁忙|忙|出错|"
    r"超时|维护|不可用|升级)"
    r"|(?:完成|输入|进行|正在|请|通过).{0,6}(?:验证|驗證|校验|检测|检查|登录|跳转|加载)|解析失败|(?:安全|"
    r"人机|身份|"
    r"滑块|滑动)(?:验证|驗證|校验|检查)"
    r"|(?:40[0-9]|50[0-4]).{0,6}(?:错误|页|頁|访问|网|禁止)|(?:网站|(?<!操作)系统|服务|站点).{0,4}维护|开小差|跑丢|"
    r"(?:加载|载入|跳转)中|请稍(?:候|等|后)|"
    r"验证中心|环境异常|出错|(?:已被|被).{0,6}(?:删除|封禁|"
    r"屏蔽|投诉)|(?:是否|不是|非|是).{0,3}(?:真人|机器人)|真人.{0,3}验证"
)
