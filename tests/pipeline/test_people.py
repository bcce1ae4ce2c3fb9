"""What people do to single reports: release, withdraw, resubmit; what each shows, and what none of them can do.

Each test is one story on one batch, because a run costs seconds.
"""

import json

import duckdb
import pytest
from dagster import DagsterInstance

from assets.partitions import BATCHES
from pipelines.by_hand import RELEASE, STEP
from pipelines.cli.main import call
from pipelines.definitions import build_defs
from pipelines.finish import end_of_run
from pipelines.jobs import RUN_BATCH
from pipelines.release import release_report
from pipelines.resources.warehouse import Warehouse
from pipelines.resubmit import resubmit_report
from quality.errors import InputError, UsageError
from tests.pipeline.corpus import body, broken, sound

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


def ask(settings, question):
    with duckdb.connect(str(settings.home / "warehouse.duckdb"), read_only=True) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        return connection.execute(question).fetchall()


def one_held():
    """Twelve sound reports, and one that cites three works which nobody lists."""
    return {**sound(12), "lost": body(4, dangling=True)}


def interrupted(*_, **__):
    raise KeyboardInterrupt


@pytest.fixture
def store(settings):
    return Warehouse(settings.home, lock_wait=5)


def shown(settings):
    return {i for (i,) in ask(settings, "SELECT report_id FROM kb_documents")}


def block(settings):
    return (settings.home / "delivered" / "b" / "lost.md").read_text("utf-8")


def test_release_from_refusal_to_withdrawal(run, settings, store, monkeypatch, capsys):
    import assets.releases

    bodies = {**one_held(), "pdf": b"%PDF-1.7 \x00\x01"}
    assert run(bodies).exit_code == 0
    assert "lost" not in shown(settings)

    # what would lift nothing, or has no person and no reason, is refused and leaves no row
    refused = [
        ("brief-03", "Ada", "please", "is not held by the gate"),
        ("nobody", "Ada", "please", "There is no report 'nobody'"),
        ("pdf", "Ada", "please", "cannot be released: the report could not be read"),
        ("lost", "", "please", "with a person and a reason"),
        ("lost", "Ada", "  ", "with a person and a reason"),
    ]
    for report, who, why, said in refused:
        with pytest.raises(UsageError, match=said):
            release_report(store, report, who=who, why=why)
    with pytest.raises(UsageError, match="No release of report 'lost' stands"):
        release_report(store, "lost", who="Ada", why="x", action="withdraw")
    with store.read_primary() as look:
        assert look.query("SELECT * FROM releases").is_empty()

    # killed inside the transaction: nothing; killed after it, before readers are told: the same call brings the rest
    with monkeypatch.context() as patched:
        patched.setattr(assets.releases, "ingest", interrupted)
        with pytest.raises(KeyboardInterrupt):
            release_report(store, "lost", who="Ada", why="an essay")
    with store.read_primary() as look:
        assert look.query("SELECT * FROM releases").is_empty()
        assert look.query("SELECT decision FROM latest_decisions WHERE report_id = 'lost'").item() == "hold"
    with monkeypatch.context() as patched:
        patched.setattr("pipelines.release.end_of_run", interrupted)
        with pytest.raises(KeyboardInterrupt):
            release_report(store, "lost", who="Ada", why="an essay")
    assert "lost" not in shown(settings)
    done, faults = release_report(store, "lost", who="Ada", why="an essay")
    assert (done.fresh, done.decision, done.shown, faults) == (False, "ingest", True, {})
    assert {r.rule for r in done.lifted} == {"inbound_rate", "cited"}

    # the knowledge base shows it at once, and everything says who and why
    assert "lost" in shown(settings)
    assert ask(settings, "SELECT report_id FROM held_reports") == [("pdf",)]
    columns = "decision, gate_outcome, reasons, lifted, released_by, release_why"
    ((*row, lifted, who, why),) = ask(
        settings,
        f"SELECT {columns} FROM latest_decisions WHERE report_id = 'lost'",
    )
    assert (row, who, why) == (["ingest", "hold", "[]"], "Ada", "an essay")
    assert {r["rule"] for r in json.loads(lifted)} == {"inbound_rate", "cited"}
    assert "Sluicegate audit: ingest" in block(settings)
    assert "**Released** by Ada: an essay." in block(settings)
    assert "released_by: Ada" in block(settings)
    capsys.readouterr()
    assert call(["explain", "lost"]) == 0
    assert "released by Ada: an essay" in capsys.readouterr().out

    # the same batch again: no new row, still shown
    before = ask(settings, "SELECT * FROM ingestion_decisions"), ask(settings, "SELECT * FROM releases")
    assert run(bodies).exit_code == 0
    assert (ask(settings, "FROM ingestion_decisions"), ask(settings, "FROM releases")) == before
    assert "lost" in shown(settings)

    # withdrawn, twice; then released again from the UI's form, and one that is refused there
    for fresh in (True, False):
        done, _ = release_report(store, "lost", who="Bob", why="it is none", action="withdraw")
        assert (done.fresh, done.decision, done.shown) == (fresh, "hold", False)
    assert "lost" not in shown(settings)
    assert ask(settings, "SELECT count(*) FROM kb_entries WHERE report_id = 'lost'") == [(0,)]
    assert "Released" not in block(settings)
    job = build_defs(settings).resolve_job_def(RELEASE)
    form = {"report": "lost", "who": "Cleo", "why": "it is one"}
    assert job.execute_in_process(run_config={"ops": {STEP: {"config": form}}}).success
    assert "lost" in shown(settings)
    wrong = {"ops": {STEP: {"config": {**form, "report": "brief-01"}}}}
    assert not job.execute_in_process(run_config=wrong, raise_on_error=False).success
    said = ask(settings, "SELECT action, who FROM releases ORDER BY release_id")
    assert said == [("release", "Ada"), ("withdraw", "Bob"), ("release", "Cleo")]


