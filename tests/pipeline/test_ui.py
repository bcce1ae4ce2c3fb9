"""``sluicegate ui`` for real: daemon, sensors, a batch from the inbox materialised through the web server."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest

from pipelines.by_hand import STEP
from tests.pipeline.corpus import WORKS, broken, sound, write_reports
from tests.receivers import Receiver

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]
PATIENCE = 240
LAUNCH = """mutation($p: ExecutionParams!) { launchRun(executionParams: $p) {
  __typename ... on LaunchRunSuccess { run { runId } } ... on PythonError { message } } }"""
BACKFILL = """mutation($p: LaunchBackfillParams!) { launchPartitionBackfill(backfillParams: $p) {
  __typename ... on LaunchBackfillSuccess { backfillId } ... on PythonError { message } } }"""
RUNS = """query($f: RunsFilter!) { runsOrError(filter: $f) { ... on Runs { results { status
  tags { key value } } } } }"""
JOBS = "{ repositoriesOrError { ... on RepositoryConnection { nodes { jobs { name } } } } }"
ENDS = ("SUCCESS", "FAILURE", "CANCELED")
STATUS = "query($r: ID!) { runOrError(runId: $r) { ... on Run { status } } }"
PARTITIONS = "{ assetNodes { assetKey { path } groupName description partitionKeys } }"


REPOSITORY = {"repositoryLocationName": "sluicegate", "repositoryName": "__repository__"}


class Ui:
    def __init__(self, home: Path, port: int, receiver: Receiver) -> None:
        self.home, self.port, self.receiver = home, port, receiver

    def ask(self, query: str, **variables: object) -> dict:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/graphql",
            json.dumps({"query": query, "variables": variables}).encode(),
            {"content-type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read())["data"]

    def run(self, job: str, batch: str | None, config: dict[str, object] | None = None) -> str:
        """Launch a job, on a batch where it has partitions, and wait for its end; returns the status."""
        selector = {**REPOSITORY, "jobName": job}
        tags = [{"key": "dagster/partition", "value": batch}] if batch else []
        launched = self.ask(
            LAUNCH,
            p={"selector": selector, "runConfigData": config or {}, "executionMetadata": {"tags": tags}},
        )
        run_id = launched["launchRun"]["run"]["runId"]

        def status() -> str | None:
            now = self.ask(STATUS, r=run_id)["runOrError"]["status"]
            return now if now in ENDS else None

        return wait_for(status, f"the end of {job}")

    def backfill(self, job: str, batches: list[str]) -> dict[str, str]:
        """Launch a job on several batches at once, as the UI's dialogue does; returns how each run ended."""
        selector = {"repositorySelector": REPOSITORY, "partitionSetName": f"{job}_partition_set"}
        launched = self.ask(BACKFILL, p={"selector": selector, "partitionNames": batches})
        tag = {"key": "dagster/backfill", "value": launched["launchPartitionBackfill"]["backfillId"]}

        def ended() -> dict[str, str] | None:
            runs = self.ask(RUNS, f={"tags": [tag]})["runsOrError"]["results"]
            found = {
                t["value"]: r["status"] for r in runs for t in r["tags"] if t["key"] == "dagster/partition"
            }
            return found if len(found) == len(batches) and set(found.values()) <= set(ENDS) else None

        return wait_for(ended, f"the backfill of {job}", patience=3 * PATIENCE)


