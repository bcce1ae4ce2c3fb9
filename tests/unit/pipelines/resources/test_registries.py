"""All registries over real sockets, with everything going wrong: no real work is called fake, and none is lost."""

import time

import pytest

from pipelines.resources.registries import CACHE, Registries
from quality.registries.manners import Patience
from quality.registries.verdict import State
from tests.registry_server import FAULTS, Behaviour, exists, served, settings_for, some_identifiers

HASTY = Patience(attempts=2, first_wait=0.02)


def judge(identifiers, verdicts):
    """Every identifier has its verdict, and none the opposite of the truth; returns how many stayed unknown."""
    assert list(verdicts) == identifiers
    for one, verdict in verdicts.items():
        assert verdict.state is not (State.NOT_FOUND if exists(one.value) else State.FOUND), (one, verdict)
    return sum(v.state is State.UNKNOWN for v in verdicts.values())


def test_a_sound_network_answers_everything():
    ids = some_identifiers(60)
    with served() as server:
        assert judge(ids, Registries(settings_for(server), None).look_up(ids)) == 0


@pytest.mark.parametrize(
    "behaviour",
    [
        pytest.param(Behaviour(faults=dict.fromkeys(FAULTS, 0.08)), id="all faults at once"),
        pytest.param(Behaviour(down_from=60, down_for=60), id="outage in the middle"),
        pytest.param(Behaviour(down={"crossref", "doi.org"}), id="two registries down"),
        pytest.param(Behaviour(faults={"html": 1.0}), id="a captcha for everything"),
    ],
)
def test_under_faults_nothing_real_is_called_fake(behaviour):
    ids = some_identifiers(80)
    with served(behaviour) as server:
        unknown = judge(ids, Registries(settings_for(server, at_once=8), None, patience=HASTY).look_up(ids))
    assert unknown > 0


def test_a_run_that_was_cut_off_goes_on_where_it_stopped(tmp_path):
    ids = some_identifiers(60)
    with served() as server:
        settings = settings_for(server)
        Registries(settings, tmp_path).look_up(ids[:40])
        asked = sum(server.requests.values())
        assert judge(ids, Registries(settings, tmp_path).look_up(ids)) == 0
        assert sum(server.requests.values()) - asked < asked
        before = sum(server.requests.values())
        assert judge(ids, Registries(settings, tmp_path).look_up(ids)) == 0
        assert sum(server.requests.values()) == before
    assert (tmp_path / CACHE).is_file()


def test_after_an_outage_only_what_is_unknown_is_asked_again(tmp_path):
    ids = some_identifiers(40)
    with served(Behaviour(down={"datacite"})) as server:
        settings = settings_for(server)
        assert judge(ids, Registries(settings, tmp_path, patience=HASTY).look_up(ids)) > 0
        server.behaviour.down = set()
        (tmp_path / CACHE).touch()
        before = server.requests["crossref"]
        import sqlite3

        with sqlite3.connect(tmp_path / CACHE) as cache:  # the ten minutes of an unknown pass
            cache.execute("UPDATE answers SET until = 0 WHERE answer LIKE '%unknown%'")
        cache.close()
        assert judge(ids, Registries(settings, tmp_path).look_up(ids)) == 0
        assert server.requests["crossref"] == before


def test_a_limit_that_the_server_announces_is_kept():
    ids = [i for i in some_identifiers(400) if i.kind == "doi" and exists(i.value) and int(i.value[-1]) < 6][
        :60
    ]
    with served(Behaviour(per_second=25)) as server:
        begun = time.monotonic()
        settings = settings_for(server, per_second=20)
        assert judge(ids, Registries(settings, None).look_up(ids)) == 0
        took = time.monotonic() - begun
    assert server.refused <= 2
    assert len(ids) / took <= 26
