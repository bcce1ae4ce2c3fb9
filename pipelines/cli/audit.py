"""``sluicegate audit``: single files checked without any pipeline, home, database or network.

Belongs here: turning a reading into findings with lines, and printing them as a table, JSON or SARIF.
Does not belong here: the rules themselves (``quality.citations``, ``quality.metrics.dirt``) and decisions
(``quality.gate``).

Exit codes: 0 no findings, 1 findings, 2 a file could not be read (and no other had findings), 64 usage.
"""

from __future__ import annotations

import json
import sys
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from quality.citations.reader import read
from quality.citations.reconcile import reconcile
from quality.citations.titles import match_exact
from quality.errors import Undetermined, UsageError
from quality.intake.folder import read_markdown_file
from quality.metrics.dirt import find_dirt
from quality.model import Reading, Reconciliation, Report, TitleMatch, UnreadableReport

PASS, BREACH = 0, 1
_PIPED_WIDTH = 200  # columns where no terminal says how wide it is: places stay on one line

RULES: dict[str, str] = {
    "dangling-citation": "A citation has no entry in the reference list.",
    "ambiguous-citation": "A citation fits several entries, so it names none.",
    "placeholder-citation": "A mark says that a citation was meant and names none.",
    "dirty-entry": "A reference entry holds residue: markers, fragments, placeholders, error pages.",
    "no-citations": "The report has no citation that points at a source.",
    "unreadable": "The file is no report that can be read.",
}


