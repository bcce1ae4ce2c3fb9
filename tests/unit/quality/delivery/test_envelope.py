"""Joining and taking apart are exact inverses."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quality.delivery.envelope import BEGIN, END, holds_file, join, own_front_matter, split, strip

YAML = "sluicegate:\n  holds: body\nid: a\n"
BLOCK = "> **Sluicegate audit: hold**\n>\n> text\n"
HEAD = join(YAML, BLOCK, "")

BODIES = st.text(st.characters(exclude_categories=["Cs"])) | st.lists(
    st.sampled_from(
        [
            "---\n",
            "---\r\n",
            BEGIN,
            END,
            "\n",
            "\r\n",
            "> x\n",
            "\ufeff",
            "<!-- c -->",
            "sluicegate:\n",
            HEAD,
            "# A\n",
        ]
    ),
    max_size=8,
).map("".join)


@given(BODIES)
@example(HEAD + "# Body\n")
@example("---\nsluicegate:\n  holds: file\n---\n")
def test_split_is_the_inverse_of_join(body):
    assert split(join(YAML, BLOCK, body)) == (HEAD, body)
    assert split(join(YAML, "", body))[1] == body


@given(BODIES)
def test_split_never_loses_a_character(text):
    assert "".join(split(text)) == text


def test_crlf_of_an_editor():
    head, body = split(join(YAML, BLOCK, "# Body\n").replace("\n", "\r\n"))
    assert body == "# Body\r\n"
    assert own_front_matter(head) == YAML.replace("\n", "\r\n")


def test_a_missing_empty_line_or_front_matter():
    assert split(f"{BEGIN}\n{BLOCK}{END}\n# Body\n")[1] == "# Body\n"
    assert split(f"{BEGIN}\n{BLOCK}{END}")[1] == ""
    assert own_front_matter(f"{BEGIN}\n{BLOCK}{END}\n\n# Body\n") is None


@pytest.mark.parametrize(
    "text",
    [
        "# Body\n",
        f"# Body\n{BEGIN}\n{BLOCK}{END}\n",
        f" {BEGIN}\n{BLOCK}{END}\n",
        f"{BEGIN}\nno block quote\n{END}\n",
        f"{BEGIN}\n{BLOCK}",
        f"---\nid: a\n---\n{BEGIN}\n{BLOCK}{END}\n",
        f"---\nsluicegate: text\n---\n{BEGIN}\n{BLOCK}{END}\n",
        f"---\n{YAML}---\n# Body\n---\n{BEGIN}\n{BLOCK}{END}\n",
    ],
)
def test_other_texts_are_all_body(text):
    assert split(text) == ("", text)
    assert own_front_matter(text) is None
    assert strip(text) == (text, 0)


def test_strip_takes_forged_heads_too():
    assert strip(HEAD + HEAD + "# Body\n") == ("# Body\n", 2)


def test_holds_file():
    assert holds_file(join("sluicegate:\n  holds: file\n", BLOCK, "x"))
    assert not holds_file(HEAD)
    assert not holds_file(join("sluicegate:\n  holds: body\nx:\n  holds: file\n", BLOCK, "x"))
    assert not holds_file("---\nsluicegate:\n  holds: file\n---\nx")
