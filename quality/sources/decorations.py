"""What stands around a title and does not belong to it.

Belongs here: taking lead-ins, trailing fragments and site names off, one by one. Does not belong here: deciding that what
remains is a title (``quality.sources.titles`` looks it up). Whatever makes another work of a title is never taken off:
corrections, replies, comments, retraction notices, reviews, editions, parts, numbers and years.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from quality.text import fold

_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—―−－", "-") | {"｜": "|", "\u00a0": " ", "\u3000": " "})
ELLIPSIS = re.compile(r"\s*(?:…+|\.{2,}|。{2,}|⋯|\[(?:…|\.\.\.)\])[\s.\"'”’)）\]]*$")

_UNUSUAL = re.compile(f"[{''.join(map(chr, _DASHES))}]")
_MAY_FOLLOW_A_CUT = " \t\n\"'”’)）]"
MAY_END_A_CUT = frozenset(_MAY_FOLLOW_A_CUT + ".…。⋯")
_LEAD_INS = (
    r"[-*•·]\s+|\[\d{1,3}\]\s*|\d{1,3}[.)]\s+",
    r"(?:sources?|see(?:\s+also)?|cf|according\s+to|adapted\s+from|cited\s+(?:in|from)|title|e\.g)\b[\s.:]+",
    r"available\s+(?:at|from)\b[\s.:]+",
    r"(?:资料来源|数据来源|来源|參見|参见|參考|参考|参阅|详见|引自|转引自|根据|據|据|见|見)\s*:?\s*",
)
_LABELS = (
    "pdf|html|docx?|pptx?|book|citation|poster|preprint|open\\s+access|extended\\s+abstract|keynote",
    "invited\\s+(?:paper|talk|article)|retracted(?:\\s+article)?|withdrawn|下载|原创|转载|专题|图文|视频",
)
_LABEL = rf"[\[(【]?\s*(?:{'|'.join(_LABELS)})\s*(?:[\])】]\s*:?|[:|])\s*"
_LEAD_IN = re.compile(rf"^\s*(?:{'|'.join(_LEAD_INS)}|{_LABEL})", re.IGNORECASE)
_TAILS = (
    r"[\s,;.(\[]*(?:last\s+)?(?:accessed|retrieved|visited|viewed|updated|abgerufen|consult[ée])\b[^()\[\]|]{0,40}[)\]]?",
    r"[\s,;.(\[]*(?:访问于|访问日期|访问时间|检索于|检索日期|引用日期|取自)[^()\[\]|]{0,40}[)\]]?",
    r"[\s,;]+pp?\.\s*\d+(?:\s*-\s*\d+)?",
    r"[\s,;(]+第\s*\d+\s*(?:-\s*\d+\s*)?[页頁]\)?",
    r"\s+第\s*\d+\s*期",
    r"[\s,;]+et\s+al\.?(?:[\s,;(]*(?:19|20)\d\d[a-z]?\)?)?",
    r"\s*[,;]?\s*等\s*[,;]\s*(?:19|20)\d\d",
    r"\s+等",
    r"\s*[\[(【]\s*(?:online|pdf|html|video|web\s?page|internet|open\s+access|free\s+pdf)\s*[\])】]",
    r"\s*[\[(【]\s*(?:extended\s+abstract|invited\s+paper|\d+\s*(?:pages?|mb|kb)|在线|网络版)\s*[\])】]",
    r"\s*[\[【]\s*(?:[jmdcrnpsz]|(?:eb|j|m|db|r|n|c)/ol)\s*[\]】]",
    r"\s*[-|]\s*(?:pdf|html|full\s+text|abstract)",
    r"[\s,;:.(<\[]*(?:(?:available|retrieved)\s+(?:at|from)\s*:?\s*|url\s*:\s*)?https?://\S+",
    r"[\s,;:.(\[]*(?:doi|pmid|arxiv|isbn)\s*:\s*\S+|\s+doi\.org/\S+",
)
_TAIL = re.compile(rf"(?:{'|'.join(_TAILS)})\s*[.)\]]*\s*$", re.IGNORECASE)
_BEGINS_A_LEAD_IN = frozenset(
    " \t-*•·[(【0123456789sScCaAtTeEpPhHdDbBoOiIkKrRwW资数来參参详引转根據据见見下原专图视"
)
_LONGEST_TAIL = 120
_ENDS_A_TAIL = frozenset("])】.等期页頁")
_TAILS_BEGIN = "ab ac ar av co db do eb et ex fr fu ht in is la on op p. pd pm pp re up ur vi we".split()
_MAY_BE_A_TAIL = (
    "|".join(  # what follows the separators: most words of a title are passed over by two letters
        [f"[{b[0]}{b[0].upper()}][{b[1]}{b[1].upper()}]" for b in _TAILS_BEGIN]
        + [r"[jmdcrnpszJMDCRNPSZ]\s*[\]】/]", r"\d", r"[^\x00-\x7f]"]
    )
)
_OPENS_A_TAIL = re.compile(rf"[\s,;.:(\[<【|-]+(?={_MAY_BE_A_TAIL})")
_IS_A_TAIL = re.compile(r"[等访检引取]|(?<=\W)https?:")
_LAST_WORDS = ("et al", "pdf", "html", "text", "abstract")
TAIL_HINTS = (  # every tail leaves one of these in the key of its title, or stands in square brackets
    *"access retriev visited viewed updated abgerufen consult 访问 检索 引用日期 取自 第 等 etal online pdf html".split(),
    *"video webpage internet openaccess abstract invitedpaper page 在线 网络版 text http doi pmid arxiv isbn".split(),
    *(hint for digit in "0123456789" for hint in (f"p{digit}", f"{digit}mb", f"{digit}kb")),
)
_LEAD_INS_BEGIN = frozenset("so se cf ac ad ci ti eg av pd ht do pp bo po pr op ex ke in re wi".split())
_LEAD_INS_BEGIN_ZH = frozenset("资数来參参详引转根據据见見下原专图视")
_HAN = r"[\u4e00-\u9fff]"
_SITE = re.compile(
    rf"\s*(?P<mark>\||\s-(?=\s|{_HAN})|(?<=[\u4e00-\u9fff)》】])[-_](?={_HAN})|\s[·•»](?=\s)|\s?::)"
    r"\s*(?P<site>[^|]{1,60}?)\s*$"
)
_RARE_SITE_MARK = re.compile("[·•»]")
_SITE_MARK = re.compile(r"[|_·•»]|\s-|::|[\u4e00-\u9fff)》】]-")
_OTHER_WORK = (
    "correction|corrigendum|erratum|addendum|reply|response|comment(?:ary)?|rejoinder|retraction|review|edition|ed\\."
    "|part|vol(?:ume)?|no|chapter|book|supplement|version|v\\d|i{1,3}|iv|vi{0,3}|ix|survey|analysis|study|report"
    "|guide|methods?|case"
)
_OTHER_WORK_ZH = (
    "更正|勘误|回复|回应|评论|撤稿|修订|增订|[第上中下]\\s*[\\d一二三四五六七八九十]*\\s*[版卷册辑部篇章期]"
    "|研究|综述|报告|分析|案例|为例|指南|[上中下]篇"
)
_ABOUT_A_WORK = re.compile(
    r"\b(?:corrections?|corrigendum|erratum|addendum|repl(?:y|ies)|responses?|comments?|commentary|rejoinder|retraction|"
    r"review|discussion|summary|notes?|critique)\b|更正|勘误|回复|回应|评论|撤稿|书评|读|评|解读|简介",
    re.IGNORECASE,
)
_NOTICE = re.compile(
    r"\s*[\[(【]?\s*(?:(?:author\s+|publisher\s+)?(?:correction|corrigendum|erratum|addendum|retraction)\b"
    r"|(?:reply|response|rejoinder|comments?|commentary|discussion)\s+(?:to|on)\b|(?:book\s+)?review\s+of\b"
    r"|更正|勘误|撤稿|回复|回应|评《)",
    re.IGNORECASE,
)
_CARRIES_IDENTITY = re.compile(
    rf"\b(?:{_OTHER_WORK})\b|\d{{4}}|\d+(?:st|nd|rd|th)\b|{_OTHER_WORK_ZH}", re.IGNORECASE
)
_HOLDS_COPIES = re.compile(
    r"\bpmc\b|pubmed|researchgate|request pdf|\bpdf\b|semantic scholar|academia\.edu|ssrn|arxiv|jstor|sciencedirect|"
    r"scholar|springer|wiley|ieee|\bacm\b|europe pmc|medrxiv|biorxiv|cnki|知网|万方|维普",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"《([^《》]{4,})》|“([^“”]{8,})”|\"([^\"]{12,})\"")
_QUOTES = frozenset('《“"')
_NAME_PARTICLES = frozenset(
    [
        "of",
        "the",
        "and",
        "for",
        "in",
        "on",
        "de",
        "la",
        "le",
        "des",
        "du",
        "der",
        "die",
        "und",
        "&",
        "et",
        "y",
        "del",
        "di",
        "a",
    ]
)
MOST_ROUNDS = 4


def surface(title: str) -> str:
    """``title`` with one width and one dash, letters as they are: what the patterns here are written for."""
    if title.isascii() or (unicodedata.is_normalized("NFKC", title) and not _UNUSUAL.search(title)):
        return title
    return unicodedata.normalize("NFKC", title.translate(_DASHES)).translate(_DASHES)


def uncut(title: str) -> tuple[str, bool]:
    """``title`` without a mark of a cut at its end, and whether there was one."""
    bare = title.rstrip(_MAY_FOLLOW_A_CUT)
    if not bare.endswith(("..", "…", "。。", "⋯")):
        return title, False
    match = ELLIPSIS.search(title, max(0, len(bare) - 12))
    return (title[: match.start()], True) if match else (title, False)


def without_address(title: str) -> str:
    """Return what stands before an address; a title that is only an address has no words to be found by."""
    at = title.find("://")
    return (
        title
        if at < 0
        else title[: title.rfind("http", 0, at)].rstrip(" :(<[")
        if "http" in title[:at]
        else title
    )


def undecorated(title: str, *, quoted: bool = True) -> Iterator[str]:
    """Yield ever plainer forms of a title, the least changed first; ``title`` itself is not among them.

    With ``quoted`` the words between quotation marks or 《》 come last: a whole entry may quote its title.
    """
    plain = surface(title)
    for _ in range(MOST_ROUNDS):
        before = plain
        for take_off in TAKE_OFFS:
            if (shorter := take_off(plain)) and shorter != plain:
                plain = shorter
                yield plain
        if plain == before:
            break
    if quoted:
        yield from quoted_in(title)


def may_have_lead_in(title: str, key: str) -> bool:
    """Whether ``title``, whose strict key is ``key``, can begin with a lead-in at all."""
    return not title[:1].isalpha() or key[:2] in _LEAD_INS_BEGIN or key[:1] in _LEAD_INS_BEGIN_ZH


def without_site(title: str) -> str | None:
    """The title of a web page without the name of its site, or None when it carries none."""
    return without_its_site(surface(title))


def is_about_a_work(title: str) -> bool:
    """Whether a title announces a notice about another work: a correction, reply, comment or retraction."""
    return _NOTICE.match(surface(title)) is not None


def without_tail(title: str) -> str | None:
    """The title, in its surface form, without an access note, page numbers, an address or the like at its end."""
    if not _may_have_tail(title):
        return None
    first = max(0, len(title) - _LONGEST_TAIL)
    starts = [opening.start() for opening in _OPENS_A_TAIL.finditer(title, first)]
    if "://" in title or not title.isascii():
        starts = sorted({*starts, *(opening.start() for opening in _IS_A_TAIL.finditer(title, first))})
    for start in starts:
        if start and _TAIL.match(title, start):
            return title[:start].strip()
    return None


def _may_have_tail(title: str) -> bool:
    """Whether the end can be a tail at all: much cheaper than the pattern, which most titles never meet."""
    last = title[-1:]
    if last in _ENDS_A_TAIL or last.isdigit():
        return True
    low = title[-_LONGEST_TAIL:].lower()
    return low.endswith(_LAST_WORDS) or "://" in low or "access" in low or "retriev" in low or "doi" in low


def without_lead_in(title: str) -> str | None:
    """The title, in its surface form, without what leads in to it, or None when nothing does."""
    if title[:1] not in _BEGINS_A_LEAD_IN:
        return None
    match = _LEAD_IN.match(title)
    return title[match.end() :].strip() if match else None


def other_sites(site: str, title: str) -> bool:
    """Whether ``title`` carries the name of a site other than ``site``: two pages may share a plain title.

    Libraries and indexes that hold copies of works are no sites in this sense.
    """
    second = site_of(title)
    if not second or _HOLDS_COPIES.search(site) or _HOLDS_COPIES.search(second):
        return False
    return site not in second and second not in site


def site_of(title: str) -> str:
    """Return the folded name of the site at the end of a page's title, or nothing."""
    plain = surface(title)
    bare = without_its_site(plain)
    return fold(plain[len(bare) :]).strip(" -|_·•»:") if bare else ""


