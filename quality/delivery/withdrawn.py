"""The head of a delivered file whose report left its batch.

Belongs here: the new head around the body that is there. Does not belong here: finding the file, writing it.
"""

from __future__ import annotations

from dataclasses import replace

import yaml

from quality.delivery.block import audit_block
from quality.delivery.envelope import join, own_front_matter, split
from quality.delivery.head import OWN_KEY, front_matter
from quality.delivery.model import DeliveredReport


def render_withdrawn(text: str, report: DeliveredReport) -> str:
    """Give a delivered file a head that says the report was withdrawn, its body and its own front matter kept.

    A text without a head of ours comes back as it is: it is no delivered file any more.
    """
    head, body = split(text)
    if not head:
        return text
    own = _own(own_front_matter(text))
    ours = own.pop(OWN_KEY, None)
    told = ours if isinstance(ours, dict) else {}
    if "written_key" in told:
        own[OWN_KEY] = told["written_key"]
    about = replace(report, front_matter=own)
    return join(front_matter(about, str(told.get("holds", "body"))), audit_block(about), body)


def _own(written: str | None) -> dict[str, object]:
    """The front matter as it stands; none where a person broke it."""
    try:
        found = yaml.safe_load(written) if written else None
    except yaml.YAMLError:
        found = None
    return found if isinstance(found, dict) else {}
