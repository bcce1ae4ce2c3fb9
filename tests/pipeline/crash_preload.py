"""What a run needs, imported once in the process that runs are forked from."""

import great_expectations.expectations  # noqa: F401

import pipelines.cli.run
import pipelines.run  # noqa: F401
