"""Group ``evidence``: the identifiers of a batch, looked up in the registries that the home has configured.

Belongs here: from rebuilt reports to references, asking, and writing what came of it: the evidence, the standings, the metric
values, and the fingerprints that cover them. Does not belong here: asking itself (the resource), comparing
(quality/registries), deciding.

Whatever goes wrong outside is an unknown of the identifiers that it concerns; this asset does not fail for it. Nothing that
delivers waits for it.
"""

import dataclasses
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import dagster as dg
import polars as pl

from assets import rows
from assets.common import holder, line_asset, result
from assets.ports import Reader, RegistryDesk, Store, Transaction
from assets.stored import AnyReport, load_batch, load_rebuilt
from quality.citations.recent import read_recent
from quality.intake.fingerprint import batch_fingerprint, with_answers
from quality.metrics.identifiers import WRITTEN_BY_LOOKUP, measure_identifiers, unknown_identifiers
from quality.model import Identifier, Measurement, RebuildPath, Report, Stage
from quality.registries.answers import Found, NotFound, Record, Unknown, state_of, to_plain
from quality.registries.check import (
    Check,
    Reference,
    Standing,
    answers_fingerprint,
    check_reference,
    check_title,
)
from quality.registries.compare import FIELDS
from quality.registries.references import references_of
from quality.registries.verdict import State, Verdict

PROGRESS_EVERY = 500
_SETUPS: dict[str, Any] = {
    "batch_id": pl.String, "asked": pl.List(pl.String), "snapshot": pl.String, "authoritative": pl.Boolean,
}  # fmt: skip
_EVIDENCE: dict[str, Any] = {
    "batch_id": pl.String, "kind": pl.String, "value": pl.String, "registry": pl.String, "state": pl.String,
    "reason": pl.String, "detail": pl.String, "record": pl.String, "answered_at": pl.Datetime("us", "UTC"),
}  # fmt: skip
_CHECKS: dict[str, Any] = {
    "batch_id": pl.String, "report_id": pl.String, "ordinal": pl.Int32, "kind": pl.String, "value": pl.String,
    "entry_ordinal": pl.Int32, "standing": pl.String, "covered": pl.Boolean, "reason": pl.String, "registry": pl.String,
    "registered_title": pl.String, "alias_of": pl.String, "title_check": pl.String, "authors_check": pl.String,
    "year_check": pl.String, "venue_check": pl.String, "notices": pl.List(pl.String), "relations": pl.List(pl.String),
    "passage": pl.String, "line": pl.Int32,
}  # fmt: skip
_TABLES = ("registry_setups", "registry_checks", "identifier_checks")


@dataclasses.dataclass(frozen=True, slots=True)
class _Looked:
    """One report with its checks; ``fault`` says why there are none, if there could be none."""

    report_id: str
    checks: tuple[tuple[Check, bool], ...] = ()
    body: str = ""
    fault: str | None = None


@line_asset(
    "evidence",
    deps=["rebuilt_audit"],
    tables={
        "identifier_checks": "one row an identifier of a report",
        "registry_checks": "one row an identifier and registry",
        "registry_setups": "one row a batch whose identifiers were looked up",
    },
    kinds=frozenset({"duckdb", "python"}),
)
def registry_checks(
    context: dg.AssetExecutionContext,
    store: dg.ResourceParam[Store],
    registries: dg.ResourceParam[RegistryDesk],
) -> dg.MaterializeResult[None]:
    """Do the identifiers exist, are they of the works that the entries name, and was any of these taken back?

    Found, not found and unknown are kept apart: an outage calls no citation fake. With no registry configured nobody is
    asked, and every audit block says so.
    """
    batch_id = context.partition_key
    if not registries.configured:
        _forget(store, context, batch_id)
        return result({}, {"asked": "nobody: no registry is configured"})
    with store.read_primary() as reader:
        reports = load_batch(store, reader, batch_id)
        rebuilt = load_rebuilt(store, reader, batch_id)
    named = {r.report_id: _references(r, rebuilt) for r in reports}
    verdicts, outages = _look_up(context, registries, [r for refs in named.values() for r in refs or ()])
    titles = _known_titles(registries, [r for refs in named.values() for r in refs or ()])
    looked = [
        _checked(r.report_id, named[r.report_id], rebuilt, registries, verdicts, titles) for r in reports
    ]
    with store.write(holder(context)) as tx:
        _write(tx, batch_id, registries, looked, verdicts)
        _seal(tx, batch_id, looked)
    standings = [c.standing for one in looked for c, _ in one.checks]
    return result(
        {"identifiers": len(verdicts), **{s.value: standings.count(s) for s in Standing}},
        {"asked": "; ".join(registries.asked), "outages": ", ".join(outages) or "none"},
    )


