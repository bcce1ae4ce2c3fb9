"""Group ``evidence``: the blind review, a side branch that nothing waits for.

Belongs here: handing the corpus to each reviewer, and storing what each found and what they share.
Does not belong here: the reviewers (``quality/review``), how a model is reached (``pipelines/gateway``).
"""

import asyncio
import hashlib
import json

import dagster as dg
import polars as pl

from assets.batches import require_batch
from assets.calls import keep_answers, write_calls
from assets.common import holder, line_asset, result
from assets.ports import Panel, Reader, Store, Transaction
from assets.stored import load_batch, load_sources
from quality.llm.ledger import Call
from quality.review.convergence import Ranked, convergence
from quality.review.model import (
    Category,
    Corpus,
    Examination,
    Finding,
    Review,
    ReviewerKind,
    Severity,
)

REVIEW_TABLES = {
    "reviews": "one row a batch and reviewer",
    "examinations": "one row a batch, reviewer and report",
    "findings": "one row a finding",
    "convergence": "one row a batch and category",
    "llm_calls": "one row a call",
}
_FINDINGS = {
    "ordinal": pl.Int32,
    "report_id": pl.String,
    "category": pl.String,
    "severity": pl.String,
    "explanation": pl.String,
    "quote": pl.String,
    "start_offset": pl.Int64,
    "end_offset": pl.Int64,
}
_EXAMINATIONS = {
    "report_id": pl.String,
    "validity": pl.String,
    "fault": pl.String,
    "n_findings": pl.Int32,
}
_CONVERGENCE = {
    "rank": pl.Int32,
    "category": pl.String,
    "compared": pl.Int32,
    "shared_reports": pl.Int32,
    "shared_passages": pl.Int32,
    "reviewers": pl.Int32,
    "found_by": pl.String,
    "examined_by": pl.String,
}


@line_asset(
    "evidence", deps=["reports", "sources"], tables=REVIEW_TABLES, kinds=frozenset({"duckdb", "python"})
)
def blind_review(
    context: dg.AssetExecutionContext, store: dg.ResourceParam[Store], panel: dg.ResourceParam[Panel]
) -> dg.MaterializeResult[None]:
    """Which failures do independent reviewers see, without seeing each other's findings?

    Each reviewer gets the corpus and nothing else. What two of them share is real; a report that one could not examine
    counts as not examined, never as sound.
    """
    reviews, shared = review_batch(store, context.partition_key, panel, holder(context))
    numbers: dict[str, float | int | None] = {"reviewers": len(reviews), "categories": len(shared)}
    for review in reviews:
        numbers[f"findings_{review.reviewer}"] = len(review.findings)
        numbers[f"unknown_{review.reviewer}"] = sum(1 for e in review.examinations if e.fault) or None
    return result(numbers)


def review_batch(store: Store, batch_id: str, panel: Panel, who: str) -> tuple[list[Review], list[Ranked]]:
    """Let every reviewer of the panel examine a batch, and store what came of it.

    Returns:
        The reviews made now, and what all current reviews of the batch share.
    """
    corpus = load_corpus(store, batch_id)

    async def sitting() -> tuple[list[Review], list[Call]]:
        async with panel.sit() as seats:
            reviews = await asyncio.gather(*(reviewer.review(corpus) for reviewer in seats.reviewers))
            return list(reviews), list(seats.calls)

    reviews, calls = asyncio.run(sitting())
    text_file = keep_answers(store, batch_id, calls)
    with store.write(who) as tx:
        for review in reviews:
            write_review(tx, batch_id, review, corpus)
        if calls:
            write_calls(tx, batch_id, calls, text_file)
        shared = renew_convergence(tx, batch_id, corpus)
    return reviews, shared


def load_corpus(store: Store, batch_id: str) -> Corpus:
    """What a reviewer gets to see of a batch.

    Raises:
        UsageError: the batch was never loaded.
    """
    with store.read_primary() as reader:
        require_batch(reader, batch_id)
        return Corpus(tuple(load_batch(store, reader, batch_id)), load_sources(reader, batch_id))


