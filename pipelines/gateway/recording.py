"""Recordings: answers kept in a file, so that the same questions can be answered again without key or network.

Belongs here: the file, and the two askers around it. Does not belong here: the live API (``client``).

One JSON line a question: its hash, who asked about what with which prompt, digests of what the model saw (not the text
itself), and the answer or the error. A replay looks a
question up by its hash, so a changed prompt, document or model is noticed: it is not in the recording, and the error
says which recorded question it resembles and what differs. The same question asked twice gets its answers in order.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict, deque
from dataclasses import asdict
from pathlib import Path
from typing import Any

from quality.errors import InputError
from quality.llm.model import Answer, Asker, AskError, Passage, Request, Span, Usage

_COMPARED = ("model", "prompt_version", "system", "documents", "turns", "schema", "max_tokens", "cite")
_DIGESTED = ("system", "documents", "turns", "schema")


class Recorder:
    """Passes questions on and appends what came back to a file, errors included."""

    def __init__(self, asker: Asker, file: Path) -> None:
        self._asker = asker
        self._file = file
        file.parent.mkdir(parents=True, exist_ok=True)

    async def ask(self, request: Request) -> Answer:
        """Answer one question; see ``Asker``."""
        try:
            answer = await self._asker.ask(request)
        except AskError as error:
            self._append(line_of(request, error))
            raise
        self._append(line_of(request, answer))
        return answer

    def _append(self, line: str) -> None:
        with self._file.open("a", encoding="utf-8") as out:
            out.write(line + "\n")


def line_of(request: Request, outcome: Answer | AskError) -> str:
    """The line that keeps one call."""
    kept: dict[str, Any] = {"request_hash": request.hash, "request": _plain(request)}
    if isinstance(outcome, AskError):
        kept["error"] = {"kind": outcome.kind, "message": outcome.message}
    else:
        kept["answer"] = asdict(outcome)
    return json.dumps(kept, ensure_ascii=False)


class Replayer:
    """Answers from a recording.

    Args:
        file: the recording.
        once: every kept answer is given once; else the last answer to a question is given for ever.

    Raises:
        InputError: the file cannot be read as a recording; names the line.
    """

    def __init__(self, file: Path, *, once: bool = False) -> None:
        self._file = file
        self._once = once
        self._waiting: defaultdict[str, deque[dict[str, Any]]] = defaultdict(deque)
        self._known: list[dict[str, Any]] = []
        for number, text in enumerate(_lines(file), 1):
            if text.strip():
                line = _parsed(file, number, text)
                self._waiting[line["request_hash"]].append(line)
                self._known.append(line["request"])

    async def ask(self, request: Request) -> Answer:
        """Answer one question; see ``Asker``.

        Raises:
            AskError: what the recorded call failed with, or ``not_recorded``.
        """
        answers = self._waiting.get(request.hash)
        if not answers:
            raise AskError(
                "not_recorded",
                f"{self._file.name} has no answer to this question of the {request.purpose} about "
                f"{request.subject!r}{self._difference(request)}.",
                remedy="Record it anew, with a key, or go back to the prompts of the recording.",
            )
        line = answers.popleft() if self._once or len(answers) > 1 else answers[0]
        if "error" in line:
            raise AskError(line["error"]["kind"], line["error"]["message"])
        return _answer(line["answer"])

    def _difference(self, request: Request) -> str:
        asked = _plain(request)
        same = [k for k in self._known if (k["purpose"], k["subject"]) == (request.purpose, request.subject)]
        if not same:
            return ""
        by_difference = sorted(
            ([name for name in _COMPARED if known[name] != asked[name]] for known in same), key=len
        )
        return (
            f"; the nearest recorded one differs in {', '.join(by_difference[0]) or 'nothing but its hash'}"
        )


def _plain(request: Request) -> dict[str, Any]:
    """Who asks about what, and a digest of each thing that the model sees: enough to notice a change."""
    parts = json.loads(json.dumps(asdict(request), default=dict))
    return {
        "purpose": request.purpose,
        "subject": request.subject,
        **{name: _digest(parts[name]) for name in _DIGESTED},
        **{name: parts[name] for name in _COMPARED if name not in _DIGESTED},
    }


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The recording {file} cannot be read: {error}.") from error


def _parsed(file: Path, number: int, text: str) -> dict[str, Any]:
    try:
        line = json.loads(text)
        _ = line["request_hash"], line["request"]["purpose"], line["request"]["subject"]
        if "error" not in line:
            _answer(line["answer"])
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise InputError(
            f"{file}, line {number} is not a recorded call: {type(error).__name__} {error}.",
            remedy="Remove the line, or record anew.",
        ) from error
    return dict(line)


def _answer(value: dict[str, Any]) -> Answer:
    return Answer(
        passages=tuple(
            Passage(p["text"], tuple(Span(**span) for span in p["spans"])) for p in value["passages"]
        ),
        stop_reason=value["stop_reason"],
        model=value["model"],
        usage=Usage(**value["usage"]),
        request_id=value["request_id"],
    )
