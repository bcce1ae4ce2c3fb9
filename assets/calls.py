"""Calls of language models as rows, and what they answered as bulk text.

Belongs here: naming and storing calls. Does not belong here: making them.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence

import polars as pl

from assets.ports import Store, Transaction
from quality.llm.ledger import Call


def keep_answers(store: Store, batch_id: str, calls: Sequence[Call]) -> str | None:
    """Keep the texts of the answers; returns their file, None where there was no call."""
    return store.write_bodies(batch_id, _texts(batch_id, calls)) if calls else None


def _named(batch_id: str, calls: Sequence[Call]) -> list[tuple[str, Call]]:
    """Calls with their ids: the same questions have the same ids, in whatever order they were answered."""
    asked: Counter[tuple[str, str, str]] = Counter()
    named = []
    for call in sorted(calls, key=lambda c: (c.request.purpose, c.request.subject, c.called_at)):
        key = (call.request.purpose, call.request.subject, call.request.hash)
        digest = hashlib.sha256(json.dumps([batch_id, *key, asked[key]]).encode()).hexdigest()
        asked[key] += 1
        named.append((digest[:24], call))
    return named


def _texts(batch_id: str, calls: Sequence[Call]) -> pl.DataFrame:
    rows = [(name, "llm_call", c.answer.text) for name, c in _named(batch_id, calls) if c.answer is not None]
    return pl.DataFrame(
        rows, schema={"report_id": pl.String, "stage": pl.String, "body": pl.String}, orient="row"
    )


def write_calls(tx: Transaction, batch_id: str, calls: Sequence[Call], text_file: str | None) -> None:
    """Replace the calls of a batch for the purposes that these calls have."""
    rows = [_call_row(name, call, text_file) for name, call in _named(batch_id, calls)]
    frame = pl.DataFrame(rows, infer_schema_length=None)
    purposes = sorted({c.request.purpose for c in calls})
    for purpose in purposes:
        of_purpose = frame.filter(pl.col("purpose") == purpose)
        tx.replace("llm_calls", of_purpose, where={"batch_id": batch_id, "purpose": purpose})


def _call_row(name: str, call: Call, text_file: str | None) -> dict[str, object]:
    answer, error, request = call.answer, call.error, call.request
    return {
        "call_id": name,
        "purpose": request.purpose,
        "subject": request.subject,
        "request_hash": request.hash,
        "prompt_version": request.prompt_version,
        "model": answer.model if answer else request.model,
        "status": "answered" if answer else "failed",
        "stop_reason": answer.stop_reason if answer else None,
        "error": f"{error.kind}: {error.message}" if error else None,
        "input_tokens": answer.usage.input_tokens if answer else None,
        "output_tokens": answer.usage.output_tokens if answer else None,
        "cache_read_tokens": answer.usage.cache_read_tokens if answer else None,
        "cache_write_tokens": answer.usage.cache_write_tokens if answer else None,
        "cost": call.cost,
        "seconds": call.seconds,
        "request_id": answer.request_id if answer else None,
        "text_file": text_file if answer else None,
        "called_at": call.called_at,
    }
