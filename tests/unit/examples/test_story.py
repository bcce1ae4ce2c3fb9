"""How the story's numbers are shown, and where they are put."""

import pytest
from rich.console import Console

from examples import story

ROW = {
    "batch_id": "01-before",
    "n_reports": 24,
    "verdict": "breach",
    "ingested": 0,
    "held": ["a"],
    "inbound_p50_v1_before": 1 / 3,
    "inbound_p50_v1_after": 0.625,
    "inbound_p50_v2_before": 0.5,
    "inbound_p50_v2_after": 1.0,
    "inbound_p50_v3_before": 0.375,
    "inbound_p50_v3_after": 1.0,
    "inbound_p10_v3_before": 0.25,
    "inbound_p10_v3_after": None,
    "dirty_before": 51,
    "dirty_after": 6,
    "entries_before": 145,
    "entries_after": 135,
    "fixed_closing": 23 / 24,
    "method_honesty": None,
    "deep_share": 0.58,
    "blank_share": 0.2,
}


def test_numbers_shares_and_what_was_not_measured():
    lines = {line[0]: line[1:] for line in story.comparison([ROW])}
    assert lines["inbound v1 (exact), P50"] == ["0.33 → 0.62"]
    assert lines["inbound v3 (safe tiers), P10"] == ["0.25 → –"]
    assert lines["dirty entries"] == ["51 → 6"]
    assert lines["stock closings"] == ["96%"]
    assert not any(name.startswith("method honesty") for name in lines)  # measured in no batch: no line
    assert lines["deep, blank sources (rebuilt)"] == ["58%, 20%"]
    assert lines["delivered, ingested"] == ["24, 0"]


def test_the_readme_gets_the_table_and_keeps_the_rest(tmp_path, monkeypatch):
    file = tmp_path / "README.md"
    file.write_text(
        "# Head\n\n|  | `01-before` |\n| --- | --- |\n| old | 1 |\n\n## Rest\n\n| a | b |\n", encoding="utf-8"
    )
    monkeypatch.setattr(story, "README", file)
    story.put_into_readme([ROW])
    text = file.read_text(encoding="utf-8")
    assert text.startswith(
        "# Head\n\n|  | `01-before` |\n| --- | --- |\n| inbound v1 (exact), P50 | 0.33 → 0.62 |\n"
    )
    assert "| old | 1 |" not in text
    assert text.endswith("|\n\n## Rest\n\n| a | b |\n")


def test_a_readme_without_the_table_is_left_alone(tmp_path, monkeypatch):
    file = tmp_path / "README.md"
    file.write_text("# Head\n", encoding="utf-8")
    monkeypatch.setattr(story, "README", file)
    with pytest.raises(ValueError, match="no table"):
        story.put_into_readme([ROW])
    assert file.read_text(encoding="utf-8") == "# Head\n"


def test_alerts_are_printed_as_they_are_sent(capsys):
    out = Console(width=100)
    story.show_alerts(
        out,
        [
            {"title": "Recovery: 02", "text": "an older text", "state": "sent", "reason": "told"},
            {
                "title": "Breach: 03",
                "text": "P10 is 0.20\n[red]needs 0.60",
                "state": "skipped",
                "reason": "nobody to tell",
            },
        ],
    )
    printed = capsys.readouterr().out
    assert "Breach: 03" in printed
    assert "(skipped: nobody to tell)" in printed
    assert "Recovery: 02" in printed
    assert "an older text" not in printed
    assert "[red]needs 0.60" in printed  # text, not markup
