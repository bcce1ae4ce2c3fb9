"""Entries: what one line of a reference list says.

Belongs here: title, address, authors and year out of an entry's text, in every layout that models write.
Does not belong here: finding the lines (``lists``) and judging their cleanliness (``quality.metrics.dirt``).
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

from quality.citations.urls import find_links, find_urls

_URL_LIKE = re.compile(r"\s*<?(?:https?://|www\.|ftp://)|\s*[\w-]+(?:\.[\w-]+)+/\S*\s*$", re.IGNORECASE)
_GENERIC = re.compile(
    r"\W*(?:(?:direct |full |source |web |pdf )?(?:link|url|here|source|pdf|doi|full text|text|html|website"
    r"|web|view|read"
    r"|read more|access|available here|online|article|paper|click here)|链接|原文|网址|网页|来源|查看|全文"
    r"|官网|详情|点击查看|原文链接)\W*",
    re.IGNORECASE,
)
_DATE = (
    r"(?=[\s:：]*(?:on|am|le|el|em|il|at|from|in|:|：|\d|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
    r"|janv|f[ée]vr|mars|avr"
    r"|mai|juin|juil|ao[ûu]t|ene|abr|ago|dic|gen|mag|giu|lug|set|ott|янв|фев|мар|апр|мая|июн|июл|авг|сен"
    r"|окт|ноя|дек))"
)
_ACCESSED = re.compile(
    r"[\s,，;；.。:：\-–—(（\[]{0,8}(?:last )?(?:\b(?:accessed|retrieved|viewed|consulted|visited|abgerufen"
    r"|zugriff|consult[ée]"
    r"|acces[ao]d[oa]|dostęp|geraadpleegd|дата обращения|accesat|fecha de acceso|diakses)\b"
    + _DATE
    + r"|檢索日期|检索日期|访问日期|访问时间|訪問日期|存取日期|檢索於|访问于|アクセス日|閲覧日|검색일"
    r"|액세스)[\s\S]*$",
    re.IGNORECASE,
)
_AVAILABLE = re.compile(
    r"(?:[\s.,;:–—\-(\[（]{0,8}\b(?:\[?online\]?[.,;:]?\s{0,4})?available(?: (?:at|from|online|via))?"
    r"|(?:[.,;:–—\-(\[（]\s{0,4}|^)(?:url|link|doi|from|at|source|see|via|in)\b"
    r"|[\s.,;:–—\-(\[（]{0,8}(?:网址|链接|来源|地址|参见)?)[\s:：=]{0,8}[\[(（<]?\s{0,8}$",
    re.IGNORECASE,
)
_CLOSED = re.compile(r"^[\s\\]*[\])）>]")
_SEPARATOR = re.compile(r"^[\s>)\]）】]*(?:[-–—―|:：·•]+|\.)\s*")
_YEAR_BRACKET = (
    r"[(（]\s*(?:c\. ?)?(?P<year>(?:1[6-9]|20)\d\d)(?P<letter>[a-z])?(?:[/,，\s][^()（）]{0,30})?[)）]"
)
_APA = re.compile(
    rf"^(?P<authors>(?:[^()（）\n]|\((?:[Ee]ds?\.?|Hrsg\.?|Org\.?"
    rf"|[A-Z]{{2,10}})\)){{2,300}}?)[\s.,，]*{_YEAR_BRACKET}"
    r"(?P<stop>[.,:：，。]?)\s*(?P<rest>\S.*)$",
    re.DOTALL,
)
_NAMES = re.compile(
    r"[^\W\d_][\w'’\-]+(?:,? (?:[A-Z]\.?[ \-]?){1,3})(?:[,;&]|$|\band\b)|(?:et al\.?|等|&|\band\b|；)"
    r"|^[^\W\d_][\w'’\-]+(?:,? (?:[A-Z]\.?[ \-]?){0,3})$|^[\u4e00-\u9fff]{2,4}$|[\u4e00-\u9fff]、"
)
_QUOTED = re.compile(r"[“\"「『](?P<title>[^”\"」』\n]{6,300}?)[,.，。]?[”\"」』]")
_CHINESE_TITLE = re.compile(r"《(?P<title>[^《》\n]{2,120})》")
_GBT = re.compile(r"\[(?:[A-Z]{1,2})(?:/[A-Z]{2})?\]")
_QUOTED_ENTRY = re.compile(
    r"^(?P<authors>(?=[^“\"]*(?:[A-Z]\.|\bet al\b|, | and "
    r"| & ))[^“\"\d]{3,200}?)[,.:] ?[“\"](?P<title>[^”\"]{8,300}?)[,.]?[”\"]"
)
_GBT_ENTRY = re.compile(
    r"^(?P<authors>[^.。\[\]:：]{2,120})[.。．]\s*(?P<title>[^\[\]]{2,200}?)\s*\[(?:[JMDCRNPSZ]|EB"
    r"|DB)(?:/OL)?\]"
)
_STOP = re.compile(
    r"(?<!\b[A-Z])(?<!\bvs)(?<!\bNo)(?<!\bet al)\.(?=\s+[\"“(A-Z0-9*_\[\u4e00-\u9fff]|\s*$)|[?!](?=\s+\S)"
)
_VENUE = re.compile(
    r"\s+(?:In\b|\*|_|(?:the )?(?:[A-Z][\w&-]* ){0,4}(?:Journal|Proceedings|Proc|Conference|Review|Letters"
    r"|Press|Science|Nature|arXiv)\b)"
)
_UP = "A-ZÀ-ÖØ-ÞĀ-Ž"
_GIVEN = rf"(?:[{_UP}](?:\.-?[{_UP}])*\.|[{_UP}][\w'’\-]{{0,30}})[ ]"
_PARTICLES = "(?:(?:van|von|de|der|den|da|di|du|la|le|al|bin)[ ]){0,2}"
_FULL_NAME = rf"(?>(?:{_GIVEN}){{1,4}}{_PARTICLES}[{_UP}][\w'’\-]{{1,40}}(?![\w]))"
_PEOPLE = re.compile(
    rf"(?P<authors>(?:{_FULL_NAME}(?:,[ ]{_FULL_NAME}){{0,60}}+(?:,?[ ](?:and|&)[ ]{_FULL_NAME}"
    rf"|,?[ ]et[ ]al\b\.?)"
    rf"|[{_UP}][\w'’\-]{{1,40}}(?:,?[ ](?:and|&)[ ][{_UP}][\w'’\-]{{1,40}}|,?[ ]et[ ]al\b\.?)))"
    r"(?:[.,]?[ ][(（]?(?P<year>(?:1[6-9]|20)\d\d)(?P<letter>[a-z])?[)）]?)?[.:][ ](?P<rest>\S.*)$",
    re.DOTALL,
)
_UNMISTAKABLE = re.compile(r"\b[A-Z]\.|\bet al\b")
_BOOK_LEAD = re.compile(r"^(?P<title>《[^《》]{2,120}》)[，,][ ]?[^\s\d]")
_BOLD_LEAD = re.compile(
    r"^\*\*(?P<title>(?!.*\bet al\b)[^*]{12,300}?)[.,]?\*\*(?=\s*(?:[-–—,(|]|https?:|\[|$))"
)
_SURNAME = re.compile(
    r"^(?P<authors>(?:[A-Z][\w'’\-]+(?:,? (?:[A-Z]\.?[ -]?){1,3})?)(?:(?:,| and| &|, and"
    r"|, &) (?:[A-Z][\w'’\-]+(?:,? (?:[A-Z]\.?[ -]?){1,3})?)){0,12}"
    r"(?:,? et al)?)[.] +(?P<rest>\S.*)$",
    re.DOTALL,
)
_YEAR_LEAD = re.compile(r"(?P<year>(?:1[6-9]|20)\d\d)(?P<letter>[a-z])?[.:] +(?P<rest>\S.*)$", re.DOTALL)
_GOES_ON = re.compile(r": [a-z]")
_YEAR = re.compile(r"(?<![\d/.-])((?:1[6-9]|20)\d\d)[a-z]?(?![\d/-])")
_BOLD = re.compile(r"(\*\*|__|\*|(?<!\w)_)(?=\S)(.+?)(?<=\S)\1(?!\w)")
_DOCUMENT = re.compile(r"^\s*\\?\]?\s*(?:Document|Doc|Source|Paper|来源|文献)\s*\d+\s*[:：.]\s*")
_LABEL_URL = re.compile(r"[\s:：,，\-–—(]{0,8}https?://\S*\s*$")
_BARE_DOI = re.compile(
    r"\s{0,4}[(\[]?(?:\bdoi\s*:?\s*|\barxiv\s*:\s*|\bPMID\s*:?\s*)?(?:\b10\.\d{4,9}/\S|(?<=arXiv:)\d)",
    re.IGNORECASE,
)
_SPACED_URL = re.compile(
    r"https?://\S+(?: [^\s:]+){1,12}\.(?:pdf|html?|aspx?|docx?|xlsx?|pptx?|php)", re.IGNORECASE
)
_WITH = re.compile(r"^with (?:[A-Z][\w'’-]+ [A-Z]\.?(?:, | and | & )?)+\s*")
_TAGS = re.compile(r"</?(?:i|b|em|strong|a|span|sup|sub|br|p|li|small|u)\b[^>]*>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Parts:
    """What an entry says about its source."""

    title: str | None
    url: str | None
    authors: str | None
    year: int | None
    letter: str = ""  # the letter of 2020a


def has_access_date(text: str) -> bool:
    """Tell an entry that says when it was read, as exports of deep-research assistants do."""
    return _ACCESSED.search(text) is not None


def split_entry(content: str) -> Parts:
    """Title, address, authors and year of an entry's content (the text after its label)."""
    text = content.replace("\x00", " ")
    url, title_text = _address(text)
    authors: str | None = None
    year, letter = None, ""
    title_text = _WITH.sub("", title_text)
    if title_text:
        authors, year, letter, title_text = _authorship(title_text)
    if year is None and (match := _YEAR.search(_ACCESSED.sub("", _without_urls(text)))):
        year = int(match[1])
    title = _clean(title_text)
    return Parts(title or None, url, authors, year, letter)


