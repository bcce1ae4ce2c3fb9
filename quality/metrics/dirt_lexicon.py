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
NOTE_TO_READER = re.compile(
    r"[(\[（【] ?(?:note(?: to (?:the )?(?:reader|user|editor|self))?: ?)?(?:(?:link |source |reference |details? )?"
    r"(?:to be|needs? to be|must be|should be|not(?: yet)?|requires?|needs?|pending)"
    r"(?: further| independent| manual| additional| your)? "
    r"(?:verif(?:ied|ying|ication)|confirm(?:ed|ation)|check(?:ed|ing)|consult(?:ed|ation)|look(?:ed)? up)\b"
    r"[^()（）\[\]【】\n]{0,40}"
    r"|(?:please |the )?(?:users?|readers?) (?:should|must|needs? to|may need to|has to|have to)\b"
    r"[^()（）\[\]【】\n]{2,60}"
    r"|please (?:verify|confirm|look up|replace|check (?:the|this|against|whether|with))\b"
    r"[^()（）\[\]【】\n]{0,60}|unverified"
    r"|(?:hypothetical|fictional|fictitious|illustrative|simulated|invented|made-up|sample|dummy) "
    r"(?:source|reference|citation|entry|link|url|title)"
    r"|(?:[^()（）\[\]【】\n]{1,12}[，,])?(?:需要?(?!求|氧)|请(?!求)|須|须|应(?:由|当|该)|建议|待)"
    r"(?:用户|读者|使用者|您|自行|进一步|另行|人工|后续|再次|独立|单独|手动|由|以|通过|在|对|查|原文|全文|官方|官网|"
    r"数据库|逐条|另|再){0,5}"
    r"(?:查阅|查閱|核实|核實|核对|核對|确认|查证|验证|补充|检索|查找|考证|查询)"
    r"(?:原文|全文|来源|出处|文献|资料|信息|链接|数据|细节|真伪|准确性|有效性|官网|具体|页码|后使用|后引用|一下|[、或和与]|"
    r"核实|确认){0,4}"
    r"|(?:未经|尚未|未)(?:核实|验证|查证|确认)"
    r"|(?:虚构|假设性?|示例|模拟|虚拟)(?:的)?(?:来源|文献|引用|链接|条目))[.。]? ?[)\]）】](?!\()",
    re.IGNORECASE,
)
ON_REQUEST = re.compile(
    r"\b(?:sources|references|citations|bibliography|list|entries|works)(?: (?:is|are))? available (?:up)?on request\b"
    r"|(?:其余|其他|参考)(?:参考)?(?:文献|来源|资料|引用)?(?:从?略|省略)(?=[)）。.\s]|$)"
    r"|(?:文献|来源|资料|清单)备索",
    re.IGNORECASE,
)
ZERO_DATE = re.compile(
    r"(?:accessed|retrieved|visited|viewed)(?: on| at)?:? (?:jan(?:uary|\.)? 1,? 1970|1 jan(?:uary)? 1970|1970-01-01)"
    r"|(?:检索|檢索|访问|訪問|引用|查阅)(?:日期|时间|時間)[：:]? ?1970(?:-01-01|年 ?0?1月 ?0?1日)",
    re.IGNORECASE,
)
"""A date of access that is the zero of a computer's clock: nothing was accessed."""

FILL_INS = (
    (("xxx", "10.0000/", "placeholder", "yyy"), BLANK_IDENTIFIER, False),
    (("knowledge", "training", "understanding"), FROM_NOWHERE, True),
    (("[", "{", "<"), FILL_IN, False),
    (("(", "[", "（", "【"), NOTE_TO_READER, False),
    (("on request", "略", "备索"), ON_REQUEST, False),
    (("1970",), ZERO_DATE, False),
    (("unknown", "n/a", "未知", "不详"), UNKNOWN_MARK, False),
)
PRODUCER_DEFAULT = re.compile(
    r"(?:pdf\]? ?)?(?:"
    r"powerpoint[ -](?:presentation|präsentation)|powerpoint 演示文稿|powerpoint プレゼンテーション|powerpoint 프레젠테이션|"
    r"(?:presentación|présentation|presentazione(?: standard)?|apresentação|prezentacja)(?: de| di| do| programu)? "
    r"powerpoint|презентация powerpoint|presentation(?: ?\d{1,2}| title)|演示文稿 ?\d{0,2}|幻灯片 ?\d{1,3}|"
    r"slide (?:number )?\d{1,3}|(?:diapositive?a?|folie) (?:número |numéro )?\d{1,3}|layout \d{1,2}|"
    r"(?:新建|new) ?(?:microsoft )?(?:word|excel|powerpoint)? ?(?:文档|工作表|document|worksheet|presentation)|"
    r"full page photo|scanned document|"
    r"microsoft (?:office )?(?:word|powerpoint|excel|publisher|visio) - "
    r"(?:[^|]{1,100}\.(?:docx?|docm|pptx?|xlsx?|rtf|pub|vsd|odt)|document ?\d{1,3}|[^ |]*_[^ |]*)"
    r")(?: ?[-|_] .{2,40})?"
)
PRODUCER_LEAD = re.compile(
    r"(?:pdf\]? ?)?microsoft (?:office )?(?:word|powerpoint|excel|publisher|visio) - .{1,100}"
)
UNTITLED_HOST = re.compile(r"untitled(?: document| page)? ?[-|:(] ?[\w-]+(?:\.[\w-]+)+.{0,80}")
HOST = re.compile(r"(?:[a-z0-9-]{1,63}\.){1,4}[a-z]{2,12}")
EXAMPLE_HOSTS = frozenset({"example.com", "example.org", "example.net", "example.edu"})