def test_release_never_lifts_the_contract_and_counts_once_the_batch_is_mended(run, settings, capsys):
    assert run(broken()).exit_code == 1
    capsys.readouterr()
    assert call(["release", "brief-00", "--who", "Ada", "--why", "I know the sources", "--json"]) == 1
    done = json.loads(capsys.readouterr().out)
    assert (done["decision"], done["shown"]) == ("hold", False)
    assert {r["rule"] for r in done["held_by"]} == {"contract"}
    assert shown(settings) == set()
    held = "SELECT released_by, rules FROM held_reports WHERE report_id = 'brief-00'"
    assert ask(settings, held) == [("Ada", ["contract"])]
    assert run({**sound(), "brief-00": body(0, dangling=True)}).exit_code == 0
    assert "brief-00" in shown(settings)


def test_resubmission_from_refusal_to_being_overtaken(run, settings, store, tmp_path):
    assert run(one_held()).exit_code == 0
    (first,) = ask(settings, "SELECT input_fingerprint, body_file FROM reports WHERE report_id = 'lost'")
    file = tmp_path / "next.md"

    def resubmitted(content):
        file.write_text(content, encoding="utf-8")
        return resubmit_report(settings, file, "lost", who="Ada")

    with pytest.raises(UsageError, match="is no file"):
        resubmit_report(settings, file, "lost", who="Ada")
    file.write_bytes(b"%PDF-1.7 \x00\x01")
    with pytest.raises(InputError, match="cannot be read"):
        resubmit_report(settings, file, "lost", who="Ada")
    with store.read_primary() as look:
        assert look.query("SELECT * FROM report_versions").is_empty()

    # no better: held as well, and a release of the version before does not pass on
    release_report(store, "lost", who="Ada", why="an essay")
    done = resubmitted(body(5, dangling=True))
    assert (done.submitted.version, done.submitted.fresh, done.outcome.exit_code) == (2, True, 0)
    held = ask(settings, "SELECT report_id, version, released_by FROM held_reports")
    assert held == [("lost", 2, None)]
    assert "lost" not in shown(settings)

    # the delivered file, mended: audit block and front matter come off again
    head, mark, text = block(settings).partition("# Estuary")
    for wrong, right in (("[7]", "[1]"), ("[8]", "[2]"), ("[9]", "[3]")):
        text = text.replace(wrong, right)
    done = resubmitted(head + mark + text)
    assert (done.submitted.version, done.outcome.exit_code) == (3, 0)
    assert "lost" in shown(settings)
    versions = "SELECT version, origin, superseded_at IS NULL FROM report_versions ORDER BY version"
    assert ask(settings, versions) == [
        (1, "batch", False),
        (2, "resubmitted", False),
        (3, "resubmitted", True),
    ]
    old = "SELECT input_fingerprint, body_file FROM report_versions WHERE version = 1"
    assert ask(settings, old) == [first]
    assert store.read_bodies(first[1]).height == 13
    assert ask(settings, "SELECT count(*) FROM reports") == [(13,)]
    assert "(version 3, submitted again)" in block(settings)
    assert "version: 3" in block(settings)
    decisions = "SELECT decision FROM ingestion_decisions WHERE report_id = 'lost' ORDER BY decision_id"
    assert ask(settings, decisions) == [("hold",), ("ingest",), ("hold",), ("ingest",)]

    # the batch's own folder is untouched; running it keeps the version, the same file again makes none
    assert (tmp_path / "in-b" / "lost.md").read_text("utf-8") == body(4, dangling=True)
    again = resubmit_report(settings, file, "lost", who="Ada")
    assert (again.submitted.version, again.submitted.fresh) == (3, False)

    # from the UI it is the configuration of the asset reports
    file.write_text(body(6), encoding="utf-8")
    form = {"report": "lost", "file": str(file), "who": "Ada"}
    with DagsterInstance.get() as instance:
        instance.add_dynamic_partitions(str(BATCHES.name), ["b"])
        assert (
            build_defs(settings)
            .resolve_job_def(RUN_BATCH)
            .execute_in_process(
                partition_key="b", instance=instance, run_config={"ops": {"reports": {"config": form}}}
            )
            .success
        )
    end_of_run(store, ["b"])
    assert ask(settings, "SELECT max(version) FROM report_versions") == [(4,)]
    assert "lost" in shown(settings)

    # the batch's own input changes afterwards: the newest text wins
    run({**sound(12), "lost": body(9, dangling=True)})
    assert ask(settings, versions)[-2:] == [(4, "resubmitted", False), (5, "batch", True)]
    assert "lost" not in shown(settings)
