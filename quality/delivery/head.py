"""Front matter of a delivered file, for machines.

Belongs here: the key ``sluicegate`` and what it holds, the report's own keys beside it, safe YAML.
Does not belong here: the block for people (``block``), the shape of the whole file (``envelope``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

import yaml

from quality.delivery.model import DeliveredReport
from quality.model import ListedSource, Measurement, Reason, Report, Stage

FORMAT: Final = 1
OWN_KEY: Final = "sluicegate"
_PLAIN: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_ ./()\u4e00-\u9fff-]*")


# libyaml writes the same text several times as fast; PyYAML's wheels bring it, other builds may not.
if TYPE_CHECKING:
    _Base = yaml.SafeDumper
else:
    _Base = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


class _Dumper(_Base):
    """``SafeDumper`` that quotes all but the simplest text, on one line, and never writes an alias."""

    def ignore_aliases(self, data: object) -> bool:
        return True

    def represent_text(self, data: str) -> yaml.ScalarNode:
        style = None if _PLAIN.fullmatch(data) else '"'
        return self.represent_scalar("tag:yaml.org,2002:str", data, style=style)


class _Line(dict[str, object]):
    """A mapping that is written on one line, so that a long list does not bury the audit block."""


_Dumper.add_representer(str, _Dumper.represent_text)
_Dumper.add_representer(
    _Line,
    lambda dumper, data: dumper.represent_mapping("tag:yaml.org,2002:map", data.items(), flow_style=True),
)


def front_matter(report: DeliveredReport, holds: str) -> str:
    """Write the head's YAML.

    ``holds`` says what follows it: ``body``, ``file`` (a whole file) or ``beside`` (nothing).
    """
    own = dict(report.front_matter)
    ours = {"holds": holds, "format": FORMAT} | _audit(report)
    if OWN_KEY in own:
        ours["written_key"] = own.pop(OWN_KEY)
    return to_yaml({OWN_KEY: ours} | own)


def own_fields(report: Report) -> dict[str, object]:
    """Give a report's own front matter, from which intake reads the same fields again.

    Passages that came with out-of-body sources stay behind: they would bury the audit block. Evidence or
    sources that could not be read (flags ``evidence_broken``, ``sources_broken``) come back as they were
    written.
    """
    fields: dict[str, object] = {
        "id": report.report_id,
        "title": report.title,
        "language": report.language,
        "producer": report.producer,
        "question": report.question,
        "created_at": report.created_at,
        "evidence": None if report.evidence is None else dict(report.evidence),
        "sources": [item for item in map(_listed, report.sources) if item],
    }
    return {key: value for key, value in fields.items() if value not in (None, [])} | dict(report.extra)


def to_yaml(value: Mapping[str, object]) -> str:
    """Write one mapping as YAML, its keys in order; no line of it starts with ``---``."""
    return yaml.dump(
        value,
        Dumper=_Dumper,
        allow_unicode=True,
        sort_keys=False,
        width=2**31 - 1,
        default_flow_style=False,
    )


def _listed(source: ListedSource) -> dict[str, object]:
    return {key: value for key, value in asdict(source).items() if value is not None and key != "text"}


def _audit(report: DeliveredReport) -> dict[str, object]:
    return {
        "state": str(report.state),
        "batch_id": report.batch_id,
        "report_id": report.report_id,
        "input_fingerprint": report.input_fingerprint,
        "decision": _text(report.decision),
        "gate_outcome": _text(report.gate_outcome),
        "contract_verdict": _text(report.contract_verdict),
        "contract_version": report.contract_version,
        "failure": report.failure,
        **({} if report.withdrawn_at is None else {"withdrawn_at": report.withdrawn_at}),
        "rebuild_path": _text(report.rebuild_path),
        "rebuild_reason": report.rebuild_reason,
        "metrics": _metrics(report.before, report.after),
        "reasons": [_reason(reason) for reason in report.reasons],
        **_by_people(report),
        "would_hold": [_reason(reason) for reason in report.would_hold],
        "dangling": list(report.dangling),
        "not_checked": list(report.not_checked),
    }


def _by_people(report: DeliveredReport) -> dict[str, object]:
    """A release and a resubmission, where there was one."""
    said: dict[str, object] = {"version": report.version} if report.version > 1 else {}
    if report.released_by is not None:
        said |= {"released_by": report.released_by, "release_why": report.release_why}
        said["lifted"] = [_reason(reason) for reason in report.lifted]
    return said


def _metrics(before: Iterable[Measurement], after: Iterable[Measurement]) -> list[_Line]:
    """One line per metric and version: value and validity at each stage at which it was looked at."""
    rows: dict[tuple[str, str], _Line] = {}
    for stage, items in ((Stage.SHADOW, before), (Stage.REBUILT, after)):
        for item in items:
            row = rows.setdefault(
                (item.metric, item.version), _Line(metric=item.metric, version=item.version)
            )
            row[str(stage)] = item.value
            row[f"{stage}_validity"] = str(item.validity)
    return list(rows.values())


def _reason(reason: Reason) -> _Line:
    return _Line(asdict(reason) | {"mode": str(reason.mode)})


def _text(value: object) -> str | None:
    return None if value is None else str(value)
