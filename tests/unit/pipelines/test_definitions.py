"""The definitions as the UI and the daemon load them."""

import pytest

from pipelines.definitions import build_defs
from pipelines.settings import load_settings

WORK = (
    "drafts", "corpus", "shadow_audit", "references", "evidence", "contract", "gate", "delivery", "knowledge_base",
)  # fmt: skip
"""Groups in the order of the work; what our own loop drafts becomes reports."""


@pytest.fixture(scope="module")
def definitions(tmp_path_factory):
    home = tmp_path_factory.mktemp("definitions")
    return build_defs(load_settings(environ={"SLUICEGATE_HOME": str(home)}))


@pytest.fixture(scope="module")
def repository(definitions):
    return definitions.get_repository_def()


def test_the_jobs_that_people_start_are_there(repository):
    assert {"run_batch", "audit_only"} <= {job.name for job in repository.get_all_jobs()}


def test_audit_only_stops_before_the_knowledge_base(definitions):
    def assets(job):
        return {
            k.to_user_string() for k in definitions.resolve_job_def(job).asset_layer.executable_asset_keys
        }

    assert assets("run_batch") - assets("audit_only") == {"knowledge_base"}
    assert "delivered_reports" in assets("audit_only")


def test_every_asset_says_which_question_it_answers_and_stands_in_a_group_of_the_work(definitions):
    graph = definitions.resolve_asset_graph()
    for key in graph.get_all_asset_keys():
        node = graph.get(key)
        assert "?" in (node.description or "").split("\n")[0], key
        assert node.group_name in WORK, key


def test_no_asset_waits_for_a_later_group(definitions):
    graph = definitions.resolve_asset_graph()
    for key in graph.get_all_asset_keys():
        for parent in graph.get(key).parent_keys:
            before, after = (WORK.index(graph.get(k).group_name) for k in (parent, key))
            assert before <= after, f"{key} waits for {parent}"
