r"""The table of citation styles: one row a style, each read by one pattern over masked text.

Belongs here: what a style looks like, and which keys a match names. Adding a style means one row here
and one test. Does not belong here: whether this report uses the style (``evidence``). Order is
precedence: a row never reads what an earlier row has read. All patterns are linear: no two parts of one
can match the same characters in different ways.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from quality.citations.author_year import narrative, parenthetical
from quality.citations.bare_numbers import glued_numbers, spaced_numbers, table_numbers
from quality.citations.labels import plain_key, unfold
from quality.citations.urls import find_links, find_urls, trim_url
from quality.model import Mark

LABEL, LINK, TITLE, AUTHOR_YEAR, PLACEHOLDER = "label", "link", "title", "author_year", "placeholder"


class Rank(IntEnum):
    """How a style is recognised: by its own signs, by a numbered list, or by names; read in this order."""

    WRITTEN = 0
    NUMBER = 1
    NAME = 2


@dataclass(frozen=True, slots=True)
class Style:
    """One way to cite: its name, the name space of its keys, hints of which one must occur, its reader."""

    name: str
    family: str
    hints: tuple[str, ...]  # the style is skipped where none of these occurs
    scan: Callable[[str], Iterator[Mark]]
    rank: Rank = Rank.WRITTEN


_DASH = r"[-–—−‑‒~～]"
_N = r"\^?[0-9０-９]{1,4}[a-z]?\^?"
_KEYS = (
    rf"(?:[a-z]{{2,8}}_)?{_N}(?:[ \t]*(?:[,，、;；&]|{_DASH}|\band\b|\bto\b)[ \t]*(?:[a-z]{{2,8}}_)?{_N})*"
)

_TARGET = r"\([ \t]*<?(?P<url>[^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)[^()\n]*\)"
_DOUBLE = re.compile(rf"\\?\[\\?\[[ \t]*(?P<keys>{_KEYS})[ \t]*\\?\]\\?\]{_TARGET}")
_NUMBER_LINK = re.compile(rf"(?<!\])\[[ \t]*\\?\[?(?P<keys>{_KEYS})\\?\]?[ \t]*\]{_TARGET}")
_FOOTNOTE = re.compile(r"\\?\[\^(?P<keys>[^\]\[\s^]{1,60}(?:,[ ]?\^?[^\]\[\s^,]{1,20})*)\^?\\?\](?!:)")
_BRACKET = re.compile(
    rf"\\?[\[［][ \t]*(?:(?:see(?: also)?|cf\.|e\.g\.,?)[ ])?(?P<keys>{_KEYS})[,;，；]?"
    r"(?:,[ ]?(?:pp?\.|ch(?:ap)?\.|sec\.|§|figs?\.|tables?|theorem|appendix"
    r"|第)[ ]?[\w.–-]{1,12}页?)?[ \t]*\\?[\]］](?!\([^\s()]*[)(])",
    re.IGNORECASE,
)
_LENTICULAR = re.compile(rf"[【〖][ \t]*(?P<keys>{_KEYS})[ \t]*(?:†(?P<locator>[^】〖【\n]{{0,200}}))?[】〗]")
_SUP_TAG = re.compile(
    rf"<sup\b[^<>\n]*>[ \t]*(?:<a\b[^<>\n]*>)?[ \t]*\\?[\[(]?(?P<keys>{_KEYS})"
    r"\\?[\])]?[ \t]*(?:</a>)?[ \t]*</sup>",
    re.IGNORECASE,
)
_SUP = re.compile(r"[⁰¹²³⁴-⁹]+(?:[⁻ʼ,˒·⸴᾿][⁰¹²³⁴-⁹]+)*")
_CARET = re.compile(rf"(?<![\[^])\^\\?\[?(?P<keys>{_KEYS})\\?\]?\^(?![\]^])")
_SUP_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_CITE_TAG = re.compile(
    r"<(?P<tag>(?:\w+:)?cite)\b(?P<attributes>[^<>\n]*)>(?:(?P<content>[^<\n]{0,2000})</(?P=tag)>)?",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(
    r"\b(?P<name>id|ids|index|ref|refs|source|key|n)\s*=\s*[\"'](?P<keys>[^\"'\n]*)[\"']", re.IGNORECASE
)
_NAMED_KEY = r"[A-Za-z][A-Za-z+_.:-]{0,30}\d{1,4}[a-z]?"
_NAMED = re.compile(rf"\\?\[(?P<keys>{_NAMED_KEY}(?:[,;][ ]?{_NAMED_KEY})*)\\?\](?!\()")
_PANDOC_KEY = re.compile(r"(?<![\w.@])-?@\{?(\w[\w:.#$%&+?<>~/-]*\w|\w)\}?")
_PANDOC_GROUP = re.compile(r"\[(?P<body>[^\[\]\n]{0,300}?@[^\[\]\n]{1,300})\](?!\()")
_PANDOC_NARRATIVE = re.compile(r"(?<![\w.@\[;/-])@(?P<key>[A-Za-z][\w:-]*\w)(?![@/]|\.[A-Za-z]|\()")
_CITE_WORD = re.compile(
    rf"\\?\[[ \t]*cit(?:e|ation)s?[ \t]*:[ \t]*(?P<keys>{_KEYS})[ \t]*\\?\]", re.IGNORECASE
)
_ONLY_KEYS = re.compile(rf"\[?{_KEYS}\]?")
_BRACKET_SPAN = re.compile(rf"\[(?P<a>[0-9]{{1,4}})\]{_DASH}\[(?P<b>[0-9]{{1,4}})\](?!\()")
_WORDED = re.compile(
    r"\\?[\[【][ \t]*(?:source|src|ref|ref\.|reference|doc|document|citation|note|来源|资料|文献|参考|引用"
    r"|注释?"
    r"|資料|來源)s?[ \t]*[#:：_-]?[ \t]*"
    rf"(?P<keys>{_KEYS})[ \t]*\\?[\]】](?!\()",
    re.IGNORECASE,
)
_DOI = re.compile(
    r"(?:\bdoi:?[ ]?)?(?<![\w./-])(?P<doi>10\.\d{4,9}/[^\s<>\"`|\x00\[\]，。；、（）【】《》“”]+)",
    re.IGNORECASE,
)
_HTML_LINK = re.compile(
    r"<a\b[^>\n]{0,300}?\bhref\s*=\s*[\"'](?P<url>https?://[^\"'\s>]+)[\"'][^>\n]*>(?P<text>[^<\n]{0,400})</a>",
    re.IGNORECASE,
)
_BOOK = re.compile(r"《(?P<title>[^《》\n]{1,120})》")
_LOCAL = re.compile(r"(?i)https?://(?:localhost|127\.|0\.0\.0\.0|192\.168\.|\[::1\])")
_PLACEHOLDER = re.compile(
    r"\\?\[[ \t]*(?:sources?|citations?|cite|refs?|references?|cite[_ ]start|来源|引用|出处|参考"
    r"|來源)(?: needed| required| here)?"
    r"[ \t]*:?[ \t]*\\?\](?!\()|\\?\[[ \t]*(?:insert|add|todo:?|tbd:?) (?:citation|source"
    r"|reference)s?[^\]\n]{0,40}\\?\](?!\()",
    re.IGNORECASE,
)
_TOKEN = re.compile(
    r":?contentReference\[oaicite:?=?(?P<n>\d{1,4})\](?:\{index=\d{1,4}\})?"
    r"|:?contentReference\[[^\]\n]{0,60}\](?:\{[^}\n]{0,40}\})?"
    r"|\[?oaicite:\d{1,4}\]?(?:\{index=\d{1,4}\})?"
    r"|\ue200[^\ue200\ue201\n]{0,300}\ue201|\bcite(?:turn\d{1,3}[a-z]{3,10}\d{1,4})+"
    r"|【turn\d{1,3}[a-z]{3,10}\d{1,4}[^】\n]{0,40}】"
    r"|\[[a-z][a-z ]{2,20} \((?:unknown|\d{4}-\d\d-\d\d)\)\](?::contentItem:[\w-]+)?|:contentItem:[\w-]+"
    r"|\bsource_id: ?\d{4,}"
    r"|\bturn\d{1,3}(?:search|view|news|fetch|file|image|academia)\d{1,4}\b|\[cite_(?:start|end)\]"
)


def _label_marks(name: str, pattern: re.Pattern[str]) -> Callable[[str], Iterator[Mark]]:
    def scan(text: str) -> Iterator[Mark]:
        for match in pattern.finditer(text):
            keys = unfold(match["keys"])
            if keys:
                yield Mark(match.start(), match.end(), name, LABEL, keys)

    return scan


def _linked_label_marks(name: str, pattern: re.Pattern[str]) -> Callable[[str], Iterator[Mark]]:
    def scan(text: str) -> Iterator[Mark]:
        for match in pattern.finditer(text):
            url, keys = match["url"], unfold(match["keys"])
            locator = url if re.match(r"(?i)https?://|www\.", url) else None
            if locator and any(len(k) == 4 for k in keys):  # [2023](url): a year as the text of a link
                yield Mark(match.start(), match.end(), "link", LINK, (url,), locator=url, text=match["keys"])
            elif keys:
                yield Mark(match.start(), match.end(), name, LABEL, keys, locator=locator)

    return scan


def _footnotes(text: str) -> Iterator[Mark]:
    for match in _FOOTNOTE.finditer(text):
        keys = tuple(plain_key(k) for k in match["keys"].split(","))
        yield Mark(match.start(), match.end(), "footnote", LABEL, tuple(k for k in keys if k))


def _named(text: str) -> Iterator[Mark]:
    for match in _NAMED.finditer(text):
        yield Mark(
            match.start(), match.end(), "named_bracket", LABEL, tuple(re.split(r"[,;][ ]?", match["keys"]))
        )


def _pandoc(text: str) -> Iterator[Mark]:
    """Read groups ``[see @doe99, p. 3; @roe12]``, then keys in the sentence that stand in no group."""
    for match in _PANDOC_GROUP.finditer(text):
        keys = tuple(dict.fromkeys(k.rstrip(".:") for k in _PANDOC_KEY.findall(match["body"])))
        if not keys:
            continue
        tangled = any(len(_PANDOC_KEY.findall(part)) > 1 for part in match["body"].split(";"))
        yield Mark(
            match.start(), match.end(), "pandoc", LABEL, keys, text="malformed group" if tangled else None
        )
    rest = _PANDOC_GROUP.sub(lambda m: " " * len(m[0]), text)
    for match in _PANDOC_NARRATIVE.finditer(rest):
        yield Mark(match.start(), match.end(), "pandoc_narrative", LABEL, (match["key"],))


def _superscripts(text: str) -> Iterator[Mark]:
    for match in _SUP.finditer(text):
        keys = unfold(re.sub(r"[ʼ˒·⸴᾿]", ",", match[0].translate(_SUP_DIGITS)))
        if keys:
            yield Mark(match.start(), match.end(), "superscript", LABEL, keys)


def _cite_tags(text: str) -> Iterator[Mark]:
    """``<cite id="3">…</cite>``, ``<cite index="3-1,4-2">`` (document and sentence), ``<cite>3</cite>``."""
    for match in _CITE_TAG.finditer(text):
        keys: list[str] = []
        for attribute in _ATTRIBUTE.finditer(match["attributes"]):
            values = [v for v in re.split(r"[\s,;]+", attribute["keys"]) if v]
            if attribute["name"].lower() == "index":
                values = [v.partition("-")[0] for v in values]
            keys += unfold(",".join(values)) or values
        content = (match["content"] or "").strip()
        if not keys and _ONLY_KEYS.fullmatch(content):
            keys += unfold(content)
        family = LABEL if keys else PLACEHOLDER
        yield Mark(match.start(), match.end(), "cite_tag", family, tuple(dict.fromkeys(keys)))


def _spans(text: str) -> Iterator[Mark]:
    """``[1]–[3]``: a range between two brackets."""
    for match in _BRACKET_SPAN.finditer(text):
        keys = unfold(f"{match['a']}-{match['b']}")
        if keys:
            yield Mark(match.start(), match.end(), "bracket_span", LABEL, keys)


def _dois(text: str) -> Iterator[Mark]:
    for match in _DOI.finditer(text):
        doi = trim_url(match["doi"])
        end = match.start("doi") + len(doi)
        yield Mark(match.start(), end, "doi", LINK, (doi,), locator=f"https://doi.org/{doi}")


def _html_links(text: str) -> Iterator[Mark]:
    for match in _HTML_LINK.finditer(text):
        url = match["url"]
        yield Mark(match.start(), match.end(), "html_link", LINK, (url,), locator=url, text=match["text"])


def _links(text: str) -> Iterator[Mark]:
    for link in find_links(text):
        if re.match(r"(?i)https?://|www\.|//", link.url):
            yield Mark(link.start, link.end, "link", LINK, (link.url,), locator=link.url, text=link.text)


def _bare_urls(text: str) -> Iterator[Mark]:
    for start, end, url in find_urls(text):
        if _LOCAL.match(url):
            continue
        yield Mark(start, end, "bare_url", LINK, (url,), locator=url)


def _titles(text: str) -> Iterator[Mark]:
    for match in _BOOK.finditer(text):
        title = match["title"].strip()
        if title:
            yield Mark(match.start(), match.end(), "book_title", TITLE, (title,), text=title)


def _placeholders(text: str) -> Iterator[Mark]:
    for match in _PLACEHOLDER.finditer(text):
        yield Mark(match.start(), match.end(), "placeholder", PLACEHOLDER, (), text=match[0])


def _tokens(text: str) -> Iterator[Mark]:
    for match in _TOKEN.finditer(text):
        yield Mark(match.start(), match.end(), "leaked_token", PLACEHOLDER, (), text=match[0])


STYLES: tuple[Style, ...] = (
    Style("cite_tag", LABEL, ("cite",), _cite_tags),
    Style(
        "leaked_token",
        PLACEHOLDER,
        (
            "oaicite",
            "contentReference",
            "contentItem",
            "source_id",
            ")]",
            "\ue200",
            *(f"turn{n}" for n in range(10)),
            "cite_",
        ),
        _tokens,
    ),
    Style("cite_word", LABEL, ("cit", "Cit", "CIT"), _label_marks("cite_word", _CITE_WORD)),
    Style(
        "double_bracket_link", LABEL, ("]](", "]\\]("), _linked_label_marks("double_bracket_link", _DOUBLE)
    ),
    Style("number_link", LABEL, ("](",), _linked_label_marks("number_link", _NUMBER_LINK)),
    Style("footnote", LABEL, ("[^",), _footnotes),
    Style("link", LINK, ("](",), _links),
    Style("html_link", LINK, ("<a ", "<A "), _html_links),
    Style("bare_url", LINK, ("://",), _bare_urls),
    Style("doi", LINK, ("10.",), _dois),
    Style("bracket_span", LABEL, ("]",), _spans),
    Style("worded_bracket", LABEL, ("[", "【"), _label_marks("worded_bracket", _WORDED)),
    Style("bracket", LABEL, ("[", "［"), _label_marks("bracket", _BRACKET)),
    Style("lenticular", LABEL, ("【", "〖"), _label_marks("lenticular", _LENTICULAR)),
    Style("sup_tag", LABEL, ("<sup", "<SUP"), _label_marks("sup_tag", _SUP_TAG)),
    Style("caret", LABEL, ("^",), _label_marks("caret", _CARET)),
    Style("superscript", LABEL, tuple("⁰¹²³⁴⁵⁶⁷⁸⁹"), _superscripts),
    Style("placeholder", PLACEHOLDER, ("[",), _placeholders),
    Style("named_bracket", LABEL, ("[",), _named),
    Style("pandoc", LABEL, ("@",), _pandoc),
    Style("author_year", AUTHOR_YEAR, ("(", "（", "["), parenthetical, Rank.NAME),
    Style("narrative", AUTHOR_YEAR, ("(", "（"), narrative, Rank.NAME),
    Style("glued_number", LABEL, (".", "。", "!", "?"), glued_numbers, Rank.NUMBER),
    Style("table_number", LABEL, ("|",), table_numbers, Rank.NUMBER),
    Style("spaced_number", LABEL, (" ",), spaced_numbers, Rank.NUMBER),
    Style("book_title", TITLE, ("《",), _titles),
)


@dataclass(slots=True)
class Scanner:
    """Candidates in a masked text without overlaps, rank by rank: what an earlier row has read is claimed."""

    text: str
    claimed: list[tuple[int, int]] = field(default_factory=list)

    def scan(self, rank: Rank) -> dict[str, list[Mark]]:
        """Candidates of the styles of one rank, by the style that read them."""
        found: dict[str, list[Mark]] = {}
        for style in STYLES:
            if style.rank is not rank or not any(hint in self.text for hint in style.hints):
                continue
            marks = _unclaimed(sorted(style.scan(self.text), key=lambda m: m.start), self.claimed)
            if marks:
                found[style.name] = marks
                self.claimed = sorted(self.claimed + [(m.start, m.end) for m in marks])
        return found

    def release(self, kept: Sequence[Mark]) -> None:
        """Give the spans of rejected candidates back: only marks that were kept claim theirs."""
        self.claimed = sorted((m.start, m.end) for m in kept)


def _unclaimed(marks: list[Mark], claimed: list[tuple[int, int]]) -> list[Mark]:
    """Keep marks that touch no claimed span; both lists are in order of their starts."""
    kept: list[Mark] = []
    at = 0
    for mark in marks:
        while at < len(claimed) and claimed[at][1] <= mark.start:
            at += 1
        if at == len(claimed) or claimed[at][0] >= mark.end:
            kept.append(mark)
    return kept
