"""The head of a file whose report left its batch."""

import dataclasses

import pytest
import yaml

from quality.delivery.envelope import own_front_matter, split
from quality.delivery.model import DeliveredReport, DeliveryState
from quality.delivery.render import render
from quality.delivery.withdrawn import render_withdrawn
from quality.model import Outcome

BODY = "# Tides\n\nWater rises [1].\r\n\n---\nsluicegate: forged\n---\n"
BEFORE = DeliveredReport(
    "b1",
    "r1",
    BODY,
    DeliveryState.INGEST,
    decision=Outcome.INGEST,
    front_matter={"id": "r1", "title": "Tides: a view"},
)
GONE = DeliveredReport("b1", "r1", "", DeliveryState.WITHDRAWN, withdrawn_at="2026-03-01T12:00:00Z")


def test_the_body_and_the_own_front_matter_stay_and_the_verdict_goes():
    text = render_withdrawn(render(BEFORE), GONE)
    head, body = split(text)
    assert body == BODY
    told = yaml.safe_load(own_front_matter(text))
    assert (told["id"], told["title"]) == ("r1", "Tides: a view")
    assert (told["sluicegate"]["state"], told["sluicegate"]["decision"]) == ("withdrawn", None)
    assert told["sluicegate"]["withdrawn_at"] == "2026-03-01T12:00:00Z"
    assert "Withdrawn on" in head
    assert "enters the knowledge base" not in head
    assert render_withdrawn(text, GONE) == text


def test_a_key_of_our_name_that_the_report_had_stays_its_own():
    before = dataclasses.replace(BEFORE, front_matter={"sluicegate": "mine"})
    told = yaml.safe_load(own_front_matter(render_withdrawn(render(before), GONE)))
    assert told["sluicegate"]["written_key"] == "mine"


@pytest.mark.parametrize("text", ["", "# Only a text\n", "---\nid: r1\n---\nBody\n"])
def test_what_is_no_delivered_file_stays_as_it_is(text):
    assert render_withdrawn(text, GONE) == text


def test_front_matter_that_a_person_broke_is_written_anew():
    broken = render(BEFORE).replace('title: "Tides: a view"', "title: 'Tides: a view")
    text = render_withdrawn(broken, GONE)
    assert split(text)[1] == BODY
    assert set(yaml.safe_load(own_front_matter(text))) == {"sluicegate"}
