"""Titles of error, challenge, login and default pages: what a crawler got instead of the work.

Belongs here: telling whether a title is made of the closed vocabulary of such pages
(``quality.error_page_words``), or stands where there is no title. Catalogue and reference entries are judged by
the same functions. Does not belong here: finding the title in an entry (``quality.metrics.dirt_view``), titles
that only stand in for one (``quality.metrics.dirt_titles``).

A title is one when all of its words belong to the vocabulary and one of the combinations that only such pages
use is among them: "The page you requested could not be found". One word from elsewhere makes it a work: "404 Not
Found: a history of the broken link". A site name around it does not save it, unless it is that of an encyclopaedia
or a subtitle: "Forbidden - A Novel".
A few phrases stand for themselves.
"""

from __future__ import annotations

import re

from quality.error_page_words import (
    ALONE,
    CJK_CORES,
    CJK_WORDS,
    CORES,
    DEFAULT_PAGES,
    ENCYCLOPAEDIAS,
    MESSAGES,
    PHRASES,
    SUBTITLES,
    TEMPLATES,
    UNTITLED,
    VOCABULARY,
)
from quality.text import fold

MAX_TITLE = 120
"""Longer titles are never matched: no error page and no placeholder has one (characters)."""

_CJK = re.compile(r"[\u3400-\u9fff]")
_CJK_TOPIC = re.compile(
    r"(?!正在|请|系统正在|我们).*(?:检测|处理|控制)(?:$| ?[(_|-].*)"
)  # "network fault detection"
_TOKEN = re.compile(r"[a-z][a-z'-]*|\d+|[^\x00-\x7f]")
_FIRST = re.compile(r"[^a-z0-9]*([a-z]+|\d+)")
_SITE_SUFFIX = re.compile(
    r" [-|–—·•:_] | ?[|｜] ?|(?<=[^\x00-\x7f])_|_(?=[^\x00-\x7f])|(?<=[.!?…])[-–—]| ?- ?(?=[^\x00-\x7f])"
)
_LAST_CUTS = (" - ", " : ", " _ ", "|", ".-", "!-", "?-")
_STATUS = re.compile(r"(?:http|error|http error|http status|status code) ?\d{3}")
_MOST_NUMBERS = 2
_QUESTIONS = frozenset({"what", "how", "why", "when"})  # they begin titles about such pages
_ENOUGH_CJK = 4  # letters; shorter titles are matched as phrases
_DEFAULT_ENDS = tuple(DEFAULT_PAGES)
_FIRST_WORDS = (
    VOCABULARY
    | {
        match[1]
        for phrase in PHRASES | ALONE | DEFAULT_PAGES
        if (match := _FIRST.match(phrase)) and phrase.isascii()
    }
    | {
        "err",
        "recaptcha",
        "captcha",
        "radware",
        "vercel",
        "ddos",
        "institutional",
        "member",
        "scheduled",
        "privacy",
        "update",
        "coming",
        "domain",
        "directory",
        "test",
        "lighttpd",
        "openresty",
        "php",
    }
)


def plain(folded: str) -> str:
    """Take stops, brackets and quotes off both ends of a folded title."""
    return folded.strip(" .!?-|·:()[]<>{}\"'")


def is_error_page(title: str, *, authored: bool = False) -> bool:
    """Tell whether the whole title, with or without a site name, is that of an error, login or default page.

    ``authored``: authors are known. Works are called "Access Denied" too; with authors, only a title that names
    a status code is an error page's.
    """
    if len(title) > MAX_TITLE or (authored and not any(c.isdigit() for c in title)):
        return False
    folded = fold(title)
    if folded.isascii() and not _begins_like_one(folded):
        return False
    parts = _parts(folded)
    if len(parts) > 1 and _is_term(plain(parts[0])) and _names_a_work(parts[-1]):
        return False
    whole = plain(folded)
    if whole in ALONE or whole in DEFAULT_PAGES or TEMPLATES.fullmatch(folded):
        return True
    return plain(parts[0]) in DEFAULT_PAGES or any(_is_one(part) for part in _readings(folded))


def is_spoilt(title: str) -> bool:
    """Tell whether a title holds what a server or a page's script wrote beside what a person did.

    That is a message with more of the page behind it, or, as the site's name, what a server or panel calls a site
    that nobody has set up. The page was read, so a source with such a title can be real; an entry with it is dirty.
    """
    if len(title) > MAX_TITLE:
        return False
    folded = fold(title)
    if MESSAGES.fullmatch(folded):
        return True
    if not plain(folded).endswith(_DEFAULT_ENDS):
        return False
    parts = _parts(folded)
    return len(parts) > 1 and plain(parts[-1]) in DEFAULT_PAGES


def is_untitled(title: str) -> bool:
    """Tell whether the whole title says that there is none: "Untitled document", "N/A", "无标题"."""
    return len(title) <= MAX_TITLE and plain(fold(title)) in UNTITLED


def _names_a_work(part: str) -> bool:
    """Tell whether what follows a title makes it that of a work about, or called like, an error page."""
    return ENCYCLOPAEDIAS.fullmatch(part) is not None or SUBTITLES.fullmatch(part) is not None


def _is_term(part: str) -> bool:
    """Tell whether the title of an error page is also what an article about such pages would be called."""
    return part in PHRASES or part in ALONE or _STATUS.fullmatch(part) is not None


def _is_one(part: str) -> bool:
    if part in PHRASES or TEMPLATES.fullmatch(part):
        return True
    return _is_chinese_one(part) if _CJK.search(part) else _is_english_one(part)


def _is_english_one(part: str) -> bool:
    tokens = _TOKEN.findall(part)
    numbers = sum(token.isdigit() for token in tokens)
    if len(tokens) < 2 or numbers > _MOST_NUMBERS or tokens[0] in _QUESTIONS:
        return False
    known = all(token.isdigit() or token.strip("'-") in VOCABULARY for token in tokens)
    return known and CORES.search(part) is not None


def _is_chinese_one(part: str) -> bool:
    if _CJK_TOPIC.fullmatch(part) or CJK_CORES.search(part) is None or len(_CJK.findall(part)) < _ENOUGH_CJK:
        return False
    rest = CJK_WORDS.sub("", part)
    return _CJK.search(rest) is None and all(
        token.isdigit() or token in VOCABULARY for token in re.findall(r"[a-z']+|\d+", rest)
    )


def _begins_like_one(folded: str) -> bool:
    """Tell, quickly, whether the title or its last part begins with a word of the vocabulary or a number."""
    starts = {0, *(folded.rfind(cut) + len(cut) for cut in _LAST_CUTS if cut in folded)}
    firsts = [match[1] for start in starts if (match := _FIRST.match(folded, start))]
    return any(first in _FIRST_WORDS or first.isdigit() for first in firsts)


def _parts(folded: str) -> tuple[str, ...]:
    """Split off what stands behind the last separator; the whole where there is none."""
    cuts = list(_SITE_SUFFIX.finditer(folded))
    return (folded[: cuts[-1].start()], folded[cuts[-1].end() :]) if cuts else (folded,)


def _readings(folded: str) -> list[str]:
    """Give the title, and what it is without a site name around it.

    What stands before a comma or a bracket is no reading: "Forbidden, not forgotten".
    """
    cuts = list(_SITE_SUFFIX.finditer(folded))
    readings = [folded]
    if cuts:
        readings += [folded[: cuts[0].start()], folded[: cuts[-1].start()], folded[cuts[-1].end() :]]
    return [plain(reading) for reading in readings]
