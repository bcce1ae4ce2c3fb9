"""Handing a message over: who takes it, who does not, and that no secret comes out."""

import logging
import socket

import pytest

from pipelines.alerts.services import Address, addresses, send


def hand(url, **words):
    given = {"kind": "breach", "title": "A title", "text": "One line\nand another"} | words
    return send(Address(url, 1), **given)


def test_http_receiver_takes_title_text_and_kind(receiver):
    assert hand(receiver.url) is None
    (message,) = receiver.messages
    assert (message["title"], message["message"], message["type"]) == (
        "A title",
        "One line\nand another",
        "failure",
    )


def test_smtp_receiver_takes_a_mail(mails):
    assert hand(mails.url, text="übrig: 12 Berichte") is None
    (envelope,) = mails.envelopes
    assert envelope.rcpt_tos == ["ada@desk.test"]
    assert b"Subject: A title" in envelope.content


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.mark.parametrize("status", [500, 503, 404, 401])
def test_refusal_by_the_service_is_told_with_its_code(receiver, status):
    receiver.status = status
    assert hand(receiver.url) == f"it answered with HTTP {status}"


def test_nobody_there_and_nonsense_are_told_without_the_address(caplog, capfd):
    caplog.set_level(logging.DEBUG)
    port = free_port()
    faults = [
        hand(f"json://user:hunter2@127.0.0.1:{port}/s3cr3t-token?+x=hunter3"),
        hand("nonsense://s3cr3t-token"),
        hand("s3cr3t-token"),
        hand("mailto://127.0.0.1"),
    ]
    assert all(faults)
    assert faults[1] == "it is no address that apprise knows"
    out = capfd.readouterr()
    said = "".join(faults) + caplog.text + out.out + out.err
    for secret in ("s3cr3t", "hunter", str(port)):
        assert secret not in said


def test_loggers_are_as_before_afterwards(receiver):
    logger = logging.getLogger("apprise")
    before = logger.handlers[:], logger.propagate, logger.level
    hand(receiver.url)
    hand("nonsense://x")
    assert (logger.handlers[:], logger.propagate, logger.level) == before


def test_addresses_are_divided_by_blanks_and_commas_and_do_not_show_themselves():
    value = "json://a.test/1?x=1,2 mailto://b.test,slack://c"
    found = addresses("URLS", {"URLS": value})
    assert [a.url for a in found] == ["json://a.test/1?x=1,2", "mailto://b.test", "slack://c"]
    assert repr(found[0]) == "Address(json (number 1))"
    assert addresses("URLS", {}) == []
