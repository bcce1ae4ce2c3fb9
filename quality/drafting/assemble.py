"""From what the writer said to a draft: marks and table are set by code, never by the writer.

Belongs here: numbering by first appearance, marks behind each block, the table. Does not belong here: judging a draft.

The table holds the catalogue's own titles and locators, so a reference cannot be made up. A span that points outside of the
documents that were sent gets no mark, and the gate names it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from quality.drafting.model import Block, Draft
from quality.llm.model import Answer
from quality.model import Source

HEADING = {"zh": "参考文献"}
_TAIL = re.compile(r"(?P<stop>[.!?。！？…]?)(?P<rest>\s*)\Z")


def assemble(answer: Answer, sources: Sequence[Source], language: str | None) -> Draft:
    """The draft that an answer is; ``sources`` in the order of the documents that were sent."""
    blocks = tuple(Block(p.text, p.spans) for p in answer.passages)
    numbers: dict[int, int] = {}
    parts = []
    for block in blocks:
        own = []
        for span in block.spans:
            if 0 <= span.document < len(sources):
                own.append(numbers.setdefault(span.document, len(numbers) + 1))
        parts.append(_marked(block.text, sorted(set(own))))
    cited = tuple(sources[i] for i in numbers)
    text = "".join(parts).strip()
    return Draft(blocks, f"{text}\n{_table(cited, language)}", cited)


def _marked(text: str, numbers: list[int]) -> str:
    """The block with its marks before the full stop that ends it."""
    if not numbers:
        return text
    marks = "".join(f"[{n}]" for n in numbers)
    tail = _TAIL.search(text)
    assert tail is not None  # noqa: S101 - every part of the pattern may be empty
    head = text[: tail.start()]
    return f"{head} {marks}{tail['stop']}{tail['rest']}"


def _table(cited: Sequence[Source], language: str | None) -> str:
    if not cited:
        return ""
    heading = HEADING.get((language or "")[:2], "References")
    lines = [f"[{n}] {_entry(source)}" for n, source in enumerate(cited, 1)]
    return f"\n## {heading}\n\n" + "\n".join(lines) + "\n"


def _entry(source: Source) -> str:
    locator = f"https://doi.org/{source.doi}" if source.doi else source.url
    who = ", ".join(source.authors[:3]) + (" et al" if len(source.authors) > 3 else "")
    year = f" ({source.year})" if source.year else ""
    lead = f"{who}{year}. " if who else ""
    return f"{lead}{source.title}." + (f" {locator}" if locator else "")
