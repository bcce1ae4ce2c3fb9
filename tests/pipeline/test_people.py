"""What people do to single reports: release, withdraw, resubmit; what each shows, and what none of them can do."""

import json

import duckdb
import pytest

from pipelines.by_hand import RELEASE, STEP
from pipelines.definitions import build_defs
from pipelines.release import release_report
from pipelines.resources.warehouse import Warehouse
from pipelines.resubmit import resubmit_report
from quality.errors import InputError, UsageError
from tests.pipeline.corpus import body, broken, sound


def ask(settings, question):
    with duckdb.connect(str(settings.home / "warehouse.duckdb"), read_only=True) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        return connection.execute(question).fetchall()


def one_held():
    """Twelve sound reports, and one that cites three works which nobody lists."""
    return {**sound(12), "lost": body(4, dangling=True)}


@pytest.fixture
def store(settings):
    return Warehouse(settings.home, lock_wait=5)


def shown(settings):
    return {i for (i,) in ask(settings, "SELECT report_id FROM kb_documents")}


def test_release_lets_one_report_in_at_once_and_says_who_and_why_everywhere(run, settings, store):
    assert run(one_held()).exit_code == 0
    assert "lost" not in shown(settings)
    done, faults = release_report(store, "lost", who="Ada", why="an essay; it needs no sources")
    assert (done.fresh, done.decision, done.shown, faults) == (True, "ingest", True, {})
    assert {r.rule for r in done.lifted} == {"inbound_rate", "cited"}
    assert "lost" in shown(settings)
    assert ask(settings, "SELECT * FROM held_reports") == []
    ((decision, gate, reasons, lifted, who, why),) = ask(
        settings,
        "SELECT decision, gate_outcome, reasons, lifted, released_by, release_why FROM latest_decisions WHERE report_id = 'lost'",
    )
    assert (decision, gate, reasons, who, why) == (
        "ingest",
        "hold",
        "[]",
        "Ada",
        "an essay; it needs no sources",
    )
    assert {r["rule"] for r in json.loads(lifted)} == {"inbound_rate", "cited"}
    block = (settings.home / "delivered" / "b" / "lost.md").read_text("utf-8")
    assert "Sluicegate audit: ingest" in block
    assert "**Released** by Ada: an essay; it needs no sources." in block
    assert "released_by: Ada" in block


def test_the_same_release_again_and_the_batch_again_change_nothing(run, settings, store):
    run(one_held())
    release_report(store, "lost", who="Ada", why="an essay")
    before = ask(settings, "SELECT * FROM ingestion_decisions"), ask(settings, "SELECT * FROM releases")
    done, _ = release_report(store, "lost", who="Ada", why="an essay")
    assert (done.fresh, done.shown) == (False, True)
    assert run(one_held()).exit_code == 0
    assert (
        ask(settings, "SELECT * FROM ingestion_decisions"),
        ask(settings, "SELECT * FROM releases"),
    ) == before
    assert "lost" in shown(settings)


def test_withdrawn_release_takes_the_report_out_again(run, settings, store):
    run(one_held())
    release_report(store, "lost", who="Ada", why="an essay")
    done, _ = release_report(store, "lost", who="Bob", why="it is no essay", action="withdraw")
    assert (done.fresh, done.decision, done.shown) == (True, "hold", False)
    assert "lost" not in shown(settings)
    assert ask(settings, "SELECT count(*) FROM kb_entries WHERE report_id = 'lost'") == [(0,)]
    assert "Released" not in (settings.home / "delivered" / "b" / "lost.md").read_text("utf-8")
    again, _ = release_report(store, "lost", who="Bob", why="it is no essay", action="withdraw")
    assert (again.fresh, again.shown) == (False, False)
    rows = "SELECT action, who FROM releases ORDER BY release_id"
    assert ask(settings, rows) == [("release", "Ada"), ("withdraw", "Bob")]


