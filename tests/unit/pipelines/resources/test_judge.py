"""The judge in a process of its own answers as the one in this process does, and is done without if it fails."""

import pytest

from pipelines.resources.judge import WarmJudge
from quality.contract.model import Clause
from quality.contract.suite import judge

CLAUSES = [
    Clause(
        clause=name, metric="cited", version="v1", stage="rebuilt", statistic="mean", operator=operator,
        threshold=0.9, evidence="a test",
    )
    for name, operator in (("at_least", ">="), ("above", ">"), ("equal", "=="), ("at_most", "<="), ("below", "<"))
]  # fmt: skip


@pytest.fixture
def warm():
    made = WarmJudge()
    yield made
    made.close()


@pytest.mark.parametrize("value", [0.9, 0.8999999999999999, 0.9000000000000001])
def test_same_answers_as_in_process(warm, value):
    observed = dict.fromkeys((c.clause for c in CLAUSES), value)
    answer = warm(CLAUSES, observed)
    assert answer == judge(CLAUSES, observed)
    assert answer.passed["equal"] == (value == 0.9)
    assert answer.document["statistics"]["evaluated_expectations"] == 6


def test_a_process_that_died_is_started_again_or_done_without(warm):
    observed = dict.fromkeys((c.clause for c in CLAUSES), 1.0)
    warm.start()
    warm._process.kill()
    warm._process.wait()
    assert warm(CLAUSES, observed).passed["at_least"] is True
    warm._process.kill()
    assert warm(CLAUSES, observed).passed["below"] is False


def test_nonsense_is_not_taken_for_an_answer(warm, monkeypatch):
    import subprocess
    import sys

    real = subprocess.Popen
    monkeypatch.setattr(
        subprocess,
        "Popen",
        lambda _, **options: real([sys.executable, "-c", "input(); print('{\"at_least\": 1}')"], **options),
    )
    assert warm(CLAUSES, dict.fromkeys((c.clause for c in CLAUSES), 0.1)).passed["at_least"] is False
