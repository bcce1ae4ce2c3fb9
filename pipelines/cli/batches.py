"""``sluicegate batches``: what has run, and how each batch ended.

Belongs here: the command. Does not belong here: the verdict (a view of the warehouse).
"""

from __future__ import annotations

import typer

from pipelines.cli.output import Config, Json, console, print_json, table
from pipelines.resources.reader import reader
from pipelines.settings import load_settings

QUESTION = """
SELECT b.batch_id, b.created_at, b.producer, b.status, b.n_reports, b.n_unreadable, c.verdict, c.contract_version,
    (SELECT count(*) FROM latest_decisions d WHERE d.batch_id = b.batch_id AND d.decision = 'ingest') AS to_ingest,
    (SELECT count(*) FROM held_reports h WHERE h.batch_id = b.batch_id) AS held,
    (SELECT count(*) FROM kb_documents k WHERE k.batch_id = b.batch_id) AS in_kb
FROM batches b LEFT JOIN batch_contract c USING (batch_id)
ORDER BY b.created_at, b.batch_id
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("batches")(batches)


def batches(as_json: Json = False, config: Config = None) -> None:
    """List all batches with verdict, decisions and what the knowledge base shows of them."""
    with reader(load_settings(config).home) as connection:
        found = connection.execute(QUESTION)
        columns = [str(column[0]) for column in found.description or []]
        rows = found.fetchall()
    if as_json:
        print_json([dict(zip(columns, row, strict=True)) for row in rows])
    else:
        keep = ("batch_id", "created_at", "status", "verdict", "n_reports", "in_kb", "held")
        shown = [
            {**dict(zip(columns, row, strict=True)), "created_at": row[1].date().isoformat()} for row in rows
        ]
        names = ("batch", "created", "status", "verdict", "reports", "in KB", "held")
        console().print(table(names, [[row[name] for name in keep] for row in shown]))
