"""Specifications that Vega-Lite accepts, and values that are missing nowhere on a scale."""

import altair as alt
import pytest
from jsonschema import ValidationError

from pipelines.dashboard.charts import LABELLED, before_after, distribution, trend
from pipelines.dashboard.figures import Figures


@pytest.fixture
def specs(facts):
    figures = Figures(facts)
    for section in (figures.trends, figures.distributions, figures.changes):
        section()
    return figures.specs


def test_every_specification_follows_the_schema(specs):
    assert len(specs) == 2 + 6 + 2  # clauses, stages of three batches, P10 and P50
    for spec in specs.values():
        alt.LayerChart.from_dict(spec, validate=True)


def test_the_schema_would_notice():
    with pytest.raises(ValidationError, match="no such mark"):
        alt.LayerChart.from_dict({"layer": [{"mark": "no such mark", "encoding": {}}]}, validate=True)


def clause(*observed):
    return [
        {"batch_id": f"{i}", "clause": "c", "metric": "inbound_rate", "metric_version": "v3", "stage": "rebuilt", "statistic": "p10", "operator": ">=",
         "threshold": 0.6, "observed": value, "verdict": verdict, "mode": "block", "n": 3, "n_absent": 1, "n_unknown": 2}
        for i, (value, verdict) in enumerate(observed)
    ]  # fmt: skip


def batches(*verdicts):
    return [{"batch_id": f"{i}", "verdict": verdict} for i, verdict in enumerate(verdicts)]


def test_what_is_unknown_or_off_is_drawn_apart_from_the_scale():
    spec = trend(clause((0.9, "pass"), (None, "unknown"), (None, None)), batches("pass", "unknown", "breach"))
    data = spec["datasets"]
    assert [(r["batch"], r["observed"]) for r in data["seen"]] == [("0", 0.9)]
    assert [(r["batch"], r["sign"]) for r in data["missing"]] == [("1", "?"), ("2", "off")]
    assert [r["batch"] for r in data["asked"]] == ["0", "1"]
    assert [r["batch"] for r in data["kept_out"]] == ["1", "2"]
    missing = next(layer for layer in spec["layer"] if layer["data"] == {"name": "missing"})
    assert missing["encoding"]["y"] == {"value": 60}


def test_shares_have_one_scale_and_counts_their_own():
    def domain(spec):
        return next(
            layer["encoding"]["y"]["scale"] for layer in spec["layer"] if layer["mark"]["type"] == "line"
        )

    assert domain(trend(clause((0.2, "breach")), batches("breach")))["domain"] == [0, 1]
    assert "domain" not in domain(trend(clause((12, "pass")), batches("pass")))


def test_many_points_carry_no_numbers():
    few, many = (
        trend(clause(*[(0.5, "breach")] * n), batches(*["breach"] * n)) for n in (LABELLED, LABELLED + 1)
    )
    assert len(few["layer"]) == len(many["layer"]) + 1


def test_charts_of_one_kind_do_not_share_their_rows():
    one = distribution([{"bar": 3, "n": 2}], limit=0.5, highest=2, label="one")
    other = distribution([], limit=0.4, highest=2, label="other")
    assert one["datasets"]["bars"] == [{"low": 0.15, "high": 0.2, "n": 2}]
    assert (other["datasets"]["bars"], other["description"]) == ([], "other")


def test_a_corpus_without_any_value_says_so():
    rows = [
        {"name": "x", "before": None, "after": None},
        {"name": "y", "before": None, "after": 1.0},
        {"name": "z", "before": 0.2, "after": 0.8},
    ]
    data = before_after(rows, threshold=0.6, label="l")["datasets"]
    assert data["missing"] == [{"name": "x", "sign": "nothing measured"}]
    assert [(r["name"], r["value"]) for r in data["rebuilt"]] == [("y", 1.0), ("z", 0.8)]
    assert [r["name"] for r in data["both"]] == ["z"]
    assert data["asked"] == [{"threshold": 0.6}]
