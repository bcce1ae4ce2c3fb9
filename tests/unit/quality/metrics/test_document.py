"""docs/metrics.md is the catalogue, and fails here when it is not."""

from pathlib import Path

from quality.metrics.catalogue import CATALOGUE
from quality.metrics.document import main, render

PAGE = Path(__file__).parents[4] / "docs" / "metrics.md"


def test_the_page_is_not_stale():
    assert PAGE.read_text(encoding="utf-8") == render(), "run: python -m quality.metrics.document"


def test_every_entry_has_its_section_and_its_line():
    page = render()
    for definition in CATALOGUE:
        assert f"## `{definition.id}` {definition.version}\n" in page
        assert f"| `{definition.id}` | {definition.version} |" in page
        assert definition.formula in page
        assert definition.says_not in page


def test_it_is_written_where_it_is_told(tmp_path):
    main([str(tmp_path / "page.md")])
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == render()
