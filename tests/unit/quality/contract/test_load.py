"""Contract files: the one that ships, and every way in which one can be wrong."""

import hashlib
import tomllib
from importlib import resources

import pytest

from quality.contract.load import load_contract, parse_contract
from quality.contract.model import Contract, Operator, Severity
from quality.errors import ConfigError
from quality.metrics.catalogue import CATALOGUE
from quality.metrics.definition import Definition, Metric, Value
from quality.model import Mode, Stage

FLOOR = """
format = 1
name = "mine"
approved_by = "A. Person"
approved_on = "2026-03-01"

[[clauses]]
clause = "floor"
metric = "row_count"
statistic = "count"
operator = ">="
threshold = 1
evidence = "an empty batch must not pass"
"""

RATE = """
[[clauses]]
clause = "rate"
metric = "inbound_rate"
version = "v3"
stage = "rebuilt"
statistic = "p10"
operator = ">="
threshold = 0.6
evidence = "measured on 40 reports"
"""


def parse(text):
    return parse_contract(text.encode(), "mine.toml")


def test_the_default_contract_holds_the_clauses_of_the_design():
    contract = load_contract()
    clauses = {
        c.clause: (c.metric, c.version, c.stage, c.statistic, c.operator, c.threshold, c.mode)
        for c in contract.clauses
    }
    block, record = Mode.BLOCK, Mode.RECORD
    shadow, rebuilt = Stage.SHADOW, Stage.REBUILT
    assert clauses == {
        "row_count": ("row_count", None, None, "count", Operator.AT_LEAST, 1, block),
        "audited_share_min": ("audited_share", "v1", shadow, "min", Operator.EQUAL, 1, block),
        "inbound_rate_p10": ("inbound_rate", "v3", rebuilt, "p10", Operator.AT_LEAST, 0.6, block),
        "inbound_rate_p50": ("inbound_rate", "v3", rebuilt, "p50", Operator.AT_LEAST, 0.9, record),
        "canonical_rate_p10": ("canonical_rate", "v1", rebuilt, "p10", Operator.AT_LEAST, 0.5, record),
        "canonical_rate_p50": ("canonical_rate", "v1", rebuilt, "p50", Operator.AT_LEAST, 0.8, record),
        "cited_share": ("cited", "v1", rebuilt, "mean", Operator.AT_LEAST, 0.9, block),
        "dirty_entries_p50": ("dirty_entries", "v1", rebuilt, "p50", Operator.EQUAL, 0, block),
        "fixed_closing_share": ("fixed_closing", "v1", shadow, "mean", Operator.AT_MOST, 0.1, record),
        "method_honesty_share": ("method_honesty", "v1", shadow, "mean", Operator.EQUAL, 1, block),
        "deep_share_mean": ("deep_share", "v1", rebuilt, "mean", Operator.AT_LEAST, 0.5, record),
        "blank_share_mean": ("blank_share", "v1", rebuilt, "mean", Operator.AT_MOST, 0.3, record),
        "quote_rate_mean": ("quote_rate", "v1", shadow, "mean", Operator.AT_LEAST, 0.9, record),
    }
    assert contract.clauses[0].clause == "row_count"
    assert all((c.min_n, c.max_unknown_share) == (10, 0.10) for c in contract.clauses)
    assert all(c.severity is (Severity.ERROR if c.mode is block else Severity.WARN) for c in contract.clauses)


def test_the_default_contract_lies_in_the_package_and_is_toml():
    assert (
        tomllib.loads(resources.files("quality.contract").joinpath("default.toml").read_text())["name"]
        == "default"
    )


def test_a_file_is_read(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(FLOOR + RATE)
    contract = load_contract(path)
    assert [c.clause for c in contract.clauses] == ["floor", "rate"]
    assert contract.clauses[1].key == ("inbound_rate", "v3", "rebuilt", "p10")


def test_the_version_follows_the_content_and_not_the_layout():
    version = parse(FLOOR + RATE).version
    assert version.startswith("mine-")
    assert parse("# a comment\n" + FLOOR + "\n\n" + RATE.replace(" = ", "=")).version == version
    assert parse(FLOOR + RATE.replace("0.6", "0.61")).version != version
    assert parse(FLOOR + RATE.replace("measured on 40", "measured on 41")).version != version


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("threshold = 0.6", "threshold = nan"), "clause 'rate', threshold"),
        (("threshold = 0.6", "threshold = true"), "clause 'rate', threshold"),
        (("threshold = 0.6", 'threshold = "0.6"'), "clause 'rate', threshold"),
        (('operator = ">="\nthreshold = 0.6', 'operator = "~"\nthreshold = 0.6'), "clause 'rate', operator"),
        (('clause = "rate"\n', ""), "clause number 2, clause"),
        (('evidence = "measured on 40 reports"', 'evidence = ""'), "clause 'rate', evidence"),
        (('evidence = "measured on 40 reports"', 'evidence = "x"\nmin_n = 0'), "clause 'rate', min_n"),
        (('evidence = "measured on 40 reports"', 'evidence = "x"\nmodus = "block"'), "clause 'rate', modus"),
        (('evidence = "measured on 40 reports"', 'evidence = "x"\nmode = "shout"'), "clause 'rate', mode"),
        (
            ('version = "v3"', 'version = "v9"'),
            "clause 'rate': The metric 'inbound_rate' v9 has no catalogue entry",
        ),
        (('metric = "inbound_rate"', 'metric = "sparkle"'), "clause 'rate': The metric 'sparkle'"),
        (('statistic = "p10"', 'statistic = "p11"'), "statistic 'p11' is none of p10, p50"),
        (('version = "v3"\n', ""), "clause 'rate': version and stage must be given"),
        (('clause = "rate"', 'clause = "floor"'), "clause 'floor': 2 clauses have this name"),
        (
            ('metric = "inbound_rate"\nversion = "v3"', 'metric = "audited_share"\nversion = "v1"'),
            "measured at stage shadow, not rebuilt",
        ),
        (
            ('metric = "row_count"\nstatistic', 'metric = "row_count"\nstage = "shadow"\nstatistic'),
            "row_count has no version and no stage",
        ),
        (("format = 1", "format = 2"), "format"),
        (('approved_by = "A. Person"', 'approved_by = ""'), "approved_by"),
        (
            ('evidence = "measured on 40 reports"', 'evidence = "x"\nseverity = "warn"'),
            "clause 'rate': severity: a warning never blocks in Dagster",
        ),
        (
            ('evidence = "measured on 40 reports"', 'evidence = "x"\nclear_at = 0.5'),
            "clause 'rate': clear_at: 0.5 lies on the broken side of >= 0.6",
        ),
        (
            ('evidence = "measured on 40 reports"', 'evidence = "x"\nclear_at = inf'),
            "clause 'rate', clear_at",
        ),
        (
            ('evidence = "measured on 40 reports"', 'evidence = "x"\nclear_needs = 0'),
            "clause 'rate', clear_needs",
        ),
        (('approved_on = "2026-03-01"', 'approved_on = "yesterday"'), "approved_on"),
    ],
)
def test_a_wrong_place_is_named(change, says):
    text = FLOOR + RATE
    assert change[0] in text
    with pytest.raises(ConfigError, match=r"mine\.toml is not a valid contract") as caught:
        parse(text.replace(*change))
    assert says in caught.value.message


