"""Masking: code, mathematics, images and comments are blanked out, character by character.

Belongs here: finding the stretches of a body whose brackets and digits are never citations, and
replacing them with fillers of the same length, so that every later pattern works on plain text and every
offset stays valid. Does not belong here: anything about citations or reference lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from quality.model import Segment

FILLER = "\x00"

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_FENCE = re.compile(r"[ \t]*(?:[-*+]\s+|\d+[.)]\s+|>\s?)*(`{3,}|~{3,})([^\n`]*)$")
_LIST_ITEM = re.compile(r"[ ]{0,3}(?:[-*+•]|\d{1,9}[.)])(?:\s|$)|[ ]{0,3}\[\^[^\]\n]+\]:")
_INDENTED = re.compile(r"(?: {4}|\t| {1,3}\t)[ \t]*\S")
_TICKS = re.compile(r"(?<!\\)`+|\n[ \t]*\n")
_IMAGE = re.compile(
    r"!\[(?:[^\[\]\n]++|\[[^\[\]\n]*+\])*+\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\[\]\n]*\])?"
    r"|^[ ]{0,3}\[[^\]\n]+\]:[ \t]*<?data:[^\n]*"
    r"|<(?:img|svg|video|iframe)\b[^<>\n]*>",
    re.MULTILINE | re.IGNORECASE,
)
_COMMENT = re.compile(r"<!--|-->")
_MATH = re.compile(
    r"\\[\[\]()]|\\?\$\$|\\?\$|\\begin\{(?:equation|align|gather|cases|[bpv]?matrix)\*?\}|\n[ \t]*\n"
)
_MATH_CONTENT = re.compile(r"\\[a-zA-Z]|[=^_<>≤≥∈≈+*/]|^[A-Za-z]$")
_PROSE_CONTENT = re.compile(r"[^\W\d_]{3,} [^\W\d_]{2,} |[\u4e00-\u9fff]{4}")
_NOT_NEWLINE = re.compile(r"[^\n]")
_LINE_BREAKS = re.compile(r"\r\n?|\u2028|\u2029|\u0085|\x0b|\x0c")
_FRONT_MATTER = re.compile(r"\n?---[ \t]*\n(?:[^\n]*\n){1,60}?(?:---|\.\.\.)[ \t]*(?:\n|$)")
_YAML_LINE = re.compile(r"[\w-]+:(?:[ \t]|$)|[ \t]|-[ \t]|#|$")


@dataclass(frozen=True, slots=True)
class Masked:
    """A body of the same length with nothing but prose, links and lists left, and what was taken out."""

    text: str
    zones: tuple[Segment, ...]


def mask(body: str) -> Masked:
    """Blank out what cannot cite; offsets do not change.

    Line breaks are unified to one newline where their last character stands, a byte-order mark becomes one.
    """
    text = _LINE_BREAKS.sub(_unify_break, body)
    if text.startswith("\ufeff"):
        text = "\n" + text[1:]
    zones: list[Segment] = []
    for finder in (_front_matter, _code_blocks, _inline_code, _comments, _images, _mathematics):
        found = list(finder(text))
        text = blank(text, ((z.start, z.end) for z in found))
        zones += found
    zones.sort(key=lambda z: (z.start, z.end))
    return Masked(text, tuple(zones))


def blank(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Replace every character but line breaks inside ``spans`` (ordered, disjoint) with the filler."""
    parts: list[str] = []
    at = 0
    for start, end in spans:
        inside = text[start:end]
        parts += (
            text[at:start],
            _NOT_NEWLINE.sub(FILLER, inside) if "\n" in inside else FILLER * len(inside),
        )
        at = end
    parts.append(text[at:])
    return "".join(parts)


