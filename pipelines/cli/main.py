"""The ``sluicegate`` command: its sub-commands put together, errors turned into messages and exit codes.

Belongs here: the application and its exit codes. Does not belong here: any sub-command, which has a module of its own
with one ``register``.

Exit codes: 0 pass, 1 breach, 2 could not determine, 64 and up usage or fault (``quality/errors.py``).
"""

from __future__ import annotations

import sys
from typing import Protocol, runtime_checkable

import typer
from typer.exceptions import TyperException

from pipelines.cli import audit, batches, doctor, explain, init, parse, probe, run, sql, ui
from quality.errors import SluicegateError, UsageError

INTERRUPTED = 130


@runtime_checkable
class _ShownError(Protocol):
    """What Typer's usage errors can do, without naming their private type."""

    def show(self) -> None:
        """Print the usage line and the message on standard error."""


app = typer.Typer(
    name="sluicegate",
    help="Audit cited reports that language models wrote, repair their reference tables, and decide with evidence "
    "which may enter the knowledge base. It blocks ingestion, not delivery.",
    epilog="Exit codes: 0 pass, 1 breach, 2 could not determine, 64 and up usage or fault.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (init, run, audit, batches, explain, sql, doctor, ui, parse, probe):
    command.register(app)


def main(arguments: list[str] | None = None) -> None:
    """Run the command and leave the process with its exit code."""
    sys.exit(call(arguments))


def call(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit code."""
    try:
        code = app(arguments, standalone_mode=False, prog_name="sluicegate")
    except TyperException as error:
        if isinstance(error, _ShownError):
            error.show()
        else:
            print(f"sluicegate: {error}", file=sys.stderr)
        return UsageError.exit_code
    except SluicegateError as error:
        print(f"sluicegate: {error.message}", file=sys.stderr)
        if error.remedy:
            print(f"Remedy: {error.remedy}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("sluicegate: interrupted; the next run converges.", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        return 0
    return code if isinstance(code, int) else 0
