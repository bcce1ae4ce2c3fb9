"""What we rely on in Great Expectations: an upgrade that changes one of these must fail here first."""

import subprocess
import sys
import warnings

import pandas as pd
import pytest

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def gx():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        import great_expectations
        import great_expectations.expectations
    return great_expectations


@pytest.fixture(scope="module")
def batch_of(gx):
    context = gx.get_context(mode="ephemeral")
    asset = context.data_sources.add_pandas("pinned").add_dataframe_asset("pinned")
    definition = asset.add_batch_definition_whole_dataframe("pinned")

    def validate(frame, *expectations):
        context.variables.progress_bars = {"globally": False, "metric_calculations": False}
        batch = definition.get_batch(batch_parameters={"dataframe": frame})
        return batch.validate(gx.ExpectationSuite(name="pinned", expectations=list(expectations)))

    return validate


def floats(*values):
    return pd.DataFrame({"a": list(values)}, dtype="float64")


def test_an_empty_frame_passes_value_expectations(gx, batch_of):
    result = batch_of(floats(), gx.expectations.ExpectColumnValuesToBeBetween(column="a", min_value=1))
    assert result.success
    assert result.results[0].result["element_count"] == 0


def test_a_row_count_expectation_catches_the_empty_frame(gx, batch_of):
    assert not batch_of(floats(), gx.expectations.ExpectTableRowCountToEqual(value=1)).success


def test_nulls_pass_value_expectations_and_are_counted_as_missing(gx, batch_of):
    result = batch_of(floats(None), gx.expectations.ExpectColumnValuesToBeBetween(column="a", min_value=1))
    assert result.success
    assert (result.results[0].result["element_count"], result.results[0].result["missing_count"]) == (1, 1)


def test_a_missing_column_is_an_exception_nested_by_metric_and_not_raised(gx, batch_of):
    result = batch_of(floats(1.0), gx.expectations.ExpectColumnValuesToBeBetween(column="b", min_value=0))
    assert not result.success
    info = result.results[0].exception_info
    assert "raised_exception" not in info
    assert all(part["raised_exception"] for part in info.values())
    assert 'The column "b" in BatchData does not exist' in next(iter(info.values()))["exception_message"]


def test_without_an_exception_the_information_is_flat(gx, batch_of):
    result = batch_of(floats(1.0), gx.expectations.ExpectColumnValuesToBeBetween(column="a", min_value=0))
    assert result.results[0].exception_info["raised_exception"] is False


def test_a_suite_without_expectations_reports_success(batch_of):
    result = batch_of(floats(0.0))
    assert result.success
    assert result.results == []


def test_own_quantiles_take_the_nearest_value(gx, batch_of):
    expectation = gx.expectations.ExpectColumnQuantileValuesToBeBetween(
        column="a", quantile_ranges={"quantiles": [0.1, 0.5], "value_ranges": [[None, None], [None, None]]}
    )
    result = batch_of(floats(0.0, 1.0), expectation)
    values = result.results[0].result["observed_value"]["values"]
    assert values[0] == 0.0  # interpolated: 0.1
    assert values[1] in {0.0, 1.0}  # interpolated: 0.5


def test_meta_comes_back_with_the_result(gx, batch_of):
    expectation = gx.expectations.ExpectColumnValuesToBeBetween(column="a", min_value=0, meta={"clause": "x"})
    assert batch_of(floats(1.0), expectation).results[0].expectation_config.meta == {"clause": "x"}


def test_strict_bounds_leave_the_threshold_out(gx, batch_of):
    def passes(**bounds):
        return batch_of(
            floats(0.6), gx.expectations.ExpectColumnValuesToBeBetween(column="a", **bounds)
        ).success

    assert passes(min_value=0.6, max_value=0.6)
    assert not passes(min_value=0.6, strict_min=True)
    assert not passes(max_value=0.6, strict_max=True)


def test_an_ephemeral_context_writes_no_files(tmp_path):
    code = """
import warnings
warnings.simplefilter("ignore", DeprecationWarning)
import great_expectations as gx
context = gx.get_context(mode="ephemeral")
context.enable_analytics(enable=False)
context.data_sources.add_pandas("s")
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.iterdir()) == []


def test_our_rooms_import_it_lazily():
    code = """
import sys
import quality.contract.evaluate, quality.contract.load, quality.contract.suite, quality.gate.decide
assert not [m for m in sys.modules if m.startswith("great_expectations")]
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