def _address(text: str) -> tuple[str | None, str]:
    """Find the entry's URL, and the text that is left for its title."""
    links = [k for k in find_links(text) if _URL_LIKE.match(k.url)]
    if links and _is_own_address(text, links[0].start, links[0].end):
        return _linked(text, links[0].start, links[0].end, links[0].text, links[0].url)
    if _SPACED_URL.fullmatch(text.strip()):
        return text.strip(), ""
    for start, end, url in find_urls(text):
        if not _is_own_address(text, start, end):
            break
        before = _before(text[:start])
        after = _after(text[end:])
        return url, before or after
    return None, _BARE_DOI.split(_ACCESSED.sub("", text))[0]


def _is_own_address(text: str, start: int, end: int) -> bool:
    """Tell an entry's address from one inside a passage: it stands near the start or close to the end."""
    return start < 300 or len(text) - end < 120


def _linked(text: str, start: int, end: int, label: str, url: str) -> tuple[str | None, str]:
    before, after = _before(text[:start]), text[end:]
    if _URL_LIKE.match(label) or _GENERIC.fullmatch(label):
        return url, before or _after(after)
    if text[:start].rstrip().endswith("\\[") or _DOCUMENT.match(after):
        return url, _DOCUMENT.sub("", _after(after)) or label
    if len(re.findall(r"[^\W\d_]", before)) >= 15 and not text[:start].rstrip().endswith((":", "：")):
        return url, before
    return url, _LABEL_URL.sub("", label) or label