class Form(StrEnum):
    """How findings are printed."""

    TABLE = "table"
    JSON = "json"
    SARIF = "sarif"


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault in one file. Lines and columns count from 1; 0 speaks of the whole file."""

    path: str
    rule: str
    message: str
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0
    excerpt: str = ""


@dataclass(frozen=True, slots=True)
class Audited:
    """What the audit of one file found; ``citations`` is None where the file could not be read."""

    path: str
    findings: tuple[Finding, ...]
    citations: int | None = None
    entries: int = 0
    with_entry: int = 0
    self_contained: int = 0
    uncited: int = 0
    flags: tuple[str, ...] = ()

    @property
    def unreadable(self) -> bool:
        """Whether the question could not be answered."""
        return self.citations is None


class _Lines:
    """Places of offsets of a body in the file that it was cut from."""

    def __init__(self, body: str, first_line: int) -> None:
        self._starts = [0, *(n + 1 for n, c in enumerate(body) if c == "\n")]
        self._first = first_line

    def place(self, offset: int) -> tuple[int, int]:
        index = bisect_right(self._starts, offset) - 1
        return self._first + index, offset - self._starts[index] + 1


def audit_file(path: Path) -> Audited:
    """Audit one Markdown file; a file that is no report gives one ``unreadable`` finding."""
    report = read_markdown_file(path)
    if isinstance(report, UnreadableReport):
        message = f"{report.reason}: {report.detail}"
        return Audited(str(path), (Finding(str(path), "unreadable", message),))
    return audit_report(str(path), report)


def audit_report(path: str, report: Report) -> Audited:
    """Audit a report that was read; ``path`` only names it."""
    reading = read(report.body, report.sources)
    result = reconcile(reading, _title_matcher(reading))
    lines = _Lines(report.body, _first_line(report))
    findings = (
        *_citation_findings(path, report.body, reading, result, lines),
        *_placeholder_findings(path, report.body, reading, lines),
        *_dirt_findings(path, reading, lines),
        *_no_citations(path, result),
    )
    return Audited(
        path,
        tuple(sorted(findings, key=lambda f: (f.line, f.column))),
        citations=len(result.cited),
        entries=len(reading.entries),
        with_entry=sum(c.entry is not None for c in result.cited),
        self_contained=sum(c.self_contained for c in result.cited),
        uncited=len(result.uncited),
        flags=reading.flags,
    )


def _title_matcher(reading: Reading) -> TitleMatch:
    """Match titles as the gate does; its tables load numpy, so only where a title is cited."""
    if not any(mark.family == "title" for mark in reading.marks):
        return match_exact
    from quality.sources.own_table import match_own_table

    return match_own_table


def _first_line(report: Report) -> int:
    """Line of the file on which the body begins: behind front matter, if there is any."""
    if report.original is None:
        return 1
    text = report.original.decode("utf-8", errors="replace")
    at = text.find(report.body)
    return text.count("\n", 0, at) + 1 if at > 0 else 1


def _citation_findings(
    path: str, body: str, reading: Reading, result: Reconciliation, lines: _Lines
) -> Iterator[Finding]:
    faults = {(c.family, c.scope, c.key): "dangling-citation" for c in result.dangling}
    faults |= {(c.family, c.scope, c.key): "ambiguous-citation" for c in result.ambiguous}
    for mark in reading.marks:
        for key in mark.keys:
            rule = faults.get((mark.family, mark.scope, key))
            if rule and mark.locator is None:
                why = "has no entry" if rule == "dangling-citation" else "fits several entries"
                yield _at(path, rule, f"{key} {why}", text=body, span=(mark.start, mark.end), lines=lines)


def _placeholder_findings(path: str, body: str, reading: Reading, lines: _Lines) -> Iterator[Finding]:
    for mark in reading.marks:
        if mark.family == "placeholder":
            message = "a citation was meant here, and none is named"
            yield _at(
                path, "placeholder-citation", message, text=body, span=(mark.start, mark.end), lines=lines
            )


def _dirt_findings(path: str, reading: Reading, lines: _Lines) -> Iterator[Finding]:
    for entry in reading.entries:
        for dirt in find_dirt(entry):
            label = f"entry {entry.key}" if entry.key else f"entry no. {entry.ordinal + 1}"
            message = f"{label}: {dirt.reason}"
            if entry.start < 0:
                yield Finding(path, "dirty-entry", message, excerpt=_short(entry.text))
            else:
                span = (entry.start + dirt.start, entry.start + dirt.end)
                yield _at(
                    path, "dirty-entry", message, text=entry.text, span=span, lines=lines, offset=entry.start
                )


def _no_citations(path: str, result: Reconciliation) -> Iterator[Finding]:
    if not result.cited:
        yield Finding(path, "no-citations", "the report cites nothing, so nothing in it can be checked")


def _at(
    path: str,
    rule: str,
    message: str,
    *,
    text: str,
    span: tuple[int, int],
    lines: _Lines,
    offset: int = 0,
) -> Finding:
    line, column = lines.place(span[0])
    end_line, end_column = lines.place(span[1])
    excerpt = _short(text[span[0] - offset : span[1] - offset])
    return Finding(path, rule, message, line, column, end_line, end_column, excerpt)


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= 80 else plain[:79] + "…"


def exit_code(audited: Sequence[Audited]) -> int:
    """Judge all files: findings are a breach, a file that could not be read is no pass."""
    if any(f.rule != "unreadable" for a in audited for f in a.findings):
        return BREACH
    return Undetermined.exit_code if any(a.unreadable for a in audited) else PASS


def as_json(audited: Sequence[Audited]) -> dict[str, object]:
    """Turn everything into plain values."""
    return {
        "exit_code": exit_code(audited),
        "files": [asdict(a) | {"unreadable": a.unreadable} for a in audited],
    }


def as_sarif(audited: Sequence[Audited]) -> dict[str, object]:
    """Write the findings as a SARIF 2.1.0 log, which code-scanning services and editors read."""
    return sarif_log([f for a in audited for f in a.findings], RULES)


def sarif_log(findings: Sequence[Finding], rules: Mapping[str, str]) -> dict[str, object]:
    """Write findings as a SARIF 2.1.0 log; ``rules`` says what each rule means."""
    results = [_sarif_result(f) for f in findings]
    driver = {
        "name": "sluicegate",
        "rules": [{"id": rule, "shortDescription": {"text": text}} for rule, text in rules.items()],
    }
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}


def _sarif_result(finding: Finding) -> dict[str, object]:
    place: dict[str, object] = {"artifactLocation": {"uri": Path(finding.path).as_posix()}}
    if finding.line:
        place["region"] = {
            "startLine": finding.line,
            "startColumn": finding.column,
            "endLine": finding.end_line,
            "endColumn": finding.end_column,
        }
    message = f"{finding.message}: {finding.excerpt}" if finding.excerpt else finding.message
    return {
        "ruleId": finding.rule,
        "level": "error",
        "message": {"text": message},
        "locations": [{"physicalLocation": place}],
    }


def _print_table(audited: Sequence[Audited]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    width = None if sys.stdout.isatty() else _PIPED_WIDTH
    console = Console(file=sys.stdout, highlight=False, width=width)
    rows = [f for a in audited for f in a.findings]
    if rows:
        table = Table(show_edge=False, pad_edge=False)
        for column in ("place", "rule", "finding", "text"):
            table.add_column(column, overflow="fold")
        for f in rows:
            place = f"{f.path}:{f.line}:{f.column}" if f.line else f.path
            table.add_row(*(Text(cell) for cell in (place, f.rule, f.message, f.excerpt)))
        console.print(table)
    for one in audited:
        console.print(Text(_summary(one)))


def _summary(one: Audited) -> str:
    if one.citations is None:
        return f"{one.path}: could not be read"
    verdict = f"{len(one.findings)} findings" if one.findings else "pass"
    said = f" ({', '.join(one.flags)})" if one.flags else ""
    return (
        f"{one.path}: {verdict}; {one.citations} citations, {one.with_entry} with an entry, "
        f"{one.self_contained} with their own address; {one.entries} entries, {one.uncited} uncited{said}"
    )


def audit(
    files: Annotated[list[Path], typer.Argument(help="Markdown files to check.", show_default=False)],
    form: Annotated[Form, typer.Option("--format", help="How to print the findings.")] = Form.TABLE,
) -> None:
    """Check the citations and the reference list of single reports.

    Judged: citations without an entry, placeholders, dirty entries, reports that cite nothing.

    Exit code 0 without findings, 1 with, 2 if a file could not be read.
    """
    for path in files:
        if not path.is_file():
            raise UsageError(
                f"{path} is no file.", remedy="Name Markdown files; folders go to `sluicegate run`."
            )
    audited = [audit_file(path) for path in files]
    if form is Form.TABLE:
        _print_table(audited)
    else:
        shown = as_json(audited) if form is Form.JSON else as_sarif(audited)
        print(json.dumps(shown, ensure_ascii=False, indent=2))
    raise typer.Exit(exit_code(audited))


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("audit")(audit)
