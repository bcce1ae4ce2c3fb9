"""The examples' registry: given to a bare home, and to no other."""

from examples.closed_corpus import CONFIG, with_registry
from pipelines.settings import load_settings


def test_a_bare_home_gets_it_and_finds_it_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SLUICEGATE_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("SLUICEGATE_CONFIG", raising=False)
    first = with_registry(load_settings())
    assert first.registries.authoritative
    assert first.registries.snapshot == tmp_path / "home" / "registry.parquet"
    assert first.registries.snapshot.is_file()
    assert with_registry(load_settings()).registries == first.registries


def test_a_configuration_of_ones_own_is_left_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SLUICEGATE_CONFIG", raising=False)
    monkeypatch.delenv("SLUICEGATE_HOME", raising=False)
    (tmp_path / "sluicegate.toml").write_text("[gate]\nmax_dirty_entries = 1\n", encoding="utf-8")
    assert not with_registry(load_settings()).registries.configured
    (tmp_path / "sluicegate.toml").unlink()
    (tmp_path / "var").mkdir()
    (tmp_path / "var" / "sluicegate.toml").write_text("[gate]\nmax_dirty_entries = 1\n", encoding="utf-8")
    assert not with_registry(load_settings()).registries.configured
    assert (tmp_path / "var" / "sluicegate.toml").read_text(encoding="utf-8") != CONFIG