def _forget(store: Store, context: dg.AssetExecutionContext, batch_id: str) -> None:
    """Take back what an earlier run with registries wrote about this batch, if one did."""
    with store.read_primary() as reader:
        known = reader.query("SELECT count(*) FROM registry_setups WHERE batch_id = ?", [batch_id]).item()
    if not known:
        return
    with store.write(holder(context)) as tx:
        for table in _TABLES:
            tx.execute(f"DELETE FROM {table} WHERE batch_id = ?", [batch_id])  # noqa: S608 - names from above
        _write_metrics(tx, batch_id, [])
        tx.execute(
            "UPDATE reports SET input_fingerprint = audit_fingerprint WHERE batch_id = ? AND audit_fingerprint IS NOT NULL",
            [batch_id],
        )
        _seal_batch(tx, batch_id)


def _references(report: AnyReport, rebuilt: Mapping[str, tuple[str, str]]) -> tuple[Reference, ...] | None:
    """What a report names after the rebuild; None: it has no rebuilt body, or it cannot be read."""
    if not isinstance(report, Report) or report.report_id not in rebuilt:
        return None
    path, body = rebuilt[report.report_id]
    if path == RebuildPath.FAILED:
        return None
    try:
        return references_of(body, read_recent(body, report.sources))
    except Exception:  # one report's fault costs one report (DESIGN section 5)
        return None


def _look_up(
    context: dg.AssetExecutionContext, registries: RegistryDesk, references: Sequence[Reference]
) -> tuple[dict[Identifier, Verdict], list[str]]:
    wanted = list(dict.fromkeys(one for r in references for one in r.identifiers))
    outages: list[str] = []

    def down(registry: str, reason: str) -> None:
        outages.append(registry)
        context.log.warning(
            f"{registry} stopped answering ({reason}): what it covers stays unknown until it is back"
        )

    def progress(done: int, total: int) -> None:
        if done % PROGRESS_EVERY == 0:
            context.log.info(f"looked up {done} of {total} identifiers")

    try:
        return registries.look_up(wanted, progress=progress, outage=down), outages
    except Exception as error:  # no registry, no cache and no snapshot may stop the line: unknown holds
        context.log.warning(f"the identifiers could not be looked up: {type(error).__name__}: {error}")
        detail = f"{type(error).__name__}: {error}"[:200]
        return {one: Verdict(one, State.UNKNOWN, "lookup_failed", detail) for one in wanted}, ["all"]


def _known_titles(
    registries: RegistryDesk, references: Sequence[Reference]
) -> Mapping[str, tuple[Record, ...]]:
    """Known works of the entries that have no identifier."""
    wanted = {r.claim.title for r in references if r.claim and r.claim.title and not _names_work(r)}
    try:
        return registries.find_titles(sorted(wanted))
    except Exception:  # the identifiers have told the same fault already
        return {}


def _names_work(reference: Reference) -> bool:
    return any(one.kind != "url" for one in reference.identifiers)


def _checked(
    report_id: str,
    references: tuple[Reference, ...] | None,
    rebuilt: Mapping[str, tuple[str, str]],
    registries: RegistryDesk,
    verdicts: Mapping[Identifier, Verdict],
    titles: Mapping[str, tuple[Record, ...]],
) -> _Looked:
    if references is None:
        return _Looked(report_id, fault="there is no rebuilt body whose identifiers could be looked up")
    found: list[tuple[Check, bool]] = []
    for reference in references:
        checks = check_reference(reference, verdicts)
        title = reference.claim.title if reference.claim else None
        if title and not _names_work(reference):
            known = check_title(reference, titles.get(title, ()), registries.snapshot_name)
            checks = (*checks, known) if known else checks
        found += [
            (c, c.verdict.state is not State.UNKNOWN or registries.covers(c.identifier.kind)) for c in checks
        ]
    return _Looked(report_id, tuple(found), rebuilt[report_id][1])


def _write(
    tx: Transaction,
    batch_id: str,
    registries: RegistryDesk,
    looked: Sequence[_Looked],
    verdicts: Mapping[Identifier, Verdict],
) -> None:
    where = {"batch_id": batch_id}
    setup = [(batch_id, list(registries.asked), registries.snapshot_file, registries.authoritative)]
    tx.replace("registry_setups", pl.DataFrame(setup, schema=_SETUPS, orient="row"), where=where)
    evidence = [
        row for verdict in verdicts.values() for row in _evidence(batch_id, verdict, registries.snapshot_name)
    ]
    frame = pl.DataFrame(evidence, schema=_EVIDENCE, orient="row").unique(
        ["kind", "value", "registry"], maintain_order=True
    )
    tx.replace("registry_checks", frame, where=where)
    checks = [
        _check_row(batch_id, one, i, check, covered)
        for one in looked
        for i, (check, covered) in enumerate(one.checks)
    ]
    tx.replace("identifier_checks", pl.DataFrame(checks, schema=_CHECKS, orient="row"), where=where)
    _write_metrics(tx, batch_id, looked)


