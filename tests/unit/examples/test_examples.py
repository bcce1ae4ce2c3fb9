"""The example batches hold what their story says: numbers worked out by reading, not by running the line."""

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pytest

from quality.delivery.envelope import split
from quality.delivery.head import own_fields
from quality.delivery.model import DeliveredReport, DeliveryState
from quality.delivery.render import render
from quality.intake.batch import read_batch
from quality.intake.catalogue import load_sources
from quality.intake.folder import read_markdown
from quality.intake.reports import load_reports
from quality.kernel import Audit, audit_report
from quality.metrics.dirt import find_dirt
from quality.model import Measurement, RebuildPath, Rebuilt, Report, Stage, Validity
from quality.references.rebuild import rebuild
from quality.sources.index import SourceIndex

EXAMPLES = Path(__file__).parents[3] / "examples"
BATCHES = ("01-sound", "02-material-list")


@dataclass(frozen=True)
class Worked:
    """One report through the audit and the rebuild."""

    report: Report
    shadow: Audit
    rebuilt: Rebuilt
    after: Audit


def sources():
    return load_sources(EXAMPLES / "sources.jsonl")


def reports(batch: str) -> list[Report]:
    loaded = load_reports(EXAMPLES / batch / "reports").reports
    assert all(isinstance(report, Report) for report in loaded)
    return [report for report in loaded if isinstance(report, Report)]


@pytest.fixture(scope="module")
def worked() -> dict[str, dict[str, Worked]]:
    index = SourceIndex(sources().sources)

    def work(report: Report) -> Worked:
        shadow = audit_report(report, index, Stage.SHADOW)
        assert shadow.reading is not None
        assert shadow.reconciliation is not None
        done = rebuild(
            report,
            shadow.reading,
            shadow.reconciliation,
            index,
            is_dirty=lambda entry: bool(find_dirt(entry)),
        )
        return Worked(
            report, shadow, done, audit_report(replace(report, body=done.body), index, Stage.REBUILT)
        )

    return {batch: {report.report_id: work(report) for report in reports(batch)} for batch in BATCHES}


def value(audit: Audit, metric: str, version: str) -> Measurement:
    (found,) = [m for m in audit.measurements if (m.metric, m.version) == (metric, version)]
    return found


def fraction(audit: Audit) -> tuple[float | None, float | None]:
    inbound = value(audit, "inbound_rate", "v3")
    return inbound.numerator, inbound.denominator


# report: cited with an entry / distinct citations as written, then after the rebuild; counted by hand
SOUND = {
    "01-street-trees": ((4, 4), (4, 4)),
    "02-roof-gardens": ((4, 4), (4, 4)),
    "03-night-buses": ((4, 4), (4, 4)),
    "04-bicycle-parking": (
        (0, 0),
        (4, 4),
    ),  # four links that carry their own address: nothing to measure as written
    "05-tool-libraries": ((4, 4), (4, 4)),
    "06-school-gardens": ((4, 4), (4, 4)),
    "07-rewetted-bogs": (
        (1, 1),
        (2, 2),
    ),  # one number and one link: fewer than three, so the link is merged in
    "08-swifts-and-hedges": ((3, 7), (3, 7)),  # seven numbers, three entries
    "09-laojie-zheyin": ((4, 4), (4, 4)),
    "10-jiuhedao": ((4, 4), (4, 4)),
    "11-shequ-chufang": ((4, 4), (4, 4)),
    "12-parish-ledgers": ((4, 4), (4, 4)),
}
MATERIAL_LIST = {
    "01-houche-yinliang": ((1, 5), (1, 5)),
    "02-kuaidi-hebing": ((0, 4), (0, 4)),
    "03-haimian-yanghu": ((1, 5), (2, 5)),  # a title cut short that only the catalogue holds
    "04-dianti-xieshang": ((1, 4), (1, 4)),
    "05-shuiniao-jiance": ((0, 3), (0, 3)),
    "06-difangzhi-shibie": ((1, 5), (2, 5)),  # one title of the table, one that only the catalogue holds
    "07-porous-car-parks": ((1, 5), (1, 5)),
    "08-harbour-noise": ((0, 4), (0, 4)),
    "09-repair-evenings": ((2, 5), (2, 5)),
    "10-bus-stop-walks": ((3, 4), (3, 4)),
    "11-village-ovens": ((1, 5), (1, 5)),
    "12-bog-dams": ((1, 5), (1, 5)),
}


@pytest.mark.parametrize(
    ("batch", "report_id"),
    [("01-sound", name) for name in SOUND] + [("02-material-list", name) for name in MATERIAL_LIST],
)
def test_inbound_rate_before_and_after(worked, batch, report_id):
    one = worked[batch][report_id]
    before, after = (SOUND | MATERIAL_LIST)[report_id]
    assert fraction(one.shadow) == before
    assert fraction(one.after) == after


def p10(worked, batch):
    values = [value(one.after, "inbound_rate", "v3").value for one in worked[batch].values()]
    assert None not in values
    row = (
        duckdb.connect()
        .execute("SELECT quantile_cont(x, 0.1) FROM (SELECT unnest(?) AS x)", [values])
        .fetchone()
    )
    assert row is not None
    return row[0]


