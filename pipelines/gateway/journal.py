"""The journal of a run that may be killed: every answer is kept as it comes, and nothing is paid for twice.

Belongs here: the asker that looks into the journal first. Does not belong here: recordings that people keep and replay
(``recording``), whose file format it shares.

Failures are not kept, so that they are tried again. A last line that a kill cut off is taken away.
"""

from __future__ import annotations

import os
from pathlib import Path

from pipelines.gateway.recording import Replayer, line_of
from quality.llm.model import Answer, Asker, AskError, Request


class Journalled:
    """Answers from the journal what stands in it, else asks and writes the answer down before it is used.

    Raises:
        InputError: a line other than the last cannot be read.
    """

    def __init__(self, asker: Asker, file: Path) -> None:
        self._asker = asker
        self._file = file
        file.parent.mkdir(parents=True, exist_ok=True)
        _mend(file)
        self._kept = Replayer(file, once=True)

    async def ask(self, request: Request) -> Answer:
        """Answer one question; see ``Asker``."""
        try:
            return await self._kept.ask(request)
        except AskError as error:
            if error.kind != "not_recorded":
                raise
        answer = await self._asker.ask(request)
        with self._file.open("a", encoding="utf-8") as out:
            out.write(line_of(request, answer) + "\n")
            out.flush()
            os.fsync(out.fileno())
        return answer


def _mend(file: Path) -> None:
    """Take away a last line without its end."""
    if not file.exists():
        file.touch()
        return
    content = file.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if whole != content:
        with file.open("r+b") as out:
            out.truncate(len(whole))
