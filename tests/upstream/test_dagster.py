"""What Sluicegate relies on in Dagster. An upgrade that changes one of these must fail here, not in a user's run."""

import logging
from collections.abc import Iterator

import dagster as dg
import pytest

BATCHES = dg.DynamicPartitionsDefinition(name="batches")
pytestmark = pytest.mark.filterwarnings(
    "ignore:Specifying a partitions_def on an AssetCheckSpec:dagster_shared.utils.warnings.PreviewWarning"
)


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.ephemeral() as made:
        made.add_dynamic_partitions("batches", ["b"])
        yield made


def graph(
    *, passed: bool = True, raises: bool = False, blocking: bool = True, partitioned: bool = True
) -> list:
    @dg.asset(partitions_def=BATCHES)
    def decisions() -> None: ...

    @dg.asset(partitions_def=BATCHES, deps=[decisions])
    def knowledge_base() -> None: ...

    @dg.asset(partitions_def=BATCHES)
    def delivered() -> None: ...

    spec = dg.AssetCheckSpec(
        "clause", asset="decisions", blocking=blocking, partitions_def=BATCHES if partitioned else None
    )

    @dg.multi_asset_check(specs=[spec])
    def clauses():
        if raises:
            raise ValueError("no")
        yield dg.AssetCheckResult(check_name="clause", asset_key="decisions", passed=passed)

    return [decisions, knowledge_base, delivered, clauses]


def run(instance, things, selection=None):
    checks = [t for t in things if isinstance(t, dg.AssetChecksDefinition)]
    assets = [t for t in things if not isinstance(t, dg.AssetChecksDefinition)]
    defs = dg.Definitions(
        assets=assets,
        asset_checks=checks,
        jobs=[dg.define_asset_job("job", selection=selection or dg.AssetSelection.all())],
        executor=dg.in_process_executor,
    )
    return defs.resolve_job_def("job").execute_in_process(
        instance=instance, partition_key="b", raise_on_error=False
    )


def materialized(result) -> set[str]:
    return {e.asset_key.to_user_string() for e in result.all_events if e.is_step_materialization}


def test_failed_blocking_check_fails_the_run_and_stops_downstream_only(instance):
    result = run(instance, graph(passed=False))
    assert not result.success
    assert materialized(result) == {"decisions", "delivered"}
    failures = [e.step_failure_data.error.cls_name for e in result.all_events if e.is_step_failure]
    assert failures == ["DagsterAssetCheckFailedError"]


def test_failed_non_blocking_check_leaves_the_run_green(instance):
    result = run(instance, graph(passed=False, blocking=False))
    assert result.success
    assert materialized(result) == {"decisions", "delivered", "knowledge_base"}


def test_block_does_not_hold_across_runs(instance):
    things = graph(passed=False)
    assert not run(instance, things).success
    alone = run(instance, things, dg.AssetSelection.assets("knowledge_base"))
    assert alone.success, "so the asset itself has to read the verdict back"
    assert materialized(alone) == {"knowledge_base"}


def test_blocking_check_that_raises_leaves_no_evaluation(instance):
    result = run(instance, graph(raises=True))
    assert not result.success
    assert result.get_asset_check_evaluations() == []


@pytest.mark.parametrize(("partitioned", "recorded"), [(True, "b"), (False, None)])
def test_check_records_its_partition_only_with_a_partitions_definition_of_its_own(
    instance, partitioned, recorded
):
    result = run(instance, graph(partitioned=partitioned))
    assert [e.partition for e in result.get_asset_check_evaluations()] == [recorded]


def test_sensor_is_stopped_unless_told_otherwise():
    @dg.sensor()
    def quiet() -> None: ...

    assert quiet.default_status is dg.DefaultSensorStatus.STOPPED


def test_plain_object_serves_as_a_resource_and_logger_sees_steps_and_messages(instance):
    heard: list[tuple[str, str]] = []

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            meta = getattr(record, "dagster_meta", {})
            event = meta.get("dagster_event")
            heard.append(
                (event.event_type_value, event.step_key) if event else ("message", meta["orig_message"])
            )

    @dg.logger
    def mine(_):
        logger = logging.Logger("mine", logging.DEBUG)
        logger.addHandler(Handler())
        return logger

    @dg.asset
    def speaks(context: dg.AssetExecutionContext, store: dg.ResourceParam[list]) -> None:
        context.log.info(f"holds {store}")

    defs = dg.Definitions(
        assets=[speaks], jobs=[dg.define_asset_job("job")], loggers={"mine": mine}, resources={"store": ["x"]}
    )
    job = defs.resolve_job_def("job")
    assert job.execute_in_process(instance=instance, run_config={"loggers": {"mine": {}}}).success
    assert ("STEP_START", "speaks") in heard
    assert ("message", "holds ['x']") in heard
