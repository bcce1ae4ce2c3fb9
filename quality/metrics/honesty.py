"""Are the report's own method claims backed by its evidence manifest: ``method_honesty``.

Belongs here: the metric, and its states (DESIGN section 7).
Does not belong here: finding claims (``claims``), reading manifests (``manifest``).
"""

from __future__ import annotations

from collections.abc import Sequence

from quality.errors import Undetermined
from quality.metrics.claims import Claim
from quality.metrics.definition import Definition, Metric, Subject, Value
from quality.metrics.manifest import Supply, is_backed, needed
from quality.model import Stage

NAMED = 3
"""Claims that the detail of a value names; ``method_claims`` holds all of them."""
QUOTED = 120
"""Characters of a claim that the detail quotes."""


def method_honesty(subject: Subject) -> Value:
    """1 if every method claim of the report's own is backed by its manifest, else 0.

    Raises:
        Undetermined: the manifest is broken, or there is a claim and no manifest in a batch that has some.
    """
    manifest, claims = subject.manifest, subject.claims
    if manifest.supply is Supply.BROKEN:
        raise Undetermined(f"the evidence manifest is broken: {manifest.fault}")
    if manifest.supply is Supply.OFF:
        return Value(None, detail="not checked: no report of the batch has an evidence manifest")
    if not claims:
        read = manifest.supply is Supply.READ
        return Value(None, 0 if read else None, 0 if read else None, "the report claims no method of its own")
    if manifest.supply is Supply.MISSING:
        raise Undetermined(f"no evidence manifest for: {_named(claims)}")
    open_claims = [claim for claim in claims if not is_backed(claim, manifest)]
    return Value(
        0.0 if open_claims else 1.0, detail=f"not backed: {_named(open_claims)}" if open_claims else None
    )


def _named(claims: Sequence[Claim]) -> str:
    said = [
        f"{claim.kind} (needs {needed(claim)}): {' '.join(claim.text.split())[:QUOTED]}"
        for claim in claims[:NAMED]
    ]
    rest = len(claims) - len(said)
    return "; ".join([*said, f"and {rest} more"] if rest else said)


METRICS = (
    Metric(
        Definition(
            id="method_honesty",
            version="v1",
            title="Method honesty",
            unit="yes (1) or no (0)",
            formula="1 if each method claim of the report's own (a survey, interviews, an expert panel, an experiment, "
            "fieldwork, a systematic review, N documents or data read) is backed by its evidence manifest, else 0. "
            "Negated, planned, hypothetical, generic and attributed sentences are no claims of its own",
            stages=(Stage.SHADOW,),
            absent_when="the report claims no method of its own, or no report of the batch has a manifest (then the metric is "
            "off); unknown when there is a claim and no manifest, or the manifest is broken",
            statistics=("mean", "min"),
            owner="quality.metrics.honesty",
            says_not="It compares words with what the producing run recorded: it does not say that the work was done well, "
            "nor that the manifest is true. A claim in words that the lexicon does not know is not seen. n counts the "
            "reports whose manifest was read.",
        ),
        method_honesty,
    ),
)
