"""What goes wrong in reports: titles cut short, soiled entries, stock closings.

Belongs here: one function per kind of fault, each pure. Does not belong here: which report gets which (``batches``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from .model import Work
from .styles import entry_of

INVENTED_DOI = "10.5555/void"
"""Prefix of the identifiers in 01-before that no registry holds."""


def cut(title: str, how: str) -> str:
    """``title`` cut short: ``marked`` with dots, ``inside`` a word, ``late`` at a border, ``main`` before its subtitle."""
    if how == "main":
        for mark in (": ", "："):
            if mark in title:
                return title.split(mark, maxsplit=1)[0]
        how = "late"
    if how == "late":
        return _late(title)
    at = _inside_word(title, min(max(9 if _chinese(title) else 22, len(title) * 11 // 20), len(title) - 3))
    bare = title[:at].rstrip(" :,-：，、")
    return bare + "…" if how == "marked" else bare


def _late(title: str) -> str:
    """Cut at a border in the last third."""
    if _chinese(title):
        return title[: max(6, len(title) * 3 // 4)].rstrip("：，、")
    words = title.split()
    return " ".join(words[: min(max(3, len(words) * 3 // 4), len(words) - 1)]).rstrip(":,")


def _inside_word(title: str, at: int) -> int:
    """A place at or behind ``at`` with a letter on either side."""
    while at < len(title) - 4 and not (
        title[at - 2].isalpha() and title[at - 1].isalpha() and title[at : at + 3].isalpha()
    ):
        at += 1
    return at


def _chinese(title: str) -> bool:
    return any("\u4e00" <= char <= "\u9fff" for char in title)


def invented_doi(random: Random, work: Work) -> str:
    """A DOI in the shape of the work's own that was never given out."""
    return f"{INVENTED_DOI}.{work.year}.{random.randrange(100, 999)}"


def soiled(kind: str, work: Work, random: Random) -> str:
    """The content of an entry with residue of one kind; the decorating kinds keep the work's title."""
    return _SOILED[kind](work, random)


def _pipes(work: Work, _: Random) -> str:
    return f"{work.title} | {work.venue} | {'首页 | 期刊浏览' if work.is_chinese else 'Home | Browse issues'}"


def _site(work: Work, _: Random) -> str:
    return f"{work.title} | {work.venue}"


def _hanging_pipe(work: Work, _: Random) -> str:
    return f"{work.title} |"


def _marker(work: Work, random: Random) -> str:
    return f"[doc_{random.randrange(2, 40)}] {entry_of(work)}"


def _chunk(work: Work, random: Random) -> str:
    return f"{work.title} (chunk_id: {random.randrange(1000, 9999)})"


def _tool(work: Work, _: Random) -> str:
    return f'web_search("{work.title[:28]}") {work.title}'


def _fragment(work: Work, _: Random) -> str:
    """A title with the passage of the source that was glued to it; soiled by pipes where the work has no text."""
    text = (work.text or "").strip()
    if len(text) < (110 if work.is_chinese else 300):
        return f"{work.title} | {work.venue} | Abstract"
    return f"{work.title} {text[: 130 if work.is_chinese else 420]}"


def _placeholder(work: Work, random: Random) -> str:
    if work.is_chinese:
        return random.choice(("未知来源", "[此处插入文献]", "待补充. https://www.example.com/wenxian"))
    return random.choice(
        ("Unknown source", "[Insert source here]", "Untitled. https://www.example.com/article-1")
    )


def _error_page(work: Work, random: Random) -> str:
    if work.is_chinese:
        return random.choice(("404 页面不存在", "访问被拒绝"))
    return random.choice(("404 Not Found", "Access Denied", "Just a moment..."))


def _wrong_doi(work: Work, random: Random) -> str:
    return entry_of(replace(work, doi=invented_doi(random, work), pmid=None))


_SOILED: dict[str, Callable[[Work, Random], str]] = {
    "pipes": _pipes,
    "site": _site,
    "hanging_pipe": _hanging_pipe,
    "marker": _marker,
    "chunk": _chunk,
    "tool": _tool,
    "fragment": _fragment,
    "placeholder": _placeholder,
    "error_page": _error_page,
    "wrong_doi": _wrong_doi,
}


def stock_closing(language: str, subject: str, day: str, which: int) -> str:
    """One of the sentences that the old system ended its reports with."""
    year, month, date = (int(part) for part in day.split("-"))
    if language == "zh":
        return (
            f"本报告由系统于{year}年{month}月{date}日自动生成，内容仅供参考，不构成任何建议。",
            f"综上所述，{subject}仍需社会各界的持续关注与共同努力。",
        )[which]
    return (
        f"This report was generated on {day} and reflects the sources that were available at that time.",
        f"In summary, the subject of {subject} deserves the continued attention of all stakeholders.",
    )[which]
