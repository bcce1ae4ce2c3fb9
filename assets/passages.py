"""Where the faults of a batch stand, from the recorded rows.

Belongs here: rows of the stage ``rebuilt`` back into what the gate quotes. Does not belong here: quoting (quality/gate).
"""

from collections.abc import Mapping

from assets.ports import Reader
from quality.gate.passages import Passage, dangling_passages, dirty_passages
from quality.model import CitedKey, DirtyFinding, Entry, Reading, Reconciliation

Passages = dict[str, tuple[Passage, ...]]


def passages_of(reader: Reader, batch_id: str, bodies: Mapping[str, str]) -> tuple[Passages, Passages]:
    """Dangling citations and dirty entries by report, for the reports that have any."""
    return _dangling(reader, batch_id, bodies), _dirty(reader, batch_id, bodies)


def _dangling(reader: Reader, batch_id: str, bodies: Mapping[str, str]) -> Passages:
    rows = reader.query(
        "SELECT report_id, key, family, style, scope, occurrences, first_offset FROM cited_keys WHERE batch_id = ? "
        "AND stage = 'rebuilt' AND entry_ordinal IS NULL ORDER BY report_id, ordinal",
        [batch_id],
    )
    found: dict[str, list[CitedKey]] = {}
    for report_id, key, family, style, scope, occurrences, first in rows.iter_rows():
        found.setdefault(report_id, []).append(CitedKey(key, family, style, scope, occurrences, first, None))
    return {i: dangling_passages(bodies[i], Reconciliation(tuple(keys), ())) for i, keys in found.items()}


def _dirty(reader: Reader, batch_id: str, bodies: Mapping[str, str]) -> Passages:
    rows = reader.query(
        "SELECT report_id, key, text, start_offset, dirty_reasons FROM reference_entries WHERE batch_id = ? "
        "AND stage = 'rebuilt' AND len(dirty_reasons) > 0 ORDER BY report_id, ordinal",
        [batch_id],
    )
    entries: dict[str, list[Entry]] = {}
    findings: dict[str, list[DirtyFinding]] = {}
    for report_id, key, text, start, reasons in rows.iter_rows():
        listed = entries.setdefault(report_id, [])
        findings.setdefault(report_id, []).extend(
            DirtyFinding(len(listed), reason, 0, 0) for reason in reasons
        )
        listed.append(Entry(len(listed), key, text, start=-1 if start is None else start))
    return {
        i: dirty_passages(bodies[i], Reading(len(bodies[i]), (), tuple(listed), (), ()), findings[i])
        for i, listed in entries.items()
    }
