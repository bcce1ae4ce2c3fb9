"""``sluicegate calibrate`` on measured batches: what it prints, writes and refuses."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from pipelines.cli.calibrate import loudest, spread
from pipelines.cli.main import call
from quality.contract.load import load_contract
from tests.unit.pipelines.cli.measured import put_batch
from tests.unit.quality.contract.recipe import after, before


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    put_batch(home, "after", after())
    put_batch(home, "before", before(), day=3)
    put_batch(home, "older", after(), version="v2")
    return home


@pytest.fixture(autouse=True)
def here(home, monkeypatch, tmp_path):
    monkeypatch.setenv("SLUICEGATE_HOME", str(home))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)


def told(capsys, *arguments):
    code = call(["calibrate", *arguments])
    return code, capsys.readouterr()


def test_one_option_takes_several_batches():
    assert spread(["--healthy", "a", "b", "--seed", "3", "--broken", "c", "d", "--json"]) == [
        "--healthy", "a", "--healthy", "b", "--seed", "3", "--broken", "c", "--broken", "d", "--json",
    ]  # fmt: skip
    assert spread(["--healthy", "a", "--healthy", "b"]) == ["--healthy", "a", "--healthy", "b"]
    assert spread(["--healthy=a", "b"]) == ["--healthy=a", "b"]


def test_it_proposes_explains_and_changes_nothing(capsys, tmp_path):
    code, said = told(capsys, "--healthy", "after", "--broken", "before", "--out", "mine.toml")
    assert code == 0
    for part in (
        "inbound_rate_p10  proposed  >= 0.6 → 0.6",
        "Within-batch only",
        "1 batch (after; made 2026-02-01; 148 of 148 reports measured)",
        "Broken: 1 batch (before; made 2026-02-04; 148 of 148 reports measured)",
        "o in force   ▲ proposed",
        "in force",
        "The contract as a whole would hold",
        "Smallest share of broken reports that is noticed in nine batches of ten: inbound_rate_p10",
        "no report of batch 'after' has a measured cited v1 (rebuilt)",
    ):
        assert part in said.out
    contract = load_contract(tmp_path / "mine.toml")
    assert contract.name == "calibrated"
    assert [c for c in contract.clauses if "Calibrated" in c.evidence]
    call(["contract", "show", "--json"])
    assert json.loads(capsys.readouterr().out)["version"] == load_contract().version


def test_json_carries_the_same_numbers(capsys):
    code, said = told(capsys, "--healthy", "after", "--broken", "before", "--json", "--seed", "5")
    found = json.loads(said.out)
    clause = next(c for c in found["clauses"] if c["clause"] == "inbound_rate_p10")
    assert code == 0
    assert (found["size"], found["seed"], found["within_batch_only"]) == (148, 5, True)
    assert found["false_alarm_per_clause"] == pytest.approx(0.01 / 2)
    assert clause["state"] == "proposed"
    assert clause["false_alarm"] <= 0.005
    assert 0 < found["power"]["smallest_share"]["inbound_rate_p10"] <= 0.3
    assert (
        found["power"]["smallest_share"]["contract"] <= found["power"]["smallest_share"]["inbound_rate_p10"]
    )
    assert "broken reports trip it in nine batches of ten" in clause["evidence"]
    assert {row["role"] for row in clause["what_if"]} == {"", "in force", "proposed"}


def test_what_cannot_be_told_apart_is_refused_and_nothing_is_written(capsys, home, tmp_path):
    put_batch(home, "again", after() - np.linspace(0, 0.01, 148))
    code, said = told(capsys, "--healthy", "after", "--broken", "again", "--out", "mine.toml")
    assert code == 2
    assert "the distributions overlap" in said.out
    assert "do not tell healthy from broken" in said.out
    assert not (tmp_path / "mine.toml").exists()


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["html", "svg"])
def test_the_chart_is_one_file_that_loads_nothing(capsys, tmp_path, ending):
    code, _ = told(capsys, "--healthy", "after", "--broken", "before", "--chart", f"out/chart.{ending}")
    text = (tmp_path / "out" / f"chart.{ending}").read_text("utf-8")
    assert code == 0
    assert "inbound_rate v3 (rebuilt) P10" in text
    assert '<script src="http' not in text
    assert "<link" not in text


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--healthy", "nowhere"], "There is no batch 'nowhere'"),
        (["--healthy", "after", "--broken", "after"], "Named more than once: after"),
        (["--healthy", "after", "--chart", "x.png"], "x.png is no name for a chart"),
        (["--healthy", "after", "--false-alarm", "2"], "--false-alarm"),
        ([], "--healthy"),
    ],
)
def test_faulty_calls_are_refused(capsys, arguments, says):
    code, said = told(capsys, *arguments)
    assert code == 64
    assert says in said.err


def test_versions_are_never_mixed(capsys):
    code, said = told(capsys, "--healthy", "after", "older")
    assert code == 0
    assert "no report of batch 'older' has a measured inbound_rate v3 (rebuilt)" in said.out
    assert "Nothing is proposed: every threshold stays, and no file is written." in " ".join(said.out.split())


def test_a_threshold_that_stays_and_is_too_loud_is_named(capsys, home):
    """A fault that the median shows and P10 does not: P10 is refused, keeps 0.6, and is too loud for this producer."""
    put_batch(home, "poor", [0.2] * 4 + list(np.linspace(0.9, 1.0, 36)))
    put_batch(home, "dull", [0.2] * 6 + list(np.linspace(0.5, 0.6, 34)))
    code, said = told(capsys, "--healthy", "poor", "--broken", "dull", "--size", "40")
    assert code == 0
    assert "inbound_rate_p10  refused" in said.out
    assert "That is more than the 1.00% asked for: inbound_rate_p10, whose threshold stays 0.6" in said.out


def test_a_clause_that_is_only_recorded_is_not_blamed_for_held_batches():
    rates = [("block", None), ("record", 1.0), ("block", 0.065), ("block", 0.03)]
    made = [SimpleNamespace(clause=SimpleNamespace(mode=mode), rate=rate) for mode, rate in rates]
    assert loudest(made) is made[2]