def without_its_site(title: str) -> str | None:
    """Say what ``without_site`` says of a title in its surface form."""
    if not (
        "-" in title
        or "|" in title
        or "_" in title
        or (not title.isascii() and _RARE_SITE_MARK.search(title))
        or "::" in title
    ):
        return None
    starts = [m.start() for m in _SITE_MARK.finditer(title)]
    if not starts or not starts[-1]:
        return None
    match = _SITE.search(title, max(0, starts[-1] - 2))
    if (
        match is None
        or not match.start()
        or not _names_a_site(match["site"], pipe=match["mark"].strip() == "|")
    ):
        return None
    return title[: match.start()].strip()


def _names_a_site(segment: str, *, pipe: bool) -> bool:
    """Whether a last segment reads as the name of a site or publisher and not as a subtitle.

    After a pipe almost everything does. After a dash it must be short and written like a name: a domain, capitals on
    all its main words, or up to twelve Chinese characters.
    """
    if _CARRIES_IDENTITY.search(segment):
        return False
    parts = segment.split()
    if pipe or re.search(r"\w\.(?:com|org|net|gov|edu|cn|io|de|uk|eu)\b", segment, re.IGNORECASE):
        return len(parts) <= 8
    if not segment.isascii() and re.search(r"[\u3040-\u9fff]", segment):
        return len(segment) <= 12
    return len(parts) <= 5 and all(p[:1].isupper() or p.lower() in _NAME_PARTICLES for p in parts)


def quoted_in(title: str) -> list[str]:
    """Titles between quotation marks or 《》, unless what stands around them is about another work."""
    if "《" not in title and "“" not in title and '"' not in title:
        return []
    found: list[str] = []
    for match in _QUOTED.finditer(title):
        outside = title[: match.start()] + " " + title[match.end() :]
        if not _ABOUT_A_WORK.search(outside):
            found.append(next(group for group in match.groups() if group))
    return found


TAKE_OFFS = (without_tail, without_its_site, without_lead_in)  # in this order, round by round
