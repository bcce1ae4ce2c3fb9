"""The out-of-body sources list, in the shapes of real producers and in broken ones."""

import pytest

from quality.intake.listed import from_json_text, read_listed, read_year
from quality.model import ListedSource


def test_whole_entries():
    assert read_listed([{"entry": "[1] https://a.test/x"}, "[2] Doe. Title."]) == (
        (ListedSource(entry="[1] https://a.test/x"), ListedSource(entry="[2] Doe. Title.")),
        False,
    )


def test_fields_and_their_other_names():
    items, broken = read_listed(
        [
            {"n": 1, "title": " A\ntitle ", "url": "http://a.test", "snippets": ["one", "two"]},
            {"id": "2108.1v1", "title": "B", "snippet": "text", "year": "2021-05-01"},
            {"key": "k", "name": "C", "link": "http://c.test", "text": float("nan")},
        ]
    )
    assert not broken
    assert items == (
        ListedSource(key="1", title="A title", url="http://a.test", text="one\n\ntwo"),
        ListedSource(key="2108.1v1", title="B", text="text", year=2021),
        ListedSource(key="k", title="C", url="http://c.test"),
    )


def test_mapping_by_key():
    items, broken = read_listed({"1": {"title": "A"}, "2": "Doe. B."})
    assert items == (ListedSource(key="1", title="A"), ListedSource(key="2", entry="Doe. B."))
    assert not broken


def test_json_text():
    assert read_listed('[{"title": "A"}]') == ((ListedSource(title="A"),), False)
    assert read_listed("[not json") == ((), True)


@pytest.mark.parametrize("value", [None, [], ()])
def test_nothing_is_not_broken(value):
    assert read_listed(value) == ((), False)


@pytest.mark.parametrize("value", [7, "text", True])
def test_no_list_is_broken(value):
    assert read_listed(value) == ((), True)


@pytest.mark.parametrize("item", [None, 7, "", " ", {}, {"year": 2020}, {"key": "1"}, ["x"]])
def test_one_bad_item_costs_itself(item):
    assert read_listed([item, {"title": "Kept"}]) == ((ListedSource(title="Kept"),), True)


@pytest.mark.parametrize(
    ("value", "year"),
    [
        (2021, 2021),
        (2021.0, 2021),
        ("c. 1998", 1998),
        ("2021-05", 2021),
        ("n.d.", None),
        (None, None),
        (12021, None),
        ("20210501", None),
    ],
)
def test_year(value, year):
    assert read_year(value) == year


def test_from_json_text_leaves_text_alone():
    assert from_json_text(" plain") == " plain"
    assert from_json_text('{"a": NaN}') == {"a": None}
