"""Reasons point at the right line."""

from quality.gate.passages import dangling_passages, dirty_passages
from quality.model import CitedKey, DirtyFinding, Entry, Reading, Reconciliation

BODY = (
    "# Tides\n\nIt rises [7].\nIt falls [7] 《潮汐》.\n\n"
    "## References\n\n[1] Tides | Harbour | Press\n[2] Ebbs\n"
)


def test_dangling_citations_are_named_with_the_line_of_their_first_mark():
    cited = (
        CitedKey("1", "label", "bracket", 0, 1, 3, entry=0),
        CitedKey("7", "label", "bracket", 0, 2, BODY.index("[7]"), entry=None),
        CitedKey("潮汐", "title", "book", 0, 1, BODY.index("《"), entry=None, text="潮汐"),
        CitedKey("x", "link", "link", 0, 1, 3, entry=None, locator="https://h.test"),
    )
    found = dangling_passages(BODY, Reconciliation(cited, ()))
    assert [(p.text, p.line, p.fault) for p in found] == [
        ("[7]", 3, "cited 2 times, no entry"),
        ("《潮汐》", 4, "cited once, no entry"),
    ]


def test_dirty_entries_are_named_with_their_line_and_all_reasons():
    entries = tuple(
        Entry(ordinal=i, key=str(i + 1), text=text, start=BODY.index(text), end=BODY.index(text) + len(text))
        for i, text in enumerate(["[1] Tides | Harbour | Press", "[2] Ebbs"])
    )
    reading = Reading(len(BODY), (), entries, (), ())
    dirt = [
        DirtyFinding(0, "pipe_residue", 0, 1),
        DirtyFinding(0, "placeholder", 0, 1),
        DirtyFinding(0, "pipe_residue", 2, 3),
    ]
    (found,) = dirty_passages(BODY, reading, dirt)
    assert (found.text, found.line, found.fault) == (
        "[1] Tides | Harbour | Press",
        8,
        "pipe_residue, placeholder",
    )


def test_an_entry_outside_the_body_has_no_line_and_a_long_one_is_cut():
    entry = Entry(ordinal=0, key=None, text="Tides\n" + "and ebbs " * 40, origin="sources")
    (found,) = dirty_passages(
        BODY, Reading(len(BODY), (), (entry,), (), ()), [DirtyFinding(0, "section_fragment", 0, 9)]
    )
    assert found.line is None
    assert len(found.text) == 120
    assert found.text.startswith("Tides and ebbs")
    assert found.text.endswith("…")
