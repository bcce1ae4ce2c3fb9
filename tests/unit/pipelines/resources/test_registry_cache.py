"""The cache: each answer counts as long as it should, and a damaged or foreign file is said or asked anew."""

import sqlite3

import pytest

from pipelines.resources.registry_cache import Lifetimes, NoCache, RegistryCache
from quality.errors import StorageError
from quality.model import Identifier
from quality.registries.answers import Found, Given, NotFound, Record, Unknown

DAY = 86_400.0
ONE = Identifier("doi", "10.5555/a")


@pytest.fixture
def file(tmp_path):
    return tmp_path / "private" / "cache.sqlite"


def known(file, now):
    with RegistryCache(file, clock=lambda: now) as cache:
        return {g.registry: g.answer for g in cache.load([ONE]).get(ONE, ())}


@pytest.mark.parametrize(
    ("answer", "lifetime"),
    [
        (Found(Record(title="T")), 30 * DAY),
        (Found(Record()), DAY),
        (NotFound(), 3 * DAY),
        (Unknown("timeout"), 600),
    ],
)
def test_each_answer_has_its_lifetime(file, answer, lifetime):
    assert Lifetimes().of(answer) == lifetime
    with RegistryCache(file, clock=lambda: 1000.0) as cache:
        cache.keep(Given("crossref", ONE, answer, 1000.0))
    assert known(file, 1000 + lifetime - 1) == {"crossref": answer}
    assert known(file, 1000 + lifetime + 1) == {}


def test_the_latest_answer_of_a_registry_counts_and_others_stay(file):
    with RegistryCache(file, clock=lambda: 0.0) as cache:
        cache.keep(Given("crossref", ONE, Unknown("timeout"), 0.0))
        cache.keep(Given("datacite", ONE, NotFound(), 0.0))
        cache.keep(Given("crossref", ONE, NotFound(), 0.0))
    assert known(file, 1.0) == {"crossref": NotFound(), "datacite": NotFound()}


def test_answers_are_on_disk_before_the_end(file):
    now = [0.0]
    cache = RegistryCache(file, clock=lambda: now[0])
    cache.keep(Given("crossref", ONE, NotFound(), 0.0))
    now[0] = 2.0
    cache.keep(Given("datacite", ONE, NotFound(), 2.0))
    assert set(known(file, 3.0)) == {"crossref", "datacite"}
    cache.close()


def test_expired_answers_can_be_removed(file):
    with RegistryCache(file, clock=lambda: 0.0) as cache:
        cache.keep(Given("crossref", ONE, Unknown("timeout"), 0.0))
        cache.keep(Given("datacite", ONE, NotFound(), 0.0))
    with RegistryCache(file, clock=lambda: DAY) as cache:
        assert cache.forget_expired() == 1


def test_a_file_that_is_no_cache_is_said(file):
    file.parent.mkdir()
    file.write_bytes(b"no database at all, but long enough to be looked at" * 100)
    with pytest.raises(StorageError, match="Remove the file"):
        RegistryCache(file, clock=lambda: 0.0)


def test_what_another_version_wrote_is_asked_again(file):
    with RegistryCache(file, clock=lambda: 0.0) as cache:
        cache.keep(Given("crossref", ONE, NotFound(), 0.0))
    with sqlite3.connect(file) as raw:
        raw.execute('UPDATE answers SET answer = \'{"state": "perhaps"}\'')
    raw.close()
    assert known(file, 1.0) == {}


def test_no_cache_remembers_nothing():
    cache = NoCache()
    cache.keep(Given("crossref", ONE, NotFound(), 0.0))
    assert cache.load([ONE]) == {}
