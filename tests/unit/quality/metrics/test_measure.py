"""Each metric on a report that a person counted, at both stages."""

import math

import pytest

from quality.metrics.catalogue import CATALOGUE
from quality.metrics.definition import Definition, Metric, Subject, Value
from quality.metrics.entries import duplicates
from quality.metrics.measure import measure_report, unknown_measurements
from quality.model import (
    CitedKey,
    DirtyFinding,
    Entry,
    Identifier,
    Mark,
    Reading,
    Reconciliation,
    Resolution,
    ResolutionState,
    Stage,
    Validity,
)

SHADOW, REBUILT = Stage.SHADOW, Stage.REBUILT
RESOLVED = Resolution(ResolutionState.RESOLVED, "exact", "s1")
NOT = [
    Resolution(state)
    for state in (ResolutionState.AMBIGUOUS, ResolutionState.SUGGESTED, ResolutionState.NONE)
]


def key(name, entry=None, *, locator=None, family="label"):
    return CitedKey(name, family, "bracket", 0, 1, 0, entry, locator)


def entry(ordinal, **fields):
    return Entry(ordinal=ordinal, key=str(ordinal + 1), text=f"[{ordinal + 1}] a work", **fields)


def subject(
    stage=REBUILT, cited=(), *, entries=(), v1=None, v2=None, marks=(), dirt=(), resolutions=None, uncited=()
):
    reading = Reading(100, tuple(marks), tuple(entries), (), ())
    v3 = Reconciliation(tuple(cited), tuple(uncited))
    return Subject(
        stage=stage,
        reading=reading,
        v1=v3 if v1 is None else Reconciliation(tuple(v1), ()),
        v2=v3 if v2 is None else Reconciliation(tuple(v2), ()),
        v3=v3,
        resolutions=resolutions,
        dirt=tuple(dirt),
    )


def value_of(given, metric, version="v1"):
    (found,) = [m for m in measure_report(given) if (m.metric, m.version) == (metric, version)]
    return found


def parts(given, metric, version="v1"):
    m = value_of(given, metric, version)
    return m.value, m.numerator, m.denominator, m.validity


@pytest.mark.parametrize("stage", [SHADOW, REBUILT])
def test_inbound_rate_of_labels_is_the_same_in_all_versions(stage):
    given = subject(stage, [key("1", 0), key("2", 1), key("7"), key("9")], entries=[entry(0), entry(1)])
    for version in ("v1", "v2", "v3"):
        assert parts(given, "inbound_rate", version) == (0.5, 2, 4, Validity.MEASURED)


def test_inbound_rate_of_titles_depends_on_the_version():
    def titles(*found):
        return [key(f"title {i}", entry, family="title") for i, entry in enumerate(found)]

    given = subject(
        SHADOW, titles(0, None, 2, None), v1=titles(0, None, None, None), v2=titles(0, 1, 2, None)
    )
    rates = [value_of(given, "inbound_rate", v).value for v in ("v1", "v2", "v3")]
    assert rates == [0.25, 0.75, 0.5]


def test_a_locator_of_its_own_counts_in_neither_part_as_written_and_counts_after_the_rebuild():
    cited = [
        key("1", 0),
        key("2"),
        key("a link", None, locator="https://h.test/a"),
        key("b", 3, locator="https://h.test/b"),
    ]
    assert parts(subject(SHADOW, cited), "inbound_rate", "v3") == (0.5, 1, 2, Validity.MEASURED)
    assert parts(subject(REBUILT, cited), "inbound_rate", "v3") == (0.5, 2, 4, Validity.MEASURED)
    assert value_of(subject(SHADOW, cited), "self_contained_count").value == 2


def test_only_locators_of_their_own_are_absent_as_written():
    cited = [key("a", None, locator="https://h.test/a"), key("b", 0, locator="https://h.test/b")]
    for version in ("v1", "v2", "v3"):
        assert parts(subject(SHADOW, cited), "inbound_rate", version) == (None, 0, 0, Validity.ABSENT)
    assert (
        value_of(subject(SHADOW, cited), "inbound_rate", "v3").detail
        == "every citation carries its own locator"
    )
    assert parts(subject(REBUILT, cited), "inbound_rate", "v3") == (0.5, 1, 2, Validity.MEASURED)


