"""What every asset of the line shares: its decorator, its metadata, its way of naming the run as the lock's holder.

Belongs here: decoration and metadata helpers. Does not belong here: what any asset does.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import dagster as dg

from assets.partitions import BATCHES

OWNERS = ["team:sluicegate"]
WRITER_POOL = "warehouse"
CATALOGUE_TAG = "sluicegate/catalogue"
"""Run tag: which catalogue ``sources`` takes. With ``RECORDED`` a batch keeps the snapshot that it was audited against;
with anything else, or none, it takes the catalogue as it is today."""
RECORDED, TODAY = "recorded", "today"


def line_asset(
    group: str,
    *,
    deps: Sequence[str] = (),
    tables: Mapping[str, str] | None = None,
    kinds: frozenset[str] = frozenset({"duckdb"}),
    priority: int = 0,
) -> Callable[[Callable[..., Any]], dg.AssetsDefinition]:
    """Decorator of an asset of the line: partitioned by batch, one writer at a time.

    Args:
        group: the room of the house that it stands in.
        deps: names of the assets that must exist first.
        tables: table or file that it writes -> the grain of its rows, shown in the UI.
        kinds: technologies shown in the UI.
        priority: of several assets that could run now, the one of the highest priority does.
    """

    def decorate(function: Callable[..., Any]) -> dg.AssetsDefinition:
        return dg.asset(
            name=function.__name__,
            group_name=group,
            deps=list(deps),
            partitions_def=BATCHES,
            kinds=set(kinds),
            owners=OWNERS,
            pool=WRITER_POOL,
            op_tags={"dagster/priority": str(priority)} if priority else {},
            metadata={
                "tables": dg.MetadataValue.json(sorted(tables or {})),
                **column_schema(tables or {}),
            },
        )(function)

    return decorate


def column_schema(tables: Mapping[str, str]) -> dict[str, dg.TableMetadataValue | Any]:
    """Column schemas of the tables, from the packaged schema; the first one is the asset's own."""
    from sql.loader import columns

    schemas: dict[str, Any] = {}
    for position, (table, grain) in enumerate(tables.items()):
        known = columns(table)
        if not known:
            continue
        schema = dg.TableSchema(
            columns=[dg.TableColumn(name=c.name, type=c.type, description=c.comment) for c in known]
        )
        schemas["dagster/column_schema" if position == 0 else f"columns_{table}"] = schema
        schemas[f"grain_{table}"] = grain
    return schemas


def holder(context: dg.AssetExecutionContext) -> str:
    """How this step names itself to a process that waits for the warehouse."""
    return f"{context.asset_key.to_user_string()} of batch {context.partition_key!r} (run {context.run.run_id[:8]})"


class FaultLog:
    """Warnings about single reports: the first few in full, the rest as a number."""

    SHOWN = 5

    def __init__(self, context: dg.AssetExecutionContext) -> None:
        self._context = context
        self._count = 0

    def add(self, report_id: str, fault: str) -> None:
        """Note what went wrong with one report."""
        self._count += 1
        if self._count <= self.SHOWN:
            self._context.log.warning(f"{report_id}: {fault}")

    def close(self) -> None:
        """Say how many more there were."""
        if self._count > self.SHOWN:
            self._context.log.warning(
                f"and {self._count - self.SHOWN} more reports; the shadow log and the rows name each"
            )


def result(
    numbers: Mapping[str, float | int | None], texts: Mapping[str, Any] | None = None
) -> dg.MaterializeResult[None]:
    """Numeric metadata of one batch, which the UI draws over batches; an absent number is left out, not zero."""
    metadata: dict[str, Any] = {k: v for k, v in numbers.items() if v is not None}
    return dg.MaterializeResult(metadata={**metadata, **(texts or {})})
