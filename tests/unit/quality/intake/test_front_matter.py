"""Front matter: what counts as such, what it says, and what stays body."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.intake.front_matter import MAX_CHARS, FrontMatter, split_front_matter


def test_mapping_between_fences():
    result = split_front_matter("---\nid: r1\nevidence:\n  respondents: 12\n---\n# Body\n")
    assert result.fields == {"id": "r1", "evidence": {"respondents": 12}}
    assert result.body == "# Body\n"
    assert not result.broken


def test_text_fields_stay_as_written():
    result = split_front_matter(
        "---\nid: 007\ntitle: 1984\nlanguage: no\ncreated_at: 2026-09-01\nyear: 1984\nseen: 2026-09-01\n---\n"
    )
    assert result.fields == {
        "id": "007",
        "title": "1984",
        "language": "no",
        "created_at": "2026-09-01",
        "year": 1984,
        "seen": "2026-09-01",
    }


def test_null_is_no_text():
    assert split_front_matter("---\nid: ~\ntitle:\nlanguage: 'null'\n---\nx").fields == {
        "id": None,
        "title": None,
        "language": "null",
    }


def test_crlf_and_dots_as_end():
    assert split_front_matter("---\r\nid: a\r\n---\r\nBody\r\n").body == "Body\r\n"
    assert split_front_matter("---\nid: a\n...\nBody").body == "Body"


def test_empty_front_matter():
    result = split_front_matter("---\n---\nBody")
    assert (result.fields, result.body, result.broken) == ({}, "Body", False)


@pytest.mark.parametrize(
    "text",
    [
        "# No front matter\n\n---\n\nid: a\n---\n",
        "\n---\nid: a\n---\nBody",
        "----\nid: a\n----\nBody",
        "---\nid: a\nnever closed",
        "---\nOnly a sentence between two rules.\n---\nBody",
        "---\n- a\n- list\n---\nBody",
        "",
    ],
)
def test_everything_else_is_body(text):
    result = split_front_matter(text)
    assert (result.fields, result.body, result.broken) == ({}, text, False)


@pytest.mark.parametrize(
    "yaml",
    [
        'title: "not closed',
        "a: b: c",
        "id: a\nid: b",
        "a: &x [1]\nb: *x",
        "a: !!python/object/apply:os.system ['true']",
        "? [1, 2]\n: x",
        "\ta: b",
        "a: " + "[" * 3000,
        "n: 0x_",
    ],
)
def test_broken_yaml_stays_in_the_body(yaml):
    text = f"---\n{yaml}\n---\nBody"
    result = split_front_matter(text)
    assert (result.fields, result.body, result.broken) == ({}, text, True)


def test_a_bomb_of_aliases_is_refused_at_once():
    lines = ['a0: &a0 "lol"'] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
    assert split_front_matter("---\n" + "\n".join(lines) + "\n---\nBody").broken


def test_merge_keys_are_plain_keys():
    assert split_front_matter("---\n<<: {a: 1}\n---\n").fields == {"<<": {"a": 1}}


@given(st.text(), st.text())
def test_never_loses_a_character_and_never_raises(start, body):
    text = f"---\n{start}\n---\n{body}"
    result = split_front_matter(text)
    assert text.endswith(result.body)
    if result.broken or not result.fields:
        assert result.body in (text, split_after_fence(text))


def split_after_fence(text: str) -> str:
    return text.split("---\n", 2)[-1]


@given(st.text())
def test_any_text_without_a_fence_is_body(text):
    if not text.startswith("---"):
        assert split_front_matter(text).body == text


def test_front_matter_without_measure_is_body():
    fits, over = ("---\nid: a\n" + "#" * (MAX_CHARS - 7 + extra) + "\n---\nBody" for extra in (0, 1))
    assert split_front_matter(fits).fields == {"id": "a"}
    assert split_front_matter(over) == FrontMatter({}, over, broken=True)