def wait_for(answer: Callable[[], object], what: str, *, patience: float = PATIENCE):
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        found = answer()
        if found:
            return found
        time.sleep(1)
    raise AssertionError(f"waited {patience} s for {what}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="module")
def ui(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ui]:
    home, port = tmp_path_factory.mktemp("ui") / "home", free_port()
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("SLUICEGATE", "DAGSTER"))}
    code = "import sys; from pipelines.cli.main import main; main(sys.argv[1:])"
    log, receiver = (home.parent / "ui.log").open("w"), Receiver()
    process = subprocess.Popen(
        [sys.executable, "-c", code, "ui", "--port", str(port)],
        env={**environment, "SLUICEGATE_HOME": str(home), "SLUICEGATE_ALERT_URLS": receiver.url},
        cwd=Path(__file__).parents[2],
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    made = Ui(home, port, receiver)

    def up() -> bool:
        try:
            return bool(made.ask(PARTITIONS)["assetNodes"])
        except (urllib.error.URLError, ConnectionError, KeyError, TypeError):
            return False

    try:
        wait_for(up, f"the UI; its log: {home.parent / 'ui.log'}")
        yield made
    finally:
        os.killpg(process.pid, signal.SIGINT)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        log.close()
        receiver.close()


CATALOGUE = "".join(json.dumps({"source_id": i, "title": t, "url": u}) + "\n" for i, t, u in WORKS)


def drop(ui: Ui, name: str, catalogue: str, bodies: dict[str, str | bytes] | None = None) -> None:
    """Drop a batch into the inbox and wait until it is a partition."""
    folder = ui.home / "inbox" / name
    write_reports(folder / "reports", bodies or sound())
    (folder / "sources.jsonl").write_text(catalogue, encoding="utf-8")
    wait_for(lambda: name in ui.ask(PARTITIONS)["assetNodes"][0]["partitionKeys"], f"the partition {name}")


def published(ui: Ui, question: str) -> list:
    try:
        with duckdb.connect(str(ui.home / "warehouse.duckdb"), read_only=True) as connection:
            return connection.execute(question).fetchall()
    except duckdb.Error:
        return []


def test_every_asset_stands_in_its_group_and_says_which_question_it_answers(ui):
    nodes = {n["assetKey"]["path"][0]: n for n in ui.ask(PARTITIONS)["assetNodes"]}
    groups = {name: n["groupName"] for name, n in nodes.items()}
    line = {
        "reports": "corpus",
        "sources": "corpus",
        "shadow_audit": "shadow_audit",
        "rebuilt_references": "references",
        "rebuilt_audit": "references",
        "registry_checks": "evidence",
        "blind_review": "evidence",
        "batch_metrics": "contract",
        "contract_results": "contract",
        "ingestion_decisions": "gate",
        "delivered_reports": "delivery",
        "knowledge_base": "knowledge_base",
    }
    assert groups.items() >= line.items()
    assert {groups[name] for name in groups.keys() - line.keys()} <= {"drafts", "evidence", "contract"}
    assert all("?" in n["description"].split("\n")[0] for n in nodes.values())


CATALOGUE = "".join(json.dumps({"source_id": i, "title": t, "url": u}) + "\n" for i, t, u in WORKS)


def test_jobs_that_people_start_are_there(ui):
    [repository] = ui.ask(JOBS)["repositoriesOrError"]["nodes"]
    assert {"run_batch", "audit_only"} <= {job["name"] for job in repository["jobs"]}


def test_backfill_over_batches_from_the_inbox_waits_for_no_lock_and_publishes_all(ui):
    """The pool lets one run write at a time; a run that met the lock for too long would have failed."""
    names = ["dropped-1", "dropped-2", "dropped-3"]
    for name in names:
        drop(ui, name, CATALOGUE)
    assert ui.backfill("run_batch", names) == dict.fromkeys(names, "SUCCESS")
    wait_for(
        lambda: (
            published(ui, "SELECT batch_id, count(*) FROM kb_documents GROUP BY ALL ORDER BY 1")
            == [(name, 12) for name in names]
        ),
        "the publication",
    )
    states = "SELECT DISTINCT state FROM deliveries WHERE batch_id LIKE 'dropped%'"
    wait_for(lambda: published(ui, states) == [("final",)], "the final audit blocks")
    page = wait_for(
        lambda: (text := (ui.home / "dashboard.html").read_text("utf-8")) and "dropped-3" in text and text,
        "the dashboard",
    )
    assert "12 of 12 reports are in the knowledge base." in page


def test_run_that_fails_before_the_audit_still_delivers(ui):
    drop(ui, "bad-catalogue", "{this is no JSON\n")
    assert ui.run("run_batch", "bad-catalogue") == "FAILURE"
    folder = ui.home / "delivered" / "bad-catalogue"
    files = wait_for(
        lambda: len(found := sorted(folder.glob("*.md"))) == 12 and found, "incomplete deliveries"
    )
    for file in files:
        text = file.read_text("utf-8")
        assert "verification incomplete" in text
        assert text.endswith(str(sound()[file.stem]))


def test_breach_is_told_by_the_daemon_and_its_report_released_and_resubmitted_from_the_ui(ui, tmp_path):
    lost = {**sound(), "lost": broken()["brief-00"]}
    drop(ui, "broken", CATALOGUE, broken())
    assert ui.run("run_batch", "broken") == "FAILURE"  # a blocking check failed
    wait_for(lambda: ui.receiver.messages, "the message")
    (message,) = ui.receiver.messages
    assert message["title"].startswith("Sluicegate: batch broken breaks its contract")
    sent = "SELECT state FROM alerts WHERE batch_id = 'broken'"
    wait_for(lambda: published(ui, sent) == [("sent",)], "the alert's row")
    drop(ui, "lost-one", CATALOGUE, lost)
    assert ui.run("run_batch", "lost-one") == "SUCCESS"
    wait_for(lambda: len(ui.receiver.messages) == 2, "the recovery")
    assert "recovers" in ui.receiver.titles[1]
    form = {"report": "lost", "batch": "lost-one", "who": "Ada", "why": "an essay"}
    assert ui.run("release_report", None, {"ops": {STEP: {"config": form}}}) == "SUCCESS"
    shown = "SELECT count(*) FROM kb_documents WHERE batch_id = 'lost-one'"
    assert published(ui, shown) == [(13,)]
    file = tmp_path / "mended.md"
    file.write_text(str(sound()["brief-04"]), encoding="utf-8")
    again = {"report": "lost", "file": str(file), "who": "Ada"}
    assert ui.run("run_batch", "lost-one", {"ops": {"reports": {"config": again}}}) == "SUCCESS"
    version = "SELECT max(version) FROM report_versions"
    wait_for(lambda: published(ui, version) == [(2,)], "the new version")
    released = "SELECT decision, released_by FROM latest_decisions WHERE report_id = 'lost'"
    assert published(ui, released) == [("ingest", None)]
