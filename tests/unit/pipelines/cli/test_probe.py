"""``probe entries`` answers line by line, and refuses what it cannot read."""

import json

import pytest
import typer
from typer.testing import CliRunner

from pipelines.cli.probe import probe_entry, register
from quality.errors import InputError, UsageError


@pytest.fixture
def call(tmp_path):
    app = typer.Typer()
    app.command("other")(lambda: None)
    register(app)

    def run(text, out="out.jsonl"):
        source, target = tmp_path / "in.jsonl", tmp_path / out
        source.write_text(text, encoding="utf-8")
        result = CliRunner().invoke(app, ["probe", "entries", str(source), "--out", str(target)])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result, [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]

    return run


def test_each_entry_comes_back_with_the_answer(call):
    lines = [
        {"id": 7, "entry": "[1] Tides | Harbour | Press", "reasons": ["label"]},
        {"entry": "2. 海洋局. 潮汐调查[5]"},
        {"entry": "[3] Tides of the north"},
        {"entry": "[4]"},
    ]
    result, rows = call("\n".join(json.dumps(line, ensure_ascii=False) for line in lines) + "\n\n")
    assert result.exit_code == 0
    assert "4 entries probed" in result.stderr
    assert "3 of them dirty" in result.stderr
    assert [(r["predicted"], r["reasons"]) for r in rows] == [
        (True, ["pipe_residue"]),
        (True, ["numbering_residue"]),
        (False, []),
        (True, ["empty"]),
    ]
    assert (rows[0]["id"], rows[0]["entry"]) == (7, "[1] Tides | Harbour | Press")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{}\n", r"in\.jsonl:1: no text in 'entry'"),
        ('{"entry": "[1] Tides"}\n{"entry": 3}\n', r"in\.jsonl:2: no text in 'entry'"),
        ("[1]\n", r"in\.jsonl:1: no text in 'entry'"),
        ("nonsense\n", r"in\.jsonl:1: no JSON"),
    ],
)
def test_a_line_that_is_no_entry_is_named(call, text, says):
    with pytest.raises(InputError, match=says):
        call(text)


def test_the_input_is_not_overwritten(call):
    with pytest.raises(UsageError, match="The file to write is the file to read"):
        call('{"entry": "[1] Tides"}\n', out="in.jsonl")


def test_the_reader_helps_to_tell_a_title_from_an_author():
    assert probe_entry("[1] Brill, A. (2008). Access Denied. Harbour Press.") == []
    assert [f.reason for f in probe_entry("[1] Access Denied. https://h.test/t")] == ["error_page_title"]
