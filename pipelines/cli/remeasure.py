"""``sluicegate remeasure``: what new versions of metrics say about batches that are stored.

Belongs here: the command and its printing. Does not belong here: measuring (assets/remeasure.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from pipelines.cli.output import Config, Json, console, errors, print_json, table
from pipelines.settings import load_settings
from quality.errors import UsageError

if TYPE_CHECKING:
    from assets.remeasure import Remeasured


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("remeasure")(remeasure)


def remeasure(
    batch: Annotated[
        list[str] | None, typer.Option(help="Id of a batch; may be given again. Left out: all batches.")
    ] = None,
    as_json: Json = False,
    config: Config = None,
) -> int:
    """Measure stored batches by the versions of metrics that they have no numbers of, from the texts that were kept.

    Numbers that are there stay as they are, those of older versions included; so do verdicts and decisions. Use it after
    an upgrade, or after adding a metric of your own.

    Exit code: 0 done, 2 a batch could not be measured, 64 and up usage or fault.
    """
    from assets.remeasure import remeasure as measure
    from pipelines.resources.warehouse import Warehouse

    settings = load_settings(config)
    store = Warehouse(settings.home, lock_wait=settings.lock_wait)
    with store.read_primary() as reader:
        known = [str(i) for i in reader.query("SELECT batch_id FROM batches ORDER BY batch_id")["batch_id"]]
    if unknown := sorted(set(batch or ()) - set(known)):
        raise UsageError(
            f"There is no batch {', '.join(map(repr, unknown))}.", remedy="`sluicegate batches` lists them."
        )
    done, left = [], {}
    for batch_id in batch or known:
        try:
            done.append(
                measure(store, batch_id, settings.catalogue, holder=f"remeasure of batch {batch_id!r}")
            )
        except UsageError as error:
            left[batch_id] = error.message
    if any(one.added for one in done):
        store.publish()
    _show(done, left, as_json=as_json)
    return 2 if left else 0


def _show(done: list[Remeasured], left: dict[str, str], *, as_json: bool) -> None:
    if as_json:
        print_json({"batches": [_plain(one) for one in done], "left": left})
        return
    rows = [
        (one.batch_id, one.reports, ", ".join(one.shadow) or "–", ", ".join(one.rebuilt) or "–")
        for one in done
    ]
    console().print(table(("batch", "reports", "added as written", "added after the rebuild"), rows))
    for message in left.values():
        errors().print(Text(message, style="bold red"), soft_wrap=True)


def _plain(one: Remeasured) -> dict[str, Any]:
    return {
        "batch_id": one.batch_id,
        "reports": one.reports,
        "shadow": list(one.shadow),
        "rebuilt": list(one.rebuilt),
    }
