"""Clauses as a Great Expectations suite, validated on a frame of statistics.

Belongs here: every use of Great Expectations. The import stands inside a function: it takes seconds, and most
commands never need it. Nothing is written to disk: the context is ephemeral, the warehouse is the store.
Does not belong here: deciding what a missing result means (``evaluate``).

``python -m quality.contract.suite`` writes the suite of the contract that ships, suites/default.json, anew.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from quality.contract.model import Clause, Contract, Judged, Operator, Severity
from quality.model import Mode

if TYPE_CHECKING:
    import pandas as pd
    from great_expectations import ExpectationSuite
    from great_expectations.core import ExpectationSuiteValidationResult


_SEVERITY = {Severity.ERROR: "critical", Severity.WARN: "warning"}


def build_suite(clauses: Sequence[Clause], name: str = "contract") -> ExpectationSuite:
    """Generate the suite: exactly one row, then one expectation per clause on the column of its name."""
    gx, gxe = _import()
    expectations = [gxe.ExpectTableRowCountToEqual(value=1)]
    expectations += [
        gxe.ExpectColumnValuesToBeBetween(
            column=clause.clause,
            meta={"clause": clause.clause, "mode": clause.mode.value, "min_n": clause.min_n},
            notes=clause.evidence,
            severity=_SEVERITY[clause.severity],
            **_bounds(clause.operator, float(clause.threshold)),
        )
        for clause in clauses
    ]
    suite: ExpectationSuite = gx.ExpectationSuite(name=name, expectations=expectations)
    return suite


def suite_document(contract: Contract) -> dict[str, Any]:
    """Give the suite of a whole contract as Great Expectations serialises it, without the version of the library.

    ``ExpectationSuite(**document)`` is the suite again. Clauses that are off are not in it.
    """
    clauses = [c for c in contract.clauses if c.mode is not Mode.OFF]
    document: dict[str, Any] = build_suite(clauses, contract.name).to_json_dict()
    document["meta"] = {"contract_version": contract.version}
    return document


def suite_text(contract: Contract) -> str:
    """Give ``suite_document`` as the text of a file."""
    return json.dumps(suite_document(contract), indent=1, ensure_ascii=False, sort_keys=True) + "\n"


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


def judge(clauses: Sequence[Clause], observed: Mapping[str, float]) -> Judged:
    """Judge each clause on its observed value: True for pass, False for breach.

    A clause whose expectation raised, or for which no result came back, is not in the answer; if the frame
    was not the one row that it should be, nothing is. What Great Expectations said stands beside it, whole.
    """
    if not clauses:
        return Judged({})
    result = validate(build_suite(clauses), frame_of(observed))
    gx, _ = _import()
    return Judged(outcomes(result), document_of(result), f"great_expectations {gx.__version__}")


def document_of(result: ExpectationSuiteValidationResult) -> dict[str, Any]:
    """Give a validation result as JSON has it, so that the same judgement has the same text.

    Run ids, instants and tracebacks are left out; the message of an exception stays.
    """
    said: dict[str, Any] = result.to_json_dict()  # type: ignore[no-untyped-call]
    results = [{**r, "exception_info": _messages(r["exception_info"])} for r in said["results"]]
    return {
        "success": said["success"],
        "results": sorted(results, key=lambda r: str(r["expectation_config"]["meta"].get("clause", ""))),
        "statistics": said["statistics"],
        "suite_name": said["suite_name"],
    }


def _messages(info: Mapping[str, Any]) -> dict[str, Any]:
    """Give what was raised, flat: GX nests it by metric where something was."""
    parts = [info] if "raised_exception" in info else [p for p in info.values() if isinstance(p, Mapping)]
    messages = sorted({str(p["exception_message"]) for p in parts if p.get("exception_message")})
    return {"raised_exception": _raised(info), "exception_message": "; ".join(messages) or None}


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


def main() -> None:
    """Write the suite of the contract that ships beside it."""
    from quality.contract.load import load_contract

    Path(__file__).with_name("suites").joinpath("default.json").write_text(
        suite_text(load_contract()), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
