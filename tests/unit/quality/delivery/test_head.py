"""Front matter for machines."""

import yaml
from hypothesis import given
from hypothesis import strategies as st

from quality.delivery.head import front_matter, own_fields, to_yaml
from quality.delivery.model import DeliveredReport, DeliveryState
from quality.model import (
    ListedSource,
    Measurement,
    Mode,
    Outcome,
    Reason,
    RebuildPath,
    Report,
    Validity,
    Verdict,
)


def test_everything_a_machine_needs():
    text = front_matter(
        DeliveredReport(
            batch_id="b",
            report_id="r",
            body="x",
            state=DeliveryState.HOLD,
            front_matter={"id": "r", "sluicegate": 3},
            input_fingerprint="ab" * 32,
            decision=Outcome.HOLD,
            gate_outcome=Outcome.HOLD,
            contract_verdict=Verdict.UNKNOWN,
            contract_version="v",
            before=(Measurement("m", "v1", None, Validity.ABSENT),),
            after=(
                Measurement("m", "v1", 0.5, Validity.MEASURED, 1, 2),
                Measurement("n", "v2", None, Validity.UNKNOWN),
            ),
            rebuild_path=RebuildPath.LEFT,
            rebuild_reason="why",
            reasons=(Reason("rule", Mode.BLOCK, "0", "1", passage="p", line=3),),
            dangling=("7",),
            not_checked=("identifiers",),
        ),
        "body",
    )
    assert text.startswith("sluicegate:\n  holds: body\n  format: 1\n")
    assert text.count("\n") == 26
    assert yaml.safe_load(text) == {
        "sluicegate": {
            "holds": "body",
            "format": 1,
            "state": "hold",
            "batch_id": "b",
            "report_id": "r",
            "input_fingerprint": "ab" * 32,
            "decision": "hold",
            "gate_outcome": "hold",
            "contract_verdict": "unknown",
            "contract_version": "v",
            "failure": None,
            "rebuild_path": "left",
            "rebuild_reason": "why",
            "metrics": [
                {
                    "metric": "m",
                    "version": "v1",
                    "shadow": None,
                    "shadow_validity": "absent",
                    "rebuilt": 0.5,
                    "rebuilt_validity": "measured",
                },
                {"metric": "n", "version": "v2", "rebuilt": None, "rebuilt_validity": "unknown"},
            ],
            "reasons": [
                {"rule": "rule", "mode": "block", "observed": "0", "needed": "1", "passage": "p", "line": 3}
            ],
            "would_hold": [],
            "dangling": ["7"],
            "not_checked": ["identifiers"],
            "written_key": 3,
        },
        "id": "r",
    }


def test_an_undecided_report_has_nulls_not_words():
    ours = yaml.safe_load(front_matter(DeliveredReport("b", "r", "x", DeliveryState.PENDING), "body"))[
        "sluicegate"
    ]
    assert (ours["state"], ours["decision"], ours["contract_verdict"], ours["metrics"]) == (
        "pending",
        None,
        None,
        [],
    )


def test_own_fields():
    report = Report(
        "r",
        "x",
        title="T",
        sources=(
            ListedSource(key="1", title="A", text="a long passage"),
            ListedSource(text="only a passage"),
        ),
        extra={"score": 1, "evidence": "broken, as written"},
        flags=("evidence_broken",),
    )
    assert own_fields(report) == {
        "id": "r",
        "title": "T",
        "sources": [{"key": "1", "title": "A"}],
        "score": 1,
        "evidence": "broken, as written",
    }
    assert own_fields(Report("r", "x", evidence={})) == {"id": "r", "evidence": {}}


TEXT = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(TEXT, VALUES, max_size=4))
def test_yaml_round_trip(value):
    text = to_yaml(value)
    assert yaml.safe_load(text) == value
    assert not any(line.startswith(("---", "...")) for line in text.split("\n"))
    assert text.endswith("\n")


def test_one_list_twice_is_written_twice():
    shared = ["a"]
    assert "&" not in to_yaml({"x": shared, "y": shared})


def test_text_of_every_script_stays_readable():
    assert to_yaml({"title": "水鸟数量", "producer": "Ågot Љ"}) == 'title: "水鸟数量"\nproducer: "Ågot Љ"\n'
