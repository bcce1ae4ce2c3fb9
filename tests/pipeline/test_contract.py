"""The contract in a whole run: small batches, what Great Expectations said, and which contract is in force."""

import json
from importlib.resources import files

import pytest

from tests.pipeline.corpus import sound
from tests.pipeline.test_line import ask

pytestmark = pytest.mark.slow


def contract_file(tmp_path, *changes, name="mine.toml"):
    text = files("quality.contract").joinpath("default.toml").read_text("utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    return file


def test_small_batches_are_judged_together_and_the_members_are_stored(run, settings):
    first = run({f"early-{i}": b for i, b in list(sound().items())[:6]}, batch="b1")
    assert (first.summary.verdict, first.exit_code) == ("unknown", 2)
    second = run({f"late-{i}": b for i, b in list(sound(14).items())[6:11]}, batch="b2")
    assert (second.summary.verdict, second.exit_code) == ("pass", 0)
    assert ask(
        settings,
        "SELECT n, n_window FROM latest_results WHERE batch_id = 'b2' AND clause = 'inbound_rate_p10'",
    ) == [(10, 5)]
    assert ask(
        settings,
        "SELECT DISTINCT batch_id, member_batch_id, count(*) FROM contract_windows WHERE clause = 'inbound_rate_p10' "
        "GROUP BY ALL",
    ) == [("b2", "b1", 5)]
    # what great expectations said is kept, and a repeated run changes nothing of it
    kept = ask(settings, "SELECT * FROM contract_validations WHERE batch_id = 'b2'")
    said = json.loads(kept[0][4])
    assert said["success"] is True
    assert said["statistics"]["evaluated_expectations"] == 9
    assert kept[0][3].startswith("great_expectations 1.")
    results = ask(settings, "SELECT count(*) FROM contract_results")
    run({f"late-{i}": b for i, b in list(sound(14).items())[6:11]}, batch="b2")
    assert ask(settings, "SELECT * FROM contract_validations WHERE batch_id = 'b2'") == kept
    assert ask(settings, "SELECT count(*) FROM contract_results") == results
