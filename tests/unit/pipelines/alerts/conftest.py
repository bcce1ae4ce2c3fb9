"""Real receivers on the loopback."""

import pytest

from tests.receivers import Mails, Receiver


@pytest.fixture
def receiver():
    made = Receiver()
    yield made
    made.close()


@pytest.fixture
def mails():
    made = Mails()
    yield made
    made.controller.stop()
