"""The registry table: what ships asks nobody, and a wrong name is named."""

import pytest

from pipelines.settings import config_template, load_settings
from quality.errors import ConfigError
from quality.registries.known import KNOWN, USUAL


def settings(tmp_path, text):
    file = tmp_path / "sluicegate.toml"
    file.write_text(text, encoding="utf-8")
    return load_settings(file, environ={}).registries


def test_the_template_asks_nobody(tmp_path):
    assert not settings(tmp_path, config_template()).configured


def test_the_table_of_the_template_is_a_valid_one(tmp_path):
    text = config_template()
    for kind in USUAL:
        text = text.replace(f"# {kind} = [", f"{kind} = [")
    got = settings(tmp_path, text)
    assert got.table == dict(USUAL)
    assert got.configured


def test_paths_rows_and_seconds(tmp_path):
    got = settings(
        tmp_path,
        '[registries]\nsnapshot = "works.parquet"\nauthoritative = true\nunknown_minutes = 2\n'
        '[registries.ask]\ndoi = ["crossref"]\n[registries.at.crossref]\nurl = "http://localhost:1"\nper_second = 5\n',
    )
    assert got.snapshot == tmp_path / "works.parquet"
    assert (got.authoritative, got.unknown_seconds, got.rows["crossref"].per_second) == (True, 120, 5)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[registries.ask]\nbooks = ["crossref"]', "books"),
        ('[registries.ask]\ndoi = ["scopus"]', "scopus"),
        ('[registries.ask]\npmid = ["crossref"]', "does not cover"),
        ("[registries.at.scopus]\nper_second = 1", "scopus"),
        ("[registries]\nauthoritative = true", "without a snapshot"),
        ("[registries]\nat_once = 0", "at_once"),
        ("[registries.at.crossref]\nper_second = 0", "per_second"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, text, said):
    with pytest.raises(ConfigError, match=said):
        settings(tmp_path, text)


def test_every_registry_is_asked_for_something_by_the_usual_table():
    assert {name for names in USUAL.values() for name in names} == set(KNOWN)
    assert all(kind in KNOWN[name].covers for kind, names in USUAL.items() for name in names)
