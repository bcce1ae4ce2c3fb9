"""The command as a script and a person use it: exit codes, JSON, messages with a remedy."""

import json
import tomllib

import pytest

from pipelines.settings import config_template
from tests.pipeline.corpus import broken, sound, write_reports


def test_run_batches_explain_and_sql_tell_one_story(sluicegate, sources, tmp_path):
    write_reports(tmp_path / "good", sound())
    code, out, _ = sluicegate("run", "--reports", "good", "--sources", str(sources), "--json")
    ran = json.loads(out)
    assert (code, ran["exit_code"], ran["batch_id"], ran["verdict"], ran["in_kb"], ran["faults"]) == (
        0,
        0,
        "good",
        "pass",
        12,
        {},
    )
    write_reports(tmp_path / "bad", broken())
    code, out, err = sluicegate("run", "--reports", "bad", "--sources", str(sources))
    assert code == 1
    assert "breach" in out
    assert "inbound_rate v3 (rebuilt) P10 is 0, needs >= 0.60, over 12 reports" in out
    assert "shadow_audit" in err

    code, out, _ = sluicegate("batches", "--json")
    assert code == 0
    assert [(b["batch_id"], b["verdict"], b["in_kb"], b["held"]) for b in json.loads(out)] == [
        ("good", "pass", 12, 0),
        ("bad", "breach", 0, 12),
    ]

    code, out, _ = sluicegate("sql", "SELECT batch_id, verdict FROM batch_contract ORDER BY 1", "--json")
    assert (code, json.loads(out)) == (
        0,
        [{"batch_id": "bad", "verdict": "breach"}, {"batch_id": "good", "verdict": "pass"}],
    )

    code, out, _ = sluicegate("dashboard", "--out", "copy.html", "--json")
    wrote = json.loads(out)
    assert (code, wrote["file"]) == (0, str(tmp_path / "copy.html"))
    assert (tmp_path / "copy.html").read_bytes() == (tmp_path / "home" / "dashboard.html").read_bytes()

    code, _, err = sluicegate("explain", "brief-00")
    assert code == 64
    assert "Name one with --batch" in err
    code, out, _ = sluicegate("explain", "brief-00", "--batch", "bad", "--json")
    facts = json.loads(out)
    assert code == 0
    assert [c["key"] for c in facts["citations_rebuilt"]] == ["7", "8", "9"]
    assert facts["decisions"][-1]["decision"] == "hold"
    assert {r["rule"] for r in facts["decisions"][-1]["reasons"]} == {"contract", "inbound_rate", "cited"}
    code, out, _ = sluicegate("explain", "brief-00", "--batch", "bad")
    assert "none: dangling" in out
    assert "not checked: identifiers, method claims" in out

    code, out, _ = sluicegate("explain", "bad", "--json")
    (figures,) = json.loads(out)["before_after"]
    # six of twelve cite works 7, 8, 9 that nobody lists: the median of six zeros and six ones
    assert (figures["inbound_p50_v3_before"], figures["reports_left"], figures["reports_rebuilt"]) == (
        0.5,
        6,
        6,
    )
    code, out, _ = sluicegate("explain", "--batch", "bad")
    assert (code, "Tables left: 6 (no citation has a clean entry or a source; brief-00 for one)" in out) == (
        0,
        True,
    )
    assert sluicegate("explain")[0] == 64
    assert sluicegate("explain", "--batch", "nowhere")[0] == 64

    code, out, _ = sluicegate("doctor")
    assert code == 0, out

    code, _, _ = sluicegate("run", "--batch", "good")
    assert code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["frobnicate"], "No such command"),
        (["run"], "Name --reports"),
        (["run", "--reports", "nowhere"], "does not exist"),
        (["run", "--batch", "new"], "Name its reports"),
        (["run", "--reports", ".", "--batch", "a\nb"], "control characters"),
        (["sql"], "Missing argument"),
        (["explain", "x", "--config", "none.toml"], "is not a file"),
    ],
)
def test_wrong_calls_end_in_64_or_78_and_say_what_to_do(sluicegate, arguments, said):
    code, _, err = sluicegate(*arguments)
    assert code in (64, 78)
    assert said in err


