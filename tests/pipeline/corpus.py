"""Reports and works of our own writing for the tests of the line; no fixtures here."""

from pathlib import Path

from assets.batches import Batch
from pipelines.cli.run import describe
from pipelines.contracts import accept
from pipelines.resources.warehouse import Warehouse
from pipelines.settings import Settings

WORKS = [
    ("s01", "Tidal mixing in narrow estuaries", "https://papers.test/tides"),
    ("s02", "How salt marshes store carbon", "https://papers.test/marsh"),
    ("s03", "Harbour dredging and the return of eelgrass", "https://papers.test/eelgrass"),
    ("s04", "Counting seals from the air", "https://papers.test/seals"),
    ("s05", "Sediment traps: a field manual", "https://papers.test/traps"),
]


def body(number: int, *, dangling: bool = False) -> str:
    """One report with three distinct citations; ``dangling`` cites three works that nobody lists."""
    keys = (7, 8, 9) if dangling else (1, 2, 3)
    works = [WORKS[(number + i) % len(WORKS)] for i in range(3)]
    lines = [
        f"# Estuary brief {number}",
        "",
        f"Mixing sets the pace of the whole estuary [{keys[0]}]. Marshes keep what the tide brings in [{keys[1]}].",
        f"Where dredging stopped, the meadows came back within {number + 2} summers [{keys[2]}].",
        "",
        "## References",
        "",
        *(f"[{i}] {title}. {url}" for i, (_, title, url) in enumerate(works, 1)),
        "",
    ]
    return "\n".join(lines)


def write_reports(folder: Path, bodies: dict[str, str | bytes]) -> Path:
    """A folder of Markdown, one file a report."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.md"):
        old.unlink()
    for name, content in bodies.items():
        (folder / f"{name}.md").write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def sound(count: int = 12) -> dict[str, str | bytes]:
    return {f"brief-{i:02}": body(i) for i in range(count)}


def broken(count: int = 12) -> dict[str, str | bytes]:
    return {f"brief-{i:02}": body(i, dangling=i % 2 == 0) for i in range(count)}


def described(settings: Settings, reports: Path, sources: Path | None, batch: str) -> Batch:
    """A batch of these inputs, as the command line describes it."""
    return describe(settings, reports, sources, batch, "tests")


def accepted(settings: Settings, file: Path) -> str:
    """Accept a contract file in the home, and give its version."""
    return accept(Warehouse(settings.home), file, who="A. Tester", why="a test needs it")[0].version
