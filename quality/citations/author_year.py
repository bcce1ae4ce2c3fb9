"""Author-year citations: ``(Doe, 2020a; Roe et al. 2019)``, ``Doe (2020)``, ``（张三等，2020）``.

Belongs here: reading such marks, the key of each (first author's surname and year), and the same key of an
entry. Does not belong here: whether the report cites this way (``evidence``), pairing (``reconcile``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from quality.model import Entry, Mark
from quality.text import fold

_UPPER = "A-ZÀ-ÖØ-ÞĀ-ŽΑ-ΩА-ЯЁ"
_PARTICLE = (
    r"(?:(?:[Vv]an|[Vv]on|[Dd]e|[Dd]er|[Dd]en|[Dd]a|[Dd]i|[Dd]u|[Ll]a|[Ll]e|[Ee]l|[Aa]l|[Bb]in|ibn|[Tt]er"
    r"|[Tt]en"
    r"|[Dd]os|[Dd]el|della|[Ss]t\.?)[ ]){0,3}"
)
_NAME = rf"{_PARTICLE}(?:[dDOL]['’]|al-)?[{_UPPER}][\w'’\-]*[^\W\d_]"
_BODY_NAME = (
    rf"[{_UPPER}][\w.&'’\-]*(?:[ ](?:of|for|the|and|on|in|de|du|des|&)?[ ]?[{_UPPER}][\w.&'’\-]*){{1,7}}"
)
_HAN = r"[\u4e00-\u9fff]"
_YEAR = r"(?:1[5-9]|20)\d\d[a-z]?"
_YEARS = rf"{_YEAR}(?:[ ]?[,、，和&/][ ]?(?:{_YEAR}|[a-z](?![\w])))*|n\.d\.|in press|forthcoming"
_LOCATOR = (
    r"(?:[,:：，][ ]?(?:(?:pp?|ch|chap|sec|fig|figs|tab|para|vol|第)\.?|§|Chapter|Section|Figure|Table)?[ ]?"
    r"[\d\u2013\-–, ]{1,20}[页章]?)?"
)
_LEAD = (
    r"(?:(?:[Ss]ee(?: also)?|e\.g\.,?|[Cc]f\.|for example,?|for instance,?|reviewed in|as in|in|by|from|after"
    r"|based on|also|but see|compare|and|参见|见|如|例如)[ :：,，]{1,2})?"
)
_INITIALS = r"(?:[A-Z]\.[ \-]?){1,3}"
_PERSON = rf"(?:{_INITIALS})?{_NAME}(?:,?[ ]{_INITIALS})?"
_PART = re.compile(
    rf"{_LEAD}(?:(?:{_INITIALS})?(?P<first>{_NAME})(?:,?[ ]{_INITIALS})?(?P<more>(?:,[ ]{_PERSON})*,?[ ](?:and|&|und|y|et|och|en)"
    rf"[ ]{_PERSON})?(?P<etal>,?[ ]et[ ]al\b\.?|,?[ ]and others)?"
    rf"|(?P<body>{_BODY_NAME})"
    rf"|(?P<han>{_HAN}{{2,12}}?)(?:(?:[、和与及，,][ ]?{_HAN}{{2,4}})*(?P<deng>[ ]?等人?)?))"
    rf"(?:[ ]?[,，][ ]?|[ ]|(?<={_HAN}))(?P<years>{_YEARS})年?{_LOCATOR}(?=$|[\s;；,，&])"
)
_MORE_YEARS = re.compile(rf"(?P<years>{_YEARS}){_LOCATOR}(?=$|[\s;；,，&])")
_BETWEEN = re.compile(r"[ ]?(?:[;；,，]|\band\b|&)[ ]?(?:and[ ]|&[ ])?")
_COMMENT = re.compile(r"[,;，；][ ][a-z][^\d]{0,60}$")
_GROUP = re.compile(r"[(（](?P<body>[^()（）]{4,400})[)）]|\[(?P<square>[^\[\]]{6,300})\](?!\()")
_YEAR_BRACKET = re.compile(rf"[(\[](?P<years>{_YEARS}){_LOCATOR}[)\]](?!\()")
_NAMES_BEFORE = re.compile(
    rf"(?P<names>(?P<first>{_NAME})(?P<more>(?:,[ ]{_NAME})*,?[ ](?:and|&|und|y)[ ]{_NAME})?"
    rf"(?P<etal>,?[ ]et[ ]al\b\.?|[ ]and (?:colleagues|others))?(?:['’]s?)?)[ ]$"
)
_NAMES_REACH = 90  # characters before the year in which the authors stand
_NARRATIVE_HAN = re.compile(
    rf"(?P<before>{_HAN}{{2,8}}?)(?P<deng>等人?)?[(（](?P<years>{_YEARS})年?{_LOCATOR}[)）]"
)
_NOT_A_NAME = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar"
    r"|Apr|Jun|Jul|Aug|Sept?"
    r"|Oct|Nov|Dec|Spring|Summer|Autumn|Fall|Winter|Early|Late|Mid|Since|Until|Circa|From|Version|Figure"
    r"|Fig|Table|Chapter|Section"
    r"|Phase|Year|Years|Updated?|Released?|Published|Accessed|Revised|Effective|Founded|Est|Season|Edition"
    r"|Issue|Volume|Vol"
    r"|Fiscal|FY|Q[1-4]|H[12]|Protocol|Project|Report|Act|Law|Regulation|Directive|Amendment|Agreement"
    r"|Treaty|Conference|Meta-Analysis"
    r"|Synthesis|Review|Survey|Census|The|In|By|As|Data|Source|Note|Total|Estimate|Forecast|Projected"
    r"|Target|Current|Approximately)\b"
)
_NO_HAN_NAME = re.compile(
    r"截至|截止|自|从|至|到|约|如|图|表|第|版|修订|发布|年|月|更新|数据|单位|来源|注|公元|建于|成立|出版"
    r"|实施|生效|以来|上半|下半|预计|预测"
)
_ONE_YEAR = re.compile(r"(?P<year>(?:1[5-9]|20)\d\d)?(?P<letter>[a-z])?$")
_ACRONYM = re.compile(r"\(([A-Z]{2,10})\)")
_AUTHOR_SEPARATOR = re.compile(r"[,，;；&、]|\band\b|\bet al\b|等")
_ENTRY_YEAR = re.compile(r"(?<![\d/.-])((?:1[5-9]|20)\d\d)([a-z])?(?![\d/\w-])")


def parenthetical(text: str) -> Iterator[Mark]:
    """Read marks in brackets; one mark may hold several keys."""
    for match in _GROUP.finditer(text):
        body = match["body"] or match["square"]
        if "\n\n" in body or not (any(c.isdigit() for c in body) or "n.d." in body or "press" in body):
            continue
        keys = _keys_of(body)
        if keys:
            style = "author_year_strict" if _is_strict(body) else "author_year"
            yield Mark(match.start(), match.end(), style, "author_year", keys)


def _keys_of(body: str) -> tuple[str, ...]:
    """Read a bracket from its start to its end; what is left over may only be a comment."""
    text = " ".join(body.split())
    keys: list[str] = []
    name, at = "", 0
    while at < len(text):
        match = _PART.match(text, at)
        if match:
            name = _surname(match)
        else:
            match = _MORE_YEARS.match(text, at) if name else None
        if not match or not name:
            return tuple(dict.fromkeys(keys)) if keys and _COMMENT.match(text, at - _gap(text, at)) else ()
        keys += (f"{name} {year}" for year in _years(match["years"]))
        between = _BETWEEN.match(text, match.end())
        at = between.end() if between else match.end()
        if not between and at < len(text):
            return ()
    return tuple(dict.fromkeys(keys))


def _gap(text: str, at: int) -> int:
    """Measure the separator that ends at ``at``, so that a comment keeps its comma."""
    return len(text[:at]) - len(text[:at].rstrip(" ,;，；&"))


def _surname(match: re.Match[str]) -> str:
    han = match["han"]
    if han is not None:
        return "" if _NO_HAN_NAME.search(han) else han
    name = match["first"] or match["body"]
    return "" if _NOT_A_NAME.match(name) else name


def _is_strict(body: str) -> bool:
    """Tell forms that hardly anything but a citation has: several authors, or *et al* behind one."""
    return bool(
        re.search(
            rf"\bet al\b|等人?[，, ]|[{_UPPER}][\w'’\-]+ (?:&|and) [{_UPPER}][\w'’\-]+,? (?:1[5-9]|20)\d\d",
            body,
        )
    )


def narrative(text: str) -> Iterator[Mark]:
    """Read marks whose author stands in the sentence: ``Doe et al. (2020)``, ``张三等（2020）``."""
    for match in _YEAR_BRACKET.finditer(text):
        reach = text.rfind("\n", max(0, match.start() - _NAMES_REACH), match.start()) + 1
        names = _NAMES_BEFORE.search(text, max(reach, match.start() - _NAMES_REACH), match.start())
        if not names or _NOT_A_NAME.match(names["first"]):
            continue
        style = "narrative_strict" if names["more"] or names["etal"] else "narrative"
        keys = tuple(f"{names['first']} {year}" for year in _years(match["years"]))
        yield Mark(names.start(), match.end(), style, "author_year", keys)
    for match in _NARRATIVE_HAN.finditer(text):
        name = match["before"]
        keys = tuple(f"{name} {year}" for year in _years(match["years"]))
        yield Mark(match.start(), match.end(), "narrative_han", "author_year", keys)


def _years(text: str) -> list[str]:
    """Unfold ``2020a, b`` and ``2019, 2021`` into single years with their letters."""
    if not text[:1].isdigit():
        return [text]
    found: list[str] = []
    year = ""
    for part in re.split(r"[,、，和&/]", text):
        match = _ONE_YEAR.match(part.strip())
        if match:
            year = match["year"] or year
            found.append(year + (match["letter"] or ""))
    return found


def entry_names(entry: Entry) -> set[str]:
    """Fold the names under which an entry's first author may be cited: surname, whole body, full name."""
    if not entry.authors:
        return set()
    first = _AUTHOR_SEPARATOR.split(entry.authors)[0].strip(" .")
    tokens = [t for t in re.split(r"[ .]+", first) if t]
    names = {fold(first), fold(entry.authors)} | {fold(m[1]) for m in _ACRONYM.finditer(entry.authors)}
    first = _ACRONYM.sub("", first).strip()
    names.add(fold(first))
    long = [t for t in tokens if len(t) > 1]
    names |= {fold(t) for t in (long[:1] + long[-1:])}
    if len(long) > 1 and not any(t[0].isupper() for t in long[:1]):
        names.add(fold(" ".join(long)))
    return names


def entry_years(entry: Entry) -> set[str]:
    """Years of an entry with and without their letter, as far as its beginning tells."""
    years = {str(entry.year)} if entry.year is not None else set()
    for match in _ENTRY_YEAR.finditer(entry.text[:400]):
        if match[2] and (entry.year is None or match[1] == str(entry.year)):
            years.add(match[1] + match[2])
    return years


def split_key(key: str) -> tuple[str, str, str]:
    """Cut a key into folded surname, year and letter: ``Doe 2020a`` gives ``("doe", "2020", "a")``."""
    name, _, year = key.rpartition(" ")
    letter = year[4:] if year[:4].isdigit() else ""
    return fold(name), year[:4] if letter or year[:4].isdigit() else year, letter
