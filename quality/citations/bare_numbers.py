"""Bare numbers that cite: glued (``growth.12``), after a blank (``growth 12.``), alone in a cell of a table.

Belongs here: finding such numbers and telling them from quantities by their neighbours. Does not belong here:
whether the report cites this way at all (``evidence``); nearly every report has candidates, few mean them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from quality.citations.labels import unfold
from quality.model import Mark

_LIST = r"[1-9]\d{0,2}(?:,[ ]?[1-9]\d{0,2})*"
_CLOSING = r"[\"'”’»)\]*_」』）】]"
_GLUED = re.compile(
    rf"[.!?。！？…](?:{_CLOSING}){{0,3}}(?P<keys>{_LIST})"
    rf"(?=[ \t]*(?:\n|$|\|)|[ \t]+[^\d\W]|[ \t]+[\"“'‘(\[*_!\x00<#]|[*)\]】）])"
)
_YEAR_BEFORE = re.compile(r"(?<![\d.])(?:1[89]|20)\d\d$")
_NEW_SENTENCE = re.compile(r"[ \t]+[A-Z“\"]|[ \t]*(?:\n|$)")
_STOPPED = "%°)]*\"'”’»」』）】\x00?!"
_ABBREVIATION = re.compile(
    r"(?:\b(?i:nos?|nr|vol|figs?|sec|ch|chap|eqs?|pp?|v|ver|art|vs|para|app|tab|cf|op|refs?|rev|ed|st|ext"
    r"|pt|al|approx|ca|c"
    r"|e\.g|i\.e|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|www)|(?<![a-z]{3} )\b[A-Z])$"
)
_DOTTED = re.compile(r"(?:\w\.[\w-]+|/[\w-]+)$")
_SPACED = re.compile(rf" (?P<keys>{_LIST})(?=[.;:!?](?:\s|$|\*)|,(?:\s|$)|\)(?!\w)|[ \t]*\|)")
_WORD_BEFORE = re.compile(r"(?:[^\W\d_][\w’'\-/]*|[%°)\]*\"'”’»）])$")
_QUANTITY_WORD = re.compile(
    r"(?i:of|in|to|than|possibly|perhaps|maybe|probably|typically|usually|total|from|by|at|for|about|over"
    r"|under|is|was|are|were|be|and|or|between|approximately"
    r"|around|nearly|almost"
    r"|least|most|only|just|every|within|up|equals?|per|an?|the|with|on|as|scored?|until|till|since|after"
    r"|before|into|above"
    r"|below|beyond|through|versus|vs|plus|minus|times|exactly|roughly|some|another|first|last|next|top"
    r"|rank(?:ed)?|reached"
    r"|totall?ing|averag(?:e|ed|ing)|that|these|those|all|both|not|past|previous|following"
    r"|chapters?|tables?|figures?|figs?|phase|type|class|grade|level|stage|step|version|tier|day|week|month"
    r"|year"
    r"|aged?|pages?|pp|no|numbers?|vol|appendix|equations?|eqs?|omega|covid|ph|sdg|size|python|llama|qwen"
    r"|gpt)$"
    r"|(?:Sections?|Parts?|Volumes?|Articles?|Rules?|Laws?|Mechanisms?|Groups?|Models?|Modes?|Cases?|Items?"
    r"|Points?|Questions?"
    r"|Appendices|Box(?:es)?|Panels?|Lines?|Rows?|Columns?|Units?|Zones?|Areas?|Regions?|Categor(?:y|ies)"
    r"|Scenarios?|Options?"
    r"|Theorem|Lemma|Definition|Proposition|Corollary|Examples?|Exercises?|Algorithms?|Listing|Layers?"
    r"|Rounds?|Cycles?|Batch"
    r"|Size|Score|Index|Release|Python|GPT|Windows|iOS|Web|Q|H|IL|January|February|March|April|May|June"
    r"|July|August"
    r"|September|October|November|December|Sept?|Oct|Nov|Dec|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Factors?|Vitamin"
    r"|Scope|Goals?"
    r"|Targets?|Route|Room|Title|Schedule|Annex|Clause|Amendment|Act|Note|Exhibit|Module|Lesson|Task"
    r"|Experiment|Study|Trial"
    r"|Problem|Issue|Principle|Criterion|Requirement|Objective|Hypothesis|Variant)$"
)
_ROW = re.compile(r"^[ ]{0,3}\|?(?P<cells>[^\n]*\|[^\n]*)$", re.MULTILINE)
_RULE = re.compile(r"[\s|:\-]+$")
_SOURCE_COLUMN = re.compile(
    r"\W*(?:key |data |main )?(?:sources?|refs?|references?|citations?|cited|来源|资料来源|数据来源|引用"
    r"|参考|参考文献|文献|出处)\W*(?:no|nos|#)?\W*",
    re.IGNORECASE,
)
_CELL = re.compile(rf"\s*(?P<keys>{_LIST}(?:\s*[-–—;]\s*[1-9]\d{{0,2}})*)\s*")


def glued_numbers(text: str) -> Iterator[Mark]:
    """Read numbers that touch the end of a sentence: ``growth.12``, ``(RLOO).1``, ``word”.3``."""
    for match in _GLUED.finditer(text):
        at = match.start()
        last = text[at - 1 : at]
        if last.isdigit():
            year = _YEAR_BEFORE.search(text, max(0, at - 6), at)
            ends = year is not None and _NEW_SENTENCE.match(text, match.end()) is not None
        elif last.isalpha():
            ends = text[at] != "." or not _ABBREVIATION.search(text, max(0, at - 14), at)
            if ends and _DOTTED.search(
                text, max(0, at - 14), at
            ):  # a file's name, or the end of a sentence with one
                ends = _NEW_SENTENCE.match(text, match.end()) is not None
        else:
            ends = last != "" and last in _STOPPED
        if ends:
            yield _mark(match, "glued_number")


def spaced_numbers(text: str) -> Iterator[Mark]:
    """Read numbers after a blank that end a clause: ``growth 12.``, but not after words that count."""
    for match in _SPACED.finditer(text):
        found = _WORD_BEFORE.search(text, max(0, match.start() - 30), match.start())
        if not found:
            continue
        word = found[0]
        names = word[0].isupper() and not word.isupper() and text[match.end() : match.end() + 1] == ":"
        if not names and not _QUANTITY_WORD.match(word):
            yield _mark(match, "spaced_number")


def table_numbers(text: str) -> Iterator[Mark]:
    """Read numbers that fill a cell of a table's column of sources."""
    columns: set[int] = set()
    previous_end = -1
    header: list[str] = []
    for match in _ROW.finditer(text):
        if match.start() > previous_end + 1:
            columns, header = set(), []
        previous_end = match.end()
        cells = match["cells"].split("|")
        if header and _RULE.fullmatch(match[0]):
            columns = {n for n, cell in enumerate(header) if _SOURCE_COLUMN.fullmatch(cell)}
        elif columns:
            yield from _cells(match.start("cells"), cells, columns)
        header = cells


def _cells(at: int, cells: list[str], columns: set[int]) -> Iterator[Mark]:
    for number, cell in enumerate(cells):
        found = _CELL.fullmatch(cell) if number in columns else None
        if found:
            keys = unfold(found["keys"])
            if keys:
                yield Mark(at + found.start("keys"), at + found.end("keys"), "table_number", "label", keys)
        at += len(cell) + 1


def _mark(match: re.Match[str], style: str) -> Mark:
    keys = tuple(k.strip() for k in match["keys"].split(","))
    return Mark(match.start("keys"), match.end("keys"), style, "label", keys)
