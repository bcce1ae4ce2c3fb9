"""The one exception tree.

::

    SluicegateError                  exit_code 70
    ├── UsageError                   64   the call, the configuration or the input path is wrong
    │   └── ConfigError              78   sluicegate.toml or a contract file is wrong
    ├── InputError                   65   a batch, catalogue or report cannot be read as a whole
    ├── LockTimeout                  75   another process holds the warehouse; names the holder
    ├── StorageError                 74   the warehouse is damaged, missing or of a foreign version
    ├── IngestionRefused             1    the knowledge base refuses a batch: every mismatch with its remedy
    └── Undetermined                 2    the question could not be answered: not a pass

Every message says what, where and the remedy. Codes from 64 up follow BSD's sysexits.h.
"""

from __future__ import annotations

from collections.abc import Sequence


class SluicegateError(Exception):
    """Base of all errors that Sluicegate raises on purpose."""

    exit_code = 70

    def __init__(self, message: str, *, remedy: str = "") -> None:
        self.message = message
        self.remedy = remedy
        super().__init__(f"{message} Remedy: {remedy}" if remedy else message)


class UsageError(SluicegateError):
    """The call is wrong: an unknown batch, a path that does not exist."""

    exit_code = 64


class ConfigError(UsageError):
    """A configuration or contract file is wrong."""

    exit_code = 78


class InputError(SluicegateError):
    """An input cannot be read as a whole (one bad report is no InputError: it costs itself)."""

    exit_code = 65


class LockTimeout(SluicegateError):
    """Another process writes to the warehouse and did not finish within the wait."""

    exit_code = 75


class StorageError(SluicegateError):
    """The warehouse is damaged, missing or of a foreign version."""

    exit_code = 74


class IngestionRefused(SluicegateError):
    """The knowledge base refuses a batch.

    Args of the constructor: the batch, and every mismatch as one sentence with its remedy.
    """

    exit_code = 1

    def __init__(self, batch_id: str, mismatches: Sequence[str]) -> None:
        self.batch_id = batch_id
        self.mismatches = tuple(mismatches)
        super().__init__(f"Batch {batch_id!r} is kept out of the knowledge base: " + " ".join(mismatches))


class Undetermined(SluicegateError):
    """The question could not be answered; unknown is not a pass."""

    exit_code = 2
