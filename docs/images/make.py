"""Makes the pictures of the README from the examples: ``python -m docs.images.make [HOME]``.

Without a home it runs the examples in a temporary one. Needs Chromium, and for the Chinese titles a font that has them
(Debian: fonts-wqy-microhei, fonts-noto-cjk).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tests.browser.conftest import ARGUMENTS, ROOT, chromium, opened, serving

HERE = Path(__file__).parent
SECTIONS = {
    "dashboard-verdict": ("#verdict",),
    "dashboard-trends": ("#trends",),
    "dashboard-before-after": ("#distributions", "#changes"),
    "dashboard-decisions": ("#decisions",),
}
TALLEST = 900
NARROW = 390


def main(home: Path) -> None:
    """Take every picture from this home, in which the examples ran."""
    with sync_playwright() as playwright, serving(home) as server:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        _dashboard(browser, (home / "dashboard.html").resolve().as_uri())
        _ui(browser, server)
        browser.close()


def _dashboard(browser: Any, url: str) -> None:  # noqa: ANN401 - playwright's own types are a tool's, not ours
    with opened(browser, url) as (page, _):
        page.wait_for_selector("html[data-drawn]")
        for name, selectors in SECTIONS.items():
            boxes = [page.locator(selector).bounding_box() for selector in selectors]
            top, bottom = boxes[0]["y"], boxes[-1]["y"] + boxes[-1]["height"]
            clip = {"x": 0, "y": top - 8, "width": 1280, "height": min(bottom - top, TALLEST) + 16}
            page.screenshot(path=HERE / f"{name}.png", full_page=True, clip=clip)
    with opened(browser, url, width=NARROW, height=844, scheme="dark") as (page, _):
        page.wait_for_selector("html[data-drawn]")
        page.screenshot(path=HERE / "dashboard-phone-dark.png")


def _ui(browser: Any, server: str) -> None:  # noqa: ANN401
    with opened(browser, f"{server}/asset-groups", width=1720, height=620) as (
        page,
        _,
    ):
        page.locator("svg foreignObject", has_text="knowledge_base").first.wait_for()
        page.wait_for_timeout(3000)  # the graph moves into place
        page.screenshot(path=HERE / "ui-graph.png")
    place = f"{server}/assets/ingestion_decisions?view=checks&checkDetail=inbound_rate_p10"
    with opened(browser, place, width=1440, height=1040) as (page, _):
        page.get_by_text("worst_reports").first.wait_for()
        page.screenshot(path=HERE / "ui-check.png")


def _run_examples(home: Path) -> None:
    subprocess.run(
        [sys.executable, "examples/run.py"],
        cwd=ROOT,
        env={**os.environ, "SLUICEGATE_HOME": str(home)},
        check=True,
        stdout=subprocess.DEVNULL,
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]).resolve())
    else:
        with tempfile.TemporaryDirectory() as folder:
            _run_examples(Path(folder) / "home")
            main(Path(folder) / "home")
