"""Confirming a draft's identifiers with the registries: does each exist, and is it that work?

Belongs here: a draft's references with their claims, and checks -> what the gate needs. Does not belong here: asking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from quality.drafting.gate import Looked, identifiers_of, source_identifiers
from quality.drafting.model import Draft
from quality.model import Identifier
from quality.registries.check import Check, Reference, check_reference
from quality.registries.compare import Claim
from quality.registries.verdict import Verdict

NOT_CHECKED = Looked("not_checked")


def looked_up(
    draft: Draft,
    look_up: Callable[[Iterable[Identifier]], Mapping[Identifier, Verdict]],
    covers: Callable[[str], bool],
) -> dict[Identifier, Looked]:
    """How every identifier of a draft stands; ``not_checked`` for a kind that no configured registry covers."""
    references = draft_references(draft)
    asked = {i for r in references for i in r.identifiers if covers(i.kind)}
    verdicts = look_up(sorted(asked, key=lambda i: (i.kind, i.value)))
    found = dict.fromkeys(identifiers_of(draft), NOT_CHECKED)
    for reference in references:
        known = Reference(
            reference.label, tuple(i for i in reference.identifiers if i in verdicts), reference.claim
        )
        for check in check_reference(known, verdicts):
            found[check.identifier] = _looked(check)
    return found


def draft_references(draft: Draft) -> tuple[Reference, ...]:
    """Cited sources with what the catalogue says of them, and identifiers that the writer named itself."""
    cited = [
        Reference(s.source_id, source_identifiers(s), Claim(s.title, s.authors or None, s.year, s.venue))
        for s in draft.cited
    ]
    listed = {i for r in cited for i in r.identifiers}
    own = [Reference("in the text", (i,)) for i in identifiers_of(draft) if i not in listed]
    return (*cited, *own)


def _looked(check: Check) -> Looked:
    return Looked(check.standing.value, check.reason)
