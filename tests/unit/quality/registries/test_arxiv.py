"""arXiv ids in every shape."""

import pytest

from quality.registries.arxiv import normalise_arxiv, parse_arxiv


@pytest.mark.parametrize(
    ("text", "value", "version", "subject"),
    [
        ("arXiv:1312.4400", "1312.4400", None, None),
        ("arXiv:1504.00233v1", "1504.00233", 1, None),
        ("hep-th/9711200", "hep-th/9711200", None, None),
        ("math.GT/0309136v2", "math/0309136", 2, "math.GT"),
        ("atom-ph/9601001", "atom-ph/9601001", None, None),
        ("arXiv:hep-th/1601.07616", "1601.07616", None, None),
        ("arXiv preprint arXiv:2401.00001", "2401.00001", None, None),
    ],
)
def test_every_shape(text, value, version, subject):
    paper = parse_arxiv(text)
    assert paper is not None
    assert (paper.value, paper.version, paper.subject) == (value, version, subject)


@pytest.mark.parametrize("text", ["0112019", "1706.03762", "arXiv:1713.00001", "see page 1601.07616"])
def test_bare_and_impossible_numbers_are_no_ids(text):
    assert parse_arxiv(text) is None


@pytest.mark.parametrize(
    "value", ["1706.03762", "1706.03762v2", "arXiv:1706.03762", "https://arxiv.org/abs/1706.03762"]
)
def test_a_field_of_its_own_needs_no_prefix(value):
    assert normalise_arxiv(value) == "1706.03762"
    assert normalise_arxiv("unknown") is None
