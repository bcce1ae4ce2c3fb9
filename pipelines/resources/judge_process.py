"""The other side of ``judge.py``: one JSON question a line in, one JSON answer a line out, until the input ends.

Belongs here: the loop. Does not belong here: judging.
"""

from __future__ import annotations

import dataclasses
import json
import os
import sys

from quality.contract.model import Clause
from quality.contract.suite import judge, warm_up


def main() -> None:
    """Answer questions; whatever a library prints goes to standard error, never into an answer."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    warm_up()
    for line in sys.stdin:
        question = json.loads(line)
        clauses = [Clause.model_validate(item) for item in question["clauses"]]
        answers.write(json.dumps(dataclasses.asdict(judge(clauses, question["observed"]))) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