def test_release_never_lifts_the_contract(run, settings, store):
    assert run(broken()).exit_code == 1
    done, _ = release_report(store, "brief-00", who="Ada", why="I know the sources")
    assert (done.decision, done.shown) == ("hold", False)
    assert {r.rule for r in done.held_by} == {"contract"}
    assert shown(settings) == set()
    ((by, rules),) = ask(settings, "SELECT released_by, rules FROM held_reports WHERE report_id = 'brief-00'")
    assert (by, rules) == ("Ada", ["contract"])
    # the batch is mended around it: the release stands for the same input, and counts now
    mended = {**sound(), "brief-00": body(0, dangling=True)}
    assert run(mended).exit_code == 0
    assert "brief-00" in shown(settings)


def test_release_is_for_one_input_only(run, settings, store):
    run(one_held())
    release_report(store, "lost", who="Ada", why="an essay")
    run({**sound(12), "lost": body(5, dangling=True)})
    assert "lost" not in shown(settings)
    assert ask(settings, "SELECT report_id, released_by FROM held_reports") == [("lost", None)]


@pytest.mark.parametrize(
    ("report", "said"),
    [("brief-03", "is not held by the gate"), ("nobody", "There is no report 'nobody'"), ("pdf", "cannot be released")],
)  # fmt: skip
def test_release_that_would_lift_nothing_is_refused(run, settings, store, report, said):
    run({**one_held(), "pdf": b"%PDF-1.7 \x00\x01"})
    with pytest.raises(UsageError, match=said):
        release_report(store, report, who="Ada", why="please")
    assert ask(settings, "SELECT count(*) FROM releases") == [(0,)]


@pytest.mark.parametrize(("who", "why"), [("", "an essay"), ("Ada", "  ")])
def test_release_needs_a_person_and_a_reason(run, settings, store, who, why):
    run(one_held())
    with pytest.raises(UsageError, match="with a person and a reason"):
        release_report(store, "lost", who=who, why=why)


