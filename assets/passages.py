"""Where the faults of a batch stand, from the recorded rows.

Belongs here: rows of the stage ``rebuilt`` back into what the gate quotes. Does not belong here: quoting (quality/gate).
"""

from collections.abc import Mapping

from assets.ports import Reader
from assets.registry_checks import identifiers_were_asked
from quality.gate.identifiers import IdentifierFault
from quality.gate.passages import Passage, dangling_passages, dirty_passages
from quality.model import CitedKey, DirtyFinding, Entry, Reading, Reconciliation
from quality.registries.check import Standing

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


def identifier_faults_of(reader: Reader, batch_id: str) -> Mapping[str, tuple[IdentifierFault, ...]] | None:
    """Identifiers that do not stand, by report; None: nobody was asked. What nobody covers is no fault."""
    if not identifiers_were_asked(reader, batch_id):
        return None
    rows = reader.query(
        "SELECT report_id, kind, value, standing, reason, registered_title, passage, line FROM identifier_checks "
        "WHERE batch_id = ? AND standing <> 'found' AND covered ORDER BY report_id, ordinal",
        [batch_id],
    )
    found: dict[str, list[IdentifierFault]] = {}
    for report_id, kind, value, standing, *rest in rows.iter_rows():
        found.setdefault(report_id, []).append(IdentifierFault(kind, value, Standing(standing), *rest))
    return {report_id: tuple(faults) for report_id, faults in found.items()}
