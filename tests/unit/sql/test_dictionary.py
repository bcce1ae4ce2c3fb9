"""The data dictionary is complete and fresh."""

from pathlib import Path

from sql.dictionary import described, main, render
from sql.loader import Column, Described

PAGE = Path(__file__).parents[3] / "docs" / "dictionary.md"


def test_the_page_is_what_the_database_says():
    assert PAGE.read_text("utf-8") == render(described()), (
        "stale: python -m sql.dictionary docs/dictionary.md"
    )


def test_everything_has_a_comment():
    bare = [name for name, thing in described().items() if not thing.comment]
    bare += [
        f"{name}.{c.name}" for name, thing in described().items() for c in thing.columns if not c.comment
    ]
    assert bare == []


def test_tables_and_views_are_told_apart():
    assert described()["reports"].is_view is False
    assert described()["kb_documents"].is_view is True


def test_a_pipe_does_not_break_the_table():
    column = Column("c", "VARCHAR", "a | b", nullable=False)
    page = render({"t": Described("About t.", False, (column,))})
    assert "| `c` | `VARCHAR`, not null | a \\| b |" in page
    assert page.index("## Tables") < page.index("### `t`") < page.index("## Views")


def test_it_can_be_written_to_a_file(tmp_path, capsys):
    main([str(tmp_path / "d.md")])
    main([])
    assert (tmp_path / "d.md").read_text("utf-8") == capsys.readouterr().out