def test_killed_release_leaves_nothing_half(run, settings, store, monkeypatch):
    import assets.releases

    run(one_held())
    with monkeypatch.context() as patched:
        patched.setattr(assets.releases, "ingest", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            release_report(store, "lost", who="Ada", why="an essay")
    with store.read_primary() as look:
        assert look.query("SELECT * FROM releases").is_empty()
        assert look.query("SELECT decision FROM latest_decisions WHERE report_id = 'lost'").item() == "hold"
    # killed after the transaction, before readers were told: the same call brings the rest
    with monkeypatch.context() as patched:
        patched.setattr("pipelines.release.end_of_run", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            release_report(store, "lost", who="Ada", why="an essay")
    assert "lost" not in shown(settings)
    done, _ = release_report(store, "lost", who="Ada", why="an essay")
    assert (done.fresh, done.shown) == (False, True)
    assert "lost" in shown(settings)


def test_release_from_the_ui_is_the_same_job(run, settings):
    run(one_held())
    job = build_defs(settings).resolve_job_def(RELEASE)
    form = {"report": "lost", "who": "Ada", "why": "an essay"}
    assert job.execute_in_process(run_config={"ops": {STEP: {"config": form}}}).success
    assert "lost" in shown(settings)
    refused = job.execute_in_process(
        run_config={"ops": {STEP: {"config": {**form, "report": "brief-01"}}}}, raise_on_error=False
    )
    assert not refused.success


def resubmitted(settings, file, **options):
    return resubmit_report(settings, file, "lost", who="Ada", **options)


def test_resubmission_is_judged_in_its_own_right_inside_its_batch(run, settings, tmp_path):
    run(one_held())
    (old,) = ask(settings, "SELECT input_fingerprint, body_file FROM reports WHERE report_id = 'lost'")
    file = tmp_path / "mended.md"
    file.write_text(body(4), encoding="utf-8")
    done = resubmitted(settings, file)
    assert (done.submitted.version, done.submitted.fresh, done.outcome.exit_code) == (2, True, 0)
    assert "lost" in shown(settings)
    versions = ask(
        settings,
        "SELECT version, origin, input_fingerprint, body_file, superseded_at IS NULL FROM report_versions ORDER BY version",
    )
    assert versions == [(1, "batch", *old, False), (2, "resubmitted", None, None, True)]
    assert ask(settings, "SELECT count(*) FROM reports") == [(13,)]
    decisions = "SELECT decision FROM ingestion_decisions WHERE report_id = 'lost' ORDER BY decision_id"
    assert ask(settings, decisions) == [("hold",), ("ingest",)]
    block = (settings.home / "delivered" / "b" / "lost.md").read_text("utf-8")
    assert "(version 2, submitted again)" in block
    assert "version: 2" in block
    # the batch's own folder is untouched, and running the batch again keeps the new version
    assert (tmp_path / "in-b" / "lost.md").read_text("utf-8") == body(4, dangling=True)
    run(one_held())
    assert "lost" in shown(settings)
    again = resubmitted(settings, file)
    assert (again.submitted.version, again.submitted.fresh) == (2, False)


def test_resubmission_that_is_no_better_is_held_as_well(run, settings, tmp_path):
    run(one_held())
    file = tmp_path / "worse.md"
    file.write_text(body(5, dangling=True), encoding="utf-8")
    done = resubmitted(settings, file)
    assert done.outcome.exit_code == 0
    assert ask(settings, "SELECT report_id, version FROM held_reports") == [("lost", 2)]


def test_release_does_not_pass_on_to_the_next_version(run, settings, store, tmp_path):
    run(one_held())
    release_report(store, "lost", who="Ada", why="an essay")
    file = tmp_path / "other.md"
    file.write_text(body(5, dangling=True), encoding="utf-8")
    resubmitted(settings, file)
    assert "lost" not in shown(settings)


def test_batch_that_changes_its_own_text_after_a_resubmission_wins(run, settings, tmp_path):
    run(one_held())
    file = tmp_path / "mended.md"
    file.write_text(body(4), encoding="utf-8")
    resubmitted(settings, file)
    run({**sound(12), "lost": body(9, dangling=True)})
    rows = "SELECT version, origin, superseded_at IS NULL FROM report_versions ORDER BY version"
    assert ask(settings, rows) == [(1, "batch", False), (2, "resubmitted", False), (3, "batch", True)]
    assert "lost" not in shown(settings)


def test_delivered_file_that_was_mended_is_a_resubmission(run, settings, tmp_path):
    run(one_held())
    delivered = (settings.home / "delivered" / "b" / "lost.md").read_text("utf-8")
    file = tmp_path / "mended.md"
    mended = delivered
    for wrong, right in (("[7]", "[1]"), ("[8]", "[2]"), ("[9]", "[3]")):
        head, _, rest = mended.partition("# Estuary")
        mended = head + "# Estuary" + rest.replace(wrong, right)
    file.write_text(mended, encoding="utf-8")
    resubmitted(settings, file)
    assert "lost" in shown(settings)


@pytest.mark.parametrize(
    ("content", "error", "said"),
    [(None, UsageError, "is no file"), (b"%PDF-1.7 \x00\x01", InputError, "cannot be read")],
)
def test_file_that_is_no_report_is_refused_and_nothing_is_recorded(
    run, settings, tmp_path, content, error, said
):
    run(one_held())
    file = tmp_path / "bad.md"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(error, match=said):
        resubmitted(settings, file)
    assert ask(settings, "SELECT count(*) FROM report_versions") == [(0,)]


def test_resubmission_from_the_ui_is_the_configuration_of_the_asset_reports(run, settings, tmp_path):
    from dagster import DagsterInstance

    from assets.partitions import BATCHES
    from pipelines.finish import end_of_run
    from pipelines.jobs import RUN_BATCH

    run(one_held())
    file = tmp_path / "mended.md"
    file.write_text(body(4), encoding="utf-8")
    job = build_defs(settings).resolve_job_def(RUN_BATCH)
    form = {"report": "lost", "file": str(file), "who": "Ada"}
    with DagsterInstance.get() as instance:
        instance.add_dynamic_partitions(str(BATCHES.name), ["b"])
        assert job.execute_in_process(
            partition_key="b", instance=instance, run_config={"ops": {"reports": {"config": form}}}
        ).success
    end_of_run(Warehouse(settings.home), ["b"])
    assert "lost" in shown(settings)
