"""The page's file beside its publication."""

import pytest

from pipelines.dashboard import bundle
from pipelines.dashboard.publish import page_of, publish_dashboard
from pipelines.resources.warehouse import Warehouse
from quality.errors import StorageError
from quality.gate.policy import GatePolicy
from tests.unit.pipelines.dashboard.conftest import batch, fill

GATE = GatePolicy()


@pytest.fixture(autouse=True)
def library(monkeypatch):
    monkeypatch.setattr(bundle, "_made", lambda: "window.vegaEmbed = 1;")


def test_link_names_the_page_of_the_latest_publication(home):
    file = publish_dashboard(home, GATE)
    assert file.name == "dashboard-000001.html"
    link = home / "dashboard.html"
    assert link.is_symlink()
    assert link.readlink().as_posix() == "published/dashboard-000001.html"
    assert "Newest batch" in link.read_text("utf-8")


def test_the_same_publication_is_written_once(home):
    file = publish_dashboard(home, GATE)
    before = file.stat()
    assert publish_dashboard(home, GATE) == file
    after = file.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_another_limit_is_another_page(home):
    file = publish_dashboard(home, GATE)
    inode = file.stat().st_ino
    assert publish_dashboard(home, GatePolicy(min_inbound_rate=0.7)) == file
    assert file.stat().st_ino != inode
    assert "holds a report below 0.70" in file.read_text("utf-8")


def test_pages_go_with_their_publications(home):
    for day in range(4, 9):
        publish_dashboard(home, GATE)
        fill(home, {"batches": [batch(f"{day:02}", day)]})
    publish_dashboard(home, GATE)
    folder = home / "published"
    publications = {p.stem.split("-")[1] for p in folder.glob("warehouse-*.duckdb")}
    assert {p.stem.split("-")[1] for p in folder.glob("dashboard-*.html")} == publications
    assert (home / "dashboard.html").resolve().name == "dashboard-000006.html"


def test_a_slow_writer_does_not_take_the_link_back(home):
    publish_dashboard(home, GATE)
    newer = home / "published" / "dashboard-000009.html"
    newer.write_text("newer")
    (home / "published" / "warehouse-000009.duckdb").write_text("of another run")
    publish_dashboard(home, GATE)
    assert (home / "dashboard.html").resolve() == newer


def test_without_a_publication_there_is_no_page(tmp_path):
    with pytest.raises(StorageError, match="no published warehouse"):
        page_of(tmp_path, GATE)
    assert not (tmp_path / "dashboard.html").exists()


def test_empty_warehouse_has_a_page(tmp_path):
    Warehouse(tmp_path).publish()
    assert "No batch yet" in publish_dashboard(tmp_path, GATE).read_text("utf-8")
