"""What the catalogue holds of the cited sources, and whether quotations stand in it."""

import pytest

from quality.kernel import Supplied, audit_report
from quality.metrics.quotes import is_verbatim
from quality.metrics.texts import content_chars
from quality.model import Report, Source, Stage, Validity
from quality.sources.index import SourceIndex

INDEX = SourceIndex(
    Source(i, title, url=f"https://papers.test/{i}")
    for i, title in (("deep", "Tidal mixing in estuaries"), ("thin", "How salt marshes keep silt"), ("none", "Counting seals from the air"))
)  # fmt: skip
TEXTS = {
    "deep": "The tide turns twice a day, and the silt stays where it falls. " + "mud " * 200,
    "thin": "A short abstract.",
}
TABLE = "\n## References\n\n" + "".join(
    f"[{n}] {title}. https://papers.test/{i}\n"
    for n, (i, title) in enumerate(
        [("deep", "Tidal mixing in estuaries"), ("thin", "How salt marshes keep silt"), ("none", "Counting seals from the air"),
         ("deep", "Tidal mixing in estuaries")], 1)
)  # fmt: skip


def measured(text, *, texts=TEXTS, index=INDEX):
    audit = audit_report(Report("r", text + TABLE), index, Stage.SHADOW, Supplied(texts=texts))
    return {m.metric: m for m in audit.measurements}


@pytest.mark.parametrize(
    ("text", "shares"),
    [
        ("A [1]. B [2]. C [3].\n", (1 / 3, 1 / 3, 1 / 3)),
        ("A [1]. B [1].\n", (1.0, 0.0, 0.0)),
        ("A [1]. B [4].\n", (1.0, 0.0, 0.0)),  # two entries, one source
        ("A [2].\n", (0.0, 1.0, 0.0)),
        ("A [3].\n", (0.0, 0.0, 1.0)),
        ("A [1]. B [9].\n", (0.5, 0.0, 0.5)),  # what dangles is blank
    ],
)
def test_each_cited_source_is_exactly_one_of_three(text, shares):
    found = measured(text)
    values = tuple(found[f"{depth}_share"].value for depth in ("deep", "shallow", "blank"))
    assert values == pytest.approx(shares)
    assert sum(values) == pytest.approx(1)
    assert len({found[f"{depth}_share"].denominator for depth in ("deep", "shallow", "blank")}) == 1


@pytest.mark.parametrize(
    ("options", "detail"),
    [
        ({"texts": None}, "not checked: the source catalogue holds no text"),
        ({"index": None}, "not checked: the source catalogue holds no text"),
    ],
)
def test_without_texts_nothing_is_said(options, detail):
    found = measured("A [1].\n", **options)
    for metric in ("deep_share", "shallow_share", "blank_share", "quote_rate"):
        assert (found[metric].validity, found[metric].value, found[metric].detail) == (
            Validity.ABSENT,
            None,
            detail,
        )


def test_without_citations_there_is_nothing_to_sort():
    assert measured("Nothing is cited.\n")["deep_share"].validity is Validity.ABSENT


@pytest.mark.parametrize(
    ("text", "chars"),
    [
        (None, 0),
        ("", 0),
        (" \n\t", 0),
        ("a b\nc", 3),
        ("https://papers.test/a", 0),
        ("<p>mud</p>", 3),
        ("404 Not Found", 0),
        ("Just a moment...\nChecking your browser", 0),
        ("mud " * 125, 375),
    ],
)
def test_only_content_counts(text, chars):
    assert content_chars(text) == chars


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("“the silt stays where it falls” [1].\n", (1.0, 1, 1)),
        ('"The Silt  stays where it falls," it says [1].\n', (1.0, 1, 1)),
        ("“the silt leaves where it falls” [1].\n", (0.0, 0, 1)),
        ("“The tide turns … the silt stays where it falls” [1].\n", (1.0, 1, 1)),
        ("“the silt stays where it falls” [1]. “the marsh keeps all of it” [1].\n", (0.5, 1, 2)),
        ("“the silt stays where it falls” [3]. “the silt stays where it falls” [1].\n", (1.0, 1, 1)),
    ],
)
def test_a_quotation_is_looked_for_in_the_source_that_it_cites(text, state):
    found = measured(text)["quote_rate"]
    assert (found.value, found.numerator, found.denominator) == state


@pytest.mark.parametrize(
    ("text", "validity"),
    [
        ("The so-called “third bank” [1].\n", Validity.ABSENT),  # a term
        ("“the silt stays where it falls”, people say.\n", Validity.ABSENT),  # no citation
        ("“the silt stays where it falls” [3].\n", Validity.UNKNOWN),  # a source without text
        ("“the silt stays where it falls” [9].\n", Validity.UNKNOWN),  # a source that nobody knows
    ],
)
def test_quotations_that_cannot_be_looked_up(text, validity):
    assert measured(text)["quote_rate"].validity is validity


def test_parts_of_a_quotation_must_come_in_order():
    assert is_verbatim("潮水每天涨落两次……泥沙留在原处", "潮水每天涨落两次,因此泥沙留在原处")
    assert not is_verbatim("泥沙留在原处……潮水每天涨落两次", "潮水每天涨落两次,因此泥沙留在原处")
