"""Escaping, in one place."""

import json
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from pipelines.dashboard.markup import Html, cell_table, json_block, said, tag

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


class Texts(HTMLParser):
    """What a browser would see: text, and the elements around it."""

    def __init__(self, markup):
        super().__init__()
        self.elements, self.text = [], []
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text.append(data)


def test_text_is_escaped_and_markup_is_not():
    assert tag("p", "<b>", Html("<b>")) == "<p>&lt;b&gt;<b></p>"
    assert tag("a", "x", href='"><script>') == '<a href="&quot;&gt;&lt;script&gt;">x</a>'


def test_attributes_are_left_out_or_stand_alone():
    assert (
        tag("input", class_=None, hidden=True, checked=False, data_sort=0) == '<input hidden data-sort="0">'
    )


def test_control_characters_become_visible():
    assert tag("p", "a\x00b\x1bc\td") == "<p>a\ufffdb\ufffdc\td</p>"


@given(TEXTS)
def test_any_text_stays_text(text):
    seen = Texts(tag("p", said(text), title=text))
    assert [name for name, _ in seen.elements] == ["p", "bdi"]


@given(st.recursive(TEXTS | st.none() | st.integers(), lambda c: st.lists(c) | st.dictionaries(TEXTS, c)))
def test_json_survives_a_page_and_cannot_end_its_block(value):
    block = json_block("x", value)
    content = block.removeprefix('<script type="application/json" id="x">').removesuffix("</script>")
    assert json.loads(content) == value
    assert not set("<>&\u2028\u2029") & set(content)


def test_cells_know_their_columns():
    table = cell_table(("batch", "n"), [("x<y", "3")], caption="c", numeric=(1,))
    assert '<th scope="row" data-label="batch">x&lt;y</th>' in table
    assert '<td data-label="n" class="number">3</td>' in table