def _write_metrics(tx: Transaction, batch_id: str, looked: Sequence[_Looked]) -> None:
    measured = [(one.report_id, m) for one in looked for m in _measured(one)]
    prints = dict(
        tx.query(
            "SELECT report_id, input_fingerprint FROM reports WHERE batch_id = ?", [batch_id]
        ).iter_rows()
    )
    frame = rows.frame(
        (
            (
                batch_id, report_id, Stage.REBUILT.value, m.metric, m.version, m.value, m.numerator, m.denominator,
                m.validity.value, m.detail, prints.get(report_id),
            )
            for report_id, m in measured
        ),
        rows.METRICS,
    )  # fmt: skip
    where = {"batch_id": batch_id, "stage": Stage.REBUILT.value, "metric": sorted(WRITTEN_BY_LOOKUP)}
    tx.replace("report_metrics", frame, where=where)


def _measured(one: _Looked) -> tuple[Measurement, ...]:
    return unknown_identifiers(one.fault) if one.fault else measure_identifiers(one.checks)


def _evidence(batch_id: str, verdict: Verdict, local: str) -> list[tuple[object, ...]]:
    made: list[tuple[object, ...]] = []
    for given in verdict.given:
        answer = given.answer
        record = (
            json.dumps(to_plain(answer)["record"], ensure_ascii=False) if isinstance(answer, Found) else None
        )
        reason = answer.reason if isinstance(answer, NotFound | Unknown) else None
        detail = answer.detail or None if isinstance(answer, Unknown) else None
        at = None if given.registry == local else datetime.fromtimestamp(given.at, UTC)
        one = given.identifier
        made.append(
            (batch_id, one.kind, one.value, given.registry, state_of(answer), reason, detail, record, at)
        )
    return made


def _check_row(batch_id: str, one: _Looked, ordinal: int, check: Check, covered: bool) -> tuple[object, ...]:
    start = check.reference.start
    alias = check.verdict.alias_of
    return (
        batch_id,
        one.report_id,
        ordinal,
        check.identifier.kind,
        check.identifier.value,
        check.reference.ordinal,
        check.standing.value,
        covered,
        check.reason or None,
        check.verdict.registry,
        check.record.title if check.record else None,
        f"{alias.kind}:{alias.value}" if alias else None,
        *(getattr(check.comparison, name).value for name in FIELDS),
        list(check.notices),
        [f"{r.kind} {r.target}" for r in check.relations],
        check.reference.label,
        one.body.count("\n", 0, start) + 1 if start >= 0 else None,
    )


def _seal(tx: Transaction, batch_id: str, looked: Sequence[_Looked]) -> None:
    """Let the input fingerprint of every report cover what the registries said about its identifiers."""
    sealed = dict(
        tx.query(
            "SELECT report_id, coalesce(audit_fingerprint, input_fingerprint) FROM reports WHERE batch_id = ?",
            [batch_id],
        ).iter_rows()
    )
    answers = {one.report_id: answers_fingerprint(check for check, _ in one.checks) for one in looked}
    prints = {i: with_answers(known, answers[i]) for i, known in sealed.items() if known and i in answers}
    tx.execute(
        "UPDATE reports SET audit_fingerprint = coalesce(audit_fingerprint, input_fingerprint), "
        "input_fingerprint = sealed.fingerprint FROM "
        "(SELECT unnest(?::VARCHAR[]) AS report_id, unnest(?::VARCHAR[]) AS fingerprint) AS sealed "
        "WHERE reports.batch_id = ? AND reports.report_id = sealed.report_id",
        [list(prints), list(prints.values()), batch_id],
    )
    _seal_batch(tx, batch_id)


def _seal_batch(tx: Transaction, batch_id: str) -> None:
    prints = tx.query("SELECT report_id, input_fingerprint FROM reports WHERE batch_id = ?", [batch_id])
    if prints["input_fingerprint"].null_count() == 0:
        pairs = [(str(i), str(f)) for i, f in prints.iter_rows()]
        tx.execute(
            "UPDATE batches SET batch_fingerprint = ? WHERE batch_id = ?",
            [batch_fingerprint(pairs), batch_id],
        )


def identifiers_were_asked(reader: Reader, batch_id: str) -> bool:
    """Whether anybody was asked about the identifiers of this batch."""
    return bool(reader.query("SELECT count(*) FROM registry_setups WHERE batch_id = ?", [batch_id]).item())