def test_all_wrong_places_are_named_at_once():
    with pytest.raises(ConfigError) as caught:
        parse(FLOOR + RATE.replace("v3", "v9") + RATE.replace('"rate"', '"other"').replace("p10", "p11"))
    assert "'rate'" in caught.value.message
    assert "'other'" in caught.value.message


@pytest.mark.parametrize(
    "text",
    [
        FLOOR.split("[[clauses]]", maxsplit=1)[0] + "clauses = []",
        FLOOR.split("[[clauses]]", maxsplit=1)[0] + RATE,
        FLOOR + 'mode = "record"',
        FLOOR.split("[[clauses]]", maxsplit=1)[0] + RATE + "[[clauses]]" + FLOOR.split("[[clauses]]")[1],
    ],
    ids=["no clauses", "no floor", "the floor does not block", "the floor is not first"],
)
def test_a_contract_without_a_floor_first_is_refused(text):
    with pytest.raises(ConfigError, match="first clause must be a row_count clause"):
        parse(text)


@pytest.mark.parametrize("content", [b"format = ", b"\xff\xfe", b"= 3"])
def test_a_file_that_is_no_toml_is_refused(content):
    with pytest.raises(ConfigError, match=r"mine\.toml is not valid TOML"):
        parse_contract(content, "mine.toml")


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(ConfigError, match=r"nowhere\.toml cannot be read: No such file"):
        load_contract(tmp_path / "nowhere.toml")


def test_a_clause_may_judge_a_users_own_metric():
    own = Metric(
        Definition(
            id="sparkle",
            version="v1",
            title="Sparkle",
            unit="share",
            formula="sparkling / all",
            stages=(Stage.REBUILT,),
            absent_when="never",
            statistics=("p10",),
            owner="tests",
            says_not="anything",
        ),
        lambda subject: Value(1.0),
    )
    text = (FLOOR + RATE.replace("inbound_rate", "sparkle").replace("v3", "v1")).encode()
    with pytest.raises(ConfigError, match="sparkle"):
        parse_contract(text, "mine.toml")
    assert parse_contract(text, "mine.toml", CATALOGUE.extended(own)).clauses[1].metric == "sparkle"


def test_a_proposal_says_nothing_about_approval_and_is_valid():
    text = FLOOR.replace('approved_by = "A. Person"\napproved_on = "2026-03-01"\n', "")
    contract = parse(text)
    assert (contract.approved_by, contract.approved_on) == (None, None)
    assert "approved" not in contract.canonical()


def test_hysteresis_is_the_threshold_unless_it_is_given():
    (_, rate) = parse(FLOOR + RATE).clauses
    assert (rate.recovery, rate.clear_needs) == (0.6, 1)
    (_, rate) = parse(FLOOR + RATE + "clear_at = 0.7\nclear_needs = 2\n").clauses
    assert (rate.recovery, rate.clear_needs) == (0.7, 2)
    assert parse(FLOOR + RATE + "clear_at = 0.7\n").version != parse(FLOOR + RATE).version


@pytest.mark.parametrize(("operator", "clear_at"), [("<=", 0.7), ("<", 0.7), (">", 0.5), ("==", 0.7)])
def test_an_alert_ends_on_the_good_side_only(operator, clear_at):
    text = FLOOR + RATE.replace('operator = ">="', f'operator = "{operator}"') + f"clear_at = {clear_at}\n"
    with pytest.raises(ConfigError, match="lies on the broken side"):
        parse(text)


def test_a_contract_that_was_stored_before_hysteresis_keeps_its_version():
    stored = (
        '{"approved_by":"me","approved_on":"2026-01-01","clauses":[{"clause":"floor","evidence":"a test",'
        '"max_unknown_share":0.1,"metric":"row_count","min_n":10,"mode":"block","operator":">=","severity":"error",'
        '"stage":null,"statistic":"count","threshold":1,"version":null}],"format":1,"name":"old"}'
    )
    contract = Contract.model_validate_json(stored)
    assert contract.canonical() == stored
    assert contract.version == "old-" + hashlib.sha256(stored.encode()).hexdigest()[:12]
