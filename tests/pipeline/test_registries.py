"""The line with a registry: what does not exist is held, an outage calls nothing fake, delivery waits for nobody."""

import dataclasses
import json

import pytest

from pipelines.registries_config import RegistrySettings
from pipelines.resources.registries import Registries
from pipelines.resources.registry_snapshot import build
from pipelines.resources.warehouse import Warehouse
from quality.model import Identifier
from quality.registries.verdict import State, Verdict
from tests.pipeline.corpus import sound

REAL = {
    "doi": "10.5555/tide.1",
    "title": "Tidal mixing in narrow estuaries",
    "authors": ["Doe, J."],
    "year": 2019,
}


def report(doi, title="Tidal mixing in narrow estuaries"):
    return (
        "# Brief\n\nMixing sets the pace [1]. Marshes keep carbon [2]. Meadows come back [3].\n\n## References\n\n"
        f"[1] {title}. https://doi.org/{doi}\n"
        "[2] How salt marshes store carbon. https://papers.test/marsh\n"
        "[3] Harbour dredging and the return of eelgrass. https://papers.test/eelgrass\n"
    )


@pytest.fixture
def closed(settings, tmp_path):
    """A registry that is a closed corpus of one work."""
    works = tmp_path / "works.jsonl"
    works.write_text(json.dumps(REAL) + "\n", encoding="utf-8")
    build([works], tmp_path / "works.parquet")
    return Registries(
        RegistrySettings(snapshot=tmp_path / "works.parquet", authoritative=True), settings.home
    )


class Down:
    """Registries of which none answers."""

    configured, asked, snapshot_name, snapshot_file, authoritative = (
        True,
        ("doi: crossref",),
        "snapshot",
        None,
        False,
    )

    def covers(self, kind):
        return kind == "doi"

    def find_titles(self, titles):
        return {}

    def look_up(self, identifiers, *, progress, outage):
        outage("crossref", "timeout")
        return {i: Verdict(i, State.UNKNOWN, "timeout", "crossref") for i in identifiers}


class Broken(Down):
    def look_up(self, identifiers, **more):
        raise RuntimeError("boom")


def rows(settings, sql):
    with Warehouse(settings.home).read_primary() as reader:
        return reader.query(sql).rows()


def decisions(settings):
    return dict(rows(settings, "SELECT report_id, decision FROM latest_decisions"))


@pytest.mark.slow
def test_what_does_not_exist_is_held_and_recovers_with_the_registry(run, settings, closed):
    bodies = sound() | {
        "real": report("10.5555/tide.1"),
        "invented": report("10.5555/void.9"),
        "swapped": report("10.5555/tide.1", "Counting seals from the air in winter"),
    }
    outcome = run(bodies, resource_overrides={"registries": closed})
    assert outcome.faults == {}
    held = {i for i, decision in decisions(settings).items() if decision == "hold"}
    assert held == {"invented", "swapped"}
    found = dict(rows(settings, "SELECT report_id, standing FROM identifier_checks WHERE kind = 'doi'"))
    assert found == {"real": "found", "invented": "not_found", "swapped": "contradicted"}
    assert ("identifier_rate", 0.0) in rows(
        settings,
        "SELECT metric, value FROM report_metrics WHERE report_id = 'invented' AND metric = 'identifier_rate'",
    )
    delivered = (settings.home / "delivered" / "b" / "invented.md").read_text(encoding="utf-8")
    assert "10.5555/void.9 does not exist" in delivered
    assert "identifiers" not in delivered.split("Not checked:")[1].split("\n")[0]
    before = rows(settings, "SELECT report_id, input_fingerprint FROM reports ORDER BY 1")

    again = run(bodies, resource_overrides={"registries": closed})
    assert again.faults == {}
    assert rows(settings, "SELECT report_id, input_fingerprint FROM reports ORDER BY 1") == before
    assert rows(settings, "SELECT count(*) FROM ingestion_decisions") == [(15,)]

    down = run(bodies, resource_overrides={"registries": Down()})
    assert down.faults == {}
    states = rows(settings, "SELECT DISTINCT standing FROM identifier_checks WHERE kind = 'doi'")
    assert states == [("unknown",)]
    assert {i for i, d in decisions(settings).items() if d == "hold"} == {"real", "invented", "swapped"}
    after = dict(rows(settings, "SELECT report_id, input_fingerprint FROM reports"))
    assert after["real"] != dict(before)["real"]
    assert rows(settings, "SELECT count(*) FROM kb_documents WHERE report_id = 'real'") == [(0,)]

    back = run(bodies, resource_overrides={"registries": closed})
    assert back.faults == {}
    assert decisions(settings)["real"] == "ingest"
    assert rows(settings, "SELECT count(*) FROM kb_documents WHERE report_id = 'real'") == [(1,)]

    unasked = run(bodies)
    assert unasked.faults == {}
    assert set(decisions(settings).values()) == {"ingest"}
    for table in ("registry_setups", "registry_checks", "identifier_checks"):
        assert rows(settings, f"SELECT count(*) FROM {table}") == [(0,)]
    assert rows(settings, "SELECT count(*) FROM report_metrics WHERE metric = 'identifier_rate'") == [(0,)]
    assert rows(settings, "SELECT count(*) FROM reports WHERE input_fingerprint <> audit_fingerprint") == [
        (0,)
    ]


@pytest.mark.slow
def test_a_look_up_that_breaks_costs_its_identifiers_and_not_the_line(run, settings):
    outcome = run(sound(10) | {"real": report("10.5555/tide.1")}, resource_overrides={"registries": Broken()})
    assert outcome.faults == {}
    assert decisions(settings)["real"] == "hold"
    assert (settings.home / "delivered" / "b" / "real.md").is_file()
    (reason,) = rows(settings, "SELECT reason FROM identifier_checks WHERE kind = 'doi'")
    assert "lookup failed" in reason[0]


@pytest.mark.slow
def test_delivery_goes_before_the_registries(run, settings):
    seen = []

    class Slow(Down):
        def look_up(self, identifiers, **more):
            seen.extend((settings.home / "delivered" / "b").glob("*.md"))
            return {i: Verdict(i, State.UNKNOWN, "timeout") for i in identifiers}

    run(sound(10) | {"real": report("10.5555/tide.1")}, resource_overrides={"registries": Slow()})
    assert len(seen) == 11


def test_a_missing_snapshot_costs_a_look_up_and_not_the_definitions(settings, tmp_path):
    from pipelines.definitions import build_defs

    gone = dataclasses.replace(settings, registries=RegistrySettings(snapshot=tmp_path / "gone.parquet"))
    build_defs(gone)
    with pytest.raises(Exception, match="cannot be read"):
        Registries(gone.registries, None).look_up([Identifier("doi", "10.5555/a")])