@pytest.mark.parametrize("stage", [SHADOW, REBUILT])
def test_a_report_without_citations(stage):
    given = subject(stage, resolutions=[])
    assert parts(given, "inbound_rate", "v3") == (None, 0, 0, Validity.ABSENT)
    assert parts(given, "canonical_rate") == (None, 0, 0, Validity.ABSENT)
    assert value_of(given, "inbound_rate", "v3").detail == "the report has no citations"
    assert parts(given, "cited") == (0.0, None, None, Validity.MEASURED)
    assert value_of(given, "citation_count").value == 0


def test_citations_that_all_dangle_are_zero_and_not_absent():
    given = subject(REBUILT, [key("1"), key("2")], entries=[entry(0)])
    assert parts(given, "inbound_rate", "v3") == (0.0, 0, 2, Validity.MEASURED)
    assert value_of(given, "cited").value == 0


def test_one_citation_with_an_entry_is_cited():
    assert value_of(subject(REBUILT, [key("1"), key("2", 0)]), "cited").value == 1


def test_canonical_rate_counts_what_a_safe_tier_resolved():
    cited = [key(str(i)) for i in range(4)]
    given = subject(REBUILT, cited, resolutions=[RESOLVED, *NOT])
    assert parts(given, "canonical_rate") == (0.25, 1, 4, Validity.MEASURED)


def test_canonical_rate_without_a_catalogue_is_absent():
    found = value_of(subject(REBUILT, [key("1")]), "canonical_rate")
    assert (found.value, found.validity, found.detail) == (
        None,
        Validity.ABSENT,
        "no source catalogue was supplied",
    )


def test_dirt_counts_entries_and_not_findings():
    findings = [
        DirtyFinding(0, "pipe_residue", 0, 1),
        DirtyFinding(0, "placeholder", 0, 1),
        DirtyFinding(2, "empty", 0, 1),
    ]
    given = subject(REBUILT, entries=[entry(i) for i in range(4)], dirt=findings, uncited=[1, 2, 3])
    assert parts(given, "dirty_entries") == (2.0, None, None, Validity.MEASURED)
    assert parts(given, "dirty_share") == (0.5, 2, 4, Validity.MEASURED)
    assert value_of(given, "uncited_entries").value == 3


def test_a_clean_table_has_zero_dirty_entries():
    given = subject(REBUILT, entries=[entry(0)])
    assert (value_of(given, "dirty_entries").value, value_of(given, "dirty_share").value) == (0.0, 0.0)


@pytest.mark.parametrize("metric", ["dirty_entries", "dirty_share", "uncited_entries", "duplicate_entries"])
def test_without_a_table_nothing_is_said_about_it(metric):
    found = value_of(subject(REBUILT, [key("1")]), metric)
    assert (found.value, found.validity, found.detail) == (
        None,
        Validity.ABSENT,
        "the report has no reference entries",
    )


def test_placeholders_are_counted_by_mark():
    marks = [
        Mark(0, 9, "placeholder", "placeholder", ()),
        Mark(20, 29, "placeholder", "placeholder", ()),
        Mark(40, 43, "bracket", "label", ("1",)),
    ]
    assert value_of(subject(SHADOW, [key("1")], marks=marks), "placeholder_count").value == 2


DOI, OTHER_DOI, ISBN = (
    Identifier("doi", "10.5555/a"),
    Identifier("doi", "10.5555/b"),
    Identifier("isbn", "9780000000002"),
)


