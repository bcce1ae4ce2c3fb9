"""A warehouse in a temporary home, a clock that the test moves, processes that a test starts and kills."""

import subprocess
import sys
import textwrap
from datetime import UTC, datetime, timedelta

import polars as pl
import pytest

from pipelines.resources.warehouse import Warehouse


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self):
        self.now = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self):
        return self.now

    def move(self, **by):
        self.now += timedelta(**by)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


@pytest.fixture
def warehouse(home, clock):
    return Warehouse(home, lock_wait=10, clock=clock)


@pytest.fixture
def metrics():
    """Rows of report_metrics of one batch with the values given."""

    def make(*values, batch="b1"):
        return pl.DataFrame(
            {
                "batch_id": [batch] * len(values),
                "report_id": [f"r{i}" for i in range(len(values))],
                "stage": ["shadow"] * len(values),
                "metric": ["inbound_rate"] * len(values),
                "metric_version": ["v3"] * len(values),
                "value": list(values),
                "validity": ["measured"] * len(values),
            },
            schema_overrides={"value": pl.Float64},
        )

    return make


@pytest.fixture
def process():
    """Start Python with a script; it is killed at the end if it still runs."""
    started = []

    def start(script, *arguments):
        command = [sys.executable, "-c", textwrap.dedent(script), *map(str, arguments)]
        child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        started.append(child)
        return child

    yield start
    for child in started:
        child.kill()
        child.communicate()
