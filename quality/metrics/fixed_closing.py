"""Does a report end with a stock sentence: the entry of ``fixed_closing``.

Belongs here: the definition alone. The value needs the other reports of the batch and is computed in SQL
(``sql/statements/fixed_closing.sql``) from the closings that ``closings`` found.
"""

from __future__ import annotations

from quality.metrics.definition import Definition, Metric
from quality.model import Stage

METRICS = (
    Metric(
        Definition(
            id="fixed_closing",
            version="v1",
            title="Stock closing",
            unit="yes (1) or no (0)",
            formula="1 if the last sentence of the prose is stock, else 0: it is of a known kind (sign-off, offer, "
            "disclaimer, conclusion that fits any subject), or the same sentence, apart from numbers, dates and the "
            "words that name the subject, closes at least 3 reports and at least 5 % of the batch",
            stages=(Stage.SHADOW,),
            absent_when="the report has no prose",
            statistics=("mean",),
            owner="sql",
            says_not="A stock closing is no false one. A formula that only one report of a batch uses, in words that the "
            "lexicon does not know, is not seen.",
        ),
        None,
    ),
)
