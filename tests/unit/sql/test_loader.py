"""The packaged SQL: headers are read, files are found, order follows needs."""

import pytest

import sql.loader
from sql.loader import identifier, literal, parse


def test_a_header_gives_facts_and_columns():
    file = parse(
        "v",
        "-- description: One line\n--   and another.\n-- columns:\n--   a: First.\n--   b: Second,\n"
        "--     longer: with a colon.\n-- unique: a, b\nSELECT 1 -- description: not a fact\n",
    )
    assert file.description == "One line and another."
    assert file.columns == {"a": "First.", "b": "Second, longer: with a colon."}
    assert file.listed("unique") == ("a", "b")
    assert file.listed("needs") == ()
    assert set(file.facts) == {"description", "unique"}


def test_a_file_without_header_has_no_facts():
    file = parse("v", "SELECT 1")
    assert (file.description, dict(file.facts), dict(file.columns)) == ("", {}, {})


def test_every_file_says_what_it_is():
    folders = (sql.loader.views(), sql.loader.statements(), sql.loader.queries(), sql.loader.checks())
    assert all(folders)
    assert [file.name for folder in folders for file in folder if len(file.description) < 30] == []


def test_views_come_after_those_that_they_need():
    names = [view.name for view in sql.loader.views()]
    for view in sql.loader.views():
        for needed in view.listed("needs"):
            assert names.index(needed) < names.index(view.name)


def test_needs_are_complete():
    names = {view.name for view in sql.loader.views()}
    for view in sql.loader.views():
        used = {name for name in names - {view.name} if name in view.text.split("CREATE OR REPLACE")[1]}
        assert used == set(view.listed("needs"))


def test_schema_files_have_a_number_each():
    numbers = [int(file.name.split("_")[0]) for file in sql.loader.schema()]
    assert numbers[:3] == [0, 1, 2]
    assert numbers == sorted(set(numbers))


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(KeyError, match="batch_metrics"):
        sql.loader.statement("nothing")


def test_columns_have_types_and_comments():
    columns = {column.name: column for column in sql.loader.columns("report_metrics")}
    assert columns["value"].type == "DOUBLE"
    assert columns["validity"].comment.startswith("measured")
    assert (columns["batch_id"].nullable, columns["value"].nullable) == (False, True)
    assert sql.loader.columns("kb_documents")[0].comment == "The document."
    assert sql.loader.columns("nothing") == ()


def test_quoting_doubles_quotes():
    assert literal("it's") == "'it''s'"
    assert identifier('a"b') == '"a""b"'
