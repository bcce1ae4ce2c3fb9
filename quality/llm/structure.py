"""Reading a structured answer: strictly, because an answer that cannot be read is an error and never an approval.

Belongs here: text of an answer -> validated model. Does not belong here: asking, or what the fields mean.

Three harmless wrappings are taken off: one code fence around the whole, white space, and JSON that was encoded twice.
Nothing is fished out of prose. Repeated keys are refused, because a reader would silently keep the last one.
"""

from __future__ import annotations

import json
import re
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from quality.llm.model import Answer, AskError, usable

_FENCE = re.compile(r"\A```(?:json)?[ \t]*\r?\n(?P<inside>.*?)\r?\n?```\Z", re.DOTALL | re.IGNORECASE)

M = TypeVar("M", bound=BaseModel)


def parse_answer(answer: Answer, model: type[M]) -> M:
    """The validated structure of a finished answer.

    Raises:
        AskError: as ``usable``; ``structure`` when the text is no JSON of this shape, naming the first faults.
    """
    return parse_text(usable(answer).text, model)


def parse_text(text: str, model: type[M]) -> M:
    """The validated structure in a text.

    Raises:
        AskError: ``structure``.
    """
    value = _decoded(text.strip())
    if isinstance(value, str):
        value = _decoded(value.strip())
    try:
        return model.model_validate(value, strict=True)
    except ValidationError as error:
        faults = "; ".join(
            f"{'.'.join(map(str, e['loc'])) or 'the whole'}: {e['msg']}" for e in error.errors()[:5]
        )
        raise AskError("structure", f"The answer is not of the agreed shape: {faults}.") from error


def _decoded(text: str) -> object:
    fenced = _FENCE.match(text)
    try:
        value: object = json.loads(fenced["inside"] if fenced else text, object_pairs_hook=_once)
    except (json.JSONDecodeError, RecursionError) as error:
        raise AskError("structure", f"The answer is not JSON: {error}. It starts {text[:80]!r}.") from error
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise AskError("structure", "The answer names a field twice, so it has no one meaning.")
    return made
