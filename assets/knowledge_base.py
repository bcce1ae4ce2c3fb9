"""Group ``knowledge_base``: what may be searched later.

Belongs here: the second look before ingestion, and ingesting. Does not belong here: deciding.
"""

from datetime import UTC, datetime

import dagster as dg
import polars as pl

from assets.batches import require_batch
from assets.common import holder, line_asset, result
from assets.ports import Reader, Store, Transaction
from quality.errors import IngestionRefused

READY = """
SELECT r.report_id, r.input_fingerprint, d.contract_version, r.title, r.language, b.body_file, b.body_sha256,
    b.body_chars
FROM reports r
JOIN latest_decisions d USING (batch_id, report_id)
JOIN rebuilds b USING (batch_id, report_id)
WHERE r.batch_id = $batch AND ($report IS NULL OR r.report_id = $report) AND d.decision = 'ingest'
    AND d.input_fingerprint = r.input_fingerprint
    AND NOT EXISTS (
        SELECT 1 FROM kb_entries k WHERE k.batch_id = r.batch_id AND k.report_id = r.report_id
            AND k.input_fingerprint = r.input_fingerprint AND k.body_sha256 = b.body_sha256
            AND k.contract_version = d.contract_version
            AND k.title IS NOT DISTINCT FROM r.title AND k.language IS NOT DISTINCT FROM r.language
    )
ORDER BY r.ordinal
"""


@line_asset(
    "knowledge_base", deps=["ingestion_decisions"], tables={"kb_entries": "one row a document ingested"}
)
def knowledge_base(
    context: dg.AssetExecutionContext, store: dg.ResourceParam[Store]
) -> dg.MaterializeResult[None]:
    """Which reports of this batch may be searched and cited from now on?

    Reads the recorded verdict and decisions back and refuses by itself unless verdict, contract version and input
    fingerprint match: a blocking check stops only the run that it is in.
    """
    batch_id = context.partition_key
    with store.write(holder(context)) as tx:
        mismatches = find_mismatches(tx, batch_id)
        if mismatches:
            refusal = IngestionRefused(batch_id, mismatches)
            raise dg.Failure(
                description=str(refusal), metadata={"mismatches": list(mismatches)}, allow_retries=False
            ) from refusal
        fresh = ingest(tx, batch_id)
        shown = tx.query("SELECT count(*) FROM kb_documents WHERE batch_id = ?", [batch_id]).item()
    return result({"ingested_now": fresh, "shown": shown})


def find_mismatches(reader: Reader, batch_id: str) -> list[str]:
    """Everything that stands between this batch and the knowledge base, each with numbers and remedy."""
    batch = require_batch(reader, batch_id)
    verdicts = reader.query("SELECT * FROM batch_contract WHERE batch_id = ?", [batch_id])
    if verdicts.is_empty():
        return [
            "It was never evaluated against a contract. Remedy: materialise `contract_results` and `ingestion_decisions`."
        ]
    verdict = verdicts.row(0, named=True)
    found: list[str] = []
    if verdict["verdict"] != "pass":
        found += _broken_clauses(reader, batch_id)
    if verdict["batch_fingerprint"] != batch["batch_fingerprint"]:
        found.append(
            "Its reports or its source catalogue changed since the contract was evaluated. "
            "Remedy: materialise the batch again from `shadow_audit` on."
        )
    if verdict["contract_version"] != batch["contract_version"]:
        found.append(
            f"It was evaluated under contract {verdict['contract_version']} and is pinned to {batch['contract_version']}. "
            "Remedy: materialise `contract_results` and `ingestion_decisions` again."
        )
    return found + _stale_decisions(reader, batch_id, verdict["contract_version"])


def _broken_clauses(reader: Reader, batch_id: str) -> list[str]:
    rows = reader.query(
        "SELECT clause, verdict, reason, worst_reports FROM latest_results "
        "WHERE batch_id = ? AND mode = 'block' AND verdict <> 'pass' ORDER BY clause",
        [batch_id],
    )
    return [
        f"Clause {clause} is {'broken' if verdict == 'breach' else 'unknown'}: {reason}. "
        f"Remedy: mend {', '.join(worst[:3]) if worst else 'the reports'} and run the batch again."
        for clause, verdict, reason, worst in rows.iter_rows()
    ]


def _stale_decisions(reader: Reader, batch_id: str, contract_version: str) -> list[str]:
    """Reports whose latest decision speaks about another input or another contract than the ones in force."""
    rows = reader.query(
        "SELECT count(*) FILTER (d.report_id IS NULL) AS undecided, "
        "count(*) FILTER (d.input_fingerprint IS DISTINCT FROM r.input_fingerprint AND d.report_id IS NOT NULL) AS other_input, "
        "count(*) FILTER (d.contract_version <> ?) AS other_contract "
        "FROM reports r LEFT JOIN latest_decisions d USING (batch_id, report_id) WHERE r.batch_id = ?",
        [contract_version, batch_id],
    )
    undecided, other_input, other_contract = rows.row(0)
    said = (
        (undecided, "report(s) without a decision"),
        (other_input, "decision(s) about another input than the one that is stored now"),
        (other_contract, f"decision(s) under another contract than {contract_version}"),
    )
    return [f"{n} {what}. Remedy: materialise `ingestion_decisions` again." for n, what in said if n]


def ingest(tx: Transaction, batch_id: str, report_id: str | None = None) -> int:
    """Write the rows of what may enter and is not in yet, of one report or of all; returns how many."""
    fresh = tx.query(READY, {"batch": batch_id, "report": report_id})
    if fresh.height:
        rows = fresh.with_columns(
            pl.concat_str(pl.lit(f"{batch_id}/"), "report_id").alias("document_id"),
            pl.lit("report").alias("kind"),
            pl.lit(datetime.now(tz=UTC)).alias("ingested_at"),
        )
        tx.replace("kb_entries", rows, where={"batch_id": batch_id, "report_id": list(fresh["report_id"])})
    return fresh.height
