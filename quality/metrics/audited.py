"""How much of the stored original was really read: the entry of ``audited_share``.

Belongs here: the definition alone. The value is computed in SQL, from the stored segments and from the length
that another module counted at load, so that the reader cannot vouch for itself.
"""

from __future__ import annotations

from quality.metrics.definition import Definition, Metric
from quality.model import Stage

METRICS = (
    Metric(
        Definition(
            id="audited_share",
            version="v1",
            title="Audited share",
            unit="share",
            formula="characters of the stored original that lie in exactly one of the reader's segments / its "
            "characters as counted at load; what a segment claims outside of the original is taken off",
            stages=(Stage.SHADOW,),
            absent_when="the stored original has no characters",
            statistics=("min", "mean"),
            owner="sql",
            says_not="That a passage was read does not say that it was understood. Below 1 is a bug of the "
            "reader.",
        ),
        None,
    ),
)