def test_folder_of_the_same_name_does_not_replace_another_batch(sluicegate, sources, tmp_path):
    for day in ("monday", "tuesday"):
        write_reports(tmp_path / day / "reports", sound(1))
    assert sluicegate("run", "--reports", "monday/reports")[0] == 2
    code, _, err = sluicegate("run", "--reports", "tuesday/reports")
    assert code == 64
    assert "exists already" in err
    assert "--batch" in err


def test_questions_before_the_first_run_say_what_is_missing(sluicegate):
    for question in (("sql", "SELECT 1"), ("dashboard",)):
        code, _, err = sluicegate(*question)
        assert code >= 64
        assert "Remedy" in err


WRITES = (
    "DROP TABLE reports",
    "SELECT 1; DROP TABLE reports",
    "COPY reports TO 'out.csv'",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SET enable_external_access = true",
    "SELEKT",
)


def test_sql_is_read_only_and_has_no_way_out(sluicegate, sources, tmp_path):
    write_reports(tmp_path / "good", sound(2))
    sluicegate("run", "--reports", "good", "--sources", str(sources))
    assert {question: sluicegate("sql", question)[0] for question in WRITES} == dict.fromkeys(WRITES, 64)
    assert not (tmp_path / "out.csv").exists()
    code, out, err = sluicegate("sql", "SELECT 1 AS n, 2 AS m, 3 AS n", "--json")
    assert (code, out, "'n'" in err, "AS" in err) == (64, "", True, True)
    asked = sluicegate("sql", "SELECT count(*) AS n FROM reports", "--json")
    assert (asked[0], json.loads(asked[1])) == (0, [{"n": 2}])


def test_init_writes_every_setting_and_doctor_names_where_each_came_from(sluicegate, monkeypatch, tmp_path):
    monkeypatch.delenv("SLUICEGATE_HOME")
    assert sluicegate("init")[0] == 0
    written = tomllib.loads((tmp_path / "sluicegate.toml").read_text("utf-8"))
    assert written == tomllib.loads(config_template())
    assert (tmp_path / "var" / "dagster" / "dagster.yaml").is_file()
    code, _, err = sluicegate("init")
    assert code == 64
    assert "--force" in err
    (tmp_path / "sluicegate.toml").write_text('[gate.modes]\ncited = "record"\n', encoding="utf-8")
    code, out, _ = sluicegate("doctor", "--json")
    found = {s["name"]: (s["value"], s["origin"]) for s in json.loads(out)["settings"]}
    assert code == 0
    assert found["gate.modes.cited"] == ("record", str(tmp_path / "sluicegate.toml"))
    assert found["gate.modes.inbound_rate"] == ("block", "default")
    assert found["paths.home"] == (str(tmp_path / "var"), "default")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[gate.modes]\nnothing = 'block'\n", "gate.modes.nothing"),
        ("[gate.modes]\ncited = 'perhaps'\n", "gate.modes.cited"),
        ("[warehouse]\nlock_wait_seconds = -1\n", "warehouse.lock_wait_seconds"),
        ("[papths]\n", "papths"),
        ("not toml", "not valid TOML"),
    ],
)
def test_wrong_configuration_names_the_place(sluicegate, tmp_path, text, said):
    (tmp_path / "sluicegate.toml").write_text(text, encoding="utf-8")
    code, _, err = sluicegate("doctor")
    assert code == 78
    assert said in err


def test_doctor_says_that_the_named_contract_file_is_missing_and_which_contract_counts(sluicegate, tmp_path):
    (tmp_path / "sluicegate.toml").write_text("[contract]\nfile = 'none.toml'\n", encoding="utf-8")
    code, out, _ = sluicegate("doctor", "--json")
    [found] = [f for f in json.loads(out)["findings"] if f["name"] == "contract"]
    assert (code, found["state"]) == (1, "wrong")
    assert str(tmp_path / "none.toml") in found["detail"]
    assert "stays in force" in found["detail"]


def test_help_says_what_every_command_does(sluicegate):
    code, out, _ = sluicegate("--help")
    assert code == 0
    for command in ("init", "run", "batches", "explain", "sql", "doctor", "ui", "dashboard"):
        assert command in out
        code, own, _ = sluicegate(command, "--help")
        assert code == 0
        assert "Usage" in own