def corpus_hash(corpus: Corpus) -> str:
    """Hash of what was examined: the ids and bodies of the reports, in order."""
    digest = hashlib.sha256()
    for report in corpus.reports:
        body = getattr(report, "body", None)
        digest.update(json.dumps([report.report_id, body], ensure_ascii=False).encode())
    return digest.hexdigest()


def write_review(tx: Transaction, batch_id: str, review: Review, corpus: Corpus) -> None:
    """Replace one reviewer's rows of a batch."""
    where = {"batch_id": batch_id, "reviewer": review.reviewer}
    examined = [
        (
            e.report_id,
            "unknown" if e.fault else "measured",
            e.fault,
            None if e.fault else len(e.findings),
        )
        for e in review.examinations
    ]
    found = [
        (n, f.report_id, f.category.value, f.severity.value, f.explanation, f.quote, f.start, f.end)
        for n, f in enumerate(review.findings)
    ]
    row = {
        "kind": review.kind.value,
        "model": review.model,
        "prompt_version": review.prompt_version,
        "corpus_hash": corpus_hash(corpus),
        "n_reports": len(examined),
        "n_unknown": sum(1 for e in review.examinations if e.fault),
        "n_findings": len(found),
    }
    schema = {"model": pl.String, "prompt_version": pl.String}
    tx.replace("reviews", pl.DataFrame([row], schema_overrides=schema), where=where)
    tx.replace("examinations", pl.DataFrame(examined, schema=_EXAMINATIONS, orient="row"), where=where)
    tx.replace("findings", pl.DataFrame(found, schema=_FINDINGS, orient="row"), where=where)


def renew_convergence(tx: Transaction, batch_id: str, corpus: Corpus) -> list[Ranked]:
    """Rank anew what the reviews of this very corpus share; reviews of an earlier state of it stand apart."""
    ranked = convergence(stored_reviews(tx, batch_id, corpus_hash(corpus)))
    rows = [
        (
            n,
            r.category.value,
            r.compared,
            r.shared_reports,
            r.shared_passages,
            r.reviewers,
            json.dumps(dict(r.found_by), ensure_ascii=False, sort_keys=True),
            json.dumps(dict(r.examined_by), ensure_ascii=False, sort_keys=True),
        )
        for n, r in enumerate(ranked, 1)
    ]
    tx.replace(
        "convergence", pl.DataFrame(rows, schema=_CONVERGENCE, orient="row"), where={"batch_id": batch_id}
    )
    return ranked


def stored_reviews(reader: Reader, batch_id: str, of_corpus: str) -> list[Review]:
    """The recorded reviews of a batch in one state of it, by the reviewers' names."""
    heads = reader.query(
        "SELECT reviewer, kind, model, prompt_version FROM reviews WHERE batch_id = ? AND corpus_hash = ? "
        "ORDER BY reviewer",
        [batch_id, of_corpus],
    )
    return [
        Review(str(name), ReviewerKind(kind), _examinations(reader, batch_id, str(name)), model, version)
        for name, kind, model, version in heads.iter_rows()
    ]


def _examinations(reader: Reader, batch_id: str, reviewer: str) -> tuple[Examination, ...]:
    found: dict[str, list[Finding]] = {}
    rows = reader.query(
        "SELECT report_id, category, severity, explanation, quote, start_offset, end_offset FROM findings "
        "WHERE batch_id = ? AND reviewer = ? ORDER BY ordinal",
        [batch_id, reviewer],
    )
    for report_id, category, severity, explanation, quote, start, end in rows.iter_rows():
        finding = Finding(report_id, Category(category), Severity(severity), explanation, quote, start, end)
        found.setdefault(report_id, []).append(finding)
    examined = reader.query(
        "SELECT report_id, fault FROM examinations WHERE batch_id = ? AND reviewer = ? ORDER BY report_id",
        [batch_id, reviewer],
    )
    return tuple(Examination(i, tuple(found.get(i, ())), fault) for i, fault in examined.iter_rows())