def _before(text: str) -> str:
    text = _ACCESSED.sub("", text)
    return _AVAILABLE.sub("", text).lstrip(" \t\n-–—:：,，;；|>").rstrip(" \t\n-–—:：,，;；|([（<")


def _after(text: str) -> str:
    return _ACCESSED.sub("", _SEPARATOR.sub("", _CLOSED.sub("", text))).strip()


def _without_urls(text: str) -> str:
    parts, at = [], 0
    for start, end, _ in find_urls(text):
        parts.append(text[at:start])
        at = end
    return "".join((*parts, text[at:]))


def _authorship(text: str) -> tuple[str | None, int | None, str, str]:
    """Find authors, year, letter and the title behind them."""
    plain = " ".join(text.split())
    if book := _BOOK_LEAD.match(plain):
        return None, None, "", book["title"]
    if bold := _BOLD_LEAD.match(plain):
        return None, None, "", bold["title"]
    match = _APA.match(plain)
    if match and (match["stop"] in tuple(".:：。") or _NAMES.search(match["authors"])):
        title = _first_sentence(match["rest"])
        if len(title) > 2:
            return match["authors"].strip(" ,.;"), int(match["year"]), match["letter"] or "", title
    return _by_layout(plain)


def _by_layout(plain: str) -> tuple[str | None, int | None, str, str]:
    """Find authors and title in layouts that do not put the year in brackets behind the authors."""
    for pattern in (_QUOTED_ENTRY, _GBT_ENTRY):
        if match := pattern.match(plain):
            return match["authors"].strip(" ,.:"), None, "", match["title"]
    if (match := _PEOPLE.match(plain)) and _are_people(match, plain):
        year = int(match["year"]) if match["year"] else None
        return match["authors"].strip(" ,"), year, match["letter"] or "", _first_sentence(match["rest"])
    if (match := _SURNAME.match(plain)) and not _GBT.search(plain):
        dated = _YEAR_LEAD.match(match["rest"])
        if dated:
            title = _first_sentence(dated["rest"])
            return match["authors"].strip(), int(dated["year"]), dated["letter"] or "", title
        return match["authors"].strip(), None, "", match["rest"]
    first = _first_sentence(plain)
    if len(first) < len(plain) and _PEOPLE.match(plain[len(first) :].lstrip(" .")):
        return None, None, "", first
    return None, None, "", plain


