"""The ``sluicegate`` command: its sub-commands put together, errors turned into messages and exit codes.

Belongs here: the application and its exit codes. Does not belong here: any sub-command, which has a module of its own
with one ``register``.

Exit codes: 0 pass, 1 breach, 2 could not determine, 64 and up usage or fault (``quality/errors.py``).
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import typer
from typer.exceptions import TyperException

from quality.errors import SluicegateError, UsageError

INTERRUPTED = 130
COMMANDS = (
    "init",
    "run",
    "audit",
    "batches",
    "explain",
    "contract",
    "calibrate",
    "export",
    "review",
    "draft",
    "drift",
    "release",
    "resubmit",
    "alerts",
    "sql",
    "doctor",
    "ui",
    "dashboard",
    "parse",
    "probe",
    "remeasure",
    "verify",
    "registry",
)
HELP = (
    "Audit cited reports that language models wrote, repair their reference tables, and decide with evidence which may "
    "enter the knowledge base. It blocks ingestion, not delivery."
)
EPILOG = "Exit codes: 0 pass, 1 breach, 2 could not determine, 64 and up usage or fault."


@runtime_checkable
class _ShownError(Protocol):
    """What Typer's usage errors can do, without naming their private type."""

    def show(self) -> None:
        """Print the usage line and the message on standard error."""


def application(arguments: Sequence[str]) -> typer.Typer:
    """The command with its sub-commands; only the one that ``arguments`` call, so that ``audit`` loads no database."""
    app = typer.Typer(
        name="sluicegate",
        help=HELP,
        epilog=EPILOG,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(help=HELP)(_group)
    for name in arguments[:1] if arguments and arguments[0] in COMMANDS else COMMANDS:
        importlib.import_module(f"pipelines.cli.{name}").register(app)
    return app


def _group() -> None:
    """Keep sub-commands sub-commands, also where there is only one of them."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command and leave the process with its exit code."""
    sys.exit(call(sys.argv[1:] if arguments is None else arguments))


def call(arguments: list[str]) -> int:
    """Run the command and return its exit code."""
    try:
        code = application(arguments)(arguments, standalone_mode=False, prog_name="sluicegate")
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
