"""Manners: waiting as long as asked, in every form; pace; breaker; who is told an address."""

import asyncio

import pytest

from quality.registries.manners import Breaker, Courier, Pace, Patience, allowed_rate, retry_after
from quality.registries.transport import NoReply, Request
from tests.unit.quality.registries.fakes import Clock, Net, reply

NOW = 1_767_225_600.0
HOST = "https://api.crossref.org/works/x"


def courier(net, clock, **more):
    return Courier(net, clock=clock, sleep=clock.sleep, chance=lambda: 0.0, **more)


def send(net, clock, url=HOST, **more):
    return asyncio.run(courier(net, clock, **more).send(Request(url)))


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        ("7", 7.0),
        ("0", 0.0),
        ("Thu, 01 Jan 2026 00:00:37 GMT", 37.0),
        ("Wed, 31 Dec 2025 23:59:00 GMT", 0.0),
        ("soon", None),
        ("-5", None),
        ("", None),
    ],
)
def test_retry_after_in_both_forms(written, seconds):
    assert retry_after({"retry-after": written} if written else {}, NOW) == seconds


def test_both_forms_are_waited_for_and_the_answer_comes():
    clock = Clock(NOW)
    replies = [
        reply(429, headers={"retry-after": "7"}),
        reply(429, headers={"retry-after": "Thu, 01 Jan 2026 00:00:37 GMT"}),
        reply(200),
    ]
    net = Net([("crossref", replies)])
    assert send(net, clock).status == 200
    assert len(net.requests) == 3
    assert clock.now - NOW >= 37


def test_patience_ends():
    clock = Clock(NOW)
    net = Net([("crossref", reply(429, headers={"retry-after": "1"}))])
    with pytest.raises(NoReply, match="rate_limited"):
        send(net, clock, patience=Patience(attempts=3))
    assert len(net.requests) == 3


def test_a_wait_of_hours_is_not_waited_for():
    clock = Clock(NOW)
    net = Net([("crossref", reply(429, headers={"retry-after": "7200"}))])
    with pytest.raises(NoReply, match="rate_limited"):
        send(net, clock)
    assert len(net.requests) == 1


def test_a_server_error_is_tried_again_and_then_told():
    clock = Clock(NOW)
    assert send(Net([("crossref", [reply(503), reply(200)])]), clock).status == 200
    assert send(Net([("crossref", reply(503))]), Clock(NOW), patience=Patience(attempts=2)).status == 503


@pytest.mark.parametrize(
    ("reason", "requests"), [("timeout", 4), ("cut_body", 4), ("blocked_target", 1), ("too_large", 1)]
)
def test_only_what_may_pass_is_tried_again(reason, requests):
    net = Net([("crossref", NoReply(reason))])
    with pytest.raises(NoReply, match=reason):
        send(net, Clock(NOW))
    assert len(net.requests) == requests


def test_an_address_is_told_to_its_host_alone():
    net = Net([("", reply(200))])
    clock = Clock(NOW)
    one = courier(net, clock, agent="sluicegate/1", contact={"api.crossref.org": "audit@papers.test"})
    asyncio.run(one.send(Request(HOST)))
    asyncio.run(one.send(Request("https://api.datacite.org/dois/x")))
    agents = [r.headers["user-agent"] for r in net.requests]
    assert agents == ["sluicegate/1 (mailto:audit@papers.test)", "sluicegate/1"]


def test_without_an_address_none_is_made_up():
    net = Net([("", reply(200))])
    send(net, Clock(NOW))
    assert net.requests[0].headers["user-agent"] == "sluicegate"


@pytest.mark.parametrize(
    ("headers", "rate"),
    [
        ({"x-rate-limit-limit": "50", "x-rate-limit-interval": "1s"}, 50.0),
        ({"x-ratelimit-limit": "300", "x-ratelimit-interval": "60"}, 5.0),
        ({"ratelimit-policy": "100;w=60"}, 100 / 60),
        ({"ratelimit-policy": '"burst";q=100;w=50'}, 2.0),
        ({"x-rate-limit-limit": "50"}, None),
        ({"x-rate-limit-limit": "0", "x-rate-limit-interval": "1s"}, None),
        ({}, None),
    ],
)
def test_limits_out_of_headers(headers, rate):
    assert allowed_rate(headers) == rate


def test_requests_are_spaced_evenly_and_within_what_the_server_allows():
    clock = Clock(0.0)
    sent = []

    async def run():
        pace = Pace(None, clock=clock, sleep=clock.sleep)
        pace.allow(10)
        for _ in range(50):
            await pace.turn()
            sent.append(clock.now)

    asyncio.run(run())
    assert all(sum(t <= s < t + 1 for s in sent) <= 10 for t in sent)
    assert 50 / (sent[-1] - sent[0]) > 9


def test_a_pause_holds_those_who_wait_already():
    clock = Clock(0.0)

    async def run():
        pace = Pace(1.0, clock=clock, sleep=clock.sleep)
        await pace.turn()
        pace.pause(30)
        await pace.turn()

    asyncio.run(run())
    assert clock.now >= 30


def test_a_breaker_opens_and_tries_again_with_one():
    clock = Clock(0.0)
    breaker = Breaker(clock=clock, failures=3, cool_off=60)
    opened = [breaker.note(answered=False) for _ in range(4)]
    assert opened == [False, False, True, False]
    assert not breaker.admits()
    clock.now = 61
    assert breaker.admits()
    assert not breaker.admits()
    breaker.note(answered=True)
    assert breaker.admits()
    assert breaker.admits()


def test_an_answer_in_between_starts_the_count_anew():
    breaker = Breaker(clock=Clock(0.0), failures=2)
    breaker.note(answered=False)
    breaker.note(answered=True)
    breaker.note(answered=False)
    assert breaker.admits()
