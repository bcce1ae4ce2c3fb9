"""The examples' registry answers for the example run alone."""

import dataclasses

import pytest

from examples.closed_corpus import with_registry
from pipelines.registries_config import RegistrySettings
from pipelines.resources.registries import Registries
from pipelines.settings import load_settings
from quality.model import Identifier


@pytest.fixture
def settings(tmp_path, monkeypatch):
    monkeypatch.setenv("SLUICEGATE_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return load_settings()


def test_a_work_of_the_examples_is_found_and_an_invented_one_is_not(settings):
    asked = Registries(with_registry(settings).registries, None)
    real, invented = Identifier("doi", "10.5555/aus.2021.014"), Identifier("doi", "10.5555/void.1")
    verdicts = asked.look_up([real, invented])
    assert (verdicts[real].state.value, verdicts[invented].state.value) == ("found", "not_found")


def test_a_later_run_in_the_same_home_asks_nobody_unless_it_is_told_to(settings):
    with_registry(settings)
    assert not load_settings().registries.configured
    assert list(settings.home.glob("*.toml")) == []


def test_a_registry_that_somebody_configured_stands(settings):
    own = dataclasses.replace(settings, registries=RegistrySettings(table={"doi": ("crossref",)}))
    assert with_registry(own) is own
