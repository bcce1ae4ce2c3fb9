"""The texts that let the page stand by itself."""

import pytest

from pipelines.dashboard import bundle
from pipelines.dashboard.bundle import chart_library, policy, static
from quality.errors import StorageError


def test_policy_allows_these_very_texts_and_nothing_else():
    made = policy(scripts=("",), styles=("a{}",))
    # SHA-256 of no bytes at all, in base64
    assert "script-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='" in made
    assert made.startswith("default-src 'none'; ")
    assert "unsafe" not in made


def test_library_is_kept_and_an_older_one_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(bundle, "_made", lambda: "window.vegaEmbed = 1;")
    (tmp_path / "charts-vl-convert-0.1.js").write_text("old")
    assert chart_library(tmp_path) == "window.vegaEmbed = 1;"
    [kept] = tmp_path.glob("charts-*.js")
    monkeypatch.setattr(bundle, "_made", lambda: pytest.fail("it was kept"))
    assert chart_library(tmp_path) == kept.read_text("utf-8")


def test_library_that_could_end_its_script_is_refused(monkeypatch):
    import vl_convert

    bundle._made.cache_clear()
    monkeypatch.setattr(vl_convert, "javascript_bundle", lambda snippet: "'</script>'")
    with pytest.raises(StorageError, match="cannot stand in a page"):
        bundle._made()


def test_our_own_texts_can_stand_in_a_page():
    for name in ("dashboard.js", "dashboard.css"):
        text = static(name)
        assert "</s" not in text.lower()
        assert "\r" not in text
        assert "http" not in text
    assert "eval" not in static("dashboard.js")
