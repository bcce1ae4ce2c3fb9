"""The dashboard as a file: one beside each publication, and a link in the home that names the latest.

Belongs here: where the files lie, writing them whole, removing those of publications that are gone.
Does not belong here: what a page shows.
"""

from __future__ import annotations

import re
from pathlib import Path

from pipelines.dashboard.bundle import chart_library
from pipelines.dashboard.facts import gather
from pipelines.dashboard.page import render
from pipelines.resources.files import point, replacing
from pipelines.resources.publication import FOLDER, Publications
from pipelines.resources.reader import reader
from pipelines.resources.warehouse import utc_now
from quality.gate.policy import GatePolicy

LINK = "dashboard.html"
_NUMBER = re.compile(r"(?:warehouse|dashboard)-(\d+)\.")


def publish_dashboard(home: Path, gate: GatePolicy) -> Path:
    """Write the page of the latest publication beside it, and point ``dashboard.html`` at the newest page.

    Returns:
        The page's file. The same publication under the same gate gives the same bytes, written once.

    Raises:
        StorageError: nothing was published yet, or the disk refuses.
    """
    publications = Publications(home.resolve(), clock=utc_now)
    text, number = page_of(home, gate, publications)
    file = publications.latest().parent / f"dashboard-{number:06d}.html"
    if not file.is_file() or file.read_text("utf-8") != text:
        write_page(file, text)
    _point_at_newest(home.resolve())
    return file


def page_of(home: Path, gate: GatePolicy, publications: Publications | None = None) -> tuple[str, int]:
    """Render the page of the latest publication; returns its text and the publication's number."""
    publications = publications or Publications(home.resolve(), clock=utc_now)
    while True:
        file = publications.latest()
        note = publications.latest_note()
        number = _number(file)
        with reader(home) as connection:
            facts = gather(
                connection, gate, published={"number": number, "at": note.published_at if note else None}
            )
        if (
            publications.latest() == file
        ):  # else another run published meanwhile, and its rows may be among these
            break
    return render(facts, library=chart_library(home.resolve() / "private")), number


def write_page(file: Path, text: str) -> None:
    """Write a page whole or not at all."""
    with replacing(file) as fresh:
        fresh.write_text(text, encoding="utf-8", newline="\n")


def _point_at_newest(home: Path) -> None:
    """Remove pages whose publication is gone, and let the link name the newest of the others, whoever else does so."""
    folder = home / FOLDER
    while True:
        for page in folder.glob("dashboard-*.html"):
            if not (folder / f"warehouse-{page.stem.split('-')[1]}.duckdb").exists():
                page.unlink(missing_ok=True)
        newest = max(folder.glob("dashboard-*.html"), key=_number)
        point(home / LINK, newest)
        if newest.exists() and newest == max(folder.glob("dashboard-*.html"), key=_number):
            return


def _number(file: Path) -> int:
    found = _NUMBER.match(file.name)
    return int(found[1]) if found else 0
