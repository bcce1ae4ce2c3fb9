"""The kernel puts the steps together, and lets no fault out of one report."""

from quality.kernel import audit_report, guarded, looked_up, no_catalogue
from quality.model import Report, ResolutionState, Source, Stage, UnreadableReport, Validity
from quality.sources.index import SourceIndex

BODY = "Alpha [1]. Beta [2]. Gamma [4].\n\n## References\n\n[1] Tidal mixing in estuaries. https://papers.test/1\n[2] Salt marshes and carbon. https://papers.test/2\n[3] Seals from the air. https://papers.test/3\n"
INDEX = SourceIndex([Source("s1", "Tidal mixing in estuaries", url="https://papers.test/1")])


def value(audit, metric, version):
    [found] = [m for m in audit.measurements if (m.metric, m.version) == (metric, version)]
    return found.value, found.validity


def test_one_report_counted_by_hand():
    audit = audit_report(Report("r", BODY), INDEX, Stage.SHADOW)
    assert [c.key for c in audit.reconciliation.cited] == ["1", "2", "4"]
    assert [r.state for r in audit.citation_resolutions] == [
        ResolutionState.RESOLVED,
        ResolutionState.NONE,
        ResolutionState.NONE,
    ]
    assert value(audit, "inbound_rate", "v3") == (2 / 3, Validity.MEASURED)
    assert value(audit, "canonical_rate", "v1") == (1 / 3, Validity.MEASURED)
    assert value(audit, "uncited_entries", "v1") == (1.0, Validity.MEASURED)
    assert audit.fault is None


def test_without_a_catalogue_the_canonical_rate_is_absent_not_zero():
    audit = audit_report(Report("r", BODY), None, Stage.SHADOW)
    assert value(audit, "canonical_rate", "v1") == (None, Validity.ABSENT)
    assert value(audit_report(Report("r", BODY), no_catalogue(), Stage.SHADOW), "canonical_rate", "v1") == (
        0.0,
        Validity.MEASURED,
    )


def test_fault_in_one_report_is_unknown_and_names_itself():
    def broken(*_: object):
        raise RecursionError("too deep")

    audit = guarded(Report("r", BODY), INDEX, Stage.SHADOW, audit=broken)
    assert audit.fault == "fault in the audit: RecursionError: too deep"
    assert {m.validity for m in audit.measurements} == {Validity.UNKNOWN}
    assert {m.detail for m in audit.measurements} == {audit.fault}


def test_unreadable_report_is_unknown():
    audit = guarded(UnreadableReport("r", "not_text", "it is a PDF", b"%PDF"), INDEX, Stage.SHADOW)
    assert audit.fault == "not_text: it is a PDF"
    assert {m.validity for m in audit.measurements} == {Validity.UNKNOWN}


def test_one_report_leaves_nothing_behind_for_the_next():
    other = Report("o", "Delta [1].\n\n## References\n\n[1] Gamma. https://papers.test/9\n")
    alone = audit_report(other, INDEX, Stage.SHADOW)
    audit_report(Report("r", BODY), INDEX, Stage.SHADOW)
    assert audit_report(other, INDEX, Stage.SHADOW) == alone


def test_a_batch_is_audited_as_each_report_alone():
    titled = "Gamma 《Tidal mixing in estuaries》 and [Salt marshes](https://papers.test/2).\n"
    reports = [
        Report("r", BODY),
        UnreadableReport("u", "not_text", "it is a PDF", b"%PDF"),
        Report("t", titled),
        *(Report(f"r{n}", BODY.replace("Seals", f"Seals {n}")) for n in range(120)),
    ]
    together = [guarded(report, known, Stage.SHADOW) for report, known in looked_up(reports, INDEX)]
    assert together == [guarded(report, INDEX, Stage.SHADOW) for report in reports]
    assert [known for _, known in looked_up(reports[:2], None)] == [None, None]
