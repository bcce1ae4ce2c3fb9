"""A process that has Great Expectations ready before the contract is evaluated.

Belongs here: starting it beside the audit, asking it, and doing without it. Does not belong here: judging
(``quality/contract/suite.py``), which is the same code in either process.

Importing Great Expectations takes longer than auditing a small batch. A run of the command line starts this process first,
so the import happens on another core while the reports are read.
"""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache

from quality.contract.model import Clause, Judged


class WarmJudge:
    """Compares clauses in a process of its own; falls back to this one if that process fails.

    A call takes clauses and observed values by clause, and gives what ``quality.contract.suite.judge`` does.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start the process, unless it runs."""
        if self._process is None or self._process.poll() is not None:
            self.close()
            self._process = subprocess.Popen(
                [sys.executable, "-m", "pipelines.resources.judge_process"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
            )

    def __call__(self, clauses: Sequence[Clause], observed: Mapping[str, float]) -> Judged:
        """Compare."""
        try:
            return self._ask(clauses, observed)
        except (OSError, ValueError):
            from quality.contract.suite import judge

            return judge(clauses, observed)

    def _ask(self, clauses: Sequence[Clause], observed: Mapping[str, float]) -> Judged:
        """Ask the process.

        Raises:
            OSError, ValueError: it has ended, or answered with something else.
        """
        self.start()
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise OSError("the process has no pipes")
        question = {"clauses": [c.model_dump(mode="json") for c in clauses], "observed": dict(observed)}
        process.stdin.write(json.dumps(question) + "\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        passed = answer.get("passed") if isinstance(answer, dict) else None
        if not isinstance(passed, dict) or not all(isinstance(v, bool) for v in passed.values()):
            raise ValueError(f"the process answered {answer!r}")
        return Judged(passed, answer.get("document"), answer.get("engine"))

    def close(self) -> None:
        """End the process; it also ends by itself when this one is gone, for its input ends then."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):  # a question that was never read
                    pipe.close()


@cache
def shared_judge() -> WarmJudge:
    """The one of this process; started by the first call, ended with the process."""
    judge = WarmJudge()
    atexit.register(judge.close)
    judge.start()
    return judge
