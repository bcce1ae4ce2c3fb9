"""``sluicegate verify``: do these works exist, are they what the reference says, are they retracted.

Belongs here: the command: from arguments to references, and the printing of what came out. Does not belong here: looking up
(``pipelines.resources.registries``), comparing (``quality.registries``).

Exit codes: 0 every one is found, 1 one is not found, contradicted or retracted, 2 one stayed unknown (and none of the above).
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines.cli.audit import Finding, Form, sarif_log
from pipelines.cli.jsonl import json_lines
from pipelines.cli.output import Config, Json, console, errors, print_json, table
from pipelines.registries_config import RegistrySettings
from pipelines.settings import load_settings
from quality.citations.reader import read
from quality.errors import InputError, UsageError
from quality.intake.folder import read_markdown_file
from quality.model import Identifier, Report
from quality.registries.check import Check, Reference, Standing, check_reference, check_title
from quality.registries.claims import reference_of
from quality.registries.compare import FIELDS
from quality.registries.identifiers import find_identifiers
from quality.registries.references import references_of
from quality.registries.verdict import State, Verdict

if TYPE_CHECKING:
    from pipelines.resources.registries import Registries

PASS, BREACH, UNKNOWN = 0, 1, 2
_BAD = (Standing.NOT_FOUND, Standing.CONTRADICTED, Standing.RETRACTED)
_STYLE = {
    Standing.FOUND: "green", Standing.NOT_FOUND: "bold red", Standing.CONTRADICTED: "bold red",
    Standing.RETRACTED: "bold red", Standing.UNKNOWN: "yellow",
}  # fmt: skip
RULES: dict[str, str] = {
    "identifier-not-found": "No registry that covers this identifier knows it, the one with the last word included.",
    "identifier-contradicted": "The identifier exists and names another work than the reference does.",
    "identifier-retracted": "The work was retracted or withdrawn.",
    "identifier-unknown": "Whether the identifier exists could not be determined.",
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a reference stands: the file or argument, and the lines (0: none)."""

    name: str
    line: int = 0
    end_line: int = 0


@dataclass(frozen=True, slots=True)
class Verified:
    """One check with its place. ``covered``: whether anybody is asked about identifiers of its kind."""

    place: Place
    check: Check
    covered: bool


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("verify")(verify)


def verify(
    what: Annotated[
        list[str],
        typer.Argument(
            help="Identifiers, or files: Markdown reports, JSON lines of references, text with an identifier a line.",
            show_default=False,
        ),
    ],
    form: Annotated[Form, typer.Option("--format", help="How to print the result.")] = Form.TABLE,
    as_json: Json = False,
    snapshot: Annotated[
        Path | None, typer.Option(help="Ask this snapshot of known works alone, whatever is configured.")
    ] = None,
    authoritative: Annotated[
        bool, typer.Option("--authoritative", help="What that snapshot does not hold does not exist.")
    ] = False,
    config: Config = None,
) -> int:
    """Look identifiers up in the configured registries and compare each record with its reference.

    A reference as JSON has title, authors, year, venue and any of doi, pmid, pmcid, arxiv_id, isbn, url; one without an
    identifier is looked for by its title in the local snapshot.

    Exit code: 0 all found, 1 something is not found, contradicted or retracted, 2 something stayed unknown.
    """
    from pipelines.resources.registries import Registries

    settings = load_settings(config)
    asked, home = settings.registries, settings.home
    if authoritative and snapshot is None:
        raise UsageError("--authoritative speaks of a --snapshot, and none is named.", remedy="Name it.")
    if snapshot is not None:
        asked = RegistrySettings(snapshot=snapshot.resolve(), authoritative=authoritative)
    registries = Registries(asked, home)
    named = [pair for one in what for pair in _references(one)]
    verified = _verify(registries, named)
    code = exit_code(verified)
    if as_json or form is Form.JSON:
        print_json({"exit_code": code, "checks": [as_row(v) for v in verified]})
    elif form is Form.SARIF:
        print(
            json.dumps(
                sarif_log([f for v in verified if (f := _finding(v))], RULES), ensure_ascii=False, indent=2
            )
        )
    else:
        _show(verified, configured=registries.configured)
    return code


def _references(argument: str) -> Iterator[tuple[Place, Reference]]:
    path = Path(argument)
    if path.is_file():
        yield from _of_file(path)
        return
    found = find_identifiers(argument) or find_identifiers(f"doi:{argument}")
    if not found:
        raise UsageError(
            f"{argument!r} is neither a file nor an identifier.",
            remedy="Write a DOI, PMID:…, PMC…, arXiv:…, ISBN …, an address, or name a file.",
        )
    yield Place(argument), Reference(argument, found)


def _of_file(path: Path) -> Iterator[tuple[Place, Reference]]:
    if path.suffix.lower() in {".jsonl", ".ndjson"}:
        for place, value in json_lines(path):
            if not isinstance(value, dict):
                raise InputError(f"{place}: no object.", remedy="Give one reference a line.")
            number = int(place.rsplit(":", 1)[1])
            yield Place(str(path), number, number), reference_of(value, f"line {number}")
    elif path.suffix.lower() in {".md", ".markdown"}:
        yield from _of_report(path)
    else:
        for number, line in enumerate(path.read_text(encoding="utf-8-sig", errors="replace").splitlines(), 1):
            if found := find_identifiers(line) or find_identifiers(f"doi:{line.strip()}"):
                yield Place(str(path), number, number), Reference(f"line {number}", found)


