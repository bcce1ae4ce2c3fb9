"""Method claims: what a report says was done for it, and what only sounds like it."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quality.citations.reader import read
from quality.metrics.claims import Standing, all_claims, judge, own_claims
from quality.metrics.counts import NO_COUNT, claimed_number
from tests.unit.quality.metrics.method_cases import NOT_OWN, OWN

CASES = [(kind, text, number) for kind, rows in OWN.items() for text, number in rows]


@pytest.mark.parametrize(("kind", "text", "number"), CASES)
def test_what_the_report_says_it_did_is_its_own_claim(kind, text, number):
    own = {claim.kind: claim.number for claim in judge(text) if claim.standing is Standing.OWN}
    assert kind in own
    assert own[kind] == number


@pytest.mark.parametrize(("text", "standing"), NOT_OWN)
def test_what_somebody_else_did_or_nobody_did_is_not(text, standing):
    claims = judge(text)
    assert all(claim.standing is not Standing.OWN for claim in claims)
    assert (claims[0].standing.value if claims else None) == standing


BODY = """\
# We surveyed everybody

We interviewed 14 planners. The survey by the board is older.

> We measured the noise at eleven points.

| We surveyed | 300 |
|---|---|

```
We ran an experiment with 60 volunteers.
```

Shade helps [1]. We surveyed 40 skippers. We observed the lights at night.

## References

[1] Roe. We surveyed 900 towns. https://papers.test/a
"""


def test_only_prose_is_read_and_a_line_that_cites_quotes_its_source():
    reading = read(BODY)
    own = own_claims(BODY, reading)
    assert [(c.kind, c.number, BODY[c.start : c.end].strip()) for c in own] == [
        ("interview", 14, "We interviewed 14 planners."),
        ("experiment", None, "We measured the noise at eleven points."),
        ("survey", 40, "We surveyed 40 skippers."),
    ]
    assert [c.kind for c in all_claims(BODY, reading) if c.standing is Standing.ATTRIBUTED] == ["fieldwork"]


def test_this_report_stays_the_report_whatever_it_cites():
    text = "This report draws on more than 80 sources [1], [2]."
    assert [(c.kind, c.number, c.standing) for c in judge(text)] == [("document_analysis", 80, Standing.OWN)]


def test_a_year_is_no_number_of_sources():
    assert judge("This report draws on 2024 reports.") == []


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("over 1,200 people", 1200),
        ("1.5 million users", 1_500_000),
        ("a dozen", 12),
        ("dozens of papers", 24),
        ("hundreds of sources", 200),
        ("twenty-two", 22),
        ("thirty", 30),
        ("eleven", 11),
        ("2024", NO_COUNT),
        ("2,024 papers", 2024),
        ("300 +", 300),
        ("近三百余份", 300),
        ("一千二百名", 1200),
        ("三万五千条", 35000),
        ("十二位", 12),
        ("数百名", 200),
        ("上千份", 1000),
        ("3.5万条", 35000),
        ("两轮", 2),
        ("people", None),
        ("若干", None),
    ],
)
def test_numbers_in_words(text, number):
    assert claimed_number(text) == number


@given(st.text(alphabet='we our survey interview 本研究我们访谈了问卷0123 .。,[]()"“”\n|#>*-', max_size=300))
def test_any_text_is_judged(text):
    for claim in all_claims(text, read(text)):
        assert 0 <= claim.start < claim.end <= len(text)
    judge(text)


def test_a_long_line_takes_time_in_proportion():
    text = "we conducted a, " * 4000
    started = time.process_time()
    list(all_claims(text, read(text)))
    assert time.process_time() - started < 5
