"""safe_name: ids become path parts that stay where they belong and never meet."""

import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quality.names import MAX_BYTES, safe_name

HASHED = re.compile(r"-[0-9a-f]{12}$")


@pytest.mark.parametrize("identifier", ["r1", "r1~2", "отчёт-1.md", "報告_7", "हिन्दी", "a.b", "é"])
def test_harmless_ids_stay(identifier):
    assert safe_name(identifier) == identifier


@pytest.mark.parametrize(
    ("identifier", "start"),
    [
        ("../../evil", "_.._evil-"),
        ("..", "id-"),
        ("", "id-"),
        ("/etc/cron.d/x", "_etc_cron.d_x-"),
        ("a b.md", "a_b.md-"),
        ("CON.md", "_CON.md-"),
        ("lpt1", "_lpt1-"),
        ("r\x00.md", "r_.md-"),
        ("-rf.md", "rf.md-"),
        ("~root", "root-"),
        (".hidden", "hidden-"),
        ("trailing.", "trailing-"),
        ("back\\slash", "back_slash-"),
        ("rtl\u202egnp", "rtl_gnp-"),
        ("e\u0301", "é-"),
        ("report-0123456789ab", "report-0123456789ab-"),
    ],
)
def test_other_ids_are_cleaned_and_get_a_hash(identifier, start):
    name = safe_name(identifier)
    assert name.startswith(start)
    assert HASHED.search(name)
    assert len(name) == len(start) + 12


def test_long_ids_are_cut_between_characters():
    names = [safe_name("報" * 200 + tail) for tail in "ab"]
    assert all(len(name.encode()) <= MAX_BYTES for name in names)
    assert names[0] != names[1]
    assert set(names[0][:-13]) == {"報"}


def test_the_limit_itself_is_not_cut():
    assert safe_name("x" * MAX_BYTES) == "x" * MAX_BYTES
    assert safe_name("x" * (MAX_BYTES + 1)) != "x" * (MAX_BYTES + 1)


def test_an_id_that_looks_like_a_name_with_a_hash_does_not_take_its_place():
    cleaned = safe_name("a/b")
    assert safe_name(cleaned) != cleaned


@given(st.text())
@example("\ud800")
@example("a" * 300)
@example("." * 300)
def test_every_name_is_one_plain_path_part(identifier):
    name = safe_name(identifier)
    assert 0 < len(name.encode()) <= MAX_BYTES
    assert Path(name).name == name
    assert name[0] not in ".-~ "
    assert not re.search(r"[\x00-\x1f/\\:*?\"<>| ]", name)


@given(st.lists(st.text(alphabet="ab./\\- \x00é1", max_size=6), unique=True))
def test_two_ids_never_share_a_name(identifiers):
    assert len({safe_name(i) for i in identifiers}) == len(identifiers)
