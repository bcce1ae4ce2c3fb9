"""The catalogue guards what may be written."""

import math
from dataclasses import replace

import pytest

from quality.errors import UsageError
from quality.metrics.catalogue import CATALOGUE, Catalogue, validate
from quality.metrics.definition import Metric
from quality.model import Measurement, Stage, Validity


def test_the_metrics_that_ship():
    assert [(d.id, d.version) for d in CATALOGUE] == [
        ("inbound_rate", "v1"),
        ("inbound_rate", "v2"),
        ("inbound_rate", "v3"),
        ("cited", "v1"),
        ("citation_count", "v1"),
        ("self_contained_count", "v1"),
        ("placeholder_count", "v1"),
        ("canonical_rate", "v1"),
        ("dirty_entries", "v1"),
        ("dirty_share", "v1"),
        ("uncited_entries", "v1"),
        ("duplicate_entries", "v1"),
        ("audited_share", "v1"),
        ("fixed_closing", "v1"),
        ("method_honesty", "v1"),
        ("deep_share", "v1"),
        ("shallow_share", "v1"),
        ("blank_share", "v1"),
        ("quote_rate", "v1"),
        ("identifier_rate", "v1"),
        ("retracted_count", "v1"),
    ]
    assert len(CATALOGUE) == 21
    assert ("cited", "v1") in CATALOGUE
    assert ("cited", "v2") not in CATALOGUE


def test_what_is_only_defined_here():
    in_sql = [m.definition.id for m in CATALOGUE.at(Stage.SHADOW) if m.measure is None]
    assert in_sql == ["audited_share", "fixed_closing"]
    looked_up = [m.definition.id for m in CATALOGUE.at(Stage.REBUILT) if m.measure is None]
    assert looked_up == ["identifier_rate", "retracted_count"]
    assert CATALOGUE.computed_apart == {(name, "v1") for name in (*in_sql, *looked_up)}


def test_an_entry_is_found_by_id_and_version():
    assert CATALOGUE.get("inbound_rate", "v2").title == "Inbound rate, by containment"
    with pytest.raises(UsageError, match="there are the versions v1, v2, v3"):
        CATALOGUE.get("inbound_rate", "v4")
    with pytest.raises(UsageError, match="there are the metrics audited_share, blank_share"):
        CATALOGUE.get("sparkle", "v1")


def test_a_number_with_an_entry_may_be_written():
    allowed = [
        Measurement("cited", "v1", 1.0, Validity.MEASURED),
        Measurement("cited", "v1", None, Validity.UNKNOWN),
    ]
    assert validate(allowed) is None


@pytest.mark.parametrize(
    ("measurement", "says"),
    [
        (Measurement("sparkle", "v1", 1.0, Validity.MEASURED), "no catalogue entry"),
        (Measurement("cited", "v2", 1.0, Validity.MEASURED), "no catalogue entry"),
        (Measurement("cited", "v1", math.nan, Validity.MEASURED), "not all finite"),
        (Measurement("cited", "v1", 1.0, Validity.MEASURED, math.inf, 1), "not all finite"),
        (Measurement("cited", "v1", None, Validity.MEASURED), "is measured with the value None"),
        (Measurement("cited", "v1", 0.0, Validity.ABSENT), "is absent with the value 0"),
        (Measurement("cited", "v1", 0.0, Validity.UNKNOWN), "is unknown with the value 0"),
    ],
)
def test_any_other_number_may_not(measurement, says):
    with pytest.raises(UsageError, match=says):
        validate([Measurement("cited", "v1", 1.0, Validity.MEASURED), measurement])


def test_two_entries_with_one_version_are_refused():
    with pytest.raises(UsageError, match="cited v1 is in the catalogue twice"):
        CATALOGUE.extended(Metric(CATALOGUE.get("cited", "v1"), None))


@pytest.mark.parametrize(
    "field", ["title", "unit", "formula", "absent_when", "owner", "says_not", "id", "version"]
)
def test_an_entry_that_does_not_say_what_it_means_is_refused(field):
    whole = replace(CATALOGUE.get("cited", "v1"), version="v2")
    assert len(CATALOGUE.extended(Metric(whole, None))) == len(CATALOGUE) + 1
    with pytest.raises(UsageError, match=f"lacks {field}"):
        Catalogue([Metric(replace(whole, **{field: " "}), None)])
    with pytest.raises(UsageError, match="lacks a stage"):
        Catalogue([Metric(replace(whole, stages=()), None)])