def _are_people(match: re.Match[str], text: str) -> bool:
    """Tell authors from a title in title case (``Ledgers and Machine Reading: Errors``): a year, initials, *et al.*

    Three full names pass before a full stop, never before a colon.
    """
    authors = match["authors"]
    if match["year"] or _UNMISTAKABLE.search(authors):
        return True
    return "," in authors and text[match.start("rest") - 2] != ":"


def _first_sentence(rest: str) -> str:
    """Cut a title off what follows it: a quoted one at its quotes unless it goes on, else at its full stop.

    A question mark ends it only where a venue follows, else a subtitle does.
    """
    if (quoted := _QUOTED.match(rest)) and not _GOES_ON.match(rest, quoted.end()):
        return quoted["title"]
    for match in _STOP.finditer(rest, 3):
        if match[0] == "." or _VENUE.match(rest, match.end()):
            return _WITH.sub("", rest[: match.end()].rstrip("."))
    return _WITH.sub("", rest)


def _clean(text: str) -> str:
    plain = text
    for _ in range(2):
        plain = html.unescape(plain)
    plain = _TAGS.sub("", plain)
    plain = _BOLD.sub(r"\2", plain)
    plain = re.sub(r"\\([\\`*_{}\[\]()#+\-.!|&~<>$])", r"\1", plain)
    return " ".join(plain.split()).strip(" ,;:：，；|*_")
