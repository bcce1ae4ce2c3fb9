"""What the three batches are meant to show, and the short story that is told of them at the end.

Belongs here: how each batch should end, the numbers before and after, where to look next. Does not belong here: running
(``run``), the corpus (``corpus``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.text import Text

from pipelines.cli.output import program, table
from pipelines.cli.run import VERDICT_STYLE
from pipelines.resources.reader import Reader, reader
from pipelines.run import Outcome


@dataclass(frozen=True)
class Chapter:
    """One batch: whether it may enter the knowledge base, the verdicts that fit the story, and its point."""

    batch: str
    ingest: bool
    verdicts: tuple[str, ...]
    point: str


CHAPTERS = (
    Chapter(
        "01-before",
        False,
        ("breach",),
        "The old system: tables copied from the material list, bodies that cite other titles. Only recorded.",
    ),
    Chapter(
        "02-after",
        True,
        ("pass",),
        "The same questions after the fix at the source: tables that hold what the body cites. Ingested.",
    ),
    Chapter(
        "03-regression",
        True,
        ("breach",),
        "A month later a third of the reports cites works that nobody holds. Delivered, and kept out.",
    ),
)
COLUMNS = (
    ("inbound v1 (exact), P50", "inbound_p50_v1_before", "inbound_p50_v1_after"),
    ("inbound v2 (containment), P50", "inbound_p50_v2_before", "inbound_p50_v2_after"),
    ("inbound v3 (safe tiers), P50", "inbound_p50_v3_before", "inbound_p50_v3_after"),
    ("inbound v3 (safe tiers), P10", "inbound_p10_v3_before", "inbound_p10_v3_after"),
    ("dirty entries", "dirty_before", "dirty_after"),
    ("reference entries", "entries_before", "entries_after"),
)
ALERTS = "SELECT title, text, state, reason FROM alerts WHERE list_contains($batches, batch_id) ORDER BY raised_at, alert_id"
README = Path(__file__).parent / "README.md"
Row = Mapping[str, object]


def surprises_of(chapter: Chapter, outcome: Outcome) -> list[str]:
    """Say in what a batch ended differently from its story; nothing: it ended as it should."""
    s = outcome.summary
    found = [f"{chapter.batch}: {step} failed: {why}" for step, why in outcome.faults.items()]
    if s.verdict not in chapter.verdicts:
        found.append(f"{chapter.batch} ended in {s.verdict}, not in {' or '.join(chapter.verdicts)}")
    if s.delivered != s.n_reports:
        found.append(f"{chapter.batch}: {s.delivered} of {s.n_reports} reports were delivered")
    admitted = s.to_ingest if chapter.ingest and s.verdict == "pass" else 0
    if s.in_kb != admitted:
        found.append(f"{chapter.batch}: {s.in_kb} reports are in the knowledge base, not {admitted}")
    return found


def figures(connection: Reader) -> list[Row]:
    """One row of numbers for each example batch, in the order of the story, from the published warehouse."""
    question = """
        SELECT b.*, c.verdict, c.clauses_breached,
            (SELECT count(*) FROM kb_documents k WHERE k.batch_id = b.batch_id) AS ingested,
            (SELECT list(report_id ORDER BY report_id) FROM held_reports h WHERE h.batch_id = b.batch_id) AS held
        FROM batch_before_after b JOIN batch_contract c USING (batch_id)
        WHERE list_contains($batches, batch_id) ORDER BY batch_id
    """
    return connection.query(question, {"batches": [chapter.batch for chapter in CHAPTERS]}).to_dicts()


def comparison(rows: Sequence[Row]) -> list[list[str]]:
    """The numbers as written and after the rebuild, one line for each measure, one cell for each batch."""
    lines = [[name, *(f"{_number(row[a])} → {_number(row[b])}" for row in rows)] for name, a, b in COLUMNS]
    lines.append(["stock closings", *(_share(row["fixed_closing"]) for row in rows)])
    lines.append(
        ["method honesty, of those that claim one", *(_share(row["method_honesty"]) for row in rows)]
    )
    lines.append(
        ["deep, blank sources (rebuilt)", *(_pair(row["deep_share"], row["blank_share"]) for row in rows)]
    )
    lines.append(["contract", *(str(row["verdict"]) for row in rows)])
    lines.append(["delivered, ingested", *(f"{row['n_reports']}, {row['ingested']}" for row in rows)])
    return [line for line in lines if any(cell != "–" for cell in line[1:])]


def markdown(rows: Sequence[Row]) -> str:
    """The comparison as the table of the README."""
    head = ["", *(f"`{row['batch_id']}`" for row in rows)]
    lines = [head, ["---"] * len(head), *comparison(rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def update_readme(home: Path) -> None:
    """Put the numbers of the last run into the README."""
    with reader(home) as connection:
        put_into_readme(figures(connection))


def put_into_readme(rows: Sequence[Row]) -> None:
    """Replace the README's table of numbers: the one whose head begins with an empty cell and the first batch.

    Raises:
        ValueError: there is no such table; nothing is written.
    """
    text = README.read_text(encoding="utf-8")
    before, found, rest = text.partition(f"|  | `{CHAPTERS[0].batch}`")
    if not found:
        raise ValueError(f"{README} has no table that begins with {CHAPTERS[0].batch}")
    README.write_text(f"{before}{markdown(rows)}\n\n{rest.partition(chr(10) * 2)[2]}", encoding="utf-8")


def tell(out: Console, home: Path) -> None:
    """Print the story: the points, the numbers side by side, what was kept out, and where to look next."""
    with reader(home) as connection:
        rows = figures(connection)
        alerts = connection.query(ALERTS, {"batches": [chapter.batch for chapter in CHAPTERS]}).to_dicts()
    out.print()
    out.print("What happened", style="bold")
    for chapter, row in zip(CHAPTERS, rows, strict=True):
        verdict = str(row["verdict"])
        state = Text(f"{verdict:<8}", style=VERDICT_STYLE.get(verdict, ""))
        line = Text.assemble(f"  {chapter.batch:<14} ", state, chapter.point)
        out.print(line, soft_wrap=True)
    out.print(table(("as written → rebuilt", *(str(row["batch_id"]) for row in rows)), comparison(rows)))
    show_alerts(out, alerts)
    out.print("Where to look next", style="bold")
    _look_next(out, rows, home)


def show_alerts(out: Console, alerts: Sequence[Row]) -> None:
    """Print what each alert says and what became of it; the latest one as it is sent."""
    for alert in alerts:
        out.print(Text.assemble("Alert  ", (str(alert["title"]), "bold")), soft_wrap=True)
    for alert in alerts[-1:]:
        out.print(Text(f"({alert['state']}: {alert['reason']})", style="dim"), soft_wrap=True)
        out.print(Text(str(alert["text"])), soft_wrap=True)


def _look_next(out: Console, rows: Sequence[Row], home: Path) -> None:
    """Name a command for each question that the numbers raise."""
    held = [str(report) for row in rows if row["ingested"] for report in _list(row["held"])]
    commands = {
        "what the rebuild was worth": "explain 01-before",
        "why one report is held although its batch passed": f"explain {held[0]} --batch 02-after"
        if held
        else "batches",
        "which clause broke, and by how much": "explain 03-regression",
        "what may be searched": 'sql "SELECT document_id, batch_id FROM kb_documents"',
    }
    width = max(map(len, commands))
    for why, command in commands.items():
        out.print(Text(f"  {why:<{width}}  {program()} {command}"), soft_wrap=True)
    out.print(
        Text(f"  {'the batches as trends, offline':<{width}}  {home / 'dashboard.html'}"), soft_wrap=True
    )
    out.print(Text(f"  {'graph, checks and trends in the browser':<{width}}  make ui"), soft_wrap=True)


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _number(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def _share(value: object) -> str:
    return f"{value:.0%}" if isinstance(value, float) else "–"


def _pair(one: object, other: object) -> str:
    return "–" if one is None and other is None else f"{_share(one)}, {_share(other)}"