def test_the_contract_statistics_lie_on_the_right_side(worked):
    # Twelve values: P10 lies a tenth of the way from the second lowest to the third.
    assert p10(worked, "01-sound") == pytest.approx(1.0)
    assert p10(worked, "02-material-list") == pytest.approx(0.0)
    for batch, cited in (("01-sound", 12), ("02-material-list", 9)):
        values = [value(one.after, "cited", "v1").value for one in worked[batch].values()]
        assert values.count(1.0) == cited
        assert len(values) == 12
        dirty = sorted(value(one.after, "dirty_entries", "v1").value or 0.0 for one in worked[batch].values())
        assert dirty[5] == dirty[6] == 0.0


def test_the_reader_sees_every_character(worked):
    for batch in BATCHES:
        for one in worked[batch].values():
            assert one.shadow.reading is not None
            spans = [(segment.start, segment.end) for segment in one.shadow.reading.segments]
            assert [start for start, _ in spans] == [0, *(end for _, end in spans[:-1])]
            assert spans[-1][1] == len(one.report.body)


def test_links_are_nothing_to_measure_as_written(worked):
    one = worked["01-sound"]["04-bicycle-parking"]
    assert value(one.shadow, "inbound_rate", "v3").validity is Validity.ABSENT
    assert [entry.source_id for entry in one.rebuilt.entries] == ["ex-10", "ex-09", "ex-02", "ex-12"]


def test_the_dirty_entry_becomes_its_canonical_title(worked):
    one = worked["01-sound"]["05-tool-libraries"]
    assert value(one.shadow, "dirty_entries", "v1").value == 1
    assert value(one.after, "dirty_entries", "v1").value == 0
    assert "| Home |" in one.report.body
    assert "| Home |" not in one.rebuilt.body
    assert [entry.title for entry in one.rebuilt.entries if entry.source_id == "ex-14"] == [
        "How Long Do Washing Machines Live? Household Appliances in Survival Analysis"
    ]


def test_two_citations_take_the_merge_path(worked):
    one = worked["01-sound"]["07-rewetted-bogs"]
    assert one.rebuilt.path is RebuildPath.MERGED
    assert "湿地恢复后的水鸟数量变化" in one.rebuilt.body.split("## References")[1]


def test_one_report_of_the_sound_batch_is_held_by_the_gate_alone(worked):
    rates = {
        name: value(one.after, "inbound_rate", "v3").value or 0.0 for name, one in worked["01-sound"].items()
    }
    assert [name for name, rate in rates.items() if rate < 0.5] == ["08-swifts-and-hedges"]
    dangling = worked["01-sound"]["08-swifts-and-hedges"].rebuilt.dangling
    assert [cited.key for cited in dangling] == ["4", "5", "6", "7"]


def test_titles_that_nobody_holds_stay_dangling_and_in_the_body(worked):
    one = worked["02-material-list"]["05-shuiniao-jiance"]
    titles = ["样线法在芦苇湿地中的漏计率", "被动声学监测与鸟类多样性评估", "热红外无人机对越冬水鸟的计数"]
    assert [cited.key for cited in one.rebuilt.dangling] == titles
    assert all(f"《{title}》" in one.rebuilt.body for title in titles)


@pytest.mark.parametrize("batch", BATCHES)
def test_batch_file(batch):
    folder = EXAMPLES / batch
    file = read_batch(folder)
    assert (file.id, file.producer) == (batch, "town-desk")
    assert file.reports_path(folder).is_dir()
    path = file.sources_path(folder)
    assert path is not None
    assert path.resolve() == EXAMPLES / "sources.jsonl"
    assert file.created_at < datetime(2026, 10, 1, tzinfo=UTC)


def test_catalogue():
    loaded = sources()
    assert loaded.refused == ()
    assert len(loaded.sources) == len({source.title for source in loaded.sources}) == 40
    with_text = [source for source in loaded.sources if source.text]
    assert len(with_text) == 17
    assert sum(len(source.text or "") < 500 for source in with_text) == 10


@pytest.mark.parametrize("batch", BATCHES)
def test_reports_read_like_short_reports(batch):
    loaded = reports(batch)
    assert len(loaded) == 12
    assert {report.language for report in loaded} == {"en", "zh"}
    for report in loaded:
        size = len(report.body) if report.language == "zh" else len(report.body.split())
        low, high = (380, 900) if report.language == "zh" else (150, 400)
        assert low <= size <= high, report.report_id
        assert report.title
        assert report.question
        assert report.flags == ()


def test_identifiers_and_hosts_are_made_up():
    for path in EXAMPLES.rglob("*"):
        if path.suffix in {".md", ".jsonl"}:
            text = path.read_text(encoding="utf-8")
            assert set(re.findall(r"\b10\.\d{4,}", text)) <= {"10.5555"}, path
            hosts = set(re.findall(r"https?://([^/\s\"]+)", text))
            assert all(host == "doi.org" or host.endswith(".example") for host in hosts), path


@pytest.mark.parametrize("batch", BATCHES)
def test_a_delivered_example_comes_back_as_it_was(worked, batch):
    for one in worked[batch].values():
        report = replace(one.report, body=one.rebuilt.body)
        text = render(
            DeliveredReport(batch, report.report_id, report.body, DeliveryState.PENDING, own_fields(report))
        )
        assert split(text)[1] == one.rebuilt.body
        again = read_markdown(text.encode(), "other")
        assert isinstance(again, Report)
        assert replace(again, original=None, flags=()) == replace(report, original=None)
