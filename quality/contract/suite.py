"""Clauses as a Great Expectations suite, validated on a frame of statistics.

Belongs here: every use of Great Expectations. The import stands inside a function: it takes seconds, and most
commands never need it. Nothing is written to disk: the context is ephemeral, the warehouse is the store.
Does not belong here: deciding what a missing result means (``evaluate``).
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

from quality.contract.model import Clause, Operator

if TYPE_CHECKING:
    import pandas as pd
    from great_expectations import ExpectationSuite
    from great_expectations.core import ExpectationSuiteValidationResult


def build_suite(clauses: Sequence[Clause]) -> ExpectationSuite:
    """Generate the suite: exactly one row, then one expectation per clause on the column of its name."""
    gx, gxe = _import()
    expectations = [gxe.ExpectTableRowCountToEqual(value=1)]
    expectations += [
        gxe.ExpectColumnValuesToBeBetween(
            column=clause.clause,
            meta={"clause": clause.clause},
            **_bounds(clause.operator, float(clause.threshold)),
        )
        for clause in clauses
    ]
    suite: ExpectationSuite = gx.ExpectationSuite(name="contract", expectations=expectations)
    return suite


def frame_of(observed: Mapping[str, float]) -> pd.DataFrame:
    """Give the one-row frame of the statistics, one column per clause."""
    import pandas as pd

    return pd.DataFrame({clause: [float(value)] for clause, value in observed.items()}, dtype="float64")


def validate(suite: ExpectationSuite, frame: pd.DataFrame) -> ExpectationSuiteValidationResult:
    """Run the suite on the frame, without progress bars, analytics or files."""
    gx, _ = _import()
    context = gx.get_context(mode="ephemeral")
    context.enable_analytics(enable=False)
    context.variables.progress_bars = {"globally": False, "metric_calculations": False}
    asset = context.data_sources.add_pandas("statistics").add_dataframe_asset("statistics")
    batch = asset.add_batch_definition_whole_dataframe("batch").get_batch(
        batch_parameters={"dataframe": frame}
    )
    result: ExpectationSuiteValidationResult = batch.validate(suite)
    return result


def warm_up() -> None:
    """Import Great Expectations now, so that the first judgement does not wait for it."""
    _import()


def judge(clauses: Sequence[Clause], observed: Mapping[str, float]) -> dict[str, bool]:
    """Judge each clause on its observed value: True for pass, False for breach.

    A clause whose expectation raised, or for which no result came back, is not in the answer; if the frame
    was not the one row that it should be, nothing is.
    """
    if not clauses:
        return {}
    return outcomes(validate(build_suite(clauses), frame_of(observed)))


def outcomes(result: ExpectationSuiteValidationResult) -> dict[str, bool]:
    """Read a validation result by clause, leaving out whatever was not really evaluated."""
    found: dict[str, bool] = {}
    for item in result.results:
        if item.success is None or _raised(item.exception_info) or item.expectation_config is None:
            continue
        clause = (item.expectation_config.meta or {}).get("clause")
        if clause is None:
            if not item.success:
                return {}
        elif _counted(item.result):
            found[clause] = bool(item.success)
    return found


def _counted(result: Mapping[str, Any] | None) -> bool:
    """Whether one value was really compared: a NULL passes a value expectation without being looked at."""
    return result is not None and result.get("element_count") == 1 and result.get("missing_count") == 0


def _raised(info: Mapping[str, Any] | None) -> bool:
    """Whether an exception stands in GX's report; it is flat for none, and nested by metric for some."""
    if not info:
        return False
    if "raised_exception" in info:
        return bool(info["raised_exception"])
    return any(_raised(part) for part in info.values() if isinstance(part, Mapping))


def _bounds(operator: Operator, threshold: float) -> dict[str, Any]:
    if operator is Operator.EQUAL:
        return {"min_value": threshold, "max_value": threshold}
    low = operator in {Operator.AT_LEAST, Operator.ABOVE}
    side = "min" if low else "max"
    return {f"{side}_value": threshold, f"strict_{side}": operator in {Operator.ABOVE, Operator.BELOW}}


def _import() -> tuple[ModuleType, ModuleType]:
    """Import Great Expectations, without the deprecation warnings of its own imports."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        import great_expectations as gx
        from great_expectations import expectations as gxe
    return gx, gxe