def keep_only(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Blank everything outside ``spans`` (ordered, disjoint)."""
    gaps: list[tuple[int, int]] = []
    at = 0
    for start, end in spans:
        gaps.append((at, start))
        at = end
    return blank(text, (*gaps, (at, len(text))))


def _unify_break(match: re.Match[str]) -> str:
    return " \n" if len(match[0]) == 2 else "\n"


def _front_matter(text: str) -> Iterator[Segment]:
    match = _FRONT_MATTER.match(text)
    if match and all(_YAML_LINE.match(line) for line in match[0].lstrip("\n").split("\n")[1:-2]):
        yield Segment("front_matter", 0, match.end())


def _code_blocks(text: str) -> Iterator[Segment]:
    """Fenced blocks (an unclosed fence opens nothing) and indented blocks outside of lists."""
    lines = [m.span() for m in _LINE.finditer(text)]
    closers = _closing_fences(text, lines)
    in_list, after_blank, skip_to = False, True, -1
    for number, (start, end) in enumerate(lines):
        if number <= skip_to:
            continue
        if (closer := closers.get(number)) is not None:
            yield Segment("code", start, lines[closer][1])
            skip_to, after_blank = closer, False
            continue
        line = text[start:end]
        if not line.strip():
            after_blank = True
            continue
        if _LIST_ITEM.match(line):
            in_list = True
        elif line[0] not in " \t":
            in_list = False
        elif not in_list and after_blank and _INDENTED.match(line):
            skip_to = _last_indented(text, lines, number)
            yield Segment("code", start, lines[skip_to][1])
        after_blank = False


def _closing_fences(text: str, lines: list[tuple[int, int]]) -> dict[int, int]:
    """Pair the line of each opening fence with the line that closes it.

    A report that stands whole inside one fence is no code: a model wrapped its answer.
    """
    if "```" not in text and "~~~" not in text:
        return {}
    first = next((n for n, span in enumerate(lines) if text[slice(*span)].strip()), 0)
    opening = _FENCE.match(text, *lines[first])
    if opening and opening[2].strip().lower() in ("markdown", "md"):
        return _paired_fences(text, lines, range(first + 1, len(lines)))
    pairs = _paired_fences(text, lines, range(len(lines)))
    wrapping = next(((a, b) for a, b in pairs.items() if _wraps_all(text, lines, a, b)), None)
    return _paired_fences(text, lines, range(wrapping[0] + 1, wrapping[1])) if wrapping else pairs


def _paired_fences(text: str, lines: list[tuple[int, int]], numbers: range) -> dict[int, int]:
    pairs: dict[int, int] = {}
    opened: tuple[int, str] | None = None
    for number in numbers:
        if not (match := _FENCE.match(text, *lines[number])):
            continue
        fence, info = match[1], match[2].strip()
        if opened is None:
            opened = (number, fence)
        elif fence[0] == opened[1][0] and len(fence) >= len(opened[1]) and not info:
            pairs[opened[0]] = number
            opened = None
    return pairs


def _wraps_all(text: str, lines: list[tuple[int, int]], opening: int, closing: int) -> bool:
    before, after = text[: lines[opening][0]], text[lines[closing][1] :]
    return not before.strip() and not after.strip()


def _last_indented(text: str, lines: list[tuple[int, int]], first: int) -> int:
    last = first
    for number in range(first + 1, len(lines)):
        line = text[slice(*lines[number])]
        if _INDENTED.match(line):
            last = number
        elif line.strip():
            break
    return last


def _inline_code(text: str) -> Iterator[Segment]:
    """Pair runs of backticks of equal length within a paragraph; linear in the number of runs."""
    if "`" not in text:
        return
    paragraph: list[tuple[int, int]] = []
    for match in _TICKS.finditer(text):
        if match[0][0] == "`":
            paragraph.append(match.span())
        else:
            yield from _paired_ticks(paragraph)
            paragraph = []
    yield from _paired_ticks(paragraph)


def _paired_ticks(runs: list[tuple[int, int]]) -> Iterator[Segment]:
    by_length: dict[int, list[int]] = {}
    for index in range(len(runs) - 1, -1, -1):
        by_length.setdefault(runs[index][1] - runs[index][0], []).append(index)
    index = 0
    while index < len(runs):
        later = by_length[runs[index][1] - runs[index][0]]
        while later and later[-1] <= index:
            later.pop()
        if not later:
            index += 1
            continue
        yield Segment("code", runs[index][0], runs[later[-1]][1])
        index = later[-1] + 1


def _comments(text: str) -> Iterator[Segment]:
    opened = -1
    for match in _COMMENT.finditer(text):
        if match[0] == "<!--" and opened < 0:
            opened = match.start()
        elif match[0] == "-->" and opened >= 0:
            yield Segment("comment", opened, match.end())
            opened = -1


def _images(text: str) -> Iterator[Segment]:
    if "![" in text or "<" in text or "data:" in text:
        for match in _IMAGE.finditer(text):
            yield Segment("image", *match.span())


def _mathematics(text: str) -> Iterator[Segment]:
    r"""``$…$``, ``$$…$$``, ``\(…\)`` and ``\[…\]``, each within one paragraph.

    Money is no mathematics: as in pandoc, the opening dollar touches its content, and the closing one does so
    and is not followed by a digit; a stretch that reads like a sentence is no formula either. An escaped
    bracket around a label or a link is a citation.
    """
    if "$" not in text and "\\" not in text:
        return
    opened: dict[str, int] = {}
    for match in _MATH.finditer(text):
        sign, start, end = match[0], match.start(), match.end()
        if sign[0] == "\n":
            opened = {}
        elif sign in ("\\(", "\\["):
            opened[sign] = start
        elif sign in ("\\)", "\\]"):
            opener = "\\(" if sign == "\\)" else "\\["
            at = opened.pop(opener, -1)
            if at >= 0 and _is_formula(text[at + 2 : start]):
                yield Segment("math", at, end)
                opened = {}
        elif sign == "$$":
            at = opened.pop("$$", -1)
            if at >= 0 and _is_display(text[at + 2 : start]):
                yield Segment("math", at, end)
                opened = {}
            else:
                opened["$$"] = start
        elif sign == "$" and "$$" not in opened:
            at = opened.pop("$", -1)
            if at >= 0 and _closes_dollar(text, at, start):
                yield Segment("math", at, end)
                opened = {}
            elif text[end : end + 1].strip():
                opened["$"] = start


def _is_formula(content: str) -> bool:
    return len(content) < 2000 and "](" not in content and bool(_MATH_CONTENT.search(content.strip()))


def _is_display(content: str) -> bool:
    return len(content) < 3000 and ("\\" in content or not _PROSE_CONTENT.search(content))


def _closes_dollar(text: str, opening: int, closing: int) -> bool:
    content = text[opening + 1 : closing]
    if (
        not content
        or len(content) > 1000
        or content[-1].isspace()
        or text[closing + 1 : closing + 2].isdigit()
    ):
        return False
    return "\\" in content or not _PROSE_CONTENT.search(content)
