"""The gate: may this report enter the knowledge base, and if not, what has to be fixed.

Belongs here: one function per rule, all of them asked, every reason kept. Unknown is not a pass.
Does not belong here: the contract's verdict about the batch, people's releases, recording decisions, and
rules whose input does not exist yet.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from quality.gate.identifiers import IdentifierFault, identifier_faults
from quality.gate.passages import Passage
from quality.gate.policy import METHOD_CLAIMS, NOT_CHECKED, GatePolicy, Rule
from quality.metrics.numbers import beside, plain
from quality.model import GateResult, Measurement, Mode, Outcome, Reason, UnreadableReport, Validity

INBOUND_VERSION = "v3"
MOST_NAMED = 10
"""Places that a rule names one by one; the rest is told as a number, so that a reason list stays readable."""


@dataclass(frozen=True, slots=True)
class GateInput:
    """What the gate knows about one report: its numbers after the rebuild, and where the faults stand.

    ``method_honesty`` is measured on the report as written, and is among the measurements all the same.
    """

    measurements: Sequence[Measurement]
    dangling: Sequence[Passage] = ()
    dirty: Sequence[Passage] = ()
    unreadable: UnreadableReport | None = None
    manifests: bool = False  # whether any report of the batch came with an evidence manifest
    duplicate_of: str | None = None  # the written id, when another report of the batch had it first
    identifiers: Sequence[IdentifierFault] | None = None  # what is wrong with them; None: nobody was asked
    draft: tuple[str, str] | None = None  # a draft of our own loop: how the loop ended, and why
    policy: GatePolicy = field(default_factory=GatePolicy)


@dataclass(frozen=True, slots=True)
class _Fault:
    observed: str
    needed: str
    passage: str | None = None
    line: int | None = None


Faults = Iterator[_Fault]


def decide(given: GateInput) -> GateResult:
    """Ask every rule that is not off. One reason of a rule in mode ``block`` holds the report.

    ``off`` names the rules that were switched off and what no rule looks at: an audit block says it aloud.
    """
    reasons = [
        Reason(rule, given.policy.mode(rule), fault.observed, fault.needed, fault.passage, fault.line)
        for rule, ask in _RULES
        if given.policy.mode(rule) is not Mode.OFF
        for fault in ask(given)
    ]
    blocking = tuple(r for r in reasons if r.mode is Mode.BLOCK)
    return GateResult(
        outcome=Outcome.HOLD if blocking else Outcome.INGEST,
        reasons=blocking,
        would_hold=tuple(r for r in reasons if r.mode is Mode.RECORD),
        off=(*(rule for rule, _ in _RULES if given.policy.mode(rule) is Mode.OFF), *_not_asked(given)),
    )


def _not_asked(given: GateInput) -> tuple[str, ...]:
    """What no rule looks at, because its input was never supplied."""
    supplied = {Rule.IDENTIFIERS.value} if given.identifiers is not None else set()
    supplied |= {METHOD_CLAIMS} if given.manifests else set()
    return tuple(name for name in NOT_CHECKED if name not in supplied)


def _identifiers(given: GateInput) -> Faults:
    _, doubt = _measured(given, "identifier_rate", "v1")
    if given.identifiers is None or given.unreadable is not None:
        return
    if doubt and not any(fault.names_the_work for fault in given.identifiers):
        yield doubt
    yield from _told(given.identifiers, names_the_work=True)


def _locators(given: GateInput) -> Faults:
    yield from _told(given.identifiers or (), names_the_work=False)


def _told(faults: Sequence[IdentifierFault], *, names_the_work: bool) -> Faults:
    for one in identifier_faults(faults, names_the_work=names_the_work, most=MOST_NAMED):
        yield _Fault(one.observed, one.needed, one.passage, one.line)


def _unreadable(given: GateInput) -> Faults:
    if report := given.unreadable:
        yield _Fault(f"the report could not be read: {report.reason}", report.detail)


def _duplicate_id(given: GateInput) -> Faults:
    if given.duplicate_of is not None:
        yield _Fault(
            f"another report of the batch has the id {given.duplicate_of!r}",
            "give one of the two another id, and submit the batch again",
            given.duplicate_of,
        )


def _draft(given: GateInput) -> Faults:
    if given.draft is not None and given.draft[0] != "verified":
        end, why = given.draft
        yield _Fault(
            f"the draft was not verified: {end}: {why}",
            "settle its open objections and draft it again, or submit a version that a person wrote",
        )


def _inbound_rate(given: GateInput) -> Faults:
    found, doubt = _measured(given, "inbound_rate", INBOUND_VERSION)
    if doubt:
        yield doubt
        return
    least = given.policy.min_inbound_rate
    if found.validity is Validity.ABSENT:
        if given.policy.mode(Rule.CITED) is not Mode.BLOCK:  # else that rule says the same, more plainly
            yield _Fault(
                f"inbound_rate is absent: {found.detail}", "cite sources in the body, each with an entry"
            )
        return
    value = found.value or 0.0
    if value >= least:
        return
    parts = f" ({found.numerator:.0f} of {found.denominator:.0f} citations)" if found.denominator else ""
    observed = f"inbound_rate {INBOUND_VERSION} is {beside(value, least)}{parts}"
    needed = f"at least {plain(least)}{_missing(found, least)}"
    if not given.dangling:
        yield _Fault(observed, f"{needed}: give the citations entries, or remove the citations")
    for place in given.dangling[:MOST_NAMED]:
        yield _Fault(
            f"{observed}; {place.text}: {place.fault}",
            f"{needed}: add an entry for {place.text}, or remove the citation",
            place.text,
            place.line,
        )
    if rest := given.dangling[MOST_NAMED:]:
        yield _Fault(
            f"{observed}; {_and_more(rest, 'citation', 'citations')} without an entry",
            f"{needed}: add entries for them, or remove the citations",
            rest[0].text,
            rest[0].line,
        )


def _missing(found: Measurement, least: float) -> str:
    """How many more citations need an entry, where the parts of the rate are known."""
    if not found.denominator or found.numerator is None:
        return ""
    return f", that is entries for {math.ceil(least * found.denominator - found.numerator - 1e-9)} more citations"


def _and_more(rest: Sequence[Passage], one: str, many: str) -> str:
    """Say what a long list leaves out, by its ends."""
    ends = rest[0].text if len(rest) == 1 else f"{rest[0].text} to {rest[-1].text}"
    return f"{len(rest)} more {one if len(rest) == 1 else many} ({ends})"


def _cited(given: GateInput) -> Faults:
    found, doubt = _measured(given, "cited", "v1")
    if doubt:
        yield doubt
    elif found.value != 1:
        yield _Fault(_uncited_body(given), "cite at least one source in the body that the table lists")


def _uncited_body(given: GateInput) -> str:
    """Tell a report that cites nothing from one whose citations lead nowhere."""
    count, _ = _measured(given, "citation_count", "v1")
    return "the report cites nothing" if count.value == 0 else "no citation has an entry"


def _dirty_entries(given: GateInput) -> Faults:
    found, doubt = _measured(given, "dirty_entries", "v1")
    if doubt:
        yield doubt
        return
    most = given.policy.max_dirty_entries
    if (
        found.value is None or found.value <= most
    ):  # absent: no entry, so none is dirty; "cited" holds the report
        return
    observed, needed = f"{found.value:.0f} dirty entries", f"at most {most}"
    if not given.dirty:
        yield _Fault(observed, f"{needed}: clean the entries")
    remedy = f"{needed}: write the entry's title without the residue, or name a real source"
    for place in given.dirty[:MOST_NAMED]:
        yield _Fault(f"{observed}; this one: {place.fault}", remedy, place.text, place.line)
    if rest := given.dirty[MOST_NAMED:]:
        more = f"{len(rest)} more of them"
        yield _Fault(f"{observed}; {more}", remedy, rest[0].text, rest[0].line)


def _method_honesty(given: GateInput) -> Faults:
    """Ask only where a manifest was supplied with the batch; a report that claims nothing has nothing to back."""
    if not given.manifests:
        return
    found, doubt = _measured(given, "method_honesty", "v1")
    if doubt:
        yield _Fault(
            doubt.observed,
            "supply the evidence manifest of the run that wrote the report, or take the claims out",
        )
    elif found.value is not None and found.value < 1:
        yield _Fault(
            f"method claims are not backed by the evidence manifest ({found.detail or 'no detail was recorded'})",
            "do what the report says was done, and record it in the manifest, or take the claims out",
        )


def _measured(given: GateInput, metric: str, version: str) -> tuple[Measurement, _Fault | None]:
    """Give the measurement, and the fault that it is when it is unknown or was not made."""
    found = next((m for m in given.measurements if (m.metric, m.version) == (metric, version)), None)
    if found is None:
        found = Measurement(metric, version, None, Validity.UNKNOWN, detail="it was not measured")
    if found.validity is not Validity.UNKNOWN:
        return found, None
    needed = "run the audit again when the cause is gone: what is unknown does not pass"
    return found, _Fault(f"{metric} {version} is unknown: {found.detail or 'no reason was recorded'}", needed)


_RULES: tuple[tuple[Rule, Callable[[GateInput], Faults]], ...] = (
    (Rule.UNREADABLE, _unreadable),
    (Rule.DUPLICATE_ID, _duplicate_id),
    (Rule.INBOUND_RATE, _inbound_rate),
    (Rule.CITED, _cited),
    (Rule.DIRTY_ENTRIES, _dirty_entries),
    (Rule.IDENTIFIERS, _identifiers),
    (Rule.LOCATORS, _locators),
    (Rule.METHOD_HONESTY, _method_honesty),
    (Rule.DRAFT, _draft),
)