def _of_report(path: Path) -> Iterator[tuple[Place, Reference]]:
    report = read_markdown_file(path)
    if not isinstance(report, Report):
        raise InputError(f"{path}: {report.reason}: {report.detail}")
    before = 0
    if report.original is not None:
        text = report.original.decode("utf-8", errors="replace")
        before = text.count("\n", 0, max(0, text.find(report.body)))
    for reference in references_of(report.body, read(report.body, report.sources)):
        start, end = (
            before + 1 + report.body.count("\n", 0, at) if at >= 0 else 0
            for at in (reference.start, reference.end)
        )
        yield Place(str(path), start, end), reference


def _verify(registries: Registries, named: Sequence[tuple[Place, Reference]]) -> list[Verified]:
    verdicts = _looked_up(registries, named)
    by_title = [r for _, r in named if not _lookable(r) and r.claim is not None and r.claim.title]
    records = registries.find_titles(str(r.claim.title) for r in by_title if r.claim is not None)
    found = []
    for place, reference in named:
        checks = list(check_reference(reference, verdicts))
        if not _lookable(reference):
            title = reference.claim.title if reference.claim is not None else None
            known = check_title(reference, records.get(title or "", ()), registries.snapshot_name)
            checks = [known] if known else checks or [_nothing(reference)]
        found += [
            Verified(place, c, c.verdict.state is not State.UNKNOWN or registries.covers(c.identifier.kind))
            for c in checks
        ]
    return found


def _lookable(reference: Reference) -> bool:
    """Whether an identifier names the work itself; an address alone leaves the title to look for."""
    return any(one.kind != "url" for one in reference.identifiers)


def _looked_up(registries: Registries, named: Sequence[tuple[Place, Reference]]) -> dict[Identifier, Verdict]:
    out = errors()
    with out.status("looking up") as status:
        return registries.look_up(
            (one for _, reference in named for one in reference.identifiers),
            progress=lambda done, total: status.update(f"{done:,} of {total:,} identifiers"),
            outage=lambda name, reason: out.print(f"{name} stopped answering ({reason})", markup=False),
        )


def _nothing(reference: Reference) -> Check:
    title = reference.claim.title if reference.claim is not None else None
    one = Identifier("title", title or reference.label)
    reason = "placeholder" if title and title.startswith("[") else "nothing_to_verify"
    return check_reference(
        dataclasses.replace(reference, identifiers=(one,)), {one: Verdict(one, State.UNKNOWN, reason)}
    )[0]


def exit_code(verified: Sequence[Verified]) -> int:
    """Judge all checks; what nobody is asked about counts only where nothing else was determined."""
    standings = [v.check.standing for v in verified]
    if any(s in _BAD for s in standings):
        return BREACH
    open_ones = [v for v in verified if v.check.standing is Standing.UNKNOWN]
    nothing = len(open_ones) == len(verified)
    return UNKNOWN if nothing or any(v.covered for v in open_ones) else PASS


def as_row(one: Verified) -> dict[str, object]:
    """One check as plain values."""
    check, record = one.check, one.check.record
    return {
        "file": one.place.name,
        "line": one.place.line or None,
        "reference": check.reference.label,
        "kind": check.identifier.kind,
        "identifier": check.identifier.value,
        "standing": check.standing.value,
        "state": check.verdict.state.value,
        "reason": check.verdict.reason or None,
        "detail": check.verdict.detail or None,
        "covered": one.covered,
        "registry": check.verdict.registry,
        "agency": record.agency if record else None,
        "form": check.verdict.form,
        "alias_of": check.verdict.alias_of.value if check.verdict.alias_of else None,
        "recheck": check.verdict.recheck,
        "fields": {name: getattr(check.comparison, name).value for name in FIELDS},
        "differing": list(check.comparison.differing),
        "notices": list(check.notices),
        "relations": [dataclasses.asdict(r) for r in check.relations],
        "record": {"title": record.title, "authors": record.authors, "years": record.years, "venues": record.venues}
        if record
        else None,
    }  # fmt: skip


def _finding(one: Verified) -> Finding | None:
    check = one.check
    if check.standing is Standing.FOUND:
        return None
    message = f"{check.reference.label}: {check.identifier.kind} {check.identifier.value}: {_said(one)}"
    rule = f"identifier-{check.standing.value.replace('_', '-')}"
    return Finding(
        one.place.name, rule, message, one.place.line, 1 if one.place.line else 0, one.place.end_line, 1
    )


def _said(one: Verified) -> str:
    why = one.check.reason
    return f"{one.check.standing.value.replace('_', ' ')}{': ' if why else ''}{why}"


def _show(verified: Sequence[Verified], *, configured: bool) -> None:
    from rich.text import Text

    out = console()
    made = table(("place", "identifier", "standing", "why", "by", "registered title"), ())
    for v in verified:
        check, title = v.check, v.check.record.title if v.check.record else None
        place = f"{Path(v.place.name).name}:{v.place.line}" if v.place.line else ""
        notes = ", ".join(n for n in check.notices) if check.standing is not Standing.RETRACTED else ""
        why = "; ".join(part for part in (check.reason, notes) if part)
        cells = (
            place,
            f"{check.identifier.kind} {check.identifier.value}",
            "",
            why,
            check.verdict.registry or "",
            title or "",
        )
        made.add_row(
            *(
                Text(c) if i != 2 else Text(check.standing.value, style=_STYLE[check.standing])
                for i, c in enumerate(cells)
            )
        )
    out.print(made)
    counts = {s: sum(v.check.standing is s for v in verified) for s in Standing}
    said = ", ".join(f"{n} {s.value.replace('_', ' ')}" for s, n in counts.items() if n)
    out.print(said or "nothing to verify", markup=False)
    uncovered = sum(not v.covered for v in verified)
    if uncovered:
        out.print(f"{uncovered} of them are of kinds that nobody is asked about", markup=False)
    if not configured:
        out.print(
            "No registry is configured: name some in [registries], or a snapshot with --snapshot.",
            markup=False,
        )
