"""Decomposed letters are read like composed ones, and places stay those of the body as it came."""

from __future__ import annotations

import unicodedata

from quality.citations.unicode_form import compose, is_composed

BODY = "Mu\u0308ller & E\u0301tienne say so (Mu\u0308ller & E\u0301tienne, 2020), [1].\n\n## Re\u0301fe\u0301rences\n\nMüller, M., & Étienne, E. (2020). Marées.\n"


def test_offsets_lead_back():
    body = "a\u0301b 한 x\u0323\u0307 漢字\u3099"
    composed, offsets = compose(body)
    assert composed == unicodedata.normalize("NFC", body)
    assert len(offsets) == len(composed) + 1
    assert offsets[-1] == len(body)
    assert [body[offsets[n] : offsets[n + 1]] for n in range(2)] == ["a\u0301", "b"]


def test_a_decomposed_body_is_read_in_full(see):
    assert not is_composed(BODY)
    text = BODY.replace(", [1]", "")
    seen = see(unicodedata.normalize("NFD", text))
    assert seen.cited == {"Müller 2020": 1}
    assert seen.dangling == []
    mark = seen.reading.marks[0]
    assert unicodedata.normalize("NFC", seen.body[mark.start : mark.end]) == "(Müller & Étienne, 2020)"
    entry = seen.reading.entries[0]
    assert seen.body[entry.start : entry.end] == entry.text
    assert seen.reading.segments[-1].end == len(seen.body)
