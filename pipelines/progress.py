"""What a run says while it works: a Dagster logger that passes steps and messages on to a listener.

Belongs here: translating Dagster's records. Does not belong here: how a listener shows them (pipelines/cli).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Literal

import dagster as dg

LOGGER = "progress"
Kind = Literal["step", "message", "warning"]
Listener = Callable[[Kind, str], None]


class _Handler(logging.Handler):
    def __init__(self, listener: Listener) -> None:
        super().__init__(logging.DEBUG)
        self._listener = listener

    def emit(self, record: logging.LogRecord) -> None:
        """Pass one record on; everything that is neither a step nor a message of an asset is left out."""
        meta: dict[str, Any] = getattr(record, "dagster_meta", None) or {}
        event = meta.get("dagster_event")
        if event is not None:
            if event.event_type_value == "STEP_START":
                self._listener("step", str(event.step_key))
        elif record.levelno >= logging.INFO and not _about_skipped_steps(record):
            text = str(meta.get("orig_message") or record.getMessage())
            self._listener("warning" if record.levelno >= logging.WARNING else "message", text)


def _about_skipped_steps(record: logging.LogRecord) -> bool:
    """Dagster's own lines about steps that a failed one leaves out; the failure itself is told by the run's end."""
    return "Not executing." in record.getMessage()


def progress_logger(listener: Listener) -> dg.LoggerDefinition:
    """Dagster's logger of a run in this process, speaking to ``listener`` only."""

    def make(_: dg.InitLoggerContext) -> logging.Logger:
        logger = logging.Logger(LOGGER, logging.DEBUG)
        logger.addHandler(_Handler(listener))
        return logger

    return dg.LoggerDefinition(make, description="Steps and messages of a run, for the shell.")
