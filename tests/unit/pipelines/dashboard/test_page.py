"""The page as a browser reads it: escaped, allowed by its own policy, whole."""

import base64
import hashlib
import json
import re
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from pipelines.dashboard.page import TITLE, render
from tests.unit.pipelines.dashboard.conftest import HOSTILE
from tests.unit.pipelines.dashboard.test_markup import Texts

LIBRARY = "window.vegaEmbed = async () => ({ finalize() {} });"


@pytest.fixture
def page(facts):
    return render(facts, library=LIBRARY)


def elements(page, name):
    return [attrs for tag, attrs in Texts(page).elements if tag == name]


def test_hostile_texts_stay_text(page):
    assert len(elements(page, "script")) == 3
    assert not elements(page, "img")
    assert not [a for tag, attrs in Texts(page).elements for a in attrs if a.startswith("on") or a == "style"]
    assert HOSTILE in "".join(Texts(page).text)
    assert "\u2028" not in re.search(r'<script type="application/json".*?</script>', page, re.DOTALL)[0]


def test_every_script_and_style_is_allowed_by_its_hash(page):
    policy = elements(page, "meta")[1]["content"]
    texts = re.findall(r"<(?:script|style)>(.*?)</(?:script|style)>", page, re.DOTALL)
    assert len(texts) == 3
    for text in texts:
        assert base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() in policy


def test_page_names_itself_and_its_places(page):
    assert f"<title>{TITLE}</title>" in page
    assert '<html lang="en">' in page
    ids = [attrs["id"] for _, attrs in Texts(page).elements if "id" in attrs]
    assert [name for name, n in Counter(ids).items() if n > 1] == []
    targets = {a["href"][1:] for a in elements(page, "a") if a["href"].startswith("#")}
    assert targets <= set(ids)
    labels = [a for a in elements(page, "svg") if a.get("role") == "img"]
    assert all(a["aria-label"] for a in labels)


def test_charts_of_the_page_have_their_specifications(page):
    specs = json.loads(re.search(r'id="charts">(.*?)</script>', page, re.DOTALL)[1])
    assert {a["data-chart"] for a in elements(page, "div") if "data-chart" in a} == set(specs)


def test_values_that_are_missing_are_words(page):
    assert '<span class="no-value absent">absent</span>' in page
    assert '<span class="no-value unknown">unknown</span>' in page
    cells = [a for a in elements(page, "td") if a.get("data-label") == "inbound as written"]
    assert sorted(a["data-sort"] for a in cells) == ["", "", "", "0.0", "0.05", "0.5"]


def test_modes_and_states_are_words_beside_their_colours(page):
    for word in ("block", "record", "off"):
        assert f'<span class="mode {word}">{word}</span>' in page
    for sign, word in (("●", "pass"), ("▼", "breach"), ("◆", "unknown")):
        assert f'<span class="badge {word}">{sign} {word}</span>' in page


def test_what_is_left_out_is_said(facts):
    page = render(replace(facts, n_batches=1200, n_decisions=56000), library=LIBRARY)
    assert "3 of 1200 batches" in page
    assert "6 of 56000 reports" in page


def test_home_without_batches_has_a_page(facts):
    empty = replace(
        facts, batches=(), n_batches=0, clauses=(), bars=(), spread=(), changes=(), producers=(), validity=(),
        decisions=(), n_decisions=0,
    )  # fmt: skip
    page = render(empty, library=LIBRARY)
    assert "No batch yet" in page
    assert "What the numbers mean" in page


def test_every_metric_of_the_catalogue_is_explained(page):
    from quality.metrics.catalogue import CATALOGUE

    for definition in CATALOGUE:
        assert f"<code>{definition.id} {definition.version}</code>" in page


AT = datetime(2026, 3, 4, 5, 6, tzinfo=UTC)


def test_alerts_and_releases_are_shown_where_there_are_any(facts, page):
    assert 'id="alerts"' not in page
    assert 'href="#releases"' not in page
    alert = {
        "kind": "breach", "batch_id": "02", "clauses": ["inbound_rate_p10"], "raised_at": AT, "state": "pending",
        "reason": f"no answer {HOSTILE}",
    }  # fmt: skip
    release = {"batch_id": "02", "report_id": "evil", "who": "Ada", "why": HOSTILE, "recorded_at": AT}
    shown = replace(facts, alerts=(alert,), n_alerts=7, releases=(release,), n_releases=1)
    page = render(shown, library=LIBRARY)
    assert "1 of 7 alerts" in page
    assert "○ pending" in page
    assert "1 of 1 releases that stand" in page
    assert 'href="#alerts"' in page
    assert len(elements(page, "script")) == 3
