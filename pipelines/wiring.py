"""The resources of a home, wired up: what assets and sensors get handed.

Belongs here: one place that knows which implementation stands behind each port. Does not belong here: the implementations, or
what is defined with them (``definitions``).
"""

from functools import partial

from assets.ports import LineConfig
from pipelines.alerts.tell import Alerting
from pipelines.contracts import standing
from pipelines.drafting.drafter import Drafter
from pipelines.panel import ReviewPanel
from pipelines.resources.registries import Registries
from pipelines.resources.warehouse import Warehouse
from pipelines.settings import Settings


def resources(settings: Settings) -> dict[str, object]:
    """The resources of a home: its warehouse, and how the line judges."""
    return {
        "store": Warehouse(settings.home, lock_wait=settings.lock_wait),
        "alerting": Alerting.of(settings),
        "line": LineConfig(standing(settings).contract, settings.gate, catalogue=settings.catalogue),
        "panel": ReviewPanel(settings.claude),
        "registries": Registries(settings.registries, settings.home),
        "drafter": Drafter(
            settings.drafting, settings.claude, partial(Registries, settings.registries, settings.home)
        ),
    }
