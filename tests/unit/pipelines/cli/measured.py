"""Measured batches put straight into a warehouse, for commands that read them; no fixtures here."""

from datetime import UTC, datetime

import polars as pl

from pipelines.resources.warehouse import Warehouse

MADE = datetime(2026, 2, 1, tzinfo=UTC)


def put_batch(home, name, values, *, version="v3", day=0):
    """A batch of reports with these values of ``inbound_rate``, after the rebuild, published."""
    ids = [f"r{i:03}" for i in range(len(values))]
    store = Warehouse(home)
    with store.write("test") as tx:
        row = {
            "batch_id": name,
            "reports_path": "in",
            "status": "loaded",
            "n_reports": len(ids),
            "n_unreadable": 0,
        }
        made = MADE.replace(day=MADE.day + day)
        tx.replace("batches", pl.DataFrame([row | {"created_at": made}]), where={"batch_id": name})
        reports = {
            "report_id": ids, "written_id": ids, "ordinal": range(len(ids)), "status": "read",
            "content_fingerprint": [f"{name}/{i}" for i in ids], "has_evidence": False, "flags": [[]] * len(ids),
        }  # fmt: skip
        tx.replace(
            "reports",
            pl.DataFrame(reports).with_columns(flags=pl.lit([], dtype=pl.List(pl.String))),
            where={"batch_id": name},
        )
        metrics = {
            "report_id": ids, "stage": "rebuilt", "metric": "inbound_rate", "metric_version": version,
            "value": [float(v) for v in values], "validity": "measured",
        }  # fmt: skip
        tx.replace("report_metrics", pl.DataFrame(metrics), where={"batch_id": name})
    store.publish()