@pytest.mark.parametrize(
    ("entries", "repeated"),
    [
        ([{"identifiers": (DOI,)}, {"identifiers": (DOI,)}, {"identifiers": (OTHER_DOI,)}], [1]),
        ([{"url": "https://h.test/a"}, {"url": "http://www.h.test/a/"}], [1]),
        ([{"url": "https://h.test/a"}, {"identifiers": (Identifier("url", "https://h.test/a"),)}], [1]),
        ([{"title": "Tides"}, {"title": "TIDES "}, {"title": "Tides and ebbs"}], [1]),
        ([{"title": "Tides", "url": "https://h.test/a"}, {"title": "Tides"}], [1]),
        ([{"title": "Tides"}, {"title": "Tides", "url": "https://h.test/a"}], [1]),
        ([{"title": "Tides", "url": "https://h.test/a"}, {"title": "Tides", "url": "https://h.test/b"}], []),
        ([{"title": "Tides", "identifiers": (ISBN,)}, {"title": "Ebbs", "identifiers": (ISBN,)}], []),
        ([{"title": "Tides", "identifiers": (ISBN,)}, {"title": "Tides", "identifiers": (ISBN,)}], [1]),
        ([{"title": "Tides", "scope": 0}, {"title": "Tides", "scope": 1}], []),
        ([{}, {}], []),
    ],
)
def test_duplicates(entries, repeated):
    assert duplicates([entry(i, **fields) for i, fields in enumerate(entries)]) == repeated


def test_everything_of_the_stage_is_measured_once_and_may_be_written():
    for stage in Stage:
        found = measure_report(subject(stage, [key("1", 0)], entries=[entry(0)], resolutions=[RESOLVED]))
        expected = [(m.definition.id, m.definition.version) for m in CATALOGUE.at(stage) if m.measure]
        assert [(m.metric, m.version) for m in found] == expected
        absent = {m.metric for m in found if m.validity is not Validity.MEASURED}
        not_supplied = {"deep_share", "shallow_share", "blank_share"}
        assert absent == not_supplied | ({"method_honesty", "quote_rate"} if stage is SHADOW else set())
        CATALOGUE.validate(found)


def test_a_report_that_could_not_be_read_is_unknown_in_everything():
    found = unknown_measurements(SHADOW, "not_text: bytes that are no text")
    assert {(m.metric, m.version) for m in found} == {
        (d.id, d.version) for d in CATALOGUE if SHADOW in d.stages
    }
    assert {(m.value, m.numerator, m.validity, m.detail) for m in found} == {
        (None, None, Validity.UNKNOWN, "not_text: bytes that are no text")
    }
    assert "audited_share" not in {m.metric for m in unknown_measurements(REBUILT, "x")}
    CATALOGUE.validate(found)


def own(measure, metric="sparkle"):
    return Metric(
        Definition(
            id=metric,
            version="v1",
            title="Sparkle",
            unit="share",
            formula="sparkling / all",
            stages=(REBUILT,),
            absent_when="never",
            statistics=("mean",),
            owner="tests",
            says_not="anything",
        ),
        measure,
    )


def test_a_users_own_metric_is_one_function_and_one_entry():
    catalogue = CATALOGUE.extended(own(lambda s: Value(len(s.v3.cited) / 4, len(s.v3.cited), 4)))
    found = measure_report(subject(REBUILT, [key("1")]), catalogue)[-1]
    assert (found.metric, found.value, found.numerator, found.denominator) == ("sparkle", 0.25, 1, 4)
    catalogue.validate([found])
    assert "sparkle" not in {d.id for d in CATALOGUE}


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_no_number_that_is_not_finite_comes_out(bad):
    for given in (Value(bad), Value(1.0, bad, 2.0), Value(1.0, 1.0, bad)):
        found = measure_report(subject(), CATALOGUE.extended(own(lambda s, v=given: v)))[-1]
        assert (found.value, found.numerator, found.denominator) == (None, None, None)
        assert found.validity is Validity.UNKNOWN
        assert "not a finite number" in found.detail


def test_a_metric_that_raises_costs_itself():
    found = measure_report(subject(REBUILT, [key("1", 0)]), CATALOGUE.extended(own(lambda s: 1 / 0)))
    assert (found[-1].validity, found[-1].detail) == (Validity.UNKNOWN, "ZeroDivisionError: division by zero")
    assert value_of(subject(REBUILT, [key("1", 0)]), "cited").value == 1


def test_a_subject_whose_parts_speak_of_different_citations_is_refused():
    with pytest.raises(ValueError, match="different citations"):
        subject(REBUILT, [key("1")], v1=[])
    with pytest.raises(ValueError, match="2 resolutions for 1 citations"):
        subject(REBUILT, [key("1")], resolutions=[RESOLVED, RESOLVED])
