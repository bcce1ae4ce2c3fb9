"""Chromium, a home with a batch that passed and one that broke its contract, and Dagster's web server on it.

One home and one server serve all tests of this folder. Where there is no Chromium the tests are skipped with the
reason, unless SLUICEGATE_BROWSER_TESTS=required says that this is a fault.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from pipelines.run import run_batch
from pipelines.settings import load_settings
from tests.pipeline.corpus import WORKS, body, broken, described, sound, write_reports

ROOT = Path(__file__).parents[2]
REQUIRED = "SLUICEGATE_BROWSER_TESTS"
ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
PATIENCE = 120
LOCATION = """{ workspaceOrError { ... on Workspace { locationEntries { loadStatus
  locationOrLoadError { __typename ... on PythonError { message } } } } } }"""


def chromium() -> str:
    """The browser's path; where there is none the tests are skipped, or fail if they are required."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    said = "there is no chromium on the PATH; `.ci/run` installs it"
    return pytest.fail(said) if os.environ.get(REQUIRED) == "required" else pytest.skip(said)


@pytest.fixture(scope="module")
def browser(home):
    """One browser a module: an open one keeps an event loop running, in which no batch can run; so ``home`` comes first."""
    path = chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield opened
        opened.close()


@dataclass
class Seen:
    """What a page did besides showing itself."""

    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def outside(self, *hosts: str) -> list[str]:
        """Requests to anything but files, data in the page itself, and these hosts."""
        parts = [(url, urlsplit(url)) for url in self.requests]
        return [u for u, p in parts if p.scheme not in ("file", "data", "blob") and p.hostname not in hosts]


@contextmanager
def opened(
    browser, url: str, *, width: int = 1280, height: int = 900, scheme: str = "light"
) -> Iterator[tuple]:
    """A page and what it did: errors on its console, and every request that it made."""
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
    seen = Seen()
    page.on("console", lambda m: seen.errors.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda e: seen.errors.append(str(e)))
    page.on("request", lambda r: seen.requests.append(r.url))
    page.set_default_timeout(PATIENCE * 1000)
    try:
        page.goto(url)
        yield page, seen
    finally:
        page.close()


@pytest.fixture(scope="session")
def home(tmp_path_factory) -> Iterator[Path]:
    """``sound`` passed; ``broken``, made a moment later, broke its contract; one report of it cites nothing."""
    chromium()
    folder = tmp_path_factory.mktemp("browser")
    before = dict(os.environ)
    os.environ["SLUICEGATE_HOME"] = str(folder / "home")
    try:
        settings = load_settings()
        catalogue = folder / "sources.jsonl"
        rows = [{"source_id": i, "title": title, "url": url} for i, title, url in WORKS]
        catalogue.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        silent = body(1).split("Mixing")[0] + "It cites nothing.\n"
        for name, bodies in (("sound", sound()), ("broken", {**broken(), "silent": silent})):
            reports = write_reports(folder / name, bodies)
            outcome = run_batch(settings, described(settings, reports, catalogue, name))
            assert not outcome.faults
            time.sleep(
                1.1 if name == "sound" else 0
            )  # batches are ordered by the second in which they were made
        yield folder / "home"
    finally:
        os.environ.clear()
        os.environ.update(before)


@pytest.fixture(scope="session")
def server(home) -> Iterator[str]:
    """Dagster's web server on that home: its address."""
    with serving(home) as address:
        yield address


@contextmanager
def serving(home: Path) -> Iterator[str]:
    """Dagster's web server on a home, until the end of the block."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "dagster_webserver",
        "-w",
        "workspace.yaml",
        "-h",
        "127.0.0.1",
        "-p",
        str(port),
    ]
    environment = {**os.environ, "SLUICEGATE_HOME": str(home), "DAGSTER_HOME": str(home / "dagster")}
    with (home.parent / "server.log").open("w") as log:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            _wait(f"http://127.0.0.1:{port}", process, Path(log.name))
            yield f"http://127.0.0.1:{port}"
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _wait(address: str, process: subprocess.Popen, log: Path) -> None:
    """Until the location is loaded; a location that cannot be loaded is told with its message."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        try:
            request = urllib.request.Request(
                f"{address}/graphql",
                json.dumps({"query": LOCATION}).encode(),
                {"content-type": "application/json"},
            )
            with urllib.request.urlopen(request, timeout=10) as answer:
                [entry] = json.loads(answer.read())["data"]["workspaceOrError"]["locationEntries"]
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.5)
            continue
        loaded = entry["locationOrLoadError"]
        assert not loaded or loaded["__typename"] != "PythonError", loaded["message"]
        if loaded and entry["loadStatus"] == "LOADED":
            return
        time.sleep(0.5)
    raise AssertionError(f"the web server did not answer: {log.read_text('utf-8')[-2000:]}")
