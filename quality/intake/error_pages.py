"""Titles of pages that are no work: error pages, challenges, placeholders.

Belongs here: the titles as a whole. A work *about* errors ("Error correction in …") is none of them.
Does not belong here: residue inside an entry (``quality.metrics.dirt``).
"""

from __future__ import annotations

import re
from typing import Final

from quality.text import fold

_STATUS: Final = (
    "not found|page not found|forbidden|access denied|access forbidden|unauthorized|bad request|bad gateway|"
    "gateway time-?out|service unavailable|service temporarily unavailable|internal server error|"
    "too many requests|moved permanently|request rejected|request blocked"
)
_TITLE: Final = re.compile(
    rf"(?:(?:http )?(?:error )?(?:40\d|410|429|50[0-4]|52\d)(?: error)?(?: ?[-:.]? ?(?:{_STATUS}|gone))?|"
    r"30[1-8] (?:found|moved permanently|see other|temporary redirect)|"
    rf"(?:error:? )?(?:{_STATUS})|"
    r"error|errors|error page|an error occurred|something went wrong|oops!?|"
    r"just a moment|please wait|one moment,? please|loading|redirecting|"
    r"attention required!?|security check|are you (?:a |not a )?(?:robot|human)\??|"
    r"verify(?:ing)? you are (?:a )?human|"
    r"human verification|robot check|captcha|checking your browser.*|ddos-guard|"
    r"untitled|untitled document|untitled page|no title|\(no title\)|n/?a|null|none|undefined|nan|"
    r"页面不存在|网页不存在|找不到页面|页面未找到|您访问的页面不存在|访问被拒绝|禁止访问|无法访问此网站|"
    r"请稍候|正在加载|加载中|安全验证|人机验证|验证码|无标题|未命名|未命名文档|错误|出错了|404错误|404 ?页面)"
    r"[ .…。!！]*"
)
_SITE: Final = re.compile(r"\s+[|·–-]\s+[^|]{1,60}$|\s*\|\s*[^|]{1,60}$")
# Only these stand for an error page with a site's name behind them as well; "Error | A novel" may be a work.
_WITH_SITE: Final = re.compile(
    r"(?:(?:error )?(?:40\d|410|429|50[0-4]|52\d)\b.*|page not found|access denied|"
    r"attention required!?|just a moment\.*|are you a robot\??|"
    r"security check|页面不存在|访问被拒绝)"
)


def is_error_page(title: str) -> bool:
    """Whether the whole title is that of an error page, a challenge or a placeholder."""
    folded = fold(title).strip()
    if _TITLE.fullmatch(folded):
        return True
    head = _SITE.sub("", folded)
    return head != folded and bool(_TITLE.fullmatch(head)) and bool(_WITH_SITE.fullmatch(head))
