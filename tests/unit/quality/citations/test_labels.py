"""Labels at the start of lines, and unfolding of lists and ranges."""

from __future__ import annotations

import pytest

from quality.citations.labels import MAX_RANGE, label_at, plain_key, unfold


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("1", ("1",)), ("1, 3-5", ("1", "3", "4", "5")), ("1-8，14-17", (*"12345678", "14", "15", "16", "17")),
        ("1；2", ("1", "2")), ("１～３", ("1", "2", "3")), ("^1, ^2", ("1", "2")), ("id_3, id_4", ("3", "4")), ("2a", ("2a",)),
        ("1 to 3", ("1", "2", "3")), ("01", ("1",)), ("5-3", ()), (f"1-{MAX_RANGE + 2}", ()), ("", ()),
    ],
)  # fmt: skip
def test_unfolding(text, keys):
    assert unfold(text) == keys


@pytest.mark.parametrize(
    ("key", "plain"), [("１２", "12"), ("^1", "1"), ("007", "7"), ("Doe", "Doe"), ("e\u0301", "\u00e9")]
)
def test_plain_keys(key, plain):
    assert plain_key(key) == plain


@pytest.mark.parametrize(
    ("line", "form", "keys", "content"),
    [
        ("[1] Alder", "bracket", ("1",), "Alder"),
        ("  - **[2]** Alder", "bracket", ("2",), "Alder"),
        ("[1][3] Alder", "bracket", ("1", "3"), "Alder"),
        ("[1], [3] Alder", "bracket", ("1", "3"), "Alder"),
        ("[[1]](https://x.test) Alder", "linked", ("1",), "(https://x.test) Alder"),
        ("[^a]: Alder", "footnote", ("a",), "Alder"),
        ("12. Alder", "ordered", ("12",), "Alder"),
        ("（3）Alder", "ordered", ("3",), "Alder"),
        ("¹ Alder", "superscript", ("1",), "Alder"),
        ("<sup>2</sup> Alder", "superscript", ("2",), "Alder"),
        ("[S1] Alder", "named", ("S1",), "Alder"),
        ("• Alder", "bullet", (), "Alder"),
    ],
)
def test_labels(line, form, keys, content):
    label = label_at(line, 0, len(line))
    assert label is not None
    assert (label.form, label.keys, line[label.end :]) == (form, keys, content)


@pytest.mark.parametrize(
    "line",
    [
        "Alder",
        "",
        "**bold** text",
        "2024 was wet",
        "1.5 metres",
        "[link](https://x.test)",
        "[x] done",
        "10:30 noon",
    ],
)
def test_lines_without_label(line):
    assert label_at(line, 0, len(line)) is None
