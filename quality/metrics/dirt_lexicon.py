"""Words and forms of titles that only stand in for one, English and Chinese.

Belongs here: phrases, templates and limits. All of them are matched against folded text
(``quality.text.fold``), most of them as a whole title. Does not belong here: matching (``dirt_titles``), error pages and missing
titles (``quality.error_page_words``).
"""

from __future__ import annotations

import re

NAMELESS = re.compile(
    "|".join(
        [
            r"(?:unknown|unnamed|unspecified|unidentified|missing|no|untitled|anonymous)[ -]"
            r"(?:source|title|document|reference|page|website|web page|article|url|link|publication|entry)s?",
            r"(?:source|title|reference|url|link|author|citation) (?:is )?"
            r"(?:unknown|missing|unavailable|not available|not provided|not specified|not found|pending|"
            r"needed|tbd|omitted)",
            r"title|untitled \d{1,3}|unknown|unknown \(unknown\)|tbd|tba|todo|"
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
            r"待补充|待補充|待添加|待定|待查|暂无|"
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
HOST = re.compile(r"(?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,12}")
EXAMPLE_HOSTS = frozenset({"example.com", "example.org", "example.net", "example.edu"})
